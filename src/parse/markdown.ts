// Parses Markdown: blocks and headings with the library's block parser, links and tags with our own pass (inline.ts).
import type { Token } from 'markdown-it'
import type { Block, Parsed, Section } from '../model/document.js'
import type { Note } from '../model/problem.js'
import { lineAt, lineStarts, trimmedLines } from '../text/lines.js'
import { sameName } from '../text/normal-forms.js'
import { outline } from '../text/outline.js'
import { definitionAt, linkTo } from './destination.js'
import { languageNamed } from './formats.js'
import { declaredTags, type Frontmatter, readFrontmatter, scalarText, textsOf } from './frontmatter.js'
import { type Reading, readInline, readValue } from './inline.js'
import { blockTokens, type Dialect, inlineTokens, type References } from './markdown-blocks.js'
import { parseLines } from './text.js'

/** Parses a Markdown text. Never throws: a broken text is parsed as far as possible, with a note. */
export function parseMarkdown(text: string, dialect: Dialect = 'markdown'): Parsed {
  const starts = lineStarts(text)
  const front = readFrontmatter(text)
  const from = front ? lineAt(starts, front.end) - 1 : 0
  const { tokens, references } = blockTokens(text, dialect, front?.end)
  const page: Page = {
    text,
    starts,
    // Token lines count from 0 and from the body's first line.
    line: (index) => from + index + 1,
    tokens,
    references,
    reading: {
      text,
      starts,
      isReference: (label) => references.has(label),
      links: [],
      tags: [],
      hiddenUntil: 0,
    },
  }
  if (front) frontmatterLinks(page, front)
  const sections = sectionsOf(page)
  inlineParts(page)
  const { tags, notes } = tagsOf(front, page.reading)
  return {
    ...parseLines(text, { format: 'markdown', language: null }),
    title: titleOf(page, front, sections),
    sections,
    blocks: [...frontmatterBlock(page, front), ...blocksOf(page)],
    links: page.reading.links,
    tags,
    aliases: front ? textsOf(front.fields, ['aliases', 'alias'], (value) => value.split(',')) : [],
    metadata: front?.fields ?? {},
    notes: [...(front?.notes ?? []), ...notes],
  }
}

interface Page {
  text: string
  starts: Uint32Array
  line: (index: number) => number
  tokens: Token[]
  references: References
  reading: Reading
}

function titleOf(page: Page, front: Frontmatter | null, sections: Section[]): string | null {
  const declared = scalarText(front?.fields.title)[0]?.trim()
  if (declared) return declared
  const heading = sections.find((section) => section.level === 1 && section.text !== '')
  return titleInHtml(page, heading?.line ?? Number.POSITIVE_INFINITY) ?? heading?.text ?? null
}

/** An HTML title such as `<h1 align="center">Name</h1>` before the first heading of that level, as in many READMEs. */
function titleInHtml({ tokens, references, line }: Page, before: number): string | null {
  for (const { type, level, map, content } of tokens) {
    if (type !== 'html_block' || level !== 0 || line(map![0]) >= before || isHidden.test(content)) continue
    const [, written] = content.replace(remark, '').split(/<h1(?:\s[^<>]*)?>/i, 2)
    const [inside, closed] = written?.split(/<\/h1\s*>/i, 2) ?? []
    const text = closed === undefined ? '' : headingText(inside!.replace(/<[^<>]*>/g, ' '), references)
    if (text !== '') return text
  }
  return null
}

const remark = /<!--[\s\S]*?(?:-->|$)/g
const isHidden = /^\s*<(?:pre|script|style|textarea)\b/i

// --- Headings. Headings inside quotes and lists do not count: they start no section of the document.

function sectionsOf({ text, starts, tokens, references, line }: Page): Section[] {
  const headings = []
  for (const [i, token] of tokens.entries()) {
    if (token.type !== 'heading_open' || token.level !== 0) continue
    const content = headingText(tokens[i + 1]!.content, references)
    headings.push({ level: Number(token.tag[1]), text: content, line: line(token.map![0]) })
  }
  return outline(text, starts, headings)
}

// --- Blocks.

function blocksOf(page: Page): Block[] {
  const blocks: Block[] = []
  for (let i = 0; i < page.tokens.length; i++) {
    const token = page.tokens[i]!
    const kind = token.level === 0 && token.map ? kinds[token.type] : undefined
    if (kind === 'list') i = listBlocks(page, i, blocks)
    else if (kind)
      blocks.push(...blockOf(page, kind, page.line(token.map![0]), page.line(token.map![1]) - 1, token))
  }
  return blocks
}

const kinds: Readonly<Record<string, Block['kind']>> = {
  heading_open: 'heading',
  paragraph_open: 'paragraph',
  reference_definition: 'paragraph',
  bullet_list_open: 'list',
  ordered_list_open: 'list',
  fence: 'code',
  code_block: 'code',
  table_open: 'table',
  blockquote_open: 'quote',
  html_block: 'html',
  hr: 'rule',
}

/** Splits a list with code between its steps, so that the code becomes a block of its own. */
function listBlocks(page: Page, index: number, blocks: Block[]): number {
  const { tokens, line } = page
  const list = tokens[index]!
  let from = line(list.map![0])
  let quotes = 0
  let i = index + 1
  for (; tokens[i]!.level > 0; i++) {
    const token = tokens[i]!
    if (token.type === 'blockquote_open') quotes++
    else if (token.type === 'blockquote_close') quotes--
    if (token.type !== 'fence' || quotes > 0 || !token.map) continue
    const [first, last] = [line(token.map[0]), line(token.map[1]) - 1]
    blocks.push(...blockOf(page, 'list', from, first - 1), ...blockOf(page, 'code', first, last, token))
    from = last + 1
  }
  blocks.push(...blockOf(page, 'list', from, line(list.map![1]) - 1))
  return i
}

