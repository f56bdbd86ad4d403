import type {
  ChunkKind,
  DocumentSummary,
  Format,
  IndexedChunk,
  IndexedDocument,
  NotedDocument,
  Stamp,
  StoredChunk,
  StoredDocument,
} from '../../model/document.js'
import type { Ref, Scope } from '../../model/source.js'
import { lineCount } from '../../text/lines.js'
import type { Fingerprint } from '../port.js'
import { type Breathe, type Connection, fromDatabase } from './database.js'
import { condition } from './scope.js'
import { bury, SegmentBuilder, type SegmentView } from './segments.js'
import { copyVectors, dropVectors } from './vectors.js'

/** Inside a transaction: swaps each document whole; returns whether anything changed. */
export async function replaceDocuments(
  db: Connection,
  view: SegmentView,
  documents: readonly IndexedDocument[],
  breathe: Breathe,
): Promise<boolean> {
  const segment = new SegmentBuilder()
  const fresh: { id: number; hash: string }[] = []
  const dead: number[] = []
  let changed = false
  for (const document of lastOfEach(documents)) {
    const old = db
      .sql('SELECT id, read_at FROM documents WHERE source = ? AND path = ?')
      .get(document.ref.source, document.ref.path) as { id: number; read_at: number } | undefined
    if (old && old.read_at > document.readAt) continue
    changed = true
    const id = putDocument(db, document, old?.id)
    for (const gone of replaceChunks(db, { id, isNew: !old }, document, segment, fresh)) dead.push(gone)
    await breathe()
  }
  bury(db, view, dead)
  await copyVectors(db, fresh, breathe)
  dropVectors(db, dead)
  await segment.write(db, breathe)
  return changed
}

/** A document that comes twice in a batch comes as the one read last. */
function lastOfEach(documents: readonly IndexedDocument[]): Iterable<IndexedDocument> {
  const last = new Map<string, IndexedDocument>()
  for (const document of documents) {
    const key = JSON.stringify([document.ref.source, document.ref.path])
    const earlier = last.get(key)
    if (!earlier || earlier.readAt <= document.readAt) last.set(key, document)
  }
  return last.values()
}

