// Vectors: int8 rows in a table, and their signs in memory. The signs select the few hundred rows that are compared
// exactly.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Scope } from '../../model/scope.js'
import type { YieldIfDue } from '../../runtime/yield.js'
import type { VectorStore } from '../port.js'
import { cosinesTo, dequantise, nearestExact, quantise, type Row, signsOfRow } from '../vectors/rows.js'
import { type Allowed as AllowedRows, SignIndex } from '../vectors/sign-index.js'
import { findSpace, getRow, openSpace, putRow, type Space } from './chunk-rows.js'
import type { Connection, Database } from './database.js'
import { pendingChunks } from './pending-chunks.js'
import { placesOf } from './rank.js'
import type { Reads } from './read-cache.js'
import type { Allowed, AllowedIn } from './scope.js'
import { advance, isDead, type SegmentView } from './segments.js'
import { requireIntact, seal } from './stored-values.js'

/** The signs of one model's vectors that were loaded so far. */
interface Signs {
  index: SignIndex
  lastRead: number
  epoch: number
  lives: Lives | null
  /** A cache of resolved scopes: checking every one of a million rows takes longer than the search. */
  scopes: WeakMap<Allowed, AllowedRows>
}

/** The snapshot that a search uses. */
interface Prepared {
  space: Space
  signs: Signs
  /** Null: everything. */
  allow: AllowedRows | null
}

/** Chunk id → its document; 0: the chunk is gone. */
interface Lives {
  epoch: number
  document: Int32Array
}

export interface VectorPorts {
  database: Database
  view(db: Connection): SegmentView
  allowedIn: AllowedIn
}

/** The vectors, with or without a read cache. The sign index in memory is the same for all. */
export function sqliteVectors({ database, view, allowedIn }: VectorPorts): (reads: Reads) => VectorStore {
  const known = new Map<number, Signs>()
  let lives: Lives | null = null

  function livesOf(seen: SegmentView): Lives {
    if (lives?.epoch !== seen.epoch) lives = findLives(seen.whole ?? seen)
    return lives
  }

  function signsFor(space: Space): Signs {
    let signs = known.get(space.id)
    if (!signs) {
      signs = {
        index: new SignIndex(space.dimensions),
        lastRead: 0,
        epoch: -1,
        lives: null,
        scopes: new WeakMap(),
      }
      known.set(space.id, signs)
    }
    return signs
  }

  function alive(signs: Signs, seen: SegmentView): Signs {
    const lives = livesOf(seen)
    if (signs.epoch !== lives.epoch) signs.index.keep((id) => (lives.document[id] ?? 0) > 0)
    signs.epoch = lives.epoch
    signs.lives = lives
    return signs
  }

  /** All signs as of now. Loads new ones a page at a time: a million at once would block everything else. */
  async function prepare(model: string, dimensions: number, scope: Scope): Promise<Prepared | null> {
    for (;;) {
      const prepared = database.read((db): Prepared | 'more' | null => {
        const space = findSpace(db, model)
        if (!space || space.dimensions !== dimensions) return null
        const signs = signsFor(space)
        if (readPage(db, space, signs)) return 'more'
        const seen = view(db)
        return { space, signs, allow: scoped(alive(signs, seen), allowedIn(db, seen, scope)) }
      })
      if (prepared !== 'more') return prepared
      await nextTurn()
    }
  }

  return (reads) => ({
    pending: pendingChunks(database),
    put: (model, vectors) =>
      database.write(async (db, yieldIfDue) => {
        if (vectors.length === 0) return 0
        const space = openSpace(db, model, vectors[0]!.vector.length)
        const stored: { chunk: number; row: Row }[] = []
        for (const { chunk, hash, vector } of vectors) {
          const same = db.sql('SELECT 1 FROM chunks WHERE id = ? AND hash = ?').get(chunk, hash)
          if (!same || vector.length !== space.dimensions) continue
          const row = quantise(vector)
          putRow(db, space.id, chunk, row)
          stored.push({ chunk, row })
          await yieldIfDue()
        }
        putSigns(db, space.id, stored)
        if (stored.length > 0) advance(db, 'vectors')
        return stored.length
      }),
    nearest: async ({ model, vector, scope, limit }) => {
      const prepared = limit > 0 ? await prepare(model, vector.length, scope) : null
      if (!prepared) return []
      const { space, signs, allow } = prepared
      const found = await nearestExact(
        signs.index,
        (ids) => database.read((db) => reads.rows(db, space.id, ids)),
        {
          vector,
          limit,
          ...(allow ? { allow } : {}),
          placesOf: (tied) => database.read((db) => placesOf(db, tied)),
        },
      )
      return found.map(({ id, cosine }) => ({ chunk: id, cosine }))
    },
    cosines: async (model, vector, chunks) =>
      database.read((db) => {
        const space = findSpace(db, model)
        if (!space || vector.length !== space.dimensions) return new Map()
        const cosines = cosinesTo(vector)(reads.rows(db, space.id, chunks))
        return new Map(
          chunks.flatMap((chunk, i) => (Number.isNaN(cosines[i]) ? [] : [[chunk, cosines[i]!] as const])),
        )
      }),
    of: async (model, chunks) =>
      database.read((db) => {
        const space = findSpace(db, model)
        if (!space) return new Map()
        return new Map(
          chunks.flatMap((chunk) => {
            const row = getRow(db, space.id, chunk)
            return row ? [[chunk, dequantise(row, space.dimensions)] as const] : []
          }),
        )
      }),
    counts: async () =>
      database.read((db) => {
        if (db.worktree) return countOfWorktree(db, view(db))
        const rows = db
          .sql(
            'SELECT model, (SELECT count(*) FROM vectors v WHERE v.space = s.id) AS n FROM spaces s ORDER BY model',
          )
          .all() as { model: string; n: number }[]
        return Object.fromEntries(rows.map(({ model, n }) => [model, n]))
      }),
    forget: async (model) => {
      await database.write((db) => {
        const space = findSpace(db, model)
        if (!space) return
        for (const table of ['vectors', 'signs']) db.sql(`DELETE FROM ${table} WHERE space = ?`).run(space.id)
        db.sql('DELETE FROM spaces WHERE id = ?').run(space.id)
        known.delete(space.id)
        advance(db, 'vectors')
      })
    },
  })
}

