// Reads a page from its bytes: its format, text and links. A page may be hostile, so this runs in a process that can be
// killed.
import type { Parsed } from '../../model/document.js'
import { decode, encodingWithin } from '../../parse/decode.js'
import { parseHtml } from '../../parse/html.js'
import { xhtmlAsHtml } from '../../parse/html-tree.js'
import { formatOfBytes } from '../../parse/office/format-of-bytes.js'
import { parseOffice } from '../../parse/office/parse-office.js'
import { pageTextName, parsePageText } from '../../parse/page-text.js'
import { parseText } from '../../parse/text.js'
import { type PageHead, readPageHead } from '../../sources/web/page-links.js'
import { agent, readPageRules } from '../../sources/web/robots.js'
import { readLlms } from '../../sources/web/sitemap.js'
import { inOneOrder, normaliseUrl, siteOf, tidyUrl } from '../../sources/web/urls.js'
import { hashOf } from '../../text/hash.js'
import { withoutControls } from '../../text/one-line.js'
import { prepared } from '../prepare.js'
import { pack } from '../task.js'
import { fitted } from './output.js'
import type { PageReading, PageTask } from './page-task.js'

export async function readPage(task: PageTask, mostBytes: number): Promise<PageReading> {
  const { parsed, head, name } = await understand(task)
  const text = fitted(parsed, mostBytes)
  const textBytes = name === null ? Buffer.from(text.text) : null
  const base = normaliseUrl(head.base ?? '', task.url) ?? task.url
  const here = (written: string | null) => (written === null ? null : onSite(written, base, task))
  const document = prepared(
    {
      ref: { source: task.source, path: task.url },
      bytes: textBytes ?? task.bytes,
      stamp: null,
      readAt: task.fetchedAt,
      metadata: task.details,
    },
    text,
  )
  return {
    document: pack(document),
    title: document.title,
    metadata: document.metadata,
    name: name ?? (text.format === 'text' ? 'page.txt' : pageTextName),
    textBytes,
    chunks: document.chunks.length,
    textHash: hashOf(text.text.trim()),
    chars: text.text.trim().length,
    links: [...new Set(head.links.map(here))].filter((url) => other(url, task) !== null) as string[],
    linksCut: head.cut,
    canonical: other(inOrder(here(task.canonical ?? head.canonical)), task),
    refresh: other(inOrder(here(head.refresh)), task),
    ...readPageRules(head.robots, ...task.robots),
    missing: titleSaysMissing(document.title, text.text),
    scripted: text.text.trim().length < hardlyAny && head.scripts > 0,
  }
}

const hardlyAny = 40

interface Understood {
  parsed: Parsed
  head: PageHead
  /** The name for the bytes as received; null: the text is stored. */
  name: string | null
}

/** Decides by the bytes first and by the server's content type second, since servers are often wrong. */
async function understand(task: PageTask): Promise<Understood> {
  const kind = formatOfBytes(task.bytes)
  if (kind === 'empty') return { parsed: parseText('', 'page.txt'), head: noHead(), name: null }
  if (kind !== 'html' && kind !== 'text' && kind !== 'binary') return office(task)
  const { text, notes } = textOf(task)
  const understood = understandText(task, text, kind === 'html')
  return { ...understood, parsed: { ...understood.parsed, notes: [...notes, ...understood.parsed.notes] } }
}

async function office({ bytes, url }: PageTask): Promise<Understood> {
  const parsed = await parseOffice(bytes, new URL(url).pathname, null)
  return { parsed, head: noHead(), name: `page.${parsed.format}` }
}

function understandText(task: PageTask, text: string, isHtml: boolean): Understood {
  if (isHtml || looksLikePage(task, text)) {
    const html = task.type === 'application/xhtml+xml' ? xhtmlAsHtml(text) : text
    return { parsed: parseHtml(html), head: readPageHead(html, agent), name: null }
  }
  if (!isMarkdown(task))
    return { parsed: parseText(withoutControls(text), 'page.txt'), head: noHead(), name: null }
  return {
    parsed: parsePageText(text),
    head: { ...noHead(), ...readLlms(Buffer.from(text)) },
    name: null,
  }
}

function looksLikePage({ type }: PageTask, text: string): boolean {
  if (type === 'text/html' || type === 'application/xhtml+xml') return true
  return (
    (type === null || type === 'application/octet-stream') &&
    /<(?:html|head|body|div|p)\b/i.test(text.slice(0, 4_000))
  )
}

function isMarkdown({ type, url }: PageTask): boolean {
  return (
    type === 'text/markdown' ||
    type === 'text/x-markdown' ||
    /\.(?:mdx?|markdown)$|\/llms(?:-full)?\.txt$/i.test(new URL(url).pathname)
  )
}

/** By its mark, as UTF-8 where it is that, as the header says, as the page says. */
function textOf({ bytes, charset }: PageTask) {
  const declared = charset ?? encodingWithin(bytes)
  // Encodings whose bytes pass for another's.
  if (declared && /^(?:utf-16|iso-2022|hz-gb)/i.test(declared)) {
    const text = decodedAs(declared, bytes)
    if (text !== null) return { text, notes: [] }
  }
  const read = decode(bytes, declared)
  const inPage = read.notes.length > 0 && charset ? encodingWithin(bytes) : null
  return inPage ? decode(bytes, inPage) : read
}

function decodedAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function noHead(): PageHead {
  return { links: [], base: null, canonical: null, robots: null, refresh: null, scripts: 0, cut: false }
}

function onSite(written: string, base: string, { site }: PageTask): string | null {
  const url = tidyUrl(written, base)
  return url !== null && siteOf(url) === site ? url : null
}

function inOrder(url: string | null): string | null {
  return url === null ? null : inOneOrder(url)
}

function other(url: string | null, task: PageTask): string | null {
  return inOrder(url) === task.url ? null : url
}

/**
 * Whether a page says "not found": it is short, and its title says only that. A page about missing things has a longer one.
 */
function titleSaysMissing(title: string, text: string): boolean {
  return text.length < 1_500 && missing.test(title.trim())
}

const notFound = [
  String.raw`(?:(?:page|file|document|content)\s+)?(?:was\s+|could\s+|cannot\s+)?not\s+(?:be\s+)?found`,
  String.raw`seite\s+nicht\s+gefunden`,
  String.raw`nothing\s+found(?:\s+for\s+["'“‘«].*)?`,
].join('|')
/** Where it ends, or the name of the site begins. */
const end = String.raw`[\s.!?…]*(?:$|(?:[–—:|·•»«(]|\s[-/]|-\s)(?!\s*(?:how|why|what|when|fix)\b))`
const missing = new RegExp(
  String.raw`^\W*(?:(?:error\s*)?404(?:${end}|\s+(?:error(?:\s+page)?|page|${notFound})${end})|(?:${notFound})(?:\s+(?:error|404))?${end})`,
  'i',
)
