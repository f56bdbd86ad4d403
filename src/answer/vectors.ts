// Vectors fill in behind the words: what is indexed is found by words at once, and by meaning as soon as this is done.

import { meaningOf } from '../chunk/context.js'
import type { Embedder } from '../embed/port.js'
import type { Note } from '../model/problem.js'
import type { IndexProgress } from '../model/reports.js'
import { underLease } from '../runtime/lease.js'
import type { Store } from '../store/port.js'
import type { Library } from './library.js'
import { cachedPerIndexVersion } from './library-state.js'

const batch = 32
export const embeddingLease = 'embedding'

export interface FillOptions {
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
}

/** Embeds what has no vector yet, one process at a time; stops cleanly wherever it is and goes on there next time. */
export async function fillVectors(
  library: Library,
  options: FillOptions = {},
): Promise<{ embedded: number }> {
  const { embedder, store } = library
  if (!embedder) return { embedded: 0 }
  const start = await coverage(store, embedder.model)
  if (start.missing === 0) {
    await dropOthers(store, embedder.model)
    return { embedded: 0 }
  }
  const tell = (done: number, phase: IndexProgress['phase'] = 'embedding', subject = '') =>
    options.onProgress?.({ phase, subject, done, total: start.missing, chunks: done, bytes: 0 })
  const onWait = ({ pid }: { pid: number }) => tell(0, 'waiting', `process ${pid}, which is embedding`)
  return underLease(store.leases, embeddingLease, { signal: options.signal, onWait }, async (signal) => {
    let embedded = 0
    for (;;) {
      signal.throwIfAborted()
      tell(embedded)
      const stored = await embedSome(library, embedder, signal)
      if (stored === null) break
      embedded += stored
    }
    await dropOthers(store, embedder.model)
    await store.settle(signal)
    return { embedded }
  })
}

// Passages that were shown but could not be compared by meaning come first; then the most recently read documents.
async function embedSome(
  { store, wanted }: Library,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<number | null> {
  const preferred = [...wanted].slice(0, batch)
  for (const chunk of preferred) wanted.delete(chunk)
  return embedBatch(store, embedder, { limit: batch, preferred, signal })
}

/** Embeds some of what waits; null when nothing does. */
export async function embedBatch(
  store: Store,
  embedder: Embedder,
  options: { limit: number; preferred?: readonly number[]; signal?: AbortSignal },
): Promise<number | null> {
  const waiting = await store.vectors.pending(embedder.model, options.limit, options.preferred)
  if (waiting.length === 0) return null
  const texts = waiting.map(({ context, text }) => meaningOf(context, text))
  const vectors = await embedder.embed(texts, { kind: 'passage', signal: options.signal })
  return store.vectors.put(
    embedder.model,
    waiting.map(({ chunk, hash }, i) => ({ chunk, hash, vector: vectors[i]! })),
  )
}

/** Once a model has everything, the vectors of the one before it have served. */
async function dropOthers(store: Store, model: string) {
  for (const other of Object.keys(await store.vectors.counts()))
    if (other !== model) await store.vectors.forget(other)
}

export async function coverage(store: Store, model: string): Promise<{ total: number; missing: number }> {
  const [{ chunks }, vectors] = [await store.counts(), await store.vectors.counts()]
  return { total: chunks, missing: Math.max(0, chunks - (vectors[model] ?? 0)) }
}

/** Cached, because every search needs the counts and counting walks all documents. */
const countsOf = cachedPerIndexVersion('counts of chunks and vectors', async ({ store }) => ({
  chunks: (await store.counts()).chunks,
  vectors: await store.vectors.counts(),
}))

/**
 * The model that answers now: the configured one, or, while that is still filling in, the one whose vectors are there.
 * What waits for its vector is found by words, where words are searched.
 */
export async function chooseEmbedder(
  library: Library,
  { words = true }: { words?: boolean } = {},
): Promise<{ embedder: Embedder | null; notes: Note[] }> {
  const { embedder, earlier } = library
  if (!embedder) return { embedder: null, notes: [] }
  const { chunks, vectors } = await countsOf(library)
  const have = vectors[embedder.model] ?? 0
  if (have >= chunks) return { embedder, notes: [] }
  const before = earlier(Object.keys(vectors).filter((model) => model !== embedder.model))
  if (before && (vectors[before.model] ?? 0) > have) {
    const message = `The index is being embedded anew with ${embedder.model} (${have} of ${chunks} passages); until then ${before.model} answers.`
    return { embedder: before, notes: [{ code: 'reembedding', message }] }
  }
  const found = words ? 'they are found by words only' : 'a search by meaning or distance leaves them out'
  const message = `${chunks - have} of ${chunks} passages are not embedded yet; ${found}.`
  return { embedder, notes: [{ code: 'vectors_pending', message }] }
}
