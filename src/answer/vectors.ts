// Vectors: embeds passages in the background, chooses the model for a question, and embeds several questions in one call.
// A document is found by words as soon as it is indexed, and by meaning once its vectors are stored.

import { meaningOf } from '../chunk/context.js'
import type { Embedder } from '../embed/port.js'
import type { Note } from '../model/problem.js'
import type { IndexProgress } from '../model/reports.js'
import { underLease } from '../runtime/lease.js'
import type { Store } from '../store/port.js'
import { fileRole, isSideRole } from '../text/file-role.js'
import { cachedPerIndexVersion, type Library } from './library.js'

const batch = 32
const embeddingLease = 'embedding'

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

// Passages that were shown but could not be compared by meaning come first; then the most recently read documents. Tests,
// translations, generated files and the like come last: in some projects they are most of the text.
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
  const waiting = await store.vectors.pending(embedder.model, options.limit, {
    preferred: options.preferred,
    isLast: isAside,
  })
  if (waiting.length === 0) return null
  const texts = waiting.map(({ context, text }) => meaningOf(context, text))
  const vectors = await embedder.embed(texts, { kind: 'passage', signal: options.signal })
  return store.vectors.put(
    embedder.model,
    waiting.map(({ chunk, hash }, i) => ({ chunk, hash, vector: vectors[i]! })),
  )
}

function isAside(path: string): boolean {
  return isSideRole(fileRole(path))
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
    const message = `The index is being embedded anew with ${embedder.model} (${have} of ${chunks} chunks); until then ${before.model} answers.`
    return { embedder: before, notes: [{ code: 'reembedding', message }] }
  }
  const found = words ? 'they are found by words only' : 'a search by meaning or distance leaves them out'
  const message = `${chunks - have} of ${chunks} chunks are not embedded yet; ${found}.`
  return { embedder, notes: [{ code: 'vectors_pending', message }] }
}

/** Begins to load the model that the next question needs; none where nothing is indexed. */
export async function loadModel(library: Library): Promise<void> {
  if ((await countsOf(library)).chunks === 0) return
  const { embedder } = await chooseEmbedder(library)
  embedder?.load?.()
}

/**
 * An embedder that has some questions embedded in one call, and answers each of them as soon as its vector is there: a
 * model on this machine is still at the next one while the first is searched for.
 */
export function shareOneCall(embedder: Embedder, queries: readonly string[]): Embedder {
  const texts = [...new Set(queries)]
  let call: Call | null = null
  return {
    ...embedder,
    async embed(queries, options) {
      const places = queries.map((text) => texts.indexOf(text))
      if (options.kind !== 'query' || places.includes(-1)) return embedder.embed(queries, options)
      options.signal?.throwIfAborted()
      if (!call || call.abandoned()) call = begin(embedder, texts)
      return call.wait(places, options.signal)
    },
  }
}

interface Call {
  wait(places: readonly number[], signal: AbortSignal | undefined): Promise<Float32Array[]>
  abandoned(): boolean
}

// One question that gives up must not take the others' vectors away: the last of those that wait ends the call.
function begin(embedder: Embedder, texts: readonly string[]): Call {
  const stop = new AbortController()
  const vectors = eachOf(embedder, texts, stop.signal)
  let waiting = 0

  async function wait(places: readonly number[], signal: AbortSignal | undefined) {
    const giveUp = () => {
      if (--waiting === 0) stop.abort(signal!.reason)
    }
    waiting++
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.all(places.map((place) => vectors[place]!))
    } finally {
      signal?.removeEventListener('abort', giveUp)
      if (!signal?.aborted) waiting--
    }
  }

  return { wait, abandoned: () => stop.signal.aborted }
}

function eachOf(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Float32Array>[] {
  const early: ((vector: Float32Array) => void)[] = []
  const onVector = (place: number, vector: Float32Array) => early[place]?.(vector)
  const all = embedder.embed(texts, { kind: 'query', onVector, signal })
  return texts.map((_, place) => {
    const vector = new Promise<Float32Array>((resolve, reject) => {
      early[place] = resolve
      all.then((vectors) => resolve(vectors[place]!), reject)
    })
    // A question may not come to ask for its own.
    vector.catch(() => {})
    return vector
  })
}
