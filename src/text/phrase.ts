import { terms } from './terms.js'

/** The run of terms a quoted phrase asks for, without wholes. */
export function phraseTerms(phrase: string): string[] {
  return terms(phrase)
    .filter((t) => !t.whole)
    .map((t) => t.term)
}

/** Whether the terms stand in this text one right after the other. */
export function holdsPhrase(text: string, phrase: readonly string[]): boolean {
  if (phrase.length === 0) return true
  const all = phraseTerms(text)
  const last = all.length - phrase.length
  for (let i = 0; i <= last; i++) {
    let j = 0
    while (j < phrase.length && all[i + j] === phrase[j]) j++
    if (j === phrase.length) return true
  }
  return false
}
