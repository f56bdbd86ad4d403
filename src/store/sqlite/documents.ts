import type {
  DocumentSummary,
  Format,
  IndexedDocument,
  NotedDocument,
  Stamp,
  StoredDocument,
} from '../../model/document.js'
import type { Scope } from '../../model/scope.js'
import { type Ref, refKey } from '../../model/source.js'
import type { YieldIfDue } from '../../runtime/yield.js'
import { lineCount } from '../../text/lines.js'
import { readLater } from '../order.js'
import type { Adopted, Fingerprint } from '../port.js'
import { replaceChunks } from './chunk-rows.js'
import { type Connection, fromDatabase, textOf } from './database.js'
import type { Dictionary } from './dictionary.js'
import { listCondition } from './scope.js'
import { SegmentBuilder } from './segment-builder.js'
import { bury, type SegmentView } from './segments.js'
import {
  checksums,
  intact,
  linkList,
  packText,
  requireIntact,
  seal,
  sectionList,
  unpackText,
} from './stored-values.js'
import { copyVectors, dropVectors } from './vectors.js'

/** Replaces whole documents. Call it inside a transaction. Returns whether anything changed. */
export async function replaceDocuments(
  db: Connection,
  view: SegmentView,
  documents: readonly IndexedDocument[],
  { dictionary, yieldIfDue, now }: { dictionary: Dictionary; yieldIfDue: YieldIfDue; now: number },
): Promise<boolean> {
  const segment = new SegmentBuilder(dictionary)
  const fresh: { id: number; hash: string }[] = []
  const dead: number[] = []
  const { worktree } = db
  const alone = !worktree || isAlone(db, worktree.id)
  let changed = false
  for (const document of lastOfEach(documents, now)) {
    const old = documentId(db, document.ref)
    if (old && readLater(old.read_at, document.readAt, now)) continue
    changed = true
    const known = alone ? null : sharedDocument(db, { ...document, reader: document.reader ?? 0 })
    if (old && (known !== null || !alone)) worktree!.remove(old.id)
    if (known !== null) {
      worktree!.add(known.id, document)
      continue
    }
    // A version that other worktrees may have stays.
    const replaced = alone ? old : undefined
    const body = Buffer.from(document.text)
    const id = putDocument(db, document, body, replaced?.id)
    worktree?.add(id, document)
    const rest = { fresh, yieldIfDue }
    const chunks = await replaceChunks(db, { id, isNew: !replaced, body }, document, segment, rest)
    for (const gone of chunks) dead.push(gone)
    await yieldIfDue()
  }
  bury(db, view, dead)
  await copyVectors(db, fresh, yieldIfDue)
  dropVectors(db, dead)
  await segment.write(db, yieldIfDue)
  return changed
}

function isAlone(db: Connection, worktree: string): boolean {
  return db.sql('SELECT 1 FROM worktrees WHERE id <> ? LIMIT 1').get(worktree) === undefined
}

interface SharedFile {
  ref: Ref
  hash: string
  reader: number
}

/** The document that the same reader made from the same bytes at the same path, in whatever worktree. */
function sharedDocument(db: Connection, { ref, hash, reader }: SharedFile): { id: number } | null {
  if (reader === 0) return null
  const id = db
    .sql('SELECT id FROM main.documents WHERE source = ? AND path = ? AND hash = ? AND reader = ? LIMIT 1')
    .get(ref.source, ref.path, hash, reader)
  return (id as { id: number } | undefined) ?? null
}

/** Gives the worktree documents that another one read. Null for each that is not there. Call it inside a transaction. */
export async function adoptDocuments(
  db: Connection,
  files: readonly (SharedFile & { stamp: Stamp; readAt: number })[],
  { yieldIfDue, now }: { yieldIfDue: YieldIfDue; now: number },
): Promise<(Adopted | null)[]> {
  const adopted: (Adopted | null)[] = []
  for (const file of files) {
    const old = documentId(db, file.ref)
    const known = sharedDocument(db, file)
    adopted.push(known && adoptedOf(db, known.id))
    if (known && !(old && readLater(old.read_at, file.readAt, now))) {
      if (old) db.worktree!.remove(old.id)
      db.worktree!.add(known.id, file)
    }
    await yieldIfDue()
  }
  return adopted
}

