import { underLease } from '../ingest/lease.js'
import type { Store } from '../store/port.js'
import type { Library } from './library.js'

const lines = new WeakMap<Store, Map<string, Promise<unknown>>>()

/** One at a time: in this process by turns, among processes by a lease that a dead one loses at once. */
export async function withLock<T>(
  { store }: Library,
  lease: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const line = lines.get(store) ?? new Map<string, Promise<unknown>>()
  lines.set(store, line)
  const before = line.get(lease) ?? Promise.resolve()
  const mine = before.then(() => underLease(store.leases, lease, { signal }, work))
  const last = mine.catch(() => {})
  line.set(lease, last)
  try {
    return await mine
  } finally {
    if (line.get(lease) === last) line.delete(lease)
  }
}
