import type { Library } from '../library.js'
import { inTurn } from '../turns.js'

/**
 * One change of a context.json, or of the context.lock beside it, at a time, among all that share the data folder. The
 * user's own file is also changed by projects with data folders of their own, which do not see one another.
 */
export function lockContext<T>(library: Library, work: () => T): Promise<T> {
  return inTurn(library, 'context files', async () => work())
}
