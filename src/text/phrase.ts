import { fold, withoutUnseen } from './analyse.js'
import { spaceless } from './scripts.js'
import { type Term, terms } from './terms.js'

/** The terms of a text in their order, without wholes: words whatever their inflection. */
export function phraseTerms(phrase: string): string[] {
  return terms(phrase)
    .filter((t) => !t.whole)
    .map((t) => t.term)
}

/** Whether the terms stand in this text one right after the other. */
export function holdsPhrase(text: string, phrase: readonly string[]): boolean {
  return holdsRun(phraseTerms(text), phrase)
}

/** The words of a text as they are written but for case, accents and compatibility forms; what parts them is gone. */
export function writtenWords(text: string): string[] {
  const lower = text.toLowerCase()
  if (isAscii.test(lower)) return lower.replace(asciiVersion, '').match(asciiWords) ?? []
  const words = withoutUnseen(lower).normalize('NFKC').replace(version, '').match(anyWords) ?? []
  return words
    .map((word) => (spacelessCharacter.test(word) ? word : fold(word)))
    .filter((word) => word !== '')
}

/** Whether the one has all of the other, one right after the other. */
export function holdsRun(all: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return true
  const last = all.length - run.length
  for (let i = 0; i <= last; i++) {
    let j = 0
    while (j < run.length && all[i + j] === run[j]) j++
    if (j === run.length) return true
  }
  return false
}

/**
 * Terms that every text with this phrase has. The parts of `GitHub` are not among them: it may be written `github`. Nor is
 * the last character of `37号`: where more of its script follows, the text has it in a pair.
 */
export function termsNeeded(asked: string): string[] {
  const phrase = withoutUnseen(asked)
  const all = terms(phrase).filter((_, i, every) => !maybePaired(every, i))
  const cased = new Set(
    all.flatMap(({ whole, start, end }) =>
      whole && /^[\p{L}\p{N}\p{M}]+$/u.test(phrase.slice(start, end)) ? [start] : [],
    ),
  )
  return all.flatMap(({ term, whole, start }) => (whole === cased.has(start) ? [term] : []))
}

/** A character of a script without spaces that stands alone, and not between words of other scripts. */
function maybePaired(all: readonly Term[], i: number): boolean {
  const [before, { term }, after] = [all[i - 1], all[i]!, all[i + 1]]
  if (!spacelessCharacter.test(term) || [...term].length > 1) return false
  return !before || !after || spacelessCharacter.test(before.term) || spacelessCharacter.test(after.term)
}

// Words as the tokenizer reads them: `c++` and `c#` keep their signs, the v of a version does not count, and scripts
// without spaces go by characters.
const letter = `(?![${spaceless}])[\\p{L}\\p{N}\\p{M}]`
const isAscii = /^[\x00-\x7f]*$/
const asciiWords = /[a-z0-9](?:\+\+|#(?![a-z0-9]))|[a-z0-9]+/g
const asciiVersion = /\bv(?=\d+\.\d)/g
const anyWords = new RegExp(`[${spaceless}]|${letter}(?:\\+\\+|#(?!${letter}))|(?:${letter})+`, 'gu')
const version = /(?<![\p{L}\p{N}\p{M}])v(?=\d+\.\d)/gu
const spacelessCharacter = new RegExp(`^[${spaceless}]`, 'u')
