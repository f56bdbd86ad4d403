// Documents that were uploaded as files or texts, or crawled. Each is a record and its bytes, which both outlive the index;
// it is indexed like any other file.
import { basename } from 'node:path'
import { checkedMetadata } from '../../answer/checked-fields.js'
import type { Library } from '../../answer/library.js'
import { type SourceRecord, touchSource } from '../../answer/source-records.js'
import type { Reading } from '../../ingest/task.js'
import { claim, confirmClaim, drop, dropBytes, inPieces, type StagedBlob, stageBlob } from './blob-store.js'
import { forgetDocument } from './delete-source.js'
import {
  changed,
  type DocumentChange,
  type DocumentRecord,
  documentKind,
  goneMeanwhile,
  lockDocument,
  mostBytes,
  type NewDocument,
  newRecord,
  sameDocument,
  sameFacts,
  sameVersion,
  tooLarge,
  unreadable,
} from './document-records.js'
import { indexDocument, readFrom, reasonFor } from './index-document.js'

export interface Stored {
  record: DocumentRecord
  state: 'created' | 'updated' | 'unchanged'
  chunks: number
}

/**
 * Stores a document. It replaces one that has the given path; without a path, the same file with the same title is not
 * stored twice. A file that cannot be read is a Problem, and nothing of it stays.
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
  const blob = await blobOf(library, given.content)
  try {
    if (blob.bytes > mostBytes) throw tooLarge(blob.bytes)
    return await (given.path === undefined
      ? beginAnywhere(library, source, given, blob)
      : beginAt(library, source, given, blob, given.path))
  } finally {
    await drop(blob.file)
  }
}

/** Reads the document that `beginDocument` stored. If it cannot be read, its record and bytes are removed. */
export async function finishDocument(library: Library, record: DocumentRecord): Promise<Stored> {
  const outcome = await indexDocument(library, record.id)
  if (outcome === null) throw goneMeanwhile()
  if (outcome.state === 'stored') return { record: outcome.record, state: 'created', chunks: outcome.chunks }
  if (!outcome.passing) await forgetDocument(library, record.id)
  throw unreadable(outcome.reason)
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
  const blob = await blobOf(library, change.content)
  try {
    if (blob.bytes > mostBytes) throw tooLarge(blob.bytes)
    const reading = await readFrom(library, changed(before, change, blob), basename(blob.file))
    if (reading.state !== 'read') throw unreadable(reasonFor(reading))
    return await applyChange(library, before, change, { blob, reading })
  } finally {
    await drop(blob.file)
  }
}

async function applyChange(
  library: Library,
  before: DocumentRecord,
  change: DocumentChange,
  fresh?: { blob: StagedBlob; reading: Reading },
): Promise<Stored | null> {
  const switched = await lockDocument(library, before.id, () =>
    switchRecord(library, before, change, fresh?.blob),
  )
  if (!switched) return null
  const { record, was } = switched
  await touchSource(library, record.source)
  if (sameVersion(record, was) && record.status === 'completed')
    return { record, state: 'updated', chunks: await chunksOf(library, record) }
  const outcome = await indexDocument(library, record.id, fresh && { record, reading: fresh.reading })
  if (outcome === null) return null
  if (outcome.state !== 'stored') throw unreadable(outcome.reason)
  return { record: outcome.record, state: 'updated', chunks: outcome.chunks }
}

/** The bytes are there before the record says so, and the old ones go after. */
async function switchRecord(
  library: Library,
  before: DocumentRecord,
  change: DocumentChange,
  blob: StagedBlob | undefined,
): Promise<{ record: DocumentRecord; was: DocumentRecord } | null> {
  const { records } = library.store
  const was = await records.get<DocumentRecord>(documentKind, before.id)
  if (!was) return null
  const record = changed(was, change, blob)
  // Two changes together may exceed the limits though neither does.
  if (change.metadata) checkedMetadata(record.metadata)
  if (blob) await claim(library, blob, was)
  await records.put(documentKind, record.id, record)
  if (blob) await confirmClaim(library, blob, record)
  await dropBytes(library, record, record.hash)
  return { record, was }
}

async function beginAt(
  library: Library,
  source: SourceRecord,
  given: NewDocument,
  blob: StagedBlob,
  path: string,
): Promise<Stored> {
  const { won, record } = await insert(library, newRecord(source, given, blob, path), blob)
  return won ? { record, state: 'created', chunks: 0 } : replaceAt(library, record, given, blob)
}

// Another process may take a path while we look: then the next one is tried.
async function beginAnywhere(
  library: Library,
  source: SourceRecord,
  given: NewDocument,
  blob: StagedBlob,
): Promise<Stored> {
  for (const path of freePaths(given.name)) {
    const { won, record } = await insert(library, newRecord(source, given, blob, path), blob)
    if (won) return { record, state: 'created', chunks: 0 }
    if (sameDocument(record, given, blob)) return replaceAt(library, record, given, blob)
  }
  throw new Error('There is always another path.')
}

/** Puts a new record where none is. The bytes are there before the record says so. */
async function insert(library: Library, made: DocumentRecord, blob: StagedBlob) {
  const { records } = library.store
  const before = await lockDocument(library, made.id, async () => {
    const there = await records.get<DocumentRecord>(documentKind, made.id)
    if (there) return there
    await claim(library, blob, made)
    await records.put(documentKind, made.id, made)
    await confirmClaim(library, blob, made)
    return null
  })
  if (!before) await touchSource(library, made.source)
  return { won: before === null, record: before ?? made }
}

async function replaceAt(
  library: Library,
  before: DocumentRecord,
  given: NewDocument,
  blob: StagedBlob,
): Promise<Stored> {
  const { title, url, name } = given
  const none = Object.fromEntries(Object.keys(before.metadata).map((key) => [key, null]))
  const metadata = given.metadata && { ...none, ...given.metadata }
  const change = { title, url, name, metadata }
  const next = changed(before, change, blob)
  // A user may upload the same file again because the stored bytes were lost.
  if (blob.hash === before.hash) await lockDocument(library, before.id, () => claim(library, blob, before))
  if (sameVersion(next, before) && sameFacts(next, before) && before.status === 'completed')
    return { record: before, state: 'unchanged', chunks: await chunksOf(library, before) }
  const content = blob.hash === before.hash ? {} : { content: blob }
  const stored = await changeDocument(library, before.id, { ...change, ...content })
  if (!stored) throw goneMeanwhile()
  return stored
}

async function chunksOf({ store }: Library, { source, path }: DocumentRecord): Promise<number> {
  return (await store.document({ source, path }))?.chunkCount ?? 0
}

function blobOf(library: Library, content: Uint8Array | StagedBlob): Promise<StagedBlob> | StagedBlob {
  return content instanceof Uint8Array ? stageBlob(library, inPieces(content)) : content
}

/** `report.pdf`, `report-2.pdf`, … */
function* freePaths(name: string): Generator<string> {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  yield name
  for (let n = 2; ; n++) yield `${stem}-${n}${ending}`
}
