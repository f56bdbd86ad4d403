// Changes one field of a note's frontmatter and keeps every other byte.
import { isDeepStrictEqual } from 'node:util'
import { readFrontmatter } from '../parse/frontmatter.js'
import { spelledFields } from '../parse/spelled-fields.js'
import { tomlStatements } from '../parse/toml.js'
import { hashOf } from '../text/hash.js'

/** Where the body starts: after the frontmatter and the empty lines that follow it. */
export function bodyStart(text: string): number {
  const front = readFrontmatter(text)
  if (!front) return 0
  return front.end + /^(?:[ \t]*(?:\r\n?|\n))*/.exec(text.slice(front.end))![0].length
}

/** The line ending of a text. */
export function lineEnding(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
}

/** A range of a text, and its replacement. */
export interface Edit {
  start: number
  end: number
  becomes: string
}

/** Sets a field to a text or a list, adding frontmatter if there is none. Null if that cannot be done safely. */
export function setField(
  text: string,
  names: readonly string[],
  value: string | readonly string[],
): string | null {
  const end = lineEnding(text)
  const front = readFrontmatter(text)
  const line = `${names[0]}: ${yamlSpelling(value)}${end}`
  if (!front) return `---${end}${line}---${end}${text === '' ? '' : end}${text}`
  const inner = text.slice(front.inner.start, front.inner.end)
  const name = names.find((one) => Object.hasOwn(front.fields, one))
  const isWhole = front.notes.length === 0
  const setting = { inner, isWhole, name: name ?? names[0]!, isThere: name !== undefined, value, end }
  const edit = text.startsWith('+') ? tomlEdit(setting) : yamlEdit(setting)
  if (!edit) return null
  const [from, to] = [front.inner.start + edit.start, front.inner.start + edit.end]
  const changed = withEdits(text, [{ start: from, end: to, becomes: edit.becomes }])
  return changesOnly(text, changed, setting) ? changed : null
}

interface Setting {
  inner: string
  /** Whether it parses without errors. */
  isWhole: boolean
  name: string
  isThere: boolean
  value: string | readonly string[]
  /** The line ending. */
  end: string
}

function yamlEdit({ inner, isWhole, name, isThere, value, end }: Setting): Edit | null {
  const field = yamlField(inner, name, isWhole)
  if (field) return field.isClear ? { ...field.span, becomes: rewritten(field, value, end) } : null
  // The field exists in a form that we do not edit: in braces or after a question mark.
  if (isThere) return null
  const becomes = `${yamlIndent(inner)}${name}: ${yamlSpelling(value)}${end}`
  return { start: inner.length, end: inner.length, becomes }
}

function rewritten(field: YamlField, value: string | readonly string[], end: string): string {
  const comments = field.comments.map((line) => line + end).join('')
  if (field.list === null || typeof value === 'string' || value.length === 0)
    return `${field.head} ${yamlSpelling(value)}${field.remark}${end}${comments}`
  const { indent, items } = field.list
  const lines = value.map((one) => items.get(one) ?? `${indent}- ${yamlSpelling(one)}`)
  return field.firstLine + end + comments + lines.map((line) => line + end).join('')
}

function tomlEdit({ inner, name, value, end }: Setting): Edit | null {
  const statements = tomlStatements(inner)
  const top = statements.filter(({ table }) => table === '')
  const found = top.find(({ key }) => key === name)
  // If a value has no end, we cannot know where the next field begins.
  if (!(found?.sound ?? top.every(({ sound }) => sound))) return null
  if (!found) {
    const after = top.at(-1)?.end ?? (statements.length > 0 ? 0 : inner.length)
    return { start: after, end: after, becomes: `${name} = ${JSON.stringify(value)}${end}` }
  }
  const { start, end: to } = found.written
  // A comment between the items would be lost.
  const bare = inner.slice(start, to).replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '')
  if (Array.isArray(found.value) && bare.includes('#')) return null
  return { start, end: to, becomes: JSON.stringify(value) }
}

