// Parses a file by its format: bytes in, structure out.

import type { Declaration, Parsed } from '../model/document.js'
import { Problem } from '../model/problem.js'
import type { Format } from '../model/source.js'
import { lineStarts, trimmedSpan } from '../text/lines.js'
import { decode, encodingWithin } from './decode.js'
import { formatOf, isMdx, languageOfScript, type ParsedFormat } from './formats.js'
import { xhtmlAsHtml } from './html-tree.js'
import { parseMarkdown } from './markdown.js'
import { parseNotebook } from './notebook.js'
import { isPageText, parsePageText } from './page-text.js'
import { parseLines, parseText } from './text.js'

/** Parses a file. Throws a Problem if it is not text; a broken file is parsed as far as possible, with notes. */
export async function parse(item: { path: string; bytes: Uint8Array }): Promise<Parsed> {
  const kind = formatOf(item.path)
  if (!kind)
    throw new Problem(
      'unsupported',
      `Files like "${item.path}" are not read.`,
      'Convert it to text or Markdown.',
    )
  const { text, notes } = decode(item.bytes, declaredEncoding(item.bytes, kind))
  const parsed = await readers[kind.format](text, item.path, kind.language)
  return notes.length > 0 ? { ...parsed, notes: [...notes, ...parsed.notes] } : parsed
}

type Reader = (text: string, path: string, language: string | null) => Parsed | Promise<Parsed>

const plain: Reader = (text, path) => {
  const language = path.includes('.') ? null : languageOfScript(text)
  return language ? code(text, path, language) : parseText(text, path)
}

// Grammars and the page converter are loaded with the first file that needs them: a folder of notes needs neither.
const code: Reader = async (text, path, language) =>
  (await import('./code/parse-code.js')).parseCode(text, language ?? 'text', path)
const html: Reader = async (text, path) =>
  isPageText(path)
    ? parsePageText(text)
    : (await import('./html.js')).parseHtml(/\.xhtml$/i.test(path) ? xhtmlAsHtml(text) : text)
const data: Reader = (text, path, language) => parseData(text, { format: formatOf(path)!.format, language })

const readers: Readonly<Record<ParsedFormat, Reader>> = {
  markdown: (text, path) => parseMarkdown(text, isMdx(path) ? 'mdx' : 'markdown'),
  html,
  notebook: (text) => parseNotebook(text),
  code,
  data,
  csv: data,
  text: plain,
}

/** HTML pages and XML may declare their encoding near the top. */
function declaredEncoding(
  bytes: Uint8Array,
  { format, language }: { format: Format; language: string | null },
) {
  return format === 'html' || language === 'xml' ? encodingWithin(bytes) : null
}

// Configuration and data are kept as lines. Their top-level keys become declarations: names to search for, and places
// to cut.
function parseData(text: string, as: { format: Format; language: string | null }): Parsed {
  const find = keys[as.language ?? '']
  return { ...parseLines(text, as), declarations: find ? declarations(text, find) : [] }
}

type KeyOf = (line: string, before: { first: string | null }) => string | null

const keys: Readonly<Record<string, KeyOf>> = {
  json: (line, before) => {
    const found = /^(\s+)"((?:[^"\\]|\\.){1,200})"\s*:/.exec(line)
    if (!found) return null
    before.first ??= found[1]!
    return before.first === found[1] ? found[2]! : null
  },
  yaml: (line) => /^["']?([\p{L}\p{N}_$./][^:#"']{0,200})["']?\s*:(?:\s|$)/u.exec(line)?.[1]?.trim() ?? null,
  toml: (line, before) => {
    const table = /^\s*\[\[?([^\]]{1,200})\]/.exec(line)?.[1]
    if (table) before.first = table
    return table ?? (before.first === null ? (/^\s*([\w."-]{1,200})\s*=/.exec(line)?.[1] ?? null) : null)
  },
  ini: (line) => /^\s*\[([^\]]{1,200})\]/.exec(line)?.[1] ?? null,
}

// A lock file has tens of thousands of keys that are never searched by name.
const most = 500

function declarations(text: string, keyOf: KeyOf): Declaration[] {
  const starts = lineStarts(text)
  const found: { name: string; start: number }[] = []
  const before = { first: null }
  for (let i = 0; i < starts.length && found.length <= most; i++) {
    const line = text.slice(starts[i], Math.min(starts[i + 1] ?? text.length, starts[i]! + 500))
    const name = keyOf(line, before)
    if (name) found.push({ name, start: starts[i]! })
  }
  if (found.length > most) return []
  return found.map(({ name, start }, i) => {
    const span = trimmedSpan(text, starts, start, found[i + 1]?.start ?? text.length)!
    const signature = text
      .slice(start, start + 200)
      .split(/[\r\n]/)[0]!
      .trim()
    return { kind: 'key', name, scope: [], signature, ...span }
  })
}
