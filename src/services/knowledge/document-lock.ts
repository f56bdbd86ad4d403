import { underLease } from '../../ingest/lease.js'
import type { Store } from '../../store/port.js'
import type { Library } from '../library.js'

const lines = new WeakMap<Store, Map<string, Promise<unknown>>>()

/**
 * One change of a document's record and bytes at a time, in this process and across processes. Only short work belongs
 * in here: a document is read outside.
 */
export async function lockDocument<T>({ store }: Library, id: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(store) ?? new Map<string, Promise<unknown>>()
  lines.set(store, line)
  const turn = (line.get(id) ?? Promise.resolve()).then(() =>
    underLease(store.leases, `document ${id}`, {}, work),
  )
  const last = turn.catch(() => {})
  line.set(id, last)
  try {
    return await turn
  } finally {
    if (line.get(id) === last) line.delete(id)
  }
}
