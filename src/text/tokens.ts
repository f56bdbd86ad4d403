import type { Size } from './excerpt.js'

/**
 * About how many tokens a model would read. Latin prose and code run near four characters a token; other scripts near
 * one. An estimate is enough for a budget, costs no table of merges, and errs on the high side.
 */
export function estimateTokens(text: string): number {
  return Math.ceil((weigh(text) * 5) / 18)
}

/** In parts of a token, of which there are 18 in 5: 3.6 plain characters make one, or 1.2 others. */
function weigh(text: string): number {
  let plain = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x250) plain++
  return plain + (text.length - plain) * 3
}

/** As large as a text may be that stays within a number of tokens. */
export function tokens(most: number): Size {
  return { most: Math.floor((most * 18) / 5), weigh }
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
