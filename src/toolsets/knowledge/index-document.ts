// Indexes a document from its record and bytes, and writes the outcome into the record.

import type { Library } from '../../answer/library.js'
import { keepRow, type SourceRecord, sourceKind } from '../../answer/source-records.js'
import { sizeLimit } from '../../ingest/readers.js'
import { type Reading, unpack } from '../../ingest/task.js'
import { blobFolder, blobPath, stateOfBytes } from './blob-store.js'
import { clear } from './delete-source.js'
import {
  type DocumentRecord,
  documentKind,
  lockDocument,
  mostBytes,
  sameVersion,
} from './document-records.js'

export type IndexOutcome =
  | { state: 'stored'; record: DocumentRecord; chunks: number; notes: number }
  /** `passing`: another try may succeed. */
  | { state: 'refused'; record: DocumentRecord; reason: string; passing: boolean }

const tries = 5

/** Brings the index up to date with a record; null when the record is gone, and then the index has nothing of it. */
export async function indexDocument(
  library: Library,
  id: string,
  fresh?: { record: DocumentRecord; reading: Reading },
): Promise<IndexOutcome | null> {
  const { store } = library
  let seen: IndexOutcome | null = fresh ? await keepReading(library, fresh.record, fresh.reading) : null
  for (let i = 0; ; i++) {
    const record = await store.records.get<DocumentRecord>(documentKind, id)
    const source = record && (await store.records.get<SourceRecord>(sourceKind, record.source))
    if (!record || !source) return forgetQuietly(library, id, record ?? seen?.record ?? null)
    // Somebody may have changed or removed the record while its bytes were read: then once more.
    if (seen && sameVersion(seen.record, record)) return seen
    await keepRow(library, source)
    const reading = await readStored(library, record)
    if (reading.state === 'gone' && i < tries) continue
    seen = await keepReading(library, record, reading)
  }
}

async function keepReading(
  library: Library,
  record: DocumentRecord,
  reading: Reading,
): Promise<IndexOutcome> {
  if (reading.state === 'read') {
    // The time of storing counts here, not that of reading: the process that stores last also checks the record last.
    const document = { ...unpack(reading.document), readAt: Date.now() }
    await library.store.replace([document])
    const settled = await settle(library, record, { status: 'completed', error: null })
    return { state: 'stored', record: settled, chunks: document.chunks.length, notes: document.notes.length }
  }
  const reason = reasonFor(reading)
  const passing = 'passing' in reading
  const settled = passing ? record : await settle(library, record, { status: 'failed', error: reason })
  return { state: 'refused', record: settled, reason, passing }
}

async function settle(
  { store }: Library,
  record: DocumentRecord,
  outcome: Pick<DocumentRecord, 'status' | 'error'>,
): Promise<DocumentRecord> {
  if (record.status === outcome.status && record.error === outcome.error) return record
  const updated = await store.records.update<DocumentRecord>(documentKind, record.id, (now) =>
    now && sameVersion(now, record) ? { ...now, ...outcome } : now,
  )
  return updated ?? record
}

// A new record of the same name may exist by now. The process that wrote it takes care of the index.
async function forgetQuietly(library: Library, id: string, record: DocumentRecord | null): Promise<null> {
  if (!record) return null
  await lockDocument(library, id, async () => {
    const now = await library.store.records.get<DocumentRecord>(documentKind, id)
    const source = now && (await library.store.records.get<SourceRecord>(sourceKind, now.source))
    if (!source) await clear(library, record)
  })
  return null
}

// Bytes that were changed from outside are not the document. Its indexed text stays, and so does the record, since the
// bytes may be restored.
async function readStored(library: Library, record: DocumentRecord): Promise<Reading> {
  if ((await stateOfBytes(library, record)) === 'changed')
    return { state: 'failed', reason: otherBytes, passing: true }
  return readFrom(library, record, blobPath(record))
}

const otherBytes = 'Its bytes in the data folder are not those that were uploaded.'

/** Reads a file of the blob store, in the format that the record names. */
export function readFrom(library: Library, record: DocumentRecord, file: string): Promise<Reading> {
  const { path, name, title, source } = record
  if (sizeLimit(name, library.settings.limits) === null) return Promise.resolve(notRead(name))
  return library.readers.read({
    root: blobFolder(library),
    path: file,
    source,
    maxBytes: mostBytes,
    knownHash: null,
    as: { path, name, ...(title === null ? {} : { title }) },
  })
}

export function reasonFor(reading: Reading): string {
  if (reading.state === 'gone') return 'Its bytes are not in the data folder any more.'
  return 'reason' in reading ? reading.reason : 'It could not be read.'
}

function notRead(name: string): Reading {
  const ending = /\.[^.]+$/.exec(name)?.[0] ?? 'without an ending'
  return { state: 'skipped', reason: `Files ${ending} are not read.` }
}
