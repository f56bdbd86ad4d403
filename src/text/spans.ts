import { lineAt } from './lines.js'

/** A stretch of a text: offsets in UTF-16 units, lines from 1 and inclusive. */
export interface Span {
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
