// The directory of all segments in memory: for every segment its chunks, the lengths of their fields, and which of them
// are deleted. It takes 16 bytes a chunk, so ranking never asks the database about a chunk that does not win.

import type { Connection } from './database.js'
import type { BlockWriter } from './postings.js'
import { damagedIndex, requireIntact, seal } from './stored-values.js'

/** Immutable once written. */
export interface Directory {
  /** By ordinal, ascending. */
  chunks: Int32Array
  documents: Int32Array
  /** Four values for each chunk. */
  lengths: Uint16Array
}

export interface Segment {
  id: number
  directory: Directory
  /** One bit for each ordinal. */
  dead: Uint8Array
  deadCount: number
}

/**
 * What one connection sees; anything that changes in the index makes a new view, so a cache may be kept for one view.
 * Directories are shared between connections: they are the same whoever reads them.
 */
export interface SegmentView {
  /** Counts changes of content. */
  epoch: number
  /** Counts merges, and new stamps of files whose content stayed the same. */
  layout: number
  segments: Segment[]
  /** All segments of the database, where these hide what only other worktrees have. */
  whole?: SegmentView
  /** The number of live chunks, and the sum of their lengths in each field. */
  chunks: number
  totals: number[]
}

export type Directories = Map<number, Directory>

/** The segments of the connection's snapshot. Reuses what was loaded before. */
export function viewSegments(db: Connection, known: Directories, before: SegmentView | null): SegmentView {
  const { epoch, layout } = stateOf(db)
  if (before && before.epoch === epoch && before.layout === layout) return before
  const old = new Map(before?.segments.map((segment) => [segment.id, segment]))
  const rows = db.sql('SELECT id, dead_count FROM segments ORDER BY id').all() as {
    id: number
    dead_count: number
  }[]
  const segments = rows.map(({ id, dead_count }) => {
    const same = old.get(id)
    if (same && same.deadCount === dead_count) return same
    const directory = directoryOf(db, known, id)
    return { id, directory, dead: readDead(db, id, directory), deadCount: dead_count }
  })
  for (const id of known.keys()) if (!segments.some((s) => s.id === id)) known.delete(id)
  return { epoch, layout, segments, ...totalsOf(segments) }
}

/** The same segments with the chunks marked as deleted that the worktree does not have. */
export function ofWorktree(whole: SegmentView, has: Uint8Array): SegmentView {
  const segments = whole.segments.map((segment) => {
    const { documents } = segment.directory
    const dead = Uint8Array.from(segment.dead)
    let { deadCount } = segment
    for (let i = 0; i < documents.length; i++) {
      if (has[documents[i]!] === 1 || isDead(segment, i)) continue
      dead[i >> 3]! |= 1 << (i & 7)
      deadCount++
    }
    return { ...segment, dead, deadCount }
  })
  return { ...whole, whole, segments, ...totalsOf(segments) }
}

export interface State {
  epoch: number
  layout: number
  vectors: number
}

export function stateOf(db: Connection): State {
  const rows = db.sql('SELECT key, value FROM state').all() as { key: keyof State; value: number }[]
  return Object.fromEntries(rows.map(({ key, value }) => [key, value])) as unknown as State
}

/** Tells every process that something changed. Call it inside the transaction that makes the change. */
export function advance(db: Connection, key: keyof State) {
  db.sql('UPDATE state SET value = value + 1 WHERE key = ?').run(key)
}

export function isDead(segment: Segment, ordinal: number): boolean {
  return (segment.dead[ordinal >> 3]! & (1 << (ordinal & 7))) !== 0
}

function readDead(db: Connection, id: number, { chunks }: Directory): Uint8Array {
  const { dead, dead_count, dead_sum } = db
    .sql('SELECT dead, dead_count, dead_sum FROM segments WHERE id = ?')
    .get(id) as { dead: Uint8Array; dead_count: number; dead_sum: number }
  requireIntact('segments', dead_sum, [dead, dead_count])
  if (dead.length !== (chunks.length + 7) >> 3)
    throw damagedIndex('a segment does not say which chunks are gone')
  return dead
}

