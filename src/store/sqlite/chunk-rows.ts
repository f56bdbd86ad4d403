// The rows of chunks, written with their document and read by id, and those of their vectors.

import type { ChunkKind, Format, IndexedChunk, IndexedDocument, StoredChunk } from '../../model/document.js'
import type { Ref } from '../../model/source.js'
import type { YieldIfDue } from '../../runtime/yield.js'
import type { Row } from '../vectors/rows.js'
import { type Connection, fromDatabase, textOf, type Value } from './database.js'
import type { SegmentBuilder } from './segment-builder.js'
import {
  checksums,
  damagedIndex,
  intact,
  openText,
  type PackedText,
  requireIntact,
  seal,
} from './stored-values.js'

// A chunk whose hash also occurs in the old version keeps its id, and with it its postings and its vector.
export async function replaceChunks(
  db: Connection,
  { id, isNew, body }: { id: number; isNew: boolean; body: Uint8Array },
  document: IndexedDocument,
  segment: SegmentBuilder,
  { fresh, yieldIfDue }: { fresh: { id: number; hash: string }[]; yieldIfDue: YieldIfDue },
): Promise<number[]> {
  const old = isNew ? new Map<string, number[]>() : chunksByHash(db, id)
  const bytes = byteCounter(document.text)
  const add = segment.of(id, document.words)
  const rows: Value[] = []
  const added: IndexedChunk[] = []
  for (let index = 0; index < document.chunks.length; index++) {
    const chunk = document.chunks[index]!
    const reused = old.get(chunk.hash)?.shift()
    const row = rowOf(id, index, chunk, { bytes, body })
    if (reused !== undefined) moveChunk(db, reused, row)
    else {
      for (const value of row) rows.push(value)
      added.push(chunk)
    }
    if (index % breatheAfter === 0) await yieldIfDue()
  }
  const first = await insertChunks(db, rows, yieldIfDue)
  for (let i = 0; i < added.length; i++) {
    const { hash, terms } = added[i]!
    add(first + i, terms)
    fresh.push({ id: first + i, hash })
    if (i % breatheAfter === 0) await yieldIfDue()
  }
  const gone = [...old.values()].flat()
  for (const chunk of gone) db.sql('DELETE FROM chunks WHERE id = ?').run(chunk)
  return gone
}

/** A document may have thousands of chunks, so the work yields to other requests. */
const breatheAfter = 64

function chunksByHash(db: Connection, document: number): Map<string, number[]> {
  const found = new Map<string, number[]>()
  const rows = db.sql('SELECT id, hash FROM chunks WHERE document = ? ORDER BY ix').all(document)
  for (const { id, hash } of rows as { id: number; hash: string }[])
    found.set(hash, [...(found.get(hash) ?? []), id])
  return found
}

const columns = [...checksums.chunks.sum, 'sum']
const insertAtOnce = 8
const row = `(${columns.map(() => '?').join(', ')})`
const insertInto = `INSERT INTO chunks (${columns.join(', ')}) VALUES`
/** By how many rows. */
const inserts = Array.from(
  { length: insertAtOnce + 1 },
  (_, n) => `${insertInto} ${Array(n).fill(row).join(', ')}`,
)

/**
 * Inserts several rows with one statement, at half the cost of one at a time. Returns the first id; the others follow
 * it.
 */
async function insertChunks(db: Connection, rows: readonly Value[], yieldIfDue: YieldIfDue): Promise<number> {
  const many = rows.length / columns.length
  let last = 0
  for (let i = 0; i < many; i += insertAtOnce) {
    const to = Math.min(many, i + insertAtOnce)
    const statement = db.sql(inserts[to - i]!)
    last = Number(statement.run(...rows.slice(i * columns.length, to * columns.length)).lastInsertRowid)
    if (i % breatheAfter === 0) await yieldIfDue()
  }
  return last - many + 1
}

function moveChunk(db: Connection, id: number, row: Value[]) {
  // The hash and the document stay the same.
  db.sql(`UPDATE chunks SET ${columns.slice(2).join(' = ?, ')} = ? WHERE id = ?`).run(...row.slice(2), id)
}

type ByteCounter = (offset: number) => number

/** Converts an offset in the text to one in its UTF-8. Fast for roughly ascending offsets. */
function byteCounter(text: string): ByteCounter {
  if (Buffer.byteLength(text) === text.length) return (offset) => offset
  let [at, bytes] = [0, 0]
  return (offset) => {
    bytes +=
      offset >= at ? Buffer.byteLength(text.slice(at, offset)) : -Buffer.byteLength(text.slice(offset, at))
    at = offset
    return bytes
  }
}

/** The values of `columns`. */
function rowOf(
  document: number,
  index: number,
  chunk: IndexedChunk,
  { bytes, body }: { bytes: ByteCounter; body: Uint8Array },
): Value[] {
  const { hash, kind, language, start, end, line, endLine, headings, symbols, context } = chunk
  const first = bytes(start)
  const last = bytes(end)
  const values: Value[] = [
    hash,
    document,
    index,
    kind,
    language,
    start,
    end,
    first,
    last - first,
    line,
    endLine,
  ]
  values.push(JSON.stringify(headings), JSON.stringify(symbols), context, seal(body.subarray(first, last)))
  values.push(seal(...values))
  return values
}

// --- Reading

/** A row of `shown`, with the text before it. */
type ChunkRow = [
  body: Uint8Array | null,
  id: number,
  ...chunk: [hash: string, document: number, ix: number, kind: ChunkKind, language: string | null],
  ...span: [start: number, end: number, firstByte: number, bytes: number, line: number, endLine: number],
  ...words: [headings: string, symbols: string, context: string, textSum: number, sum: number],
  ...document: [source: string, path: string, title: string, format: Format, count: number, nameSum: number],
]

