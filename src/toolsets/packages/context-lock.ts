import type { Library } from '../../answer/library.js'
import { lockFile } from '../../store/sqlite/file-lock.js'

/**
 * One change of a context.json, or of the context.lock beside it, at a time, among all that share the data folder. The
 * user's own file is also changed by projects with other data folders, so it has a lock file as well.
 */
export function lockContext<T>(library: Library, file: string, work: () => T): Promise<T> {
  const shared = file === library.settings.contexts.global
  return library.mutex.withLock('context files', async () => (shared ? lockFile(file, work) : work()))
}