function blockOf(page: Page, kind: Block['kind'], first: number, last: number, token?: Token): Block[] {
  if (first > last) return []
  const span = trimmedLines(page.text, page.starts, first, last)
  if (!span) return []
  const language = token?.type === 'fence' ? fenceLanguage(token.info) : null
  return [{ kind, ...span, ...(language ? { language } : {}) }]
}

/** `ts {3}`, `js:line-numbers`, `{r, echo=FALSE}`, `{.python}`: the first word is the language. */
function fenceLanguage(info: string): string | null {
  const name = /^[\s{.]*([\p{L}\p{N}_#+-]+)/u.exec(info)?.[1]
  return name ? languageNamed(name) : null
}

function frontmatterBlock(page: Page, front: Frontmatter | null): Block[] {
  const span =
    front && trimmedLines(page.text, page.starts, 1, lineAt(page.starts, Math.max(0, front.end - 1)))
  return span ? [{ kind: 'frontmatter', ...span }] : []
}

// --- Links and tags.

function inlineParts({ text, starts, tokens, line, reading }: Page) {
  for (const { type, map } of tokens) {
    if (!map) continue
    const start = starts[line(map[0]) - 1] ?? text.length
    const end = starts[line(map[1]) - 1] ?? text.length
    if (type === 'inline') readInline(reading, start, end)
    else if (type === 'tr_open') cells(reading, start, end)
    else if (type === 'reference_definition') definition(reading, start, end)
  }
}

function cells(reading: Reading, start: number, end: number) {
  const { text } = reading
  let from = start
  for (let at = start; at <= end; at++) {
    const code = at === end ? bar : text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === bar) {
      readInline(reading, from, Math.min(at, end))
      from = at + 1
    }
  }
  if (from < end) readInline(reading, from, end)
}

const bar = 0x7c
const backslash = 0x5c

function definition(reading: Reading, start: number, end: number) {
  const found = definitionAt(reading.text, start, end)
  if (!found) return
  // The library reads a footnote of one word as a definition, but it is text.
  if (found.label.startsWith('^')) return readInline(reading, found.start, end)
  const link = linkTo(found.target, found.label, false)
  if (!link) return
  const line = lineAt(reading.starts, found.start)
  reading.links.push({ kind: 'markdown', ...link, start: found.start, end: found.end, line })
}

function frontmatterLinks({ text, starts, reading }: Page, { inner }: Frontmatter) {
  const last = lineAt(starts, inner.end)
  for (let line = lineAt(starts, inner.start); line < last; line++) {
    const [start, end] = [starts[line - 1]!, Math.min(starts[line]!, inner.end)]
    const written = text.slice(start, end)
    if (written.includes('[') && !/^\s*#/.test(written)) readValue(reading, start, end)
  }
}

function tagsOf(front: Frontmatter | null, { tags }: Reading): { tags: string[]; notes: Note[] } {
  const found = new Map<string, string>()
  const notes = new Map<string, Note>()
  const add = (tag: string, isTwice: (key: string) => boolean) => {
    const key = sameName(tag)
    if (isTwice(key)) notes.set(key, { code: 'duplicate_tag', message: `Duplicate tag ignored: ${tag}` })
    if (!found.has(key)) found.set(key, tag)
  }
  const declared = front ? declaredTags(front.fields) : []
  for (const tag of declared) add(tag, (key) => found.has(key))
  // A tag that the text repeats is normal; one that the frontmatter declares as well is a duplicate.
  const inFront = new Set(found.keys())
  for (const { name } of tags) add(name, (key) => inFront.has(key))
  return { tags: [...found.values()], notes: [...notes.values()] }
}

// A paragraph above a row of dashes is a heading too. Longer names are of no use.
const longest = 500

/** A heading as plain text, without markup for emphasis, code, links and notes, and without attributes in braces. */
export function headingText(written: string, references: References): string {
  const content = written.slice(0, longest).replace(attributes, '')
  const plain = withoutTicks(content) ?? plainText(inlineTokens(content, references))
  return plain
    .replace(wiki, (_, target: string, label?: string) => label?.trim() || target)
    .replace(/\s+/g, ' ')
    .trim()
}

/** `{#id}`, `{ .class }`, `{: title="x" }`, and a remark of MDX. */
const attributes = /(?<!\s)\s*\{(?:\s*[#.]|:[^:]|\/\*)[^{}]*\}\s*$/

const marked = /[*_~[\]<&\\!]/

/** Most headings have no marks but pairs of single backticks; null for the others. */
function withoutTicks(content: string): string | null {
  const pieces = content.split('`')
  const last = pieces.length - 1
  const isPlain = pieces.every(
    (piece, i) => (piece !== '' || i === 0 || i === last) && !(i % 2 === 0 && marked.test(piece)),
  )
  if (last % 2 === 1 || !isPlain) return null
  return pieces.map((piece, i) => (i % 2 === 0 ? piece : codeText(piece))).join('')
}

// One space on either side is there for the ticks' sake, unless there is nothing else.
function codeText(code: string): string {
  return /^[ \n].*[ \n]$/s.test(code) && /[^ \n]/.test(code) ? code.slice(1, -1) : code
}

const wiki = /!?\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]/g

function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => readers[token.type]?.(token) ?? '').join('')
}

const readers: Readonly<Record<string, (token: Token) => string>> = {
  text: (token) => token.content.replace(/\[\^[^\]\s]+\]/g, ''),
  text_special: (token) => token.content,
  code_inline: (token) => token.content,
  softbreak: () => ' ',
  hardbreak: () => ' ',
  image: (token) => plainText(token.children ?? []),
}
