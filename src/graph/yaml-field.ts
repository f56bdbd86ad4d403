// Finds a field in the lines of a YAML map, and the parts of it that must stay when its value changes.
import { spelledFields } from '../parse/spelled-fields.js'

export interface YamlField {
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
export function yamlField(inner: string, name: string, isWhole: boolean): YamlField | null {
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
export function yamlIndent(inner: string): string {
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
  const goesOn = new RegExp(`^${indent}(?:[ \\t]+${block ? '\\S' : '[^\\s#]'}|-(?:[ \\t]|$)|[\\]}])`)
  let count = 0
  for (const [i, line] of lines.entries()) {
    if (goesOn.test(line)) count = i + 1
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

function listIn(own: readonly string[], said: unknown): YamlField['list'] {
  const first = own.find((line) => line.trim() !== '' && !comment.test(line))
  const indent = /^([ \t]*)-(?:[ \t]|$)/.exec(first ?? '')?.[1]
  if (indent === undefined) return null
  const lines = own.filter((line) => line.startsWith(`${indent}-`))
  const isPaired = Array.isArray(said) && said.length === lines.length
  return { indent, items: new Map(isPaired ? said.map((one, i) => [one, lines[i]!]) : []) }
}

/** A text or a list, on one line. */
export function yamlSpelling(value: string | readonly string[]): string {
  return typeof value === 'string' ? scalar(value) : `[${value.map(scalar).join(', ')}]`
}

const plain = /^\p{L}[\p{L}\p{N} ._/()+&!?-]*$/u
const meaning = /^(?:true|false|null|yes|no|on|off|y|n)$/i

function scalar(value: string): string {
  return plain.test(value) && !/\s$/.test(value) && !meaning.test(value) ? value : JSON.stringify(value)
}
