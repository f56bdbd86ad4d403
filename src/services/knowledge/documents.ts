// Documents that somebody handed us, as files, as text or page by page from a crawl. Each is a record and its bytes, and
// both outlive the index; from there it walks the same road in as any file.
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sizeLimit } from '../../ingest/readers.js'
import { type Reading, unpack } from '../../ingest/task.js'
import { Problem } from '../../model/problem.js'
import { documentIdOf } from '../document-ids.js'
import type { Library } from '../library.js'
import { lockDocument } from './document-lock.js'
import { claim, drop, dropBytes, inPieces, type Kept, keepBytes, keptFolder, keptPath } from './kept-bytes.js'
import { keepRow, type SourceRecord, sourceKind, touchSource } from './sources.js'

export interface DocumentRecord {
  id: string
  source: string
  /** In its source: a file name, or a page's address. */
  path: string
  /** A file name whose ending tells the format. */
  name: string
  /** SHA-256 of the bytes. */
  hash: string
  bytes: number
  /** As it was given; null: the document's own. */
  title: string | null
  url: string | null
  metadata: Record<string, unknown>
  status: 'processing' | 'completed' | 'failed'
  /** Why it could not be read. */
  error: string | null
  createdAt: string
  updatedAt: string
}

export const documentKind = 'knowledge-document'

/** No document has more bytes, whatever its format. */
export const mostBytes = 50_000_000

export interface NewDocument {
  /** What the file is called; its ending tells the format. */
  name: string
  /** Where it stands in its source; without it, a free path is made from the name. */
  path?: string
  content: Uint8Array | Kept
  title?: string | null
  url?: string | null
  metadata?: Record<string, unknown>
  /** When it was first taken in, where that was elsewhere. */
  createdAt?: string
}

export interface Stored {
  record: DocumentRecord
  state: 'created' | 'updated' | 'unchanged'
  chunks: number
}

/**
 * Takes a document in. Where one stands at the given path, it is replaced as a whole; without a path, the same file with
 * the same title is not taken twice. What cannot be read is a Problem, and leaves nothing behind.
 */
export async function putDocument(
  library: Library,
  source: SourceRecord,
  given: NewDocument,
): Promise<Stored> {
  const begun = await beginDocument(library, source, given)
  if (begun.state !== 'created') return begun
  return finishDocument(library, begun.record)
}

/** The record and its bytes, before they are read. A document that was there is already dealt with. */
export async function beginDocument(
  library: Library,
  source: SourceRecord,
  given: NewDocument,
): Promise<Stored> {
  const kept = await keptOf(library, given.content)
  try {
    if (kept.bytes > mostBytes) throw tooLarge(kept.bytes)
    return await (given.path === undefined
      ? beginAnywhere(library, source, given, kept)
      : beginAt(library, source, given, kept, given.path))
  } finally {
    await drop(kept.file)
  }
}

/** Reads what `beginDocument` kept. When it cannot be read, the record and the bytes go again. */
export async function finishDocument(library: Library, record: DocumentRecord): Promise<Stored> {
  const taken = await takeIn(library, record.id)
  if (taken === null) throw goneMeanwhile()
  if (taken.state === 'stored') return { record: taken.record, state: 'created', chunks: taken.chunks }
  if (!taken.passing) await forgetDocument(library, record.id)
  throw unreadable(taken.reason)
}

export interface DocumentChange {
  title?: string | null | undefined
  url?: string | null | undefined
  /** Merged with what is there; null takes a field out. */
  metadata?: Record<string, unknown> | undefined
  content?: Uint8Array | Kept | undefined
  /** With new content, where the format is another. */
  name?: string | undefined
}

