import { characterSegments } from './segments.js'

/** Stands where a text was cut. */
export const truncationMark = '... [truncated]'

/** Cuts a text to a number of characters, the suffix included, never through a character. */
export function truncate(text: string, most: number, suffix = truncationMark): string {
  if (text.length <= most) return text
  return wholeCharacters(text, Math.max(0, most - suffix.length)) + suffix.slice(0, most)
}

/** The longest start of a text within a length that does not split a character. */
export function wholeCharacters(text: string, length: number): string {
  return length > 0 && length < text.length
    ? text.slice(0, graphemeStart(text, length))
    : text.slice(0, Math.max(0, length))
}

export function graphemes(text: string): string[] {
  return Array.from(characterSegments(text), ({ segment }) => segment)
}

/** Where the character begins that an offset within a text stands in, or at. */
function graphemeStart(text: string, at: number): number {
  if (isApart(text.charCodeAt(at)) && isApart(text.charCodeAt(at - 1))) return at
  let from = at
  while (from > 0 && from > at - farthest && !isApart(text.charCodeAt(from))) from--
  return from + characterSegments(text.slice(from, at + farthest)).containing(at - from)!.index
}

const farthest = 256

/** Below the first mark of Unicode. */
function isApart(unit: number): boolean {
  return unit < 0x300
}
