// The rows of passages: written with their document, read by id.

import type { Breathe } from '../../model/breather.js'
import type { ChunkKind, Format, IndexedChunk, IndexedDocument, StoredChunk } from '../../model/document.js'
import type { Ref } from '../../model/source.js'
import { checksums, damagedIndex, intact, requireIntact, seal } from './checksums.js'
import { type Connection, fromDatabase, textOf, type Value } from './database.js'
import type { SegmentBuilder } from './segment-builder.js'

// A chunk whose hash stands in the old version too keeps its id, and with it its postings and its vector.
export async function replaceChunks(
  db: Connection,
  { id, isNew, body }: { id: number; isNew: boolean; body: Uint8Array },
  document: IndexedDocument,
  segment: SegmentBuilder,
  { fresh, breathe }: { fresh: { id: number; hash: string }[]; breathe: Breathe },
): Promise<number[]> {
  const old = isNew ? new Map<string, number[]>() : chunksByHash(db, id)
  const bytes = byteCounter(document.text)
  const add = segment.of(id, document.words)
  const rows: Value[] = []
  const added: IndexedChunk[] = []
  for (let index = 0; index < document.chunks.length; index++) {
    const chunk = document.chunks[index]!
    const kept = old.get(chunk.hash)?.shift()
    const row = rowOf(id, index, chunk, { bytes, body })
    if (kept !== undefined) moveChunk(db, kept, row)
    else {
      for (const value of row) rows.push(value)
      added.push(chunk)
    }
    if (index % breatheAfter === 0) await breathe()
  }
  const first = await insertChunks(db, rows, breathe)
  for (let i = 0; i < added.length; i++) {
    const { hash, terms } = added[i]!
    add(first + i, terms)
    fresh.push({ id: first + i, hash })
    if (i % breatheAfter === 0) await breathe()
  }
  const gone = [...old.values()].flat()
  for (const chunk of gone) db.sql('DELETE FROM chunks WHERE id = ?').run(chunk)
  return gone
}

/** A document may have thousands of chunks, and others want an answer meanwhile. */
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

/** Several rows a statement, which costs half of one at a time. Returns the first id; the others follow it. */
async function insertChunks(db: Connection, rows: readonly Value[], breathe: Breathe): Promise<number> {
  const many = rows.length / columns.length
  let last = 0
  for (let i = 0; i < many; i += insertAtOnce) {
    const to = Math.min(many, i + insertAtOnce)
    const statement = db.sql(inserts[to - i]!)
    last = Number(statement.run(...rows.slice(i * columns.length, to * columns.length)).lastInsertRowid)
    if (i % breatheAfter === 0) await breathe()
  }
  return last - many + 1
}

function moveChunk(db: Connection, id: number, row: Value[]) {
  // Its hash and its document stay.
  db.sql(`UPDATE chunks SET ${columns.slice(2).join(' = ?, ')} = ? WHERE id = ?`).run(...row.slice(2), id)
}

type ByteCounter = (offset: number) => number

/** Where an offset lies in the text's UTF-8. Quick when asked in about ascending order. */
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

interface ChunkRow {
  id: number
  source: string
  path: string
  title: string
  format: Format
  chunk_count: number
  ix: number
  kind: ChunkKind
  language: string | null
  start: number
  end: number
  line: number
  end_line: number
  headings: string
  symbols: string
  context: string
  hash: string
  text_sum: number
  body: Uint8Array | null
}

const chunkColumns = `c.id, c.ix, c.kind, c.language, c."start", c."end", c.line, c.end_line, c.headings, c.symbols, c.context,
  c.hash, c.text_sum, d.source, d.path, d.title, d.format, d.chunk_count, ${intact('chunks', { alias: 'c' })}`
const wholeDocument = intact('documents', { alias: 'd' })

/** In the order asked for; one statement for all costs two thirds of one for each. */
export function readChunks(db: Connection, ids: readonly number[]): StoredChunk[] {
  const rows = db
    .sql(
      `SELECT ${chunkColumns}, ${wholeDocument}, substr(t.body, c.first_byte + 1, c.bytes) AS body
       FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value
       LEFT JOIN documents d ON d.id = c.document LEFT JOIN texts t ON t.document = c.document`,
    )
    .all(JSON.stringify(ids)) as ChunkRow[]
  const found = new Map(rows.map((row) => [row.id, chunkOf(row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** A document may have thousands: they are read at once, and made ready a few at a time. */
export async function chunksIn(rows: readonly ChunkRow[], breathe: Breathe): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = []
  for (const row of rows) {
    chunks.push(chunkOf(row))
    if (chunks.length % breatheAfter === 0) await breathe()
  }
  return chunks
}

export function readRowsOf(db: Connection, ref: Ref): ChunkRow[] {
  // The text is read once: cut out row by row, a text of some megabytes would be read thousands of times.
  const document = db
    .sql(
      `SELECT d.chunk_count, t.body, ${wholeDocument} FROM documents d LEFT JOIN texts t ON t.document = d.id
       WHERE d.source = ? AND d.path = ?`,
    )
    .get(ref.source, ref.path) as { chunk_count: number; body: Uint8Array | null } | undefined
  if (!document) return []
  const { chunk_count, body } = document
  const rows = db
    .sql(
      `SELECT ${chunkColumns}, c.first_byte, c.bytes FROM documents d JOIN chunks c ON c.document = d.id
       WHERE d.source = ? AND d.path = ? ORDER BY c.ix`,
    )
    .all(ref.source, ref.path) as unknown as (ChunkRow & { first_byte: number; bytes: number })[]
  if (rows.length !== chunk_count) throw damagedIndex('a document has not all of its chunks')
  for (const row of rows) row.body = body?.subarray(row.first_byte, row.first_byte + row.bytes) ?? null
  return rows
}

function chunkOf(row: ChunkRow): StoredChunk {
  requireIntact('texts', row.text_sum, row.body)
  return {
    id: row.id,
    ref: { source: fromDatabase(row.source), path: fromDatabase(row.path) },
    title: fromDatabase(row.title),
    format: row.format,
    index: row.ix,
    count: row.chunk_count,
    kind: row.kind,
    language: row.language && fromDatabase(row.language),
    start: row.start,
    end: row.end,
    line: row.line,
    endLine: row.end_line,
    headings: JSON.parse(row.headings),
    symbols: JSON.parse(row.symbols),
    context: fromDatabase(row.context),
    text: textOf(row.body),
    hash: fromDatabase(row.hash),
  }
}