/** Changes a document. New content that cannot be read is a Problem, and the old one stays. */
export async function changeDocument(
  library: Library,
  id: string,
  change: DocumentChange,
): Promise<Stored | null> {
  const before = await library.store.records.get<DocumentRecord>(documentKind, id)
  if (!before) return null
  if (!change.content) return applyChange(library, before, change)
  const kept = await keptOf(library, change.content)
  try {
    if (kept.bytes > mostBytes) throw tooLarge(kept.bytes)
    const reading = await readFrom(library, changed(before, change, kept), basename(kept.file))
    if (reading.state !== 'read') throw unreadable(reasonFor(reading))
    return await applyChange(library, before, change, { kept, reading })
  } finally {
    await drop(kept.file)
  }
}

async function applyChange(
  library: Library,
  before: DocumentRecord,
  change: DocumentChange,
  fresh?: { kept: Kept; reading: Reading },
): Promise<Stored | null> {
  const switched = await lockDocument(library, before.id, () =>
    switchRecord(library, before, change, fresh?.kept),
  )
  if (!switched) return null
  const { record, was } = switched
  await touchSource(library, record.source)
  if (sameVersion(record, was) && record.status === 'completed')
    return { record, state: 'updated', chunks: await chunksOf(library, record) }
  const taken = await takeIn(library, record.id, fresh && { record, reading: fresh.reading })
  if (taken === null) return null
  if (taken.state !== 'stored') throw unreadable(taken.reason)
  return { record: taken.record, state: 'updated', chunks: taken.chunks }
}

/** The bytes are there before the record says so, and the old ones go after. */
async function switchRecord(
  library: Library,
  before: DocumentRecord,
  change: DocumentChange,
  kept: Kept | undefined,
): Promise<{ record: DocumentRecord; was: DocumentRecord } | null> {
  const { records } = library.store
  const was = await records.get<DocumentRecord>(documentKind, before.id)
  if (!was) return null
  if (kept) await claim(library, kept, was)
  const record = changed(was, change, kept)
  await records.put(documentKind, record.id, record)
  await dropBytes(library, record, record.hash)
  return { record, was }
}

/** Removes a document with its passages, vectors and bytes. False when there is none. */
export async function forgetDocument(library: Library, id: string): Promise<boolean> {
  const gone = await lockDocument(library, id, async () => {
    const record = await library.store.records.get<DocumentRecord>(documentKind, id)
    if (record) await clear(library, record)
    return record
  })
  if (gone) await touchSource(library, gone.source)
  return gone !== null
}

async function clear(library: Library, record: DocumentRecord): Promise<void> {
  await library.store.records.delete(documentKind, record.id)
  await library.store.forget([record])
  await dropBytes(library, record)
}

export async function documentRecords({ store }: Library, source?: string): Promise<DocumentRecord[]> {
  const all = (await store.records.all<DocumentRecord>(documentKind)).map(({ value }) => value)
  return source === undefined ? all : all.filter((record) => record.source === source)
}

export type Taken =
  | { state: 'stored'; record: DocumentRecord; chunks: number; notes: number }
  /** `passing`: another try may succeed. */
  | { state: 'refused'; record: DocumentRecord; reason: string; passing: boolean }

const tries = 5

/** Brings the index up to date with a record; null when the record is gone, and then the index has nothing of it. */
export async function takeIn(
  library: Library,
  id: string,
  fresh?: { record: DocumentRecord; reading: Reading },
): Promise<Taken | null> {
  const { store } = library
  let seen: Taken | null = fresh ? await keepReading(library, fresh.record, fresh.reading) : null
  for (let i = 0; ; i++) {
    const record = await store.records.get<DocumentRecord>(documentKind, id)
    const source = record && (await store.records.get<SourceRecord>(sourceKind, record.source))
    if (!record || !source) return forgetQuietly(library, id, record ?? seen?.record ?? null)
    // Somebody may have changed or removed the record while its bytes were read: then once more.
    if (seen && sameVersion(seen.record, record)) return seen
    await keepRow(library, source)
    const reading = await readKept(library, record)
    if (reading.state === 'gone' && i < tries) continue
    seen = await keepReading(library, record, reading)
  }
}

