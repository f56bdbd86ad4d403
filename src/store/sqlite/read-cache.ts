// For questions that are asked together: what one of them read, the others need not read again.
import type { StoredChunk } from '../../model/document.js'
import type { Row } from '../vectors/quantise.js'
import { readChunks } from './chunk-rows.js'
import type { Connection } from './database.js'
import { stateOf } from './segments.js'
import { getRows } from './vector-rows.js'

export interface Reads {
  /** In the order asked for; null for one that is gone. */
  rows(db: Connection, space: number, chunks: ArrayLike<number>): readonly (Row | null)[]
  chunks(db: Connection, ids: readonly number[]): StoredChunk[]
}

/** From the database, every time. */
export const plainReads: Reads = { rows: getRows, chunks: readChunks }

/** Kept as long as the index stays the same, whoever writes it: an answer is what it would be without. */
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
      const kept = rows.get(space) ?? new Map<number, Row | null>()
      rows.set(space, kept)
      const all = Array.from(ids)
      const read = (missing: number[]) => getRows(db, space, missing)
      return keeping(kept, mostRows, all, read)
    },
    chunks(db, ids) {
      renew(db)
      const read = (missing: number[]) => {
        const found = new Map(readChunks(db, missing).map((chunk) => [chunk.id, chunk]))
        return missing.map((id) => found.get(id) ?? null)
      }
      return keeping(chunks, mostChunks, ids, read).flatMap((chunk) => chunk ?? [])
    },
  }
}

/** A few megabytes. What comes after that is read when it is asked for. */
const mostRows = 10_000
const mostChunks = 2_000

function keeping<T>(
  kept: Map<number, T | null>,
  most: number,
  ids: readonly number[],
  read: (missing: number[]) => readonly (T | null)[],
): (T | null)[] {
  const missing = ids.filter((id) => !kept.has(id))
  if (kept.size + missing.length > most) return [...read([...ids])]
  if (missing.length > 0) for (const [i, one] of read(missing).entries()) kept.set(missing[i]!, one)
  return ids.map((id) => kept.get(id) ?? null)
}