function adoptedOf(db: Connection, id: number): Adopted {
  const row = db
    .sql(
      "SELECT chunk_count AS chunks, json_array_length(facts, '$.notes') AS notes FROM main.documents WHERE id = ?",
    )
    .get(id)
  return { ...(row as unknown as Adopted) }
}

export type Hashes = Map<string, string[]>

const versionsAtOnce = 4000

/** Reads one page of the documents that a reader made, by path. Returns the id to go on after; null: that was all. */
export function readVersions(
  db: Connection,
  { source, reader }: { source: string; reader: number },
  { after, into }: { after: number; into: Hashes },
): number | null {
  const rows = db
    .sql(
      'SELECT id, path, hash FROM main.documents WHERE id > ? AND source = ? AND reader = ? ORDER BY id LIMIT ?',
    )
    .all(after, source, reader, versionsAtOnce) as { id: number; path: string; hash: string }[]
  for (const { path, hash } of rows) into.set(path, [...(into.get(path) ?? []), hash])
  return rows.length < versionsAtOnce ? null : rows.at(-1)!.id
}

/** Dedupes a batch: of two versions of a document, keeps the one read last. */
function lastOfEach(documents: readonly IndexedDocument[], now: number): Iterable<IndexedDocument> {
  const last = new Map<string, IndexedDocument>()
  for (const document of documents) {
    const key = refKey(document.ref)
    const earlier = last.get(key)
    if (!earlier || !readLater(earlier.readAt, document.readAt, now)) last.set(key, document)
  }
  return last.values()
}

function putDocument(
  db: Connection,
  document: IndexedDocument,
  body: Buffer,
  id: number | undefined,
): number {
  const { ref, stamp, sections, links, text, chunks } = document
  const facts = { aliases: document.aliases, metadata: document.metadata, notes: document.notes }
  const name = [ref.source, ref.path, document.title, document.format, chunks.length]
  const nameSum = seal(...name)
  const rest = [
    nameSum,
    document.language,
    document.hash,
    stamp?.size ?? null,
    stamp?.mtimeMs ?? null,
    stamp?.ctimeMs ?? null,
    stamp?.ino ?? null,
    document.readAt,
    text.length,
    lineCount(text),
    JSON.stringify(document.tags),
    JSON.stringify(facts),
    document.reader ?? 0,
  ]
  const values = [...name, ...rest, seal(...rest)]
  if (id === undefined) id = Number(db.sql(insertDocument).run(...values).lastInsertRowid)
  // The first two columns, source and path, stay the same.
  else db.sql(updateDocument).run(...values.slice(2), id)
  putText(db, id, packText(body), [sectionList.pack(sections), linkList.pack(links)])
  return id
}

const documentColumns = [...checksums.documents.name_sum, ...checksums.documents.sum, 'sum']
const insertDocument = `INSERT INTO main.documents (${documentColumns.join(', ')})
  VALUES (${documentColumns.map(() => '?').join(', ')})`
const updateDocument = `UPDATE main.documents SET ${documentColumns.slice(2).join(' = ?, ')} = ? WHERE id = ?`