async function keepReading(library: Library, record: DocumentRecord, reading: Reading): Promise<Taken> {
  if (reading.state === 'read') {
    // Who writes last looks last whether the record still says so; when the bytes were read does not matter here.
    const document = { ...unpack(reading.document), readAt: Date.now() }
    await library.store.replace([document])
    const kept = await settle(library, record, { status: 'completed', error: null })
    return { state: 'stored', record: kept, chunks: document.chunks.length, notes: document.notes.length }
  }
  const reason = reasonFor(reading)
  const passing = 'passing' in reading || reason === stopped
  const kept = passing ? record : await settle(library, record, { status: 'failed', error: reason })
  return { state: 'refused', record: kept, reason, passing }
}

/** What the readers say of a file they did not come to. */
const stopped = 'Indexing was stopped.'

async function settle(
  { store }: Library,
  record: DocumentRecord,
  outcome: Pick<DocumentRecord, 'status' | 'error'>,
): Promise<DocumentRecord> {
  if (record.status === outcome.status && record.error === outcome.error) return record
  const kept = await store.records.update<DocumentRecord>(documentKind, record.id, (now) =>
    now && sameVersion(now, record) ? { ...now, ...outcome } : now,
  )
  return kept ?? record
}

function sameVersion(a: DocumentRecord, b: DocumentRecord): boolean {
  return a.hash === b.hash && a.title === b.title && a.name === b.name
}

// A record of the same name may have come meanwhile: then the index is its taker's business.
async function forgetQuietly(library: Library, id: string, record: DocumentRecord | null): Promise<null> {
  if (!record) return null
  await lockDocument(library, id, async () => {
    const now = await library.store.records.get<DocumentRecord>(documentKind, id)
    const source = now && (await library.store.records.get<SourceRecord>(sourceKind, now.source))
    if (!source) await clear(library, record)
  })
  return null
}

function readKept(library: Library, record: DocumentRecord): Promise<Reading> {
  return readFrom(library, record, keptPath(record))
}

function readFrom(library: Library, record: DocumentRecord, file: string): Promise<Reading> {
  const { path, name, title, source } = record
  if (sizeLimit(name, library.settings.limits) === null) return Promise.resolve(notRead(name))
  return library.readers.read({
    root: keptFolder(library),
    path: file,
    source,
    maxBytes: mostBytes,
    knownHash: null,
    as: { path, name, ...(title === null ? {} : { title }) },
  })
}

async function beginAt(
  library: Library,
  source: SourceRecord,
  given: NewDocument,
  kept: Kept,
  path: string,
): Promise<Stored> {
  const { won, record } = await insert(library, newRecord(source, given, kept, path), kept)
  return won ? { record, state: 'created', chunks: 0 } : replaceAt(library, record, given, kept)
}

// Another process may take a path while we look: then the next one is tried.
async function beginAnywhere(
  library: Library,
  source: SourceRecord,
  given: NewDocument,
  kept: Kept,
): Promise<Stored> {
  for (const path of freePaths(given.name)) {
    const { won, record } = await insert(library, newRecord(source, given, kept, path), kept)
    if (won) return { record, state: 'created', chunks: 0 }
    if (sameDocument(record, given, kept)) return replaceAt(library, record, given, kept)
  }
  throw new Error('There is always another path.')
}

/** Puts a new record where none is. The bytes are there before the record says so. */
async function insert(library: Library, made: DocumentRecord, kept: Kept) {
  const { records } = library.store
  const before = await lockDocument(library, made.id, async () => {
    const there = await records.get<DocumentRecord>(documentKind, made.id)
    if (there) return there
    await claim(library, kept, made)
    await records.put(documentKind, made.id, made)
    return null
  })
  if (!before) await touchSource(library, made.source)
  return { won: before === null, record: before ?? made }
}

