/**
 * Where each line starts. `\n` ends a line, with or without `\r` before it, as git, grep and editors count: a line that one
 * tool names is to be the line that another reads. A lone `\r` does so only in a text without any `\n`, as old files have it.
 */
export function lineStarts(text: string): Uint32Array {
  const sign = lineEnd(text)
  const starts = [0]
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) starts.push(at + 1)
  return new Uint32Array(starts)
}

function lineEnd(text: string): '\n' | '\r' {
  return text.includes('\n') ? '\n' : '\r'
}

/** The lines, without what ends them. */
export function linesOf(text: string): string[] {
  return withPlainEnds(text).split('\n')
}

/** A text from an offset on, with the same lines, each of which ends with `\n` alone. */
export function withPlainEnds(text: string, from = 0): string {
  const rest = text.slice(from)
  if (!rest.includes('\r')) return rest
  if (lineEnd(text) === '\r') return rest.replaceAll('\r', '\n')
  return rest.replaceAll('\r\n', '\n').replaceAll('\r', ' ')
}

/** The line (from 1) that an offset stands on. */
export function lineAt(starts: Uint32Array, offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}

/** How many lines a text has; a line break at the end does not open another. */
export function lineCount(text: string): number {
  const sign = lineEnd(text)
  let lines = text === '' || text.endsWith(sign) ? 0 : 1
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) lines++
  return lines
}

/** A stretch of a text: offsets in UTF-16 units, lines from 1 and inclusive. */
interface Span {
  start: number
  end: number
  line: number
  endLine: number
}

/**
 * The stretch without blank lines at both ends and without white space behind. Where it opens a line, the first line
 * keeps its indentation. Null when nothing but white space is there.
 */
export function trimmedSpan(text: string, starts: Uint32Array, start: number, end: number): Span | null {
  let last = end
  while (last > start && isSpace(text.charCodeAt(last - 1))) last--
  if (last === start) return null
  let first = start
  while (isSpace(text.charCodeAt(first))) first++
  const line = lineAt(starts, first)
  return { start: Math.max(start, starts[line - 1]!), end: last, line, endLine: lineAt(starts, last - 1) }
}

/** The same for whole lines: from line `first` up to and with line `last`. */
export function trimmedLines(text: string, starts: Uint32Array, first: number, last: number): Span | null {
  return trimmedSpan(text, starts, starts[first - 1] ?? text.length, starts[last] ?? text.length)
}

/** White space as regular expressions know it (`\s`), without the cost of one. */
export function isSpace(code: number): boolean {
  if (code < 0xa0) return code === 32 || (code >= 9 && code <= 13)
  return code === 0xa0 || code === 0x3000 || code === 0xfeff || rareSpace(code)
}

function rareSpace(code: number): boolean {
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f
  )
}
