import { reasonOf } from '../../model/problem.js'
import type { IndexProgress } from '../../services/indexing.js'
import type { Library } from '../../services/library.js'
import type { Context } from './context.js'
import { safe } from './terminal.js'

/** What is indexed is found by words already: a model that fails is worth a line, not a failure. */
export async function embedRest(
  { services, signal, err }: Context,
  library: Library,
  onProgress: (progress: IndexProgress) => void,
): Promise<{ embedded?: number }> {
  try {
    return await services.fillVectors(library, { signal, onProgress })
  } catch (error) {
    if (signal.aborted) throw error
    err.write(`note: not everything could be embedded; it is found by words. ${safe(reasonOf(error))}\n`)
    return {}
  }
}