/** Whether the field has the new value and everything else is unchanged. */
function changesOnly(before: string, after: string, { name, isThere, value }: Setting): boolean {
  const read = readFrontmatter(after)?.fields[name]
  if (!isDeepStrictEqual(Array.isArray(read) ? read.map(String) : read, value)) return false
  const fields = parseBoth(before, after)
  if (!fields) return false
  const old = fields.before.findIndex(([key]) => key === name)
  const at = fields.after.findIndex(([key, now]) => key === name && isDeepStrictEqual(now, value))
  if (at < 0 || (isThere && old >= 0 && old !== at)) return false
  const others = fields.before.filter((_, i) => i !== old)
  return isDeepStrictEqual(
    fields.after.filter((_, i) => i !== at),
    others,
  )
}

/** The values of two frontmatters, parsed in the same way; null if only one of them parses. */
function parseBoth(before: string, after: string) {
  const was = spelledFields(before)
  const is = was && spelledFields(after, !was.whole)
  return was && is && (is.whole || !was.whole) ? { before: was.fields, after: is.fields } : null
}

/**
 * Whether edits of some words changed nothing else in the frontmatter. The text is parsed once more with placeholder
 * words, which have no meaning in YAML or TOML, at the edited places; the two results may differ only there.
 */
export function onlyWordsChange(text: string, edits: readonly Edit[]): boolean {
  const front = readFrontmatter(text)
  if (!front) return readFrontmatter(withEdits(text, edits)) === null
  const inside = edits.filter(({ start }) => start < front.end).map((edit) => narrowed(text, edit))
  if (inside.length === 0) return true
  const word = `q${hashOf(text).slice(0, 8)}q`
  const neutral = inside.map((edit, i) => ({ ...edit, becomes: `${word}${i}${word}` }))
  const fields = parseBoth(withEdits(text, neutral), withEdits(text, edits))
  if (!fields) return false
  const put = (text: string) =>
    text.replace(new RegExp(`${word}(\\d+)${word}`, 'g'), (_, i) => inside[i]!.becomes)
  return isDeepStrictEqual(fields.after, mapTexts(fields.before, put))
}

/** Applies edits to a text. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  let [changed, from] = ['', 0]
  for (const { start, end, becomes } of [...edits].sort((a, b) => a.start - b.start)) {
    changed += text.slice(from, start) + becomes
    from = end
  }
  return changed + text.slice(from)
}

/** Shrinks an edit to the characters that differ, so that brackets, quotes and labels are not part of it. */
function narrowed(text: string, { start, end, becomes }: Edit): Edit {
  const old = text.slice(start, end)
  const most = Math.min(old.length, becomes.length)
  let [head, tail] = [0, 0]
  while (head < most && old[head] === becomes[head]) head++
  while (tail < most - head && old.at(-1 - tail) === becomes.at(-1 - tail)) tail++
  return { start: start + head, end: end - tail, becomes: becomes.slice(head, becomes.length - tail) }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change)]))
}

// Finds a field in the lines of a YAML map, and the parts of it that must stay when its value changes.

interface YamlField {
  span: { start: number; end: number }
  /** The first line up to the colon, and all lines of the field. */
  head: string
  firstLine: string
  /** The comment at the end of the first line, if there is one. */
  remark: string
  /** Lines with comments inside the value. */
  comments: string[]
  /** Whether the value certainly ends here, and contains no comment that would be lost. */
  isClear: boolean
  /** For a list with one item on each line: the indentation, and the lines by item. */
  list: { indent: string; items: ReadonlyMap<string, string> } | null
}

