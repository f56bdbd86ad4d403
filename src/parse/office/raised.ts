// What is written above or below the line, on the line: 2^32 and not 232.

export type Height = 'raised' | 'lowered'

/** How it reads after what stands right before it. */
export function onLine(height: Height, text: string, before: string): string {
  const stands = text.trim()
  if (!needsMark(height, stands, before)) return text
  return `${height === 'raised' ? '^' : '_'}${term(stands)}`
}

/** Longer than this it is a sentence in small letters. */
const longest = 20

// 1st, Acme™ and H2O are written so on the line, too, and a mark in brackets, or one that no word precedes, joins nothing.
function needsMark(height: Height, text: string, before: string): boolean {
  if (text === '' || text.length > longest || !/[\p{L}\p{N})\]}]$/u.test(before)) return false
  if (height === 'lowered') return !(/^\d+$/.test(text) && /\p{L}$/u.test(before))
  return !/^(?:st|nd|rd|th|er|re|ème|tm|sm|[^\p{L}\p{N}+\-−–].*)$/iu.test(text)
}

/** In brackets unless it is one piece by itself. */
export function term(text: string): string {
  return /^(?:[\p{L}\p{N}.]*|.|\([^()]*\))$/su.test(text) ? text : `(${text})`
}
