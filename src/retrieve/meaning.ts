// The arm that goes by meaning. It gives way to the deadline and to any failure of the model: words always answer.
import type { Embedder } from '../embed/port.js'
import type { Note } from '../model/problem.js'
import { reasonOf } from '../model/problem.js'
import type { Scope } from '../model/source.js'
import { within } from '../runtime/timeout.js'
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
  const late = {
    code: 'words_only',
    message: 'There was no time to search by meaning; these hits are by words.',
  }
  try {
    return await within(
      msLeft,
      late,
      async (signal) => (await embedder.embed([text], { kind: 'query', signal }))[0]!,
    )
  } catch (error) {
    const message = `Search by meaning is not available: ${reasonOf(error)} These hits are by words.`
    return { code: 'words_only', message }
  }
}

export async function byMeaning(
  store: Store,
  query: { model: string; vector: Float32Array; scope: Scope; limit: number },
): Promise<MeaningHits> {
  return { vector: query.vector, ranks: await store.vectors.nearest(query) }
}