function putText(
  db: Connection,
  document: number,
  body: Uint8Array,
  rest: [sections: string, links: string],
) {
  const bodySum = seal(body)
  db.sql(
    'INSERT OR REPLACE INTO texts (document, body, sections, links, body_sum, sum) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(document, body, ...rest, bodySum, seal(document, ...rest, bodySum))
}

/** Updates the stamp of a file that was touched while its bytes stayed the same. Call it inside a transaction. */
export function restampDocument(db: Connection, id: number, stamp: Stamp, readAt: number) {
  db.worktree?.add(id, { stamp, readAt })
  db.sql(restamp).run(stamp.size, stamp.mtimeMs, stamp.ctimeMs, stamp.ino, readAt, id)
}

const stampColumns = ['size', 'mtime', 'ctime', 'ino', 'read_at']
/** Verifies the old checksum first: a new one would hide damage to the row. */
const restamp = `UPDATE main.documents SET ${stampColumns.map((name, i) => `${name} = ?${i + 1}`).join(', ')},
  sum = carrel_sum(${checksums.documents.sum.map((name) => (stampColumns.includes(name) ? `?${stampColumns.indexOf(name) + 1}` : name)).join(', ')})
  WHERE id = ?${stampColumns.length + 1} AND ${intact('documents')}`

/** Removes documents with their chunks, texts and vectors. Call it inside a transaction. Returns how many were removed. */
export async function forgetDocuments(
  db: Connection,
  view: SegmentView,
  ids: readonly number[],
  yieldIfDue: YieldIfDue,
): Promise<number> {
  const { worktree } = db
  if (worktree) for (const id of ids) worktree.remove(id)
  // Other worktrees may have them: sweep.ts removes what none has.
  if (worktree && !isAlone(db, worktree.id)) return ids.length
  return removeDocuments(db, view, ids, yieldIfDue)
}

/** Removes documents for all. Call it inside a transaction. */
export async function removeDocuments(
  db: Connection,
  view: SegmentView,
  ids: readonly number[],
  yieldIfDue: YieldIfDue,
): Promise<number> {
  const dead: number[] = []
  for (const id of ids) {
    const chunks = db.sql('SELECT id FROM chunks WHERE document = ?').all(id) as { id: number }[]
    for (const chunk of chunks) dead.push(chunk.id)
    db.sql('DELETE FROM chunks WHERE document = ?').run(id)
    db.sql('DELETE FROM texts WHERE document = ?').run(id)
    db.sql('DELETE FROM main.documents WHERE id = ?').run(id)
    await yieldIfDue()
  }
  bury(db, view, dead)
  dropVectors(db, dead)
  return ids.length
}

export function documentId(db: Connection, ref: Ref): { id: number; read_at: number } | undefined {
  const row = db
    .sql('SELECT id, read_at FROM documents WHERE source = ? AND path = ?')
    .get(ref.source, ref.path) as { id: number; read_at: number } | undefined
  return row && { ...row, read_at: readAtOf(db, row) }
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
  ctime: number | null
  ino: number | null
  read_at: number
  chars: number
  lines: number
  chunk_count: number
  tags: string
  facts: string
}

const wholeRow = `${intact('documents', { alias: 'd', column: 'name_sum' })}, ${intact('documents', { alias: 'd' })}`
const wholeText = intact('texts', { alias: 't' })

export function readDocument(db: Connection, ref: Ref): StoredDocument | null {
  const row = db
    .sql(
      `SELECT d.*, t.body, t.sections, t.links, t.body_sum, ${wholeRow}, ${wholeText}
       FROM documents d LEFT JOIN texts t ON t.document = d.id WHERE d.source = ? AND d.path = ?`,
    )
    .get(ref.source, ref.path) as
    | (DocumentRow & { body: Uint8Array | null; sections: string; links: string; body_sum: number })
    | undefined
  if (!row) return null
  requireIntact('texts', row.body_sum, [row.body])
  const { chars: _chars, lines: _lines, ...summary } = summaryOf(db, row)
  return {
    ...summary,
    text: textOf(unpackText(row.body)),
    sections: sectionList.unpack(row.sections),
    links: linkList.unpack(row.links),
  }
}

export function listDocuments(db: Connection, scope: Scope, page: { offset: number; limit: number }) {
  const { where, values } = listCondition(scope)
  const rows = db
    .sql(`SELECT d.*, ${wholeRow} FROM documents d ${where} ORDER BY d.source, d.path LIMIT ? OFFSET ?`)
    .all(...values, Math.max(0, page.limit), Math.max(0, page.offset)) as unknown as DocumentRow[]
  // If the first page is not full, or has all documents that the scope names, there are no more: skip the count.
  const named = scope.documents?.length ?? Number.POSITIVE_INFINITY
  const whole = page.offset <= 0 && (rows.length < page.limit || rows.length === named)
  return { documents: rows.map((row) => summaryOf(db, row)), total: whole ? rows.length : countIn(db, scope) }
}

function countIn(db: Connection, scope: Scope): number {
  const { where, values } = listCondition(scope)
  const row = db.sql(`SELECT count(*) AS total FROM documents d ${where}`).get(...values)
  return (row as { total: number }).total
}

function summaryOf(db: Connection, row: DocumentRow): DocumentSummary {
  const facts = JSON.parse(row.facts) as Pick<DocumentSummary, 'aliases' | 'metadata' | 'notes'>
  return {
    ref: { source: fromDatabase(row.source), path: fromDatabase(row.path) },
    title: fromDatabase(row.title),
    format: row.format,
    language: row.language && fromDatabase(row.language),
    hash: fromDatabase(row.hash),
    stamp: stampOf(db, row),
    readAt: readAtOf(db, row),
    tags: JSON.parse(row.tags),
    ...facts,
    chunkCount: row.chunk_count,
    chars: row.chars,
    lines: row.lines,
  }
}

type StampColumns = Pick<DocumentRow, 'id' | 'size' | 'mtime' | 'ctime' | 'ino'>

function stampOf(db: Connection, { id, size, mtime, ctime, ino }: StampColumns): Stamp | null {
  if (db.worktree) {
    const { mtimeMs = null, ctimeMs = null, ino = null } = db.worktree.seen(id) ?? {}
    return size === null || mtimeMs === null ? null : { size, mtimeMs, ctimeMs, ino }
  }
  return size === null || mtime === null ? null : { size, mtimeMs: mtime, ctimeMs: ctime, ino }
}

function readAtOf(db: Connection, { id, read_at }: Pick<DocumentRow, 'id' | 'read_at'>): number {
  return db.worktree?.seen(id)?.readAt ?? read_at
}

const fingerprintsAtOnce = 4000

/** Reads one page of a few thousand rows, so that comparing a large library with the disk does not block the process. */
export function readFingerprints(db: Connection, source: string, after: string): [string, Fingerprint][] {
  const rows = db
    .sql(
      'SELECT id, path, size, mtime, ctime, ino, hash, read_at FROM documents WHERE source = ? AND path > ? ORDER BY path LIMIT ?',
    )
    .all(source, after, fingerprintsAtOnce) as unknown as (StampColumns &
    Pick<DocumentRow, 'path' | 'hash' | 'read_at'>)[]
  return rows.map((row) => [row.path, { stamp: stampOf(db, row), hash: row.hash, readAt: readAtOf(db, row) }])
}

export const notedAtOnce = 500
const notedColumns = `d.id, d.path, d.title, d.hash, d.size, d.mtime, d.ctime, d.ino, d.read_at, d.tags, d.facts, t.links, ${wholeRow}, ${wholeText}
  FROM documents d LEFT JOIN texts t ON t.document = d.id WHERE d.source = ? AND d.format = 'markdown'`

/** Reads one page of a few hundred rows, ordered by path. */
export function readNoted(db: Connection, source: string, after: string): NotedDocument[] {
  const rows = db
    .sql(`SELECT ${notedColumns} AND d.path > ? ORDER BY d.path LIMIT ?`)
    .all(source, after, notedAtOnce) as unknown as NotedRow[]
  return rows.map((row) => notedOf(db, row))
}

export function readNotedOne(db: Connection, source: string, path: string): NotedDocument[] {
  const row = db.sql(`SELECT ${notedColumns} AND d.path = ?`).get(source, path) as NotedRow | undefined
  return row ? [notedOf(db, row)] : []
}

type NotedRow = StampColumns &
  Pick<DocumentRow, 'path' | 'title' | 'hash' | 'read_at' | 'tags' | 'facts'> & { links: string }

function notedOf(db: Connection, row: NotedRow): NotedDocument {
  const { aliases, notes } = JSON.parse(row.facts) as Pick<NotedDocument, 'aliases' | 'notes'>
  return {
    path: fromDatabase(row.path),
    title: fromDatabase(row.title),
    hash: fromDatabase(row.hash),
    stamp: stampOf(db, row),
    readAt: readAtOf(db, row),
    tags: JSON.parse(row.tags),
    aliases,
    links: linkList.unpack(row.links),
    notes,
  }
}