function putDocument(db: Connection, document: IndexedDocument, id: number | undefined): number {
  const { ref, stamp, sections, links, text, chunks } = document
  const facts = { aliases: document.aliases, metadata: document.metadata, notes: document.notes }
  const values = [
    document.title,
    document.format,
    document.language,
    document.hash,
    stamp?.size ?? null,
    stamp?.mtimeMs ?? null,
    document.readAt,
    text.length,
    lineCount(text),
    chunks.length,
    JSON.stringify(document.tags),
    JSON.stringify(facts),
  ]
  const body = Buffer.from(text)
  const rest = [JSON.stringify(sections), JSON.stringify(links)]
  if (id === undefined) {
    const made = db
      .sql(
        `INSERT INTO documents (source, path, title, format, language, hash, size, mtime, read_at, chars, lines, chunk_count, tags, facts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(ref.source, ref.path, ...values)
    const newId = Number(made.lastInsertRowid)
    db.sql('INSERT INTO texts (document, body, sections, links) VALUES (?, ?, ?, ?)').run(
      newId,
      body,
      ...rest,
    )
    return newId
  }
  db.sql(
    `UPDATE documents SET title = ?, format = ?, language = ?, hash = ?, size = ?, mtime = ?, read_at = ?, chars = ?,
     lines = ?, chunk_count = ?, tags = ?, facts = ? WHERE id = ?`,
  ).run(...values, id)
  db.sql('UPDATE texts SET body = ?, sections = ?, links = ? WHERE document = ?').run(body, ...rest, id)
  return id
}

// A chunk whose hash stands in the old version too keeps its id, and with it its postings and its vector.
function replaceChunks(
  db: Connection,
  { id, isNew }: { id: number; isNew: boolean },
  document: IndexedDocument,
  segment: SegmentBuilder,
  fresh: { id: number; hash: string }[],
): number[] {
  const old = isNew ? new Map<string, number[]>() : chunksByHash(db, id)
  const bytes = byteCounter(document.text)
  const add = segment.of(id, document)
  for (const [index, chunk] of document.chunks.entries()) {
    const columns = columnsOf(chunk, bytes)
    const kept = old.get(chunk.hash)?.shift()
    if (kept !== undefined) moveChunk(db, kept, index, columns)
    else {
      const made = insertChunk(db, id, index, columns, chunk.hash)
      add(made, chunk.terms)
      fresh.push({ id: made, hash: chunk.hash })
    }
  }
  const gone = [...old.values()].flat()
  for (const chunk of gone) db.sql('DELETE FROM chunks WHERE id = ?').run(chunk)
  return gone
}

function chunksByHash(db: Connection, document: number): Map<string, number[]> {
  const found = new Map<string, number[]>()
  const rows = db.sql('SELECT id, hash FROM chunks WHERE document = ? ORDER BY ix').all(document)
  for (const { id, hash } of rows as { id: number; hash: string }[])
    found.set(hash, [...(found.get(hash) ?? []), id])
  return found
}

type Columns = ReturnType<typeof columnsOf>

function insertChunk(
  db: Connection,
  document: number,
  index: number,
  columns: Columns,
  hash: string,
): number {
  const made = db
    .sql(
      `INSERT INTO chunks (document, ix, kind, language, "start", "end", first_byte, bytes, line, end_line, headings,
       symbols, context, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(document, index, ...columns, hash)
  return Number(made.lastInsertRowid)
}

function moveChunk(db: Connection, id: number, index: number, columns: Columns) {
  db.sql(
    `UPDATE chunks SET ix = ?, kind = ?, language = ?, "start" = ?, "end" = ?, first_byte = ?, bytes = ?, line = ?,
     end_line = ?, headings = ?, symbols = ?, context = ? WHERE id = ?`,
  ).run(index, ...columns, id)
}

/** Where an offset lies in the text's UTF-8. Quick when asked in about ascending order. */
function byteCounter(text: string): (offset: number) => number {
  if (Buffer.byteLength(text) === text.length) return (offset) => offset
  let [at, bytes] = [0, 0]
  return (offset) => {
    bytes +=
      offset >= at ? Buffer.byteLength(text.slice(at, offset)) : -Buffer.byteLength(text.slice(offset, at))
    at = offset
    return bytes
  }
}

function columnsOf(chunk: IndexedChunk, bytes: (offset: number) => number) {
  const { kind, language, start, end, line, endLine, headings, symbols, context } = chunk
  const first = bytes(start)
  const place = [start, end, first, bytes(end) - first, line, endLine]
  return [kind, language, ...place, JSON.stringify(headings), JSON.stringify(symbols), context]
}

/** Inside a transaction: removes documents and all that hangs on them; returns how many went. */
export async function forgetDocuments(
  db: Connection,
  view: SegmentView,
  ids: readonly number[],
  breathe: Breathe,
): Promise<number> {
  const dead: number[] = []
  for (const id of ids) {
    const chunks = db.sql('SELECT id FROM chunks WHERE document = ?').all(id) as { id: number }[]
    for (const chunk of chunks) dead.push(chunk.id)
    db.sql('DELETE FROM chunks WHERE document = ?').run(id)
    db.sql('DELETE FROM texts WHERE document = ?').run(id)
    db.sql('DELETE FROM documents WHERE id = ?').run(id)
    await breathe()
  }
  bury(db, view, dead)
  dropVectors(db, dead)
  return ids.length
}

export function documentId(db: Connection, ref: Ref): { id: number; read_at: number } | undefined {
  return db
    .sql('SELECT id, read_at FROM documents WHERE source = ? AND path = ?')
    .get(ref.source, ref.path) as { id: number; read_at: number } | undefined
}

interface DocumentRow {
  id: number
  source: string
  path: string
  title: string
  format: Format
  language: string | null
  hash: string
  size: number | null
  mtime: number | null
  read_at: number
  chars: number
  lines: number
  chunk_count: number
  tags: string
  facts: string
}

export function readDocument(db: Connection, ref: Ref): StoredDocument | null {
  const row = db
    .sql(
      'SELECT d.*, t.body, t.sections, t.links FROM documents d JOIN texts t ON t.document = d.id WHERE d.source = ? AND d.path = ?',
    )
    .get(ref.source, ref.path) as
    | (DocumentRow & { body: Uint8Array; sections: string; links: string })
    | undefined
  if (!row) return null
  const { chars: _chars, lines: _lines, ...summary } = summaryOf(row)
  return {
    ...summary,
    text: textOf(row.body),
    sections: JSON.parse(row.sections),
    links: JSON.parse(row.links),
  }
}

export function listDocuments(db: Connection, scope: Scope, page: { offset: number; limit: number }) {
  const { where, values } = condition(scope)
  const { total } = db.sql(`SELECT count(*) AS total FROM documents d ${where}`).get(...values) as {
    total: number
  }
  const rows = db
    .sql(`SELECT d.* FROM documents d ${where} ORDER BY d.source, d.path LIMIT ? OFFSET ?`)
    .all(...values, Math.max(0, page.limit), Math.max(0, page.offset)) as unknown as DocumentRow[]
  return { documents: rows.map(summaryOf), total }
}

function summaryOf(row: DocumentRow): DocumentSummary {
  const facts = JSON.parse(row.facts) as Pick<DocumentSummary, 'aliases' | 'metadata' | 'notes'>
  return {
    ref: { source: fromDatabase(row.source), path: fromDatabase(row.path) },
    title: fromDatabase(row.title),
    format: row.format,
    language: row.language && fromDatabase(row.language),
    hash: fromDatabase(row.hash),
    stamp: stampOf(row),
    readAt: row.read_at,
    tags: JSON.parse(row.tags),
    ...facts,
    chunkCount: row.chunk_count,
    chars: row.chars,
    lines: row.lines,
  }
}

function stampOf({ size, mtime }: { size: number | null; mtime: number | null }): Stamp | null {
  return size === null || mtime === null ? null : { size, mtimeMs: mtime }
}

const fingerprintsAtOnce = 4000

/** A few thousand rows a step: a large library must not stop the process while it is compared with the disk. */
export function readFingerprints(db: Connection, source: string, after: string): [string, Fingerprint][] {
  const rows = db
    .sql(
      'SELECT path, size, mtime, hash, read_at FROM documents WHERE source = ? AND path > ? ORDER BY path LIMIT ?',
    )
    .all(source, after, fingerprintsAtOnce) as {
    path: string
    size: number | null
    mtime: number | null
    hash: string
    read_at: number
  }[]
  return rows.map((row) => [row.path, { stamp: stampOf(row), hash: row.hash, readAt: row.read_at }])
}

export const notedAtOnce = 500
const notedColumns = `d.path, d.title, d.hash, d.size, d.mtime, d.read_at, d.tags, d.facts, t.links
  FROM documents d JOIN texts t ON t.document = d.id WHERE d.source = ? AND d.format = 'markdown'`

/** A few hundred a step, in the order of their paths. */
export function readNoted(db: Connection, source: string, after: string): NotedDocument[] {
  const rows = db
    .sql(`SELECT ${notedColumns} AND d.path > ? ORDER BY d.path LIMIT ?`)
    .all(source, after, notedAtOnce) as unknown as NotedRow[]
  return rows.map(notedOf)
}

export function readNotedOne(db: Connection, source: string, path: string): NotedDocument[] {
  const row = db.sql(`SELECT ${notedColumns} AND d.path = ?`).get(source, path) as NotedRow | undefined
  return row ? [notedOf(row)] : []
}

type NotedRow = Pick<
  DocumentRow,
  'path' | 'title' | 'hash' | 'size' | 'mtime' | 'read_at' | 'tags' | 'facts'
> & {
  links: string
}

function notedOf(row: NotedRow): NotedDocument {
  const { aliases, notes } = JSON.parse(row.facts) as Pick<NotedDocument, 'aliases' | 'notes'>
  return {
    path: fromDatabase(row.path),
    title: fromDatabase(row.title),
    hash: fromDatabase(row.hash),
    stamp: stampOf(row),
    readAt: row.read_at,
    tags: JSON.parse(row.tags),
    aliases,
    links: JSON.parse(row.links),
    notes,
  }
}

// --- Chunks

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
  body: Uint8Array | null
}

const chunkColumns = `c.id, c.ix, c.kind, c.language, c."start", c."end", c.line, c.end_line, c.headings, c.symbols, c.context,
  c.hash, d.source, d.path, d.title, d.format, d.chunk_count, substr(t.body, c.first_byte + 1, c.bytes) AS body
  FROM chunks c JOIN documents d ON d.id = c.document JOIN texts t ON t.document = c.document`

export function readChunks(db: Connection, ids: readonly number[]): StoredChunk[] {
  const statement = db.sql(`SELECT ${chunkColumns} WHERE c.id = ?`)
  return ids.flatMap((id) => {
    const row = statement.get(id) as ChunkRow | undefined
    return row ? [chunkOf(row)] : []
  })
}

export function readChunksOf(db: Connection, ref: Ref): StoredChunk[] {
  const id = documentId(db, ref)?.id
  if (id === undefined) return []
  const rows = db.sql(`SELECT ${chunkColumns} WHERE c.document = ? ORDER BY c.ix`).all(id)
  return (rows as unknown as ChunkRow[]).map(chunkOf)
}

function chunkOf(row: ChunkRow): StoredChunk {
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

/** The driver gives null for no bytes at all. */
export function textOf(body: Uint8Array | null): string {
  if (!body) return ''
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
}
