// An embedder's work done by a pool.
import type { EmbedOptions } from '../port.js'
import { createPool, type Pool, type PoolSettings } from './pool.js'

export const workerEntry = new URL('../worker.js', import.meta.url)

/** All of ten questions asked at once: a query takes two milliseconds, and its owner is busy with the others for longer. */
const queriesAhead = 9

export function embeddingPool(
  settings: Pick<PoolSettings, 'data' | 'niceness'> & { workers?: number | undefined },
): Pool<string, Float32Array> {
  return createPool({ ...settings, workers: settings.workers ?? 1, entry: workerEntry, ahead: queriesAhead })
}

/** Vectors are copied out of the buffer they arrived in, which is larger and would stay in memory with them. */
export async function embedInPool(
  pool: Pool<string, Float32Array>,
  texts: string[],
  { kind, signal, onVector }: EmbedOptions,
) {
  const onResult = onVector && ((place: number, vector: Float32Array) => onVector(place, vector.slice()))
  const vectors = await pool.run(texts, { urgent: kind === 'query', signal, onResult })
  return vectors.map((vector) => vector.slice())
}