function countOfWorktree(db: Connection, seen: SegmentView): Record<string, number> {
  const { document } = findLives(seen)
  const models = db.sql('SELECT id, model FROM spaces ORDER BY model').all() as {
    id: number
    model: string
  }[]
  return Object.fromEntries(
    models.map(({ id, model }) => {
      const row = db.sql('SELECT json_group_array(chunk) AS chunks FROM vectors WHERE space = ?').get(id)
      const chunks = JSON.parse((row as { chunks: string }).chunks) as number[]
      return [model, chunks.filter((chunk) => document[chunk]! > 0).length]
    }),
  )
}

/** A new chunk with the same hash as another one copies its vectors, so moving a file costs no embedding. */
export async function copyVectors(
  db: Connection,
  fresh: readonly { id: number; hash: string }[],
  yieldIfDue: YieldIfDue,
) {
  const spaces = db.sql('SELECT id FROM spaces').all() as { id: number }[]
  for (const space of spaces) {
    const copied: { chunk: number; row: Row }[] = []
    for (const { id, hash } of fresh) {
      const other = db
        .sql(
          'SELECT v.chunk FROM chunks c JOIN vectors v ON v.space = ? AND v.chunk = c.id WHERE c.hash = ? AND c.id <> ? LIMIT 1',
        )
        .get(space.id, hash, id) as { chunk: number } | undefined
      const row = other && getRow(db, space.id, other.chunk)
      if (row) {
        putRow(db, space.id, id, row)
        copied.push({ chunk: id, row })
      }
      await yieldIfDue()
    }
    putSigns(db, space.id, copied)
    if (copied.length > 0) advance(db, 'vectors')
  }
}

