import type { Library } from '../../answer/library.js'
import { reasonOf } from '../../model/problem.js'
import type { IndexProgress } from '../../model/reports.js'
import type { Context, GlobalFlags } from './context.js'
import { tellNote } from './notes.js'

/** What is indexed is found by words already: a model that fails is worth a line, not a failure. */
export async function embedRest(
  context: Context,
  library: Library,
  flags: GlobalFlags,
  onProgress: (progress: IndexProgress) => void,
): Promise<{ embedded?: number }> {
  const { services, signal } = context
  try {
    return await services.fillVectors(library, { signal, onProgress })
  } catch (error) {
    if (signal.aborted) throw error
    tellNote(context, `not everything could be embedded; it is found by words. ${reasonOf(error)}`, flags)
    return {}
  }
}
