// Changes one field of a note's frontmatter and leaves every other byte as it is.
import { readFrontmatter } from '../parse/frontmatter.js'

/** Where the text proper begins: after the frontmatter and the empty lines that follow it. */
export function bodyStart(text: string): number {
  const front = readFrontmatter(text)
  if (!front) return 0
  return front.end + /^(?:[ \t]*(?:\r\n?|\n))*/.exec(text.slice(front.end))![0].length
}

/** The line ending of a text. */
export function lineEnding(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
}

/** Sets a field to a text or a list, making the frontmatter if there is none. Null when that cannot be done safely. */
export function setField(
  text: string,
  names: readonly string[],
  value: string | readonly string[],
): string | null {
  const end = lineEnding(text)
  const front = readFrontmatter(text)
  if (!front)
    return `---${end}${names[0]}: ${scalarOrFlow(value)}${end}---${end}${text === '' ? '' : end}${text}`
  const toml = text.startsWith('+++')
  const inner = text.slice(front.inner.start, front.inner.end)
  const found = fieldIn(inner, names, toml ? '=' : ':')
  const line = found
    ? (found.listIndent !== null && typeof value !== 'string' && value.length > 0
        ? [`${found.head}`, ...value.map((one) => `${found.listIndent}- ${scalar(one)}`)].join(end)
        : `${found.head} ${toml ? JSON.stringify(value) : scalarOrFlow(value)}`) + end
    : `${names[0]}${toml ? ' =' : ':'} ${toml ? JSON.stringify(value) : scalarOrFlow(value)}${end}`
  const [from, to] = found ? [found.start, found.end] : [inner.length, inner.length]
  const changed =
    text.slice(0, front.inner.start) +
    inner.slice(0, from) +
    line +
    inner.slice(to) +
    text.slice(front.inner.end)
  return holds(changed, found?.name ?? names[0]!, value) ? changed : null
}

interface FoundField {
  name: string
  start: number
  end: number
  /** Up to the colon. */
  head: string
  /** The indent of its items, when it is a list with an item a line. */
  listIndent: string | null
}

function fieldIn(inner: string, names: readonly string[], sign: ':' | '='): FoundField | null {
  const lines = [...inner.matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)].filter(({ 0: line }) => line !== '')
  for (const name of names) {
    const head = new RegExp(`^${name}[ \\t]*${sign}(?=[ \\t\\r\\n]|$)`)
    const at = lines.findIndex(({ 0: line }) => head.test(line))
    if (at < 0) continue
    let next = at + 1
    while (next < lines.length && belongs(lines[next]![0], lines[next + 1]?.[0])) next++
    const item = /^([ \t]*)-[ \t]/.exec(lines[at + 1]?.[0] ?? '')
    const last = lines[next - 1]!
    return {
      name,
      start: lines[at]!.index,
      end: last.index + last[0].length,
      head: head.exec(lines[at]![0])![0],
      listIndent: next > at + 1 && item ? item[1]! : null,
    }
  }
  return null
}

// What is indented, an item, or the end of a bracket goes on with the field above it; so does an empty line before such.
function belongs(line: string, next: string | undefined): boolean {
  if (/^[ \t]+\S|^-[ \t]|^[\]}]/.test(line)) return true
  return line.trim() === '' && next !== undefined && /^[ \t]+\S|^-[ \t]/.test(next)
}

function scalarOrFlow(value: string | readonly string[]): string {
  return typeof value === 'string' ? scalar(value) : `[${value.map(scalar).join(', ')}]`
}

const plain = /^\p{L}[\p{L}\p{N} ._/()+&!?-]*$/u
const meaning = /^(?:true|false|null|yes|no|on|off|y|n)$/i

function scalar(value: string): string {
  return plain.test(value) && !/\s$/.test(value) && !meaning.test(value) ? value : JSON.stringify(value)
}

function holds(text: string, name: string, value: string | readonly string[]): boolean {
  const read = readFrontmatter(text)?.fields[name]
  if (typeof value === 'string') return read === value
  return (
    Array.isArray(read) && read.length === value.length && value.every((one, i) => String(read[i]) === one)
  )
}