export function dropVectors(db: Connection, chunks: readonly number[]) {
  const spaces = db.sql('SELECT id FROM spaces').all() as { id: number }[]
  for (const { id } of spaces)
    for (const chunk of chunks) db.sql('DELETE FROM vectors WHERE space = ? AND chunk = ?').run(id, chunk)
}

// --- Signs

function putSigns(db: Connection, space: number, rows: { chunk: number; row: Row }[]) {
  if (rows.length === 0) return
  const chunks = new Uint8Array(Int32Array.from(rows, ({ chunk }) => chunk).buffer)
  const bits = Buffer.concat(rows.map(({ row }) => signsOfRow(row)))
  db.sql('INSERT INTO signs (space, chunks, bits, sum) VALUES (?, ?, ?, ?)').run(
    space,
    chunks,
    bits,
    seal(space, chunks, bits),
  )
}

const rowsAPage = 32

/** Loads some of the new rows; returns true if there may be more. Deleted ones are dropped afterwards. */
function readPage(db: Connection, space: Space, signs: Signs): boolean {
  const rows = db
    .sql('SELECT id, chunks, bits, sum FROM signs WHERE space = ? AND id > ? ORDER BY id LIMIT ?')
    .all(space.id, signs.lastRead, rowsAPage) as {
    id: number
    chunks: Uint8Array
    bits: Uint8Array
    sum: number
  }[]
  let loaded = 0
  for (const { id, chunks, bits, sum } of rows) {
    requireIntact('signs', sum, [space.id, chunks, bits])
    signs.index.load(new Int32Array(Uint8Array.from(chunks).buffer), bits)
    signs.lastRead = id
    signs.epoch = -1
    loaded += chunks.length / 4
    if (loaded >= signsAPage) return true
  }
  return rows.length === rowsAPage
}

const signsAPage = 50_000

function findLives(seen: SegmentView): Lives {
  const last = seen.segments.reduce((most, { directory }) => Math.max(most, directory.chunks.at(-1) ?? 0), 0)
  const document = new Int32Array(last + 1)
  for (const segment of seen.segments) {
    const { chunks, documents } = segment.directory
    for (let i = 0; i < chunks.length; i++)
      if (segment.deadCount === 0 || !isDead(segment, i)) document[chunks[i]!] = documents[i]!
  }
  return { epoch: seen.epoch, document }
}

/** Null: everything. The same content gives the same object. */
function scoped({ index, lives, scopes }: Signs, scope: Allowed): AllowedRows | null {
  const test = allowing(lives!, scope)
  if (!test) return null
  const rows = index.allowing(scopes.get(scope) ?? test)
  scopes.set(scope, rows)
  return rows
}

function allowing(lives: Lives, { documents, chunks }: Allowed): ((id: number) => boolean) | null {
  if (chunks) return (id) => chunks[id] === 1
  return documents ? (id) => documents[lives.document[id]!] === 1 : null
}

const tidyAbove = 64
const signsARow = 8192

/** Merges many small batches into a few large ones, without deleted rows, so that a new process loads them quickly. */
export async function tidySigns(database: Database) {
  const spaces = database.read((db) =>
    db.sql('SELECT space AS id FROM signs GROUP BY space HAVING count(*) > ?').all(tidyAbove),
  ) as {
    id: number
  }[]
  for (const { id } of spaces)
    await database.write(async (db, yieldIfDue) => {
      const chunks = db.sql('SELECT chunk FROM vectors WHERE space = ? ORDER BY chunk').all(id) as {
        chunk: number
      }[]
      db.sql('DELETE FROM signs WHERE space = ?').run(id)
      for (let i = 0; i < chunks.length; i += signsARow) {
        const rows: { chunk: number; row: Row }[] = []
        for (const { chunk } of chunks.slice(i, i + signsARow)) {
          rows.push({ chunk, row: getRow(db, id, chunk)! })
          await yieldIfDue()
        }
        putSigns(db, id, rows)
      }
      advance(db, 'layout')
    })
}