function directoryOf(db: Connection, known: Directories, id: number): Directory {
  let directory = known.get(id)
  if (!directory) {
    const row = db.sql('SELECT chunks, directory, sum FROM segments WHERE id = ?').get(id) as {
      chunks: number
      directory: Uint8Array
      sum: number
    }
    requireIntact('segments', row.sum, [row.chunks, row.directory])
    directory = unpackDirectory(row.directory, row.chunks)
    known.set(id, directory)
  }
  return directory
}

function totalsOf(segments: Segment[]) {
  let chunks = 0
  const totals = [0, 0, 0, 0]
  for (const segment of segments) {
    const { lengths } = segment.directory
    for (let i = 0; i < segment.directory.chunks.length; i++) {
      if (segment.deadCount > 0 && isDead(segment, i)) continue
      chunks++
      for (let f = 0; f < 4; f++) totals[f]! += lengths[i * 4 + f]!
    }
  }
  return { chunks, totals }
}

const bytesAChunk = 16

export function packDirectory({ chunks, documents, lengths }: Directory): Uint8Array {
  const parts = [chunks, documents, lengths].map((a) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength))
  return Buffer.concat(parts)
}

export function unpackDirectory(bytes: Uint8Array, count: number): Directory {
  if (bytes.length !== count * bytesAChunk) throw damagedIndex('a segment does not list all of its chunks')
  // A copy, because typed arrays of more than a byte need an aligned start.
  const { buffer } = Uint8Array.from(bytes)
  return {
    chunks: new Int32Array(buffer, 0, count),
    documents: new Int32Array(buffer, count * 4, count),
    lengths: new Uint16Array(buffer, count * 8, count * 4),
  }
}

// --- Writing

export function insertSegment(db: Connection, directory: Directory): number {
  const count = directory.chunks.length
  const packed = packDirectory(directory)
  const dead = new Uint8Array((count + 7) >> 3)
  const { lastInsertRowid } = db
    .sql('INSERT INTO segments (chunks, directory, sum, dead, dead_sum) VALUES (?, ?, ?, ?, ?)')
    .run(count, packed, seal(count, packed), dead, seal(dead, 0))
  return Number(lastInsertRowid)
}

export function insertBlocks(db: Connection, segment: number, out: BlockWriter) {
  for (const { first, data } of out.full)
    db.sql('INSERT INTO blocks (segment, "first", data, sum) VALUES (?, ?, ?, ?)').run(
      segment,
      first,
      data,
      seal(segment, first, data),
    )
  out.full.length = 0
}

/** Marks chunks as deleted. Call it inside a transaction, with that transaction's own view. */
export function bury(db: Connection, view: SegmentView, chunks: Iterable<number>) {
  const changed = new Map<Segment, { dead: Uint8Array; count: number }>()
  for (const chunk of chunks) {
    const place = findChunk(view, chunk)
    if (!place) continue
    const { segment, ordinal } = place
    const change = changed.get(segment) ?? { dead: Uint8Array.from(segment.dead), count: segment.deadCount }
    const bit = 1 << (ordinal & 7)
    if (!(change.dead[ordinal >> 3]! & bit)) change.count++
    change.dead[ordinal >> 3]! |= bit
    changed.set(segment, change)
  }
  for (const [segment, { dead, count }] of changed) {
    if (count === segment.directory.chunks.length) dropSegment(db, segment.id)
    else
      db.sql('UPDATE segments SET dead = ?, dead_count = ?, dead_sum = ? WHERE id = ?').run(
        dead,
        count,
        seal(dead, count),
        segment.id,
      )
  }
}

export function dropSegment(db: Connection, id: number) {
  db.sql('DELETE FROM blocks WHERE segment = ?').run(id)
  db.sql('DELETE FROM segments WHERE id = ?').run(id)
}

export function findChunk(view: SegmentView, chunk: number): { segment: Segment; ordinal: number } | null {
  for (const segment of view.segments) {
    const ordinal = indexOf(segment.directory.chunks, chunk)
    if (ordinal >= 0) return { segment, ordinal }
  }
  return null
}

function indexOf(sorted: Int32Array, value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! === value) return middle
    if (sorted[middle]! < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}
