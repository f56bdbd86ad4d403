import type { Ref } from '../../model/source.js'
import type { Library } from '../library.js'
import { embedBatch } from '../meaning.js'

const budgetMs = 4_000
const atOnce = 16

/** Embeds a new document as far as a caller waits for it, so that a search by meaning finds it at once. */
export async function embedDocument(
  library: Library,
  { source, path }: Ref,
  signal?: AbortSignal,
): Promise<void> {
  const { embedder, store } = library
  if (!embedder) return
  const until = performance.now() + budgetMs
  const late = AbortSignal.any([AbortSignal.timeout(budgetMs), ...(signal ? [signal] : [])])
  const chunks = (await store.chunksOf({ source, path })).map(({ id }) => id)
  for (let i = 0; i < chunks.length && performance.now() < until; i += atOnce) {
    const preferred = chunks.slice(i, i + atOnce)
    const have = await store.vectors.of(embedder.model, preferred)
    if (have.size === preferred.length) continue
    try {
      await embedBatch(store, embedder, { limit: preferred.length - have.size, preferred, signal: late })
    } catch {
      // What is not embedded now is embedded behind the answers, and found by words until then.
      return
    }
  }
}
