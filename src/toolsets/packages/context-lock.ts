import type { Library } from '../../answer/library.js'
import { withLock } from '../../answer/mutex.js'
import { lockFile } from '../../store/sqlite/file-lock.js'

/**
 * One change of a context.json, or of the context.lock beside it, at a time, among all that share the data folder. The
 * user's own is also changed by projects with data folders of their own, which do not see one another's turns.
 */
export function lockContext<T>(library: Library, file: string, work: () => T): Promise<T> {
  const shared = file === library.settings.contexts.global
  return withLock(library, 'context files', async () => (shared ? lockFile(file, work) : work()))
}