/** Null if no line starts with the name. `isWhole`: the map parses, so that no line belongs to two fields. */
function yamlField(inner: string, name: string, isWhole: boolean): YamlField | null {
  const lines = [...inner.matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)].filter(({ 0: line }) => line !== '')
  const indent = yamlIndent(inner)
  const start = new RegExp(`^${indent}(?:${name}|"${name}"|'${name}')[ \\t]*:(?=[ \\t\\r\\n]|$)`)
  const at = lines.findIndex(({ 0: line }) => start.test(line))
  if (at < 0) return null
  const firstLine = withoutEnd(lines[at]![0])
  const head = start.exec(firstLine)![0]
  const written = firstLine.slice(head.length)
  const rest = lines.slice(at + 1).map(({ 0: line }) => withoutEnd(line))
  const own = rest.slice(0, ownLines(rest, indent, isBlock.test(written)))
  const last = lines[at + own.length]!
  const alone = own.length === 0 ? null : spelledFields(`---\n${firstLine}\n${own.join('\n')}\n---\n`)
  const list = isEmpty.test(written) ? listIn(own, alone?.fields[0]?.[1]) : null
  const isKnown = isWhole || own.length === 0 || alone?.whole === true
  const isText = isBlock.test(written)
  return {
    span: { start: lines[at]!.index, end: last.index + last[0].length },
    head,
    firstLine,
    remark: remarkIn(written, name),
    comments: list ? own.filter((line) => comment.test(line)) : [],
    isClear: isKnown && (list !== null || isText || isClosed([written, ...own].join('\n').trim())),
    list,
  }
}

/** The indentation of the map as a whole. */
function yamlIndent(inner: string): string {
  return /^(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r(?!\n)|\n))*([ \t]*)(?=[^\s#])/.exec(inner)?.[1] ?? ''
}

const isBlock = /^[ \t]*(?:[&!]\S*[ \t]+)*[|>]/
const isEmpty = /^[ \t]*(?:[&!]\S*(?:[ \t]+|$))*(?:#.*)?$/
const comment = /^[ \t]*#/

function withoutEnd(line: string): string {
  return line.replace(/[\r\n]+$/, '')
}

// A line that is indented further, a list item, or a closing bracket belongs to the field above it; so do the empty
// lines and comments before it.
function ownLines(lines: readonly string[], indent: string, block: boolean): number {
  const continuation = new RegExp(`^${indent}(?:[ \\t]+${block ? '\\S' : '[^\\s#]'}|-(?:[ \\t]|$)|[\\]}])`)
  let count = 0
  for (const [i, line] of lines.entries()) {
    if (continuation.test(line)) count = i + 1
    else if (line.trim() !== '' && !comment.test(line)) break
  }
  return count
}

/**
 * Whether the quote or bracket that the value opens is closed. A list over several lines may have comments between its
 * items.
 */
function isClosed(value: string): boolean {
  if (/^(["'])(?!.*\1)|^\[(?!.*\])|^\{(?!.*\})/s.test(value)) return false
  return /^["']/.test(value) || !value.includes('\n') || !/(?:^|\s)#/.test(value)
}

// `tags: a #b` ends with a tag, not a comment.
function remarkIn(written: string, name: string): string {
  const sign = written.search(name === 'title' ? /[ \t]#/ : /[ \t]#[ \t]/)
  if (sign < 0) return ''
  const at = written.slice(0, sign).trimEnd().length
  const isWhole = /^[ \t]*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\]"']*\]|[^"'[{|>]*)$/
  return isWhole.test(written.slice(0, at)) ? written.slice(at) : ''
}

function listIn(own: readonly string[], parsed: unknown): YamlField['list'] {
  const first = own.find((line) => line.trim() !== '' && !comment.test(line))
  const indent = /^([ \t]*)-(?:[ \t]|$)/.exec(first ?? '')?.[1]
  if (indent === undefined) return null
  const lines = own.filter((line) => line.startsWith(`${indent}-`))
  const isPaired = Array.isArray(parsed) && parsed.length === lines.length
  return { indent, items: new Map(isPaired ? parsed.map((one, i) => [one, lines[i]!]) : []) }
}

/** A text or a list, on one line. */
function yamlSpelling(value: string | readonly string[]): string {
  return typeof value === 'string' ? scalar(value) : `[${value.map(scalar).join(', ')}]`
}

const plain = /^\p{L}[\p{L}\p{N} ._/()+&!?-]*$/u
const meaning = /^(?:true|false|null|yes|no|on|off|y|n)$/i

function scalar(value: string): string {
  return plain.test(value) && !/\s$/.test(value) && !meaning.test(value) ? value : JSON.stringify(value)
}
