// Where a field stands in the lines of a YAML map, and what of it has to stay when it gets another value.
import { spelledFields } from '../parse/spelled-fields.js'

export interface YamlField {
  span: { start: number; end: number }
  /** Its first line up to the colon, and the whole of it. */
  head: string
  firstLine: string
  /** What the first line ends in, if that is a remark. */
  remark: string
  /** Lines with remarks between those of the value. */
  comments: string[]
  /** Whether its value ends where it seems to, with no remark in it that would be lost. */
  isClear: boolean
  /** When it is a list with an item a line: their indent, and the lines by what they say. */
  list: { indent: string; items: ReadonlyMap<string, string> } | null
}

/** Null when no line begins with the name. `isWhole`: the map is sound, so that no line belongs to two fields. */
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

/** How far the map is indented as a whole. */
export function yamlIndent(inner: string): string {
  return /^(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r(?!\n)|\n))*([ \t]*)(?=[^\s#])/.exec(inner)?.[1] ?? ''
}

const isBlock = /^[ \t]*(?:[&!]\S*[ \t]+)*[|>]/
const isEmpty = /^[ \t]*(?:[&!]\S*(?:[ \t]+|$))*(?:#.*)?$/
const comment = /^[ \t]*#/

function withoutEnd(line: string): string {
  return line.replace(/[\r\n]+$/, '')
}

// What is indented further, an item, or the end of a bracket goes on with the field above it; so do empty lines and
// remarks before such.
function ownLines(lines: readonly string[], indent: string, block: boolean): number {
  const goesOn = new RegExp(`^${indent}(?:[ \\t]+${block ? '\\S' : '[^\\s#]'}|-(?:[ \\t]|$)|[\\]}])`)
  let count = 0
  for (const [i, line] of lines.entries()) {
    if (goesOn.test(line)) count = i + 1
    else if (line.trim() !== '' && !comment.test(line)) break
  }
  return count
}

/** Whether what is opened by a quote or bracket ends; a list over several lines may have remarks between its items. */
function isClosed(value: string): boolean {
  if (/^(["'])(?!.*\1)|^\[(?!.*\])|^\{(?!.*\})/s.test(value)) return false
  return /^["']/.test(value) || !value.includes('\n') || !/(?:^|\s)#/.test(value)
}

// `tags: a #b` has a tag for an end.
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
