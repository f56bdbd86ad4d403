// Writes superscripts and subscripts on the line: 2^32 and not 232.

export type Height = 'raised' | 'lowered'

/** The text to write, given the character before it. */
export function onLine(height: Height, text: string, before: string): string {
  const stands = text.trim()
  if (!needsMark(height, stands, before)) return text
  return `${height === 'raised' ? '^' : '_'}${term(stands)}`
}

/** Longer than this it is a sentence in small letters. */
const longest = 20

/**
 * 2^32 and x^n need it, 10_2 and v_max too; H2O, CO2 and a mark that no word precedes do not. Raised letters belong to their
 * word (1st, Mme, a trade mark), unless it is a single one that stands for a number.
 */
export function needsMark(height: Height, text: string, before: string): boolean {
  if (text === '' || text.length > longest || !/[\p{L}\p{N})\]}]$/u.test(before)) return false
  if (height === 'lowered') return !(/^\d+$/.test(text) && /\p{L}$/u.test(before))
  return isRaised.test(text) && !ordinal.test(text)
}

const isRaised = /^[-+\u2212]?(?:\p{N}|\p{L}$|(?=[^\p{L}]*\p{L}).*[-+\u2212\p{N}])/u
const ordinal = /^[aeoªº]$/i

/** In brackets unless it is one piece by itself. */
export function term(text: string): string {
  return /^(?:[\p{L}\p{N}.]*|.|\([^()]*\))$/su.test(text) ? text : `(${text})`
}
