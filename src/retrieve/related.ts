// What means something near to a vector that is no question: a document's middle, or one of its passages.

import type { DocumentSummary, StoredChunk } from '../model/document.js'
import type { Copies } from '../model/hit.js'
import type { Scope } from '../model/scope.js'
import type { Ref } from '../model/source.js'
import { createYielder } from '../runtime/yield.js'
import type { Store, VectorRank } from '../store/port.js'
import { countCopies, type Passage, passages, type Room, readPassages } from './passages.js'
import { relevance } from './relevance.js'

export interface Nearby extends Room {
  model: string
  vector: Float32Array
  scope: Scope
  /** Chunks that are not looked for: those of the document itself, or the passage itself. */
  exclude: ReadonlySet<number>
}

export interface Related {
  ref: Ref
  document: DocumentSummary
  heading: string | null
  text: string
  lines: [number, number]
  /** The calibrated relevance of the cosine alone: there are no words to compare. */
  score: number
  distance: number
  /** The first chunk's position in its document, from 0. */
  index: number
  /** Where else this very text stands; only where it does. */
  copies?: Copies
}

export async function related(store: Store, query: Nearby): Promise<Related[]> {
  // What is left out can take at most its own number of places in the list; copies, which are shown once, any number.
  for (let times = 1; ; times *= 4) {
    const depth = Math.max(100, query.limit * 5) * times + query.exclude.size
    const nearest = await store.vectors.nearest({ ...query, limit: depth })
    const found = await toPassages(
      store,
      nearest.filter(({ chunk }) => !query.exclude.has(chunk)),
      query,
    )
    if (found.length >= query.limit || nearest.length < depth) return found
  }
}

async function toPassages(store: Store, ranks: readonly VectorRank[], query: Nearby): Promise<Related[]> {
  const cosines = new Map(ranks.map(({ chunk, cosine }) => [chunk, cosine]))
  const chunks: StoredChunk[] = []
  const yieldIfDue = createYielder()
  for (let at = 0; at < ranks.length; at += step) {
    chunks.push(...(await store.chunks(ranks.slice(at, at + step).map(({ chunk }) => chunk))))
    await yieldIfDue()
  }
  const scored = chunks.map((chunk) => ({
    chunk,
    score: relevance({ cosine: cosines.get(chunk.id)!, share: 0, exact: 0 }),
  }))
  const copies = countCopies()
  copies.add(chunks)
  const chosen = await readPassages(store, passages(scored, query))
  return chosen.map(({ passage, document, text }) => ({
    document,
    ...toRelated(passage, cosines.get(passage.best.by.id)!),
    text,
    ...copies.of(passage.best.chunk, false),
  }))
}

const step = 50

function toRelated(passage: Passage, cosine: number): Omit<Related, 'text' | 'document'> {
  const [first, last] = [passage.chunks[0]!, passage.chunks.at(-1)!]
  return {
    ref: first.ref,
    heading: passage.best.chunk.headings.at(-1) ?? null,
    lines: [first.line, last.endLine],
    score: passage.best.score,
    distance: 1 - cosine,
    index: first.index,
  }
}

/** The middle of some unit vectors, at unit length; null when there is none, or when they cancel each other out. */
export function centroid(vectors: readonly Float32Array[]): Float32Array | null {
  const [first] = vectors
  if (!first) return null
  const sum = new Float64Array(first.length)
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!
  const length = Math.hypot(...sum)
  return length < 1e-9 ? null : Float32Array.from(sum, (value) => value / length)
}
