// How literally a passage has what was asked for: words that stand together in the question and together in a heading
// say more than the same words apart.
import type { StoredChunk } from '../model/document.js'
import { holdsPhrase, phraseTerms } from '../text/phrase.js'
import { isStopWord } from '../text/terms.js'
import { mostCharacters } from './query.js'

/** The whole question is the title, a heading, a symbol or the file's name; stands in one; stands in the text; or all its words do, apart, be it one. */
export const exactness = { is: 1, named: 0.7, said: 0.5, complete: 0.3, none: 0 } as const

/** A question longer than this is no name and no quotation. */
const longest = 16

/** For passages that have every word of the question. */
export function exactly(question: string): (chunk: StoredChunk) => number {
  const asked = phraseTerms(question.slice(0, mostCharacters))
  const telling = asked.filter((term) => !isStopWord(term))
  const least = telling.length > 0 ? exactness.complete : exactness.none
  if (asked.length === 0 || asked.length > longest) return () => least
  return (chunk) => {
    const names = namesOf(chunk).map(phraseTerms)
    if (names.some((name) => same(name, asked))) return exactness.is
    if (asked.length === 1) return least
    if (names.some((name) => within(name, asked))) return exactness.named
    return holdsPhrase(chunk.text, asked) ? exactness.said : least
  }
}

function namesOf({ title, headings, symbols, ref }: StoredChunk): string[] {
  const file = ref.path.slice(ref.path.lastIndexOf('/') + 1)
  return [title, ...headings, ...symbols, ref.path, file, file.replace(/\.[^.]+$/, '')]
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((term, i) => term === b[i])
}

function within(name: readonly string[], asked: readonly string[]): boolean {
  for (let i = 0; i + asked.length <= name.length; i++)
    if (asked.every((term, j) => name[i + j] === term)) return true
  return false
}
