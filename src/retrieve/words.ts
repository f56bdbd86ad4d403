// The arm that goes by words.

import type { StoredChunk } from '../model/document.js'
import type { Scope } from '../model/scope.js'
import { createYielder } from '../runtime/yield.js'
import type { Store, WordRank, WordRanking } from '../store/port.js'
import { holdsRun, terms, writtenWords } from '../text/terms.js'
import { correctedWeight } from './correct.js'
import { fieldWeights, readQuery, type WordsAsked } from './query.js'

export interface WordHits {
  asked: WordsAsked
  ranks: WordRank[]
  /** Of these, the chunks that have the quoted phrase in their title, headings or path alone, not in their own text. */
  named: ReadonlySet<number>
  /** What each asked term could add at most, and how many chunks of the whole store have it. */
  maxTermScores: number[]
  holders: number[]
  /** The figures of any chunks, listed or not. */
  of(chunks: readonly number[]): WordRank[]
  /** The quoted phrase stands nowhere, as far as was looked and could be; these are the hits for its words. */
  phraseMissed: boolean
  /** There may be others farther down. */
  more: boolean
  /** How many passages had been looked at for the phrase when the time was up; null when it was not. */
  stoppedAfter: number | null
}

export interface WordSearch {
  text: string
  /** Terms of corrected words. */
  corrected: ReadonlySet<string>
  scope: Scope
  /** Of the documents in scope, only this. */
  part: Part | undefined
  limit: number
  /** While fewer than these are found to hold the phrase, all that have its words are looked at. */
  enough: number
  /** When to stop that. */
  end: number
}

export async function byWords(store: Store, query: WordSearch): Promise<WordHits> {
  const asked = readQuery(query.text, { terms: query.corrected, weight: correctedWeight })
  const search: Ranker = async (terms, limit) => {
    const ranked = await store.rank({ terms, weights: fieldWeights, scope: query.scope, limit })
    // A corrected word could have been an exact one: what it lacks is missing from the share.
    const maxTermScores = ranked.maxTermScores.map((most, i) =>
      query.corrected.has(terms[i]!.term) ? most / correctedWeight : most,
    )
    const ranking = { ...ranked, maxTermScores }
    const { part } = query
    return part ? { ...ranking, of: (chunks) => narrowed(ranking.of(chunks), terms, part) } : ranking
  }
  const quoted = asked.phrases.length > 0
  const held = quoted && canBeSought(asked) ? await holding(store, search, asked, query) : null
  if (held && held.ranks.length > 0) return { asked, ...held, phraseMissed: false }
  const terms = quoted ? asked.terms.map(({ term, weight }) => ({ term, weight })) : asked.terms
  const { ranks: all, ...figures } = await search(terms, query.limit)
  const more = all.length >= query.limit
  const ranks = query.part ? narrowed(all, terms, query.part) : all
  const stoppedAfter = held?.stoppedAfter ?? null
  return { asked, ranks, named: new Set(), ...figures, phraseMissed: quoted, more, stoppedAfter }
}

/** A single character of a script without spaces is indexed in pairs with its neighbours, whatever they are. */
export function canBeSought({ terms }: WordsAsked): boolean {
  return terms.some(({ required }) => required)
}

type Ranker = (terms: WordsAsked['terms'], limit: number) => Promise<WordRanking>

/** So many are ranked at first and looked at for those that say the phrase themselves; then four times as many. */
const mostAtFirst = 2000
const step = 50

// The store finds chunks that have all words of a phrase; whether they stand in a row is seen in the text.
async function holding(
  store: Store,
  search: Ranker,
  { terms, phrases }: WordsAsked,
  { part, limit, enough, end }: WordSearch,
): Promise<Omit<WordHits, 'asked' | 'phraseMissed'>> {
  const said: WordRank[] = []
  const named: WordRank[] = []
  const yieldIfDue = createYielder()
  for (let most = mostAtFirst, at = 0; ; most *= 4) {
    const { ranks, ...figures } = await search(terms, most)
    while (at < ranks.length && said.length < limit) {
      if (at > 0 && performance.now() >= end)
        return { ...held(said, named, limit), ...figures, more: true, stoppedAfter: at }
      const some = ranks.slice(at, at + step)
      const found = await holders(store, part ? narrowed(some, terms, part) : some, phrases, part)
      said.push(...found.said)
      named.push(...found.named)
      at = Math.min(at + step, ranks.length)
      await yieldIfDue()
    }
    const more = ranks.length >= most || at < ranks.length || said.length + named.length > limit
    if (ranks.length < most || said.length + named.length >= enough)
      return { ...held(said, named, limit), ...figures, more, stoppedAfter: null }
  }
}

/** What says the phrase itself has the first claim to the places. */
function held(said: WordRank[], named: WordRank[], limit: number): Pick<WordHits, 'ranks' | 'named'> {
  const others = named.slice(0, Math.max(0, limit - said.length))
  const ranks = [...said.slice(0, limit), ...others].sort((a, b) => b.score - a.score)
  return { ranks, named: new Set(others.map(({ chunk }) => chunk)) }
}

async function holders(
  store: Store,
  ranks: readonly WordRank[],
  phrases: string[][],
  part: Part | undefined,
): Promise<{ said: WordRank[]; named: WordRank[] }> {
  const read = inPart(await store.chunks(ranks.map(({ chunk }) => chunk)), part)
  const chunks = new Map(read.map((chunk) => [chunk.id, chunk]))
  const found = { said: [] as WordRank[], named: [] as WordRank[] }
  for (const rank of ranks) {
    const chunk = chunks.get(rank.chunk)
    if (!chunk) continue
    const text = writtenWords(chunk.text)
    const unsaid = phrases.filter((phrase) => !holdsRun(text, phrase))
    const names = unsaid.length > 0 ? [chunk.title, ...chunk.headings, chunk.ref.path].map(writtenWords) : []
    if (unsaid.length === 0) found.said.push(rank)
    else if (unsaid.every((phrase) => names.some((name) => holdsRun(name, phrase)))) found.named.push(rank)
  }
  return found
}

// A part of a document, which may begin or end in the middle of a chunk: small sections share one.

/** The chunks of a part, each as far as it belongs to it. */
export type Part = ReadonlyMap<number, { chunk: StoredChunk; isWhole: boolean }>

/** Ranks in the part alone: what the rest of a chunk has does not count. */
export function narrowed(ranks: readonly WordRank[], asked: WordsAsked['terms'], part: Part): WordRank[] {
  return ranks
    .flatMap((rank) => {
      const here = part.get(rank.chunk)
      if (!here) return []
      return here.isWhole ? [rank] : recounted(rank, asked, here.chunk)
    })
    .sort((a, b) => b.score - a.score)
}

function recounted({ chunk, parts }: WordRank, asked: WordsAsked['terms'], here: StoredChunk): WordRank[] {
  const { text, title, headings, symbols, ref } = here
  const said = new Set(
    [text, title, ...headings, ...symbols, ref.path].flatMap(terms).map(({ term }) => term),
  )
  const left = parts.map((part, i) => (said.has(asked[i]!.term) ? part : 0))
  const score = left.reduce((sum, part) => sum + part, 0)
  return score > 0 ? [{ chunk, score, parts: left }] : []
}

export function inPart(chunks: readonly StoredChunk[], part: Part | undefined): readonly StoredChunk[] {
  return part ? chunks.flatMap(({ id }) => part.get(id)?.chunk ?? []) : chunks
}
