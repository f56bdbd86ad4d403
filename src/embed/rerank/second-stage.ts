// Reranking by a second, better embedding model. Its vectors are made when a passage is first reranked, and kept.
import { setMaxListeners } from 'node:events'
import { hashOf } from '../../text/hash.js'
import type { Embedder } from '../port.js'
import { dot } from '../unit.js'
import type { Reranker } from './port.js'

export interface SecondStageSettings {
  /** Passages whose vectors are kept; the least recently used go first. Five thousand of 384 numbers are 8 MB. */
  remembered?: number
}

/** Scores are cosines. The embedder is closed with the reranker. */
export function openSecondStage(
  embedder: Embedder,
  { remembered = 5_000 }: SecondStageSettings = {},
): Reranker {
  const vectors = new Map<string, Float32Array>()

  function recall(key: string): Float32Array | undefined {
    const vector = vectors.get(key)
    if (!vector) return undefined
    vectors.delete(key)
    vectors.set(key, vector)
    return vector
  }

  function remember(key: string, vector: Float32Array) {
    vectors.set(key, vector)
    if (vectors.size > remembered) vectors.delete(vectors.keys().next().value!)
  }

  // One passage a call: when the time is up half-way, those that are done are kept for the next time.
  async function vectorOf(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const key = hashOf(text)
    const known = recall(key)
    if (known) return known
    const [vector] = await embedder.embed([text], { kind: 'passage', signal })
    remember(key, vector!)
    return vector!
  }

  async function score(
    query: string,
    passages: readonly string[],
    { signal }: { signal?: AbortSignal } = {},
  ) {
    signal?.throwIfAborted()
    if (passages.length === 0) return []
    // Each passage listens for itself: that is no leak.
    if (signal) setMaxListeners(0, signal)
    const asked = embedder.embed([query], { kind: 'query', signal })
    const different = [...new Set(passages)]
    const found = await Promise.all([asked, ...different.map((text) => vectorOf(text, signal))])
    const [[queryVector], ...passageVectors] = found as [Float32Array[], ...Float32Array[]]
    const scores = new Map(different.map((text, i) => [text, dot(queryVector!, passageVectors[i]!)]))
    return passages.map((text) => scores.get(text)!)
  }

  return { model: embedder.model, score, close: () => embedder.close() }
}
