// An embedder's work done by a pool.
import type { EmbedOptions } from '../port.js'
import type { Pool } from './pool.js'

export const workerEntry = new URL('./worker.js', import.meta.url)

/** Vectors are copied out of the buffer they arrived in, which is larger and would stay in memory with them. */
export async function embedInPool(
  pool: Pool<string, Float32Array>,
  texts: string[],
  { kind, signal }: EmbedOptions,
) {
  const vectors = await pool.run(texts, { urgent: kind === 'query', signal })
  return vectors.map((vector) => vector.slice())
}