async function replaceAt(
  library: Library,
  before: DocumentRecord,
  given: NewDocument,
  kept: Kept,
): Promise<Stored> {
  const { title = null, url = null, metadata = {}, name } = given
  const none = Object.fromEntries(Object.keys(before.metadata).map((key) => [key, null]))
  const change = { title, url, name, metadata: { ...none, ...metadata } }
  const next = changed(before, change, kept)
  if (sameVersion(next, before) && sameFacts(next, before) && before.status === 'completed')
    return { record: before, state: 'unchanged', chunks: await chunksOf(library, before) }
  const content = kept.hash === before.hash ? {} : { content: kept }
  const stored = await changeDocument(library, before.id, { ...change, ...content })
  if (!stored) throw goneMeanwhile()
  return stored
}

function sameFacts(a: DocumentRecord, b: DocumentRecord): boolean {
  return a.url === b.url && isDeepStrictEqual(a.metadata, b.metadata)
}

function newRecord(source: SourceRecord, given: NewDocument, kept: Kept, path: string): DocumentRecord {
  const now = new Date().toISOString()
  return {
    id: documentIdOf({ source: source.id, path }),
    source: source.id,
    path,
    name: given.name,
    hash: kept.hash,
    bytes: kept.bytes,
    title: given.title ?? null,
    url: given.url ?? null,
    metadata: given.metadata ?? {},
    status: 'processing',
    error: null,
    createdAt: given.createdAt ?? now,
    updatedAt: now,
  }
}

function changed(before: DocumentRecord, change: DocumentChange, kept: Kept | undefined): DocumentRecord {
  const fields = Object.entries({ ...before.metadata, ...change.metadata })
  return {
    ...before,
    ...(change.title === undefined ? {} : { title: change.title }),
    ...(change.url === undefined ? {} : { url: change.url }),
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(kept ? { hash: kept.hash, bytes: kept.bytes } : {}),
    metadata: Object.fromEntries(fields.filter(([, value]) => value !== null)),
    updatedAt: new Date().toISOString(),
  }
}

function sameDocument(before: DocumentRecord, given: NewDocument, kept: Kept): boolean {
  return before.hash === kept.hash && before.title === (given.title ?? null)
}

async function chunksOf({ store }: Library, { source, path }: DocumentRecord): Promise<number> {
  return (await store.document({ source, path }))?.chunkCount ?? 0
}

function keptOf(library: Library, content: Uint8Array | Kept): Promise<Kept> | Kept {
  return content instanceof Uint8Array ? keepBytes(library, inPieces(content)) : content
}

/** `report.pdf`, `report-2.pdf`, … */
function* freePaths(name: string): Generator<string> {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  yield name
  for (let n = 2; ; n++) yield `${stem}-${n}${ending}`
}

function reasonFor(reading: Reading): string {
  if (reading.state === 'gone') return 'Its bytes are not in the data folder any more.'
  return 'reason' in reading ? reading.reason : 'It could not be read.'
}

function notRead(name: string): Reading {
  const ending = /\.[^.]+$/.exec(name)?.[0] ?? 'without an ending'
  return { state: 'skipped', reason: `Files ${ending} are not read.` }
}

export const readFormats = 'PDF, HTML, DOCX, EPUB, PPTX, XLSX, CSV, Markdown, plain text or a notebook'

export function unreadable(reason: string): Problem {
  return new Problem(
    'unreadable',
    `The document could not be read: ${reason}`,
    `Save it as ${readFormats} and call again, or pass its text as content with a title.`,
  )
}

export function tooLarge(bytes: number): Problem {
  return new Problem(
    'too_large',
    `The document has ${(bytes / 1_000_000).toFixed(1)} MB, and 50 MB is the limit.`,
    'Split it into smaller files and add each of them.',
  )
}

function goneMeanwhile(): Problem {
  return new Problem(
    'gone',
    'The source or the document was deleted while the document was being added.',
    "Use manage_source(action='list') to see available sources.",
  )
}
