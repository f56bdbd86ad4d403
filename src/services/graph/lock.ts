import { underLease } from '../../ingest/lease.js'
import type { Library } from '../library.js'

export const writingLease = 'writing-notes'
const turns = new WeakMap<Library, Promise<unknown>>()

/** One writer at a time: in this process by turns, among processes by a lease that a dead one loses at once. */
export function withWriting<T>(library: Library, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const before = turns.get(library) ?? Promise.resolve()
  const mine = before.then(() => underLease(library.store.leases, writingLease, { signal }, work))
  turns.set(
    library,
    mine.catch(() => {}),
  )
  return mine
}
