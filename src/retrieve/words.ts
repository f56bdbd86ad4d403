// The arm that goes by words.

import type { Field } from '../model/document.js'
import type { Scope } from '../model/source.js'
import type { Store, WordRank } from '../store/port.js'
import { holdsPhrase } from '../text/phrase.js'
import { readQuery, type WordsAsked } from './query.js'

/** What a word counts in each field. Titles and headings name what a passage is about; names are paths and symbols. */
export const fieldWeights: Readonly<Record<Field, number>> = { title: 2, headings: 1.5, names: 1.5, body: 1 }

export interface WordHits {
  asked: WordsAsked
  ranks: WordRank[]
  ceiling: number
  /** The quoted phrase stands nowhere; these are the hits for its words. */
  phraseMissed: boolean
}

export async function byWords(
  store: Store,
  query: { text: string; scope: Scope; limit: number },
): Promise<WordHits> {
  const asked = readQuery(query.text)
  const search = (terms: WordsAsked['terms'], limit: number) =>
    store.rank({ terms, weights: fieldWeights, scope: query.scope, limit })
  if (asked.phrases.length === 0)
    return { asked, ...(await search(asked.terms, query.limit)), phraseMissed: false }

  const strict = await search(asked.terms, mostVerified)
  const held = await holding(store, strict.ranks, asked.phrases, query.limit)
  if (held.length > 0) return { asked, ranks: held, ceiling: strict.ceiling, phraseMissed: false }
  const loose = await search(
    asked.terms.map(({ term, weight }) => ({ term, weight })),
    query.limit,
  )
  return { asked, ...loose, phraseMissed: true }
}

const mostVerified = 2000
const step = 100

// The store finds chunks that have all words of a phrase; whether they stand in a row is seen in the text.
async function holding(
  store: Store,
  ranks: WordRank[],
  phrases: string[][],
  limit: number,
): Promise<WordRank[]> {
  const held: WordRank[] = []
  for (let i = 0; i < ranks.length && held.length < limit; i += step) {
    const some = ranks.slice(i, i + step)
    const chunks = new Map(
      (await store.chunks(some.map(({ chunk }) => chunk))).map((chunk) => [chunk.id, chunk]),
    )
    for (const rank of some) {
      const chunk = chunks.get(rank.chunk)
      if (!chunk) continue
      const places = [chunk.text, chunk.title, ...chunk.headings, chunk.ref.path]
      if (phrases.every((phrase) => places.some((place) => holdsPhrase(place, phrase)))) held.push(rank)
    }
  }
  return held.slice(0, limit)
}
