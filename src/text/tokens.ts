/**
 * About how many tokens a model would read. Latin prose and code run near four characters a token; other scripts near
 * one. An estimate is enough for a budget, costs no table of merges, and errs on the high side.
 */
export function estimateTokens(text: string): number {
  let plain = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x250) plain++
  return Math.ceil(plain / 3.6 + (text.length - plain) / 1.2)
}

/** The most characters of a text that stay within a number of tokens. */
export function charactersWithin(text: string, tokens: number): number {
  if (estimateTokens(text) <= tokens) return text.length
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle
    else high = middle - 1
  }
  return low
}
