import type { Library } from '../../answer/library.js'
import { embedBatch } from '../../answer/vectors.js'

const budgetMs = 4_000
const atOnce = 16

/**
 * Embeds passages of what was read last, as many as a new document has and as far as a caller waits for it, so that a
 * search by meaning finds the document at once.
 */
export async function embedDocument(
  { embedder, store }: Library,
  chunks: number,
  signal?: AbortSignal,
): Promise<void> {
  if (!embedder) return
  const until = performance.now() + budgetMs
  const late = AbortSignal.any([AbortSignal.timeout(budgetMs), ...(signal ? [signal] : [])])
  try {
    for (let left = chunks; left > 0 && performance.now() < until; left -= atOnce) {
      const limit = Math.min(left, atOnce)
      if ((await embedBatch(store, embedder, { limit, signal: late })) === null) return
    }
  } catch {
    // What is not embedded now is embedded behind the answers, and found by words until then.
  }
}
