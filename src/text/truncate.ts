/** Stands where a text was cut. */
export const truncationMark = '... [truncated]'

/** Cuts a text to a number of characters, the suffix included, never through a character. */
export function truncate(text: string, most: number, suffix = truncationMark): string {
  if (text.length <= most) return text
  return wholeCharacters(text, Math.max(0, most - suffix.length)) + suffix.slice(0, most)
}

/** The longest start of a text within a length that does not split a surrogate pair or a combined character. */
export function wholeCharacters(text: string, length: number): string {
  let end = Math.min(length, text.length)
  while (end > 0 && end < text.length && !boundary(text, end)) end--
  return text.slice(0, end)
}

function boundary(text: string, at: number): boolean {
  const next = text.charCodeAt(at)
  if (next >= 0xdc00 && next <= 0xdfff) return false
  if (next === 0x200d || (next >= 0xfe00 && next <= 0xfe0f) || text.charCodeAt(at - 1) === 0x200d)
    return false
  return !/^\p{M}/u.test(text.slice(at, at + 2))
}
