import type { Library } from '../../answer/library.js'

/**
 * One change of a document's record and bytes at a time, in this process and across processes. Only short work belongs
 * in here: a document is read outside.
 */
export function lockDocument<T>(library: Library, id: string, work: () => Promise<T>): Promise<T> {
  return library.mutex.withLock(`document ${id}`, work)
}
