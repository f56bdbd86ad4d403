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

// Characters as they are seen: a letter with its marks, a flag, a family of emoji.
let segmenter: Intl.Segmenter | undefined

/** Made when it is first needed, because making one takes milliseconds. */
function split(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

export function graphemes(text: string): string[] {
  return Array.from(split(text), ({ segment }) => segment)
}

/** Where the character begins that an offset within a text stands in, or at. */
function graphemeStart(text: string, at: number): number {
  if (isApart(text.charCodeAt(at)) && isApart(text.charCodeAt(at - 1))) return at
  let from = at
  while (from > 0 && from > at - farthest && !isApart(text.charCodeAt(from))) from--
  return from + split(text.slice(from, at + farthest)).containing(at - from)!.index
}

const farthest = 256

/** Below the first mark of Unicode. */
function isApart(unit: number): boolean {
  return unit < 0x300
}
