import { fields } from '../../model/document.js'
import { type Collection, idf, saturate, weightedCount } from '../../text/bm25.js'
import type { WordQuery, WordRank } from '../port.js'
import { inScope } from '../scope.js'
import type { LiveChunk } from './shelf.js'

/** BM25 as the formula says, over all chunks there are. They come by source, path and position. */
export function rankByFormula(chunks: readonly LiveChunk[], query: WordQuery): WordRank[] {
  const weights = fields.map((field) => query.weights[field])
  const collection = collectionOf(chunks)
  const idfs = query.terms.map(({ term }) => idf(chunks.length, chunks.filter((c) => has(c, term)).length))
  return chunks
    .filter(({ document, chunk }) => inScope(document, chunk, query.scope))
    .filter((chunk) => isCandidate(chunk, query, weights))
    .map((chunk) => {
      const parts = query.terms.map(({ term, weight }, i) => {
        const { lengths } = chunk.chunk.terms
        return (
          weight * idfs[i]! * saturate(weightedCount(collection, weights, countsOf(chunk, term), lengths))
        )
      })
      return { chunk: chunk.id, score: parts.reduce((sum, part) => sum + part, 0), parts }
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, Math.max(0, query.limit))
}

function collectionOf(chunks: readonly LiveChunk[]): Collection {
  const averages = fields.map(
    (_, f) => chunks.reduce((sum, { chunk }) => sum + chunk.terms.lengths[f]!, 0) / chunks.length,
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

function countsOf({ chunk }: LiveChunk, term: string): number[] {
  const at = chunk.terms.words.indexOf(term)
  return fields.map((_, f) => (at < 0 ? 0 : chunk.terms.counts[at * fields.length + f]!))
}
