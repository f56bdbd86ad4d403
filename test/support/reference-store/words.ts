import { fields } from '../../../src/model/document.js'
import type { TermCount, WordQuery, WordRanking } from '../../../src/store/port.js'
import { type Collection, idf, norms, saturate, saturation } from '../../../src/text/bm25.js'
import { inScope } from '../../contract/scope-fields.js'
import type { LiveChunk } from './state.js'

/** BM25 as the formula says, over all chunks there are. They come by source, path and position. */
export function rankByFormula(chunks: readonly LiveChunk[], query: WordQuery): WordRanking {
  if (chunks.length === 0) return { ranks: [], maxTermScores: [], holders: [], of: () => [] }
  const weights = fields.map((field) => query.weights[field])
  const collection = collectionOf(chunks)
  const holders = query.terms.map(({ term }) => chunks.filter((c) => has(c, term)).length)
  const idfs = holders.map((count) => idf(chunks.length, count))
  const measured = (chunk: LiveChunk) => {
    const parts = query.terms.map(({ term, weight }, i) => {
      const counted = weightedCount(collection, weights, countsOf(chunk, term), lengthsOf(chunk))
      return weight * idfs[i]! * saturate(counted)
    })
    return { chunk: chunk.id, score: parts.reduce((sum, part) => sum + part, 0), parts }
  }
  const ranks = chunks
    .filter(({ document, chunk }) => inScope(document, chunk, query.scope))
    .filter((chunk) => isCandidate(chunk, query, weights))
    .map(measured)
    .sort((a, b) => b.score - a.score)
    .slice(0, Math.max(0, query.limit))
  return {
    ranks,
    maxTermScores: query.terms.map(({ weight }, i) => weight * idfs[i]! * saturation),
    holders,
    of: (ids) =>
      ids
        .flatMap((id) => chunks.filter((chunk) => chunk.id === id).map(measured))
        .filter(({ score }) => score > 0),
  }
}

/** Every term, with how many chunks have it. */
export function termsOf(chunks: readonly LiveChunk[]): TermCount[] {
  const all = [...new Set(chunks.flatMap(({ document }) => document.words))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  )
  return all
    .map((term) => ({ term, chunks: chunks.filter((chunk) => has(chunk, term)).length }))
    .filter(({ chunks }) => chunks > 0)
}

function collectionOf(chunks: readonly LiveChunk[]): Collection {
  const averages = fields.map(
    (_, f) => chunks.reduce((sum, chunk) => sum + lengthsOf(chunk)[f]!, 0) / chunks.length,
  )
  return { chunks: chunks.length, averages }
}

/** It has a term that counts, in a field that counts, and none of the required ones is missing. */
function isCandidate(chunk: LiveChunk, { terms }: WordQuery, weights: readonly number[]): boolean {
  const hasTerm = ({ term }: { term: string }) =>
    countsOf(chunk, term).some((n, f) => n > 0 && weights[f]! > 0)
  return (
    terms.some((term) => term.weight > 0 && hasTerm(term)) &&
    terms.every((term) => !term.required || hasTerm(term))
  )
}

function has(chunk: LiveChunk, term: string): boolean {
  return countsOf(chunk, term).some((count) => count > 0)
}

/** Lengths are counts like the others, and end where those do. */
function lengthsOf({ chunk }: LiveChunk): number[] {
  return chunk.terms.lengths.map((length) => Math.min(length, 65535))
}

function countsOf({ document, chunk }: LiveChunk, term: string): number[] {
  const word = document.words.indexOf(term)
  const at = word < 0 ? -1 : chunk.terms.places.indexOf(word)
  return fields.map((_, f) => (at < 0 ? 0 : chunk.terms.counts[at * fields.length + f]!))
}

/** A term's weighted count in a chunk: the four fields' counts made comparable and added. */
function weightedCount(
  collection: Collection,
  weights: readonly number[],
  counts: ArrayLike<number>,
  lengths: ArrayLike<number>,
): number {
  const { weight, base, slope } = norms(collection, weights)
  let sum = 0
  for (let f = 0; f < fields.length; f++)
    if (counts[f]! > 0) sum += (counts[f]! * weight[f]!) / (base[f]! + slope[f]! * lengths[f]!)
  return sum
}
