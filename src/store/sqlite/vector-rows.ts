// The table of vectors: one int8 row each, by model.
import type { Row } from '../vectors/quantise.js'
import { intact, requireIntact, seal } from './checksums.js'
import type { Connection } from './database.js'

/** One model's vectors. */
export interface Space {
  id: number
  dimensions: number
}

export function findSpace(db: Connection, model: string): Space | null {
  return (
    (db.sql(`SELECT id, dimensions, ${intact('spaces')} AS whole FROM spaces WHERE model = ?`).get(model) as
      | Space
      | undefined) ?? null
  )
}

export function openSpace(db: Connection, model: string, dimensions: number): Space {
  db.sql('INSERT OR IGNORE INTO spaces (model, dimensions, sum) VALUES (?, ?, ?)').run(
    model,
    dimensions,
    seal(model, dimensions),
  )
  return findSpace(db, model)!
}

export function putRow(db: Connection, space: number, chunk: number, { scale, data }: Row) {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  db.sql('INSERT OR REPLACE INTO vectors (space, chunk, scale, data, sum) VALUES (?, ?, ?, ?, ?)').run(
    space,
    chunk,
    scale,
    bytes,
    seal(space, chunk, scale, bytes),
  )
}

const columns = 'v.space, v.chunk, v.scale, v.data, v.sum'
type StoredRow = [space: number, chunk: number, scale: number, data: Uint8Array, sum: number]

export function getRow(db: Connection, space: number, chunk: number): Row | null {
  const [row] = db
    .lists(`SELECT ${columns} FROM vectors v WHERE v.space = ? AND v.chunk = ?`)
    .all(space, chunk) as StoredRow[]
  return row ? rowOf(row) : null
}

/** In the order of the ids, with one statement for all. */
export function getRows(db: Connection, space: number, chunks: ArrayLike<number>): (Row | null)[] {
  const rows = db
    .lists(`SELECT ${columns} FROM json_each(?) j CROSS JOIN vectors v ON v.space = ? AND v.chunk = j.value`)
    .all(JSON.stringify(Array.from(chunks)), space) as StoredRow[]
  const found = new Map(rows.map((row) => [row[1], rowOf(row)]))
  return Array.from(chunks, (chunk) => found.get(chunk) ?? null)
}

function rowOf(row: StoredRow): Row {
  const [, , scale, data, sum] = row
  requireIntact('vectors', sum, row, 0, 4)
  return { scale, data: new Int8Array(data.buffer, data.byteOffset, data.byteLength) }
}