const ofChunk = checksums.chunks.sum
const ofDocument = checksums.documents.name_sum
const shown = [
  'c.id',
  ...[...ofChunk, 'sum'].map((name) => `c.${name}`),
  ...[...ofDocument, 'name_sum'].map((name) => `d.${name}`),
].join(', ')

/** Chunks in the order of the ids. One statement for all costs two thirds of one statement for each. */
export function readChunks(db: Connection, ids: readonly number[]): StoredChunk[] {
  const rows = db
    .lists(
      `SELECT NULL, ${shown} FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value
       LEFT JOIN documents d ON d.id = c.document`,
    )
    .all(JSON.stringify(ids))
    .filter((row) => isVisible(db, documentOf(row as ChunkRow))) as ChunkRow[]
  const texts = readTexts(db, new Set(rows.map(documentOf)))
  for (const row of rows) row[0] = sliceOf(texts.get(documentOf(row)), row)
  const found = new Map(rows.map((row) => [row[1], chunkOf(row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** One text for all chunks of a document: each is inflated once. */
function readTexts(db: Connection, documents: ReadonlySet<number>): Map<number, PackedText> {
  const rows = db
    .lists('SELECT t.document, t.body FROM json_each(?) j CROSS JOIN texts t ON t.document = j.value')
    .all(JSON.stringify([...documents])) as [number, Uint8Array | null][]
  return new Map(rows.map(([document, body]) => [document, openText(body)]))
}

/** A chunk that only another worktree has is not there. */
function isVisible(db: Connection, document: number): boolean {
  return db.worktree?.has(document) ?? true
}

function documentOf(row: ChunkRow): number {
  return row[3]
}

function sliceOf(text: PackedText | undefined, row: ChunkRow): Uint8Array | null {
  const [firstByte, bytes] = [row[9], row[10]]
  return text?.slice(firstByte, firstByte + bytes) ?? null
}

/** A document may have thousands of chunks: reads them at once and converts a few at a time. */
export async function chunksIn(rows: readonly ChunkRow[], yieldIfDue: YieldIfDue): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = []
  for (const row of rows) {
    chunks.push(chunkOf(row))
    if (chunks.length % breatheAfter === 0) await yieldIfDue()
  }
  return chunks
}

export function readRowsOf(db: Connection, ref: Ref): ChunkRow[] {
  const document = db
    .sql(
      `SELECT d.chunk_count, t.body FROM documents d LEFT JOIN texts t ON t.document = d.id
       WHERE d.source = ? AND d.path = ?`,
    )
    .get(ref.source, ref.path) as { chunk_count: number; body: Uint8Array | null } | undefined
  if (!document) return []
  const rows = db
    .lists(
      `SELECT NULL, ${shown} FROM documents d JOIN chunks c ON c.document = d.id
       WHERE d.source = ? AND d.path = ? ORDER BY c.ix`,
    )
    .all(ref.source, ref.path) as ChunkRow[]
  if (rows.length !== document.chunk_count) throw damagedIndex('a document has not all of its chunks')
  const text = openText(document.body)
  for (const row of rows) row[0] = sliceOf(text, row)
  return rows
}

function chunkOf(row: ChunkRow): StoredChunk {
  const [body, id, hash, , index, kind, language, start, end, , , line, endLine, headings, symbols, ...rest] =
    row
  const [context, textSum, sum, source, path, title, format, count, nameSum] = rest
  requireIntact('chunks', sum, row, 2, ofChunk.length)
  requireIntact('documents', nameSum, row, 3 + ofChunk.length, ofDocument.length)
  requireIntact('texts', textSum, row, 0, 1)
  return {
    id,
    ref: { source: fromDatabase(source), path: fromDatabase(path) },
    title: fromDatabase(title),
    format,
    index,
    count,
    kind,
    language: language && fromDatabase(language),
    start,
    end,
    line,
    endLine,
    headings: JSON.parse(headings),
    symbols: JSON.parse(symbols),
    context: fromDatabase(context),
    text: textOf(body),
    hash: fromDatabase(hash),
  }
}

// --- Vectors: one int8 row each, by model.

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

const vectorColumns = 'v.space, v.chunk, v.scale, v.data, v.sum'
type StoredRow = [space: number, chunk: number, scale: number, data: Uint8Array, sum: number]

export function getRow(db: Connection, space: number, chunk: number): Row | null {
  const [row] = db
    .lists(`SELECT ${vectorColumns} FROM vectors v WHERE v.space = ? AND v.chunk = ?`)
    .all(space, chunk) as StoredRow[]
  return row ? vectorOf(row) : null
}

/** In the order of the ids, with one statement for all. */
export function getRows(db: Connection, space: number, chunks: ArrayLike<number>): (Row | null)[] {
  const rows = db
    .lists(
      `SELECT ${vectorColumns} FROM json_each(?) j CROSS JOIN vectors v ON v.space = ? AND v.chunk = j.value`,
    )
    .all(JSON.stringify(Array.from(chunks)), space) as StoredRow[]
  const found = new Map(rows.map((row) => [row[1], vectorOf(row)]))
  return Array.from(chunks, (chunk) => found.get(chunk) ?? null)
}

function vectorOf(row: StoredRow): Row {
  const [, , scale, data, sum] = row
  requireIntact('vectors', sum, row, 0, 4)
  return { scale, data: new Int8Array(data.buffer, data.byteOffset, data.byteLength) }
}
