import { graphemeStart } from './graphemes.js'

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
