// The arm that goes by meaning. It gives way to the deadline and to any failure of the model: words always answer.
import type { Embedder } from '../embed/port.js'
import type { Note } from '../model/problem.js'
import { reasonOf } from '../model/problem.js'
import type { Scope } from '../model/source.js'
import type { Store, VectorRank } from '../store/port.js'

export interface MeaningHits {
  vector: Float32Array
  ranks: VectorRank[]
}

/** The query as a vector, in the time there is; otherwise a note that says why not. */
export async function queryVector(
  embedder: Embedder,
  text: string,
  msLeft: number,
): Promise<Float32Array | Note> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Note>((resolve) => {
    if (!Number.isFinite(msLeft)) return
    const note = {
      code: 'words_only',
      message: 'There was no time to search by meaning; these hits are by words.',
    }
    timer = setTimeout(() => resolve(note), Math.max(0, msLeft))
  })
  try {
    const vectors = embedder.embed([text], { kind: 'query', signal: stop.signal })
    vectors.catch(() => {})
    return await Promise.race([vectors.then(([vector]) => vector!), late])
  } catch (error) {
    return {
      code: 'words_only',
      message: `Search by meaning is not available: ${reasonOf(error)} These hits are by words.`,
    }
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

export async function byMeaning(
  store: Store,
  query: { model: string; vector: Float32Array; scope: Scope; limit: number },
): Promise<MeaningHits> {
  return { vector: query.vector, ranks: await store.vectors.nearest(query) }
}
