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
  const worded = byTerms(question)
  const spelled = spelledIn(question)
  if (!spelled) return worded
  return (chunk) => {
    if (!spelled.standsIn(chunk)) return Math.min(worded(chunk), exactness.complete)
    return spelled.isAll ? exactness.is : Math.max(worded(chunk), exactness.named)
  }
}

export interface Spelled {
  /** Nothing else is asked for. */
  isAll: boolean
  standsIn(chunk: StoredChunk): boolean
}

/** What is asked for with its signs (`--max-count`, `__LINE__`, `$scope`), of which the index knows the words alone; null without any. */
export function spelledIn(question: string): Spelled | null {
  const asked = question.slice(0, mostCharacters)
  const names = asked.match(signed)?.slice(0, longest)
  if (!names) return null
  const forms = [...new Set(names)].map(literally)
  const isAll = phraseTerms(asked.replace(signed, ' ')).length === 0
  const standsIn = (chunk: StoredChunk) => {
    const written = [chunk.text, ...namesOf(chunk)]
    return forms.every((form) => written.some((text) => form.test(text)))
  }
  return { isAll, standsIn }
}

// Signs before or behind a word; within it they part words or join them, as they do in prose.
const signed =
  /(?<![^\s"'`“”„«»‘’([{,;:=])(?:(?:--?|_+|\$|@|#)[\p{L}\p{N}_]+(?:[-./][\p{L}\p{N}_]+)*|[\p{L}\p{N}_]+(?:_|\$)(?![\p{L}\p{N}_]))/gu

/** As it is written but for case, and no part of a longer name. */
function literally(name: string): RegExp {
  const sign = /^[^\p{L}\p{N}]/u.exec(name)?.[0] ?? ''
  const written = name.replace(/[$./]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_${sign === '-' ? '\\-' : sign}])${written}(?!-?[\\p{L}\\p{N}_])`, 'iu')
}

function byTerms(question: string): (chunk: StoredChunk) => number {
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
