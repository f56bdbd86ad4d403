// A read cache for one batch of questions.
import type { StoredChunk } from '../../model/document.js'
import type { Row } from '../vectors/rows.js'
import { getRows, readChunks } from './chunk-rows.js'
import type { Connection } from './database.js'
import { stateOf } from './segments.js'

export interface Reads {
  /** In the order of the ids; null for a chunk that no longer exists. */
  rows(db: Connection, space: number, chunks: ArrayLike<number>): readonly (Row | null)[]
  chunks(db: Connection, ids: readonly number[]): StoredChunk[]
}

/** Reads from the database every time. */
export const plainReads: Reads = { rows: getRows, chunks: readChunks }

/** Caches reads until any process changes the index, so that answers are the same as without the cache. */
export function cachedReads(): Reads {
  const rows = new Map<number, Map<number, Row | null>>()
  const chunks = new Map<number, StoredChunk | null>()
  let version = ''

  function renew(db: Connection) {
    const { epoch, vectors } = stateOf(db)
    if (version === `${epoch}.${vectors}`) return
    version = `${epoch}.${vectors}`
    rows.clear()
    chunks.clear()
  }

  return {
    rows(db, space, ids) {
      renew(db)
      const cached = rows.get(space) ?? new Map<number, Row | null>()
      rows.set(space, cached)
      const all = Array.from(ids)
      const read = (missing: number[]) => getRows(db, space, missing)
      return readThrough(cached, mostRows, all, read)
    },
    chunks(db, ids) {
      renew(db)
      const read = (missing: number[]) => {
        const found = new Map(readChunks(db, missing).map((chunk) => [chunk.id, chunk]))
        return missing.map((id) => found.get(id) ?? null)
      }
      return readThrough(chunks, mostChunks, ids, read).flatMap((chunk) => chunk ?? [])
    },
  }
}

/** The limit of the cache, a few megabytes. Beyond it, reads go to the database. */
const mostRows = 10_000
const mostChunks = 2_000

function readThrough<T>(
  cached: Map<number, T | null>,
  most: number,
  ids: readonly number[],
  read: (missing: number[]) => readonly (T | null)[],
): (T | null)[] {
  const missing = ids.filter((id) => !cached.has(id))
  if (cached.size + missing.length > most) return [...read([...ids])]
  if (missing.length > 0) for (const [i, one] of read(missing).entries()) cached.set(missing[i]!, one)
  return ids.map((id) => cached.get(id) ?? null)
}
