import { underLease } from '../ingest/lease.js'
import type { Library } from './library.js'

const lines = new WeakMap<Library, Map<string, Promise<unknown>>>()

/** One at a time: in this process by turns, among processes by a lease that a dead one loses at once. */
export function inTurn<T>(
  library: Library,
  lease: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const line = lines.get(library) ?? new Map<string, Promise<unknown>>()
  lines.set(library, line)
  const before = line.get(lease) ?? Promise.resolve()
  const mine = before.then(() => underLease(library.store.leases, lease, { signal }, work))
  line.set(
    lease,
    mine.catch(() => {}),
  )
  return mine
}
