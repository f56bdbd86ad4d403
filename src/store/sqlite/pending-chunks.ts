// Chunks that have no vector yet.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PendingChunk, VectorStore } from '../port.js'
import { findSpace, readChunks } from './chunk-rows.js'
import type { Connection, Database } from './database.js'
import { stateOf } from './segments.js'

const documentsAtOnce = 300

// Walks the documents from the most recently read on, a page at a time, and then those that come last. Skips documents that
// were complete before, until the content changes: otherwise each batch would walk past everything that is already embedded.
export function pendingChunks(database: Database): VectorStore['pending'] {
  // By the requested order: what one order leaves for the end is not complete in another.
  const completeIn = new WeakMap<IsLast, Map<string, { epoch: string; place: Place }>>()
  return async (model, limit, { preferred = [], isLast = noneLast } = {}) => {
    const complete = completeIn.get(isLast) ?? new Map()
    completeIn.set(isLast, complete)
    const found = database.read((db) => pendingAmong(db, model, preferred)).slice(0, Math.max(0, limit))
    const chosen = new Set(found.map(({ chunk }) => chunk))
    const { epoch, key } = database.read((db) => {
      const { epoch, layout } = stateOf(db)
      return { epoch: `${epoch}.${layout}`, key: `${model} ${findSpace(db, model)?.id}` }
    })
    for (const last of [false, true]) {
      const walk = `${key} ${last}`
      const before = complete.get(walk)
      let place: Place | null = before?.epoch === epoch ? before.place : first
      while (place && found.length < limit) {
        const from: Place = place
        const page = database.read((db) =>
          pendingAfter(db, model, {
            after: from,
            limit: limit - found.length + chosen.size,
            isIn: (path) => isLast(path) === last,
          }),
        )
        found.push(...page.chunks.filter(({ chunk }) => !chosen.has(chunk)).slice(0, limit - found.length))
        if (page.chunks.length === 0 && page.next) complete.set(walk, { epoch, place: page.next })
        place = page.next
        await nextTurn()
      }
    }
    return found
  }
}

type IsLast = (path: string) => boolean
const noneLast: IsLast = () => false

/** A document's position in the walk. */
interface Place {
  readAt: number
  source: string
  path: string
}

const first: Place = { readAt: Number.MAX_VALUE, source: '', path: '' }

function pendingAfter(
  db: Connection,
  model: string,
  { after, limit, isIn }: { after: Place; limit: number; isIn(path: string): boolean },
): { chunks: PendingChunk[]; next: Place | null } {
  const documents = db
    .sql(
      `SELECT id, read_at AS readAt, source, path FROM documents
       WHERE read_at <= ? AND (read_at < ? OR (source, path) > (?, ?)) ORDER BY read_at DESC, source, path LIMIT ?`,
    )
    .all(after.readAt, after.readAt, after.source, after.path, documentsAtOnce) as unknown as ({
    id: number
  } & Place)[]
  const space = findSpace(db, model)?.id ?? -1
  const rows = db
    .sql(
      `SELECT c.id FROM json_each(?) j JOIN chunks c ON c.document = j.value
       LEFT JOIN vectors v ON v.space = ? AND v.chunk = c.id WHERE v.chunk IS NULL ORDER BY j.key, c.ix LIMIT ?`,
    )
    .all(JSON.stringify(documents.filter(({ path }) => isIn(path)).map(({ id }) => id)), space, limit) as {
    id: number
  }[]
  return { chunks: rows.flatMap((row) => readPending(db, row.id)), next: documents.at(-1) ?? null }
}

function pendingAmong(db: Connection, model: string, chunks: readonly number[]): PendingChunk[] {
  const space = findSpace(db, model)?.id ?? -1
  return [...new Set(chunks)]
    .filter((chunk) => !db.sql('SELECT 1 FROM vectors WHERE space = ? AND chunk = ?').get(space, chunk))
    .flatMap((chunk) => readPending(db, chunk))
}

/** None for a chunk that is not there. */
function readPending(db: Connection, chunk: number): PendingChunk[] {
  return readChunks(db, [chunk]).map(({ hash, context, text }) => ({ chunk, hash, context, text }))
}
