// A few files of a folder, read and stored at once: after a write of ours. No
// lease is needed, since a document read earlier never replaces one read later.

import type { IndexedDocument, Stamp } from '../model/document.js'
import type { Outcome } from '../model/reports.js'
import type { FolderSettings, Limits } from '../model/settings.js'
import { createYielder } from '../runtime/yield.js'
import type { Store } from '../store/port.js'
import type { IngestPorts } from './ingest.js'
import { sizeLimit } from './readers.js'
import { type PackedDocument, type Reading, unpackFile } from './task.js'

export interface FilesRun {
  source: string
  folder: FolderSettings
  limits: Limits
}

const batchDocuments = 500

/** A file that Carrel wrote: its document and its stamp. */
export interface WrittenFile {
  path: string
  document: PackedDocument
  stamp: Stamp
}

/** Parses the new bytes of files while they are being written. Files that fail are left out. */
export async function prepareFiles(
  { readers }: IngestPorts,
  { source, folder, limits }: FilesRun,
  files: readonly { path: string; bytes: Uint8Array }[],
): Promise<Map<string, PackedDocument>> {
  const readings = await Promise.all(
    files.map(async ({ path, bytes }) => {
      const maxBytes = sizeLimit(path, limits) ?? 0
      if (bytes.length > maxBytes) return []
      const reading = await readers.read({
        root: folder.path,
        path,
        source,
        maxBytes,
        knownHash: null,
        bytes,
      })
      return reading.state === 'read' ? [[path, reading.document] as const] : []
    }),
  )
  return new Map(readings.flat())
}

/** Stores the prepared documents after the files were written. */
export async function storeFiles({ store }: IngestPorts, files: readonly WrittenFile[]) {
  const readAt = Date.now()
  const documents: IndexedDocument[] = []
  const yieldIfDue = createYielder()
  for (const { document, stamp } of files) {
    documents.push({ ...unpackFile(document), stamp, readAt })
    await yieldIfDue()
  }
  await replaceAll(store, documents)
}

async function replaceAll(store: Store, documents: readonly IndexedDocument[]) {
  for (let i = 0; i < documents.length; i += batchDocuments)
    await store.replace(documents.slice(i, i + batchDocuments))
}

/** One outcome for each path, in order. Files that are gone, or are no longer documents, leave the index. */
export async function ingestFiles(
  ports: IngestPorts,
  run: FilesRun,
  paths: readonly string[],
): Promise<Outcome[]> {
  const startedAt = Date.now()
  const readings = await Promise.all(paths.map((path) => read(ports, run, path)))
  const documents = readings.flatMap((reading) =>
    reading.state === 'read' ? unpackFile(reading.document) : [],
  )
  await replaceAll(ports.store, documents)
  const gone = paths.filter((_, i) => ['gone', 'skipped'].includes(readings[i]!.state))
  await ports.store.forget(
    gone.map((path) => ({ source: run.source, path })),
    startedAt,
  )
  const stored = new Map(documents.map((document) => [document.ref.path, document]))
  return paths.map((path, i) => outcome(path, readings[i]!, stored))
}

function read(
  { readers }: IngestPorts,
  { source, folder, limits }: FilesRun,
  path: string,
): Promise<Reading> {
  const maxBytes = sizeLimit(path, limits)
  if (maxBytes === null) return Promise.resolve({ state: 'gone' })
  return readers.read({ root: folder.path, path, source, maxBytes, knownHash: null })
}

function outcome(path: string, reading: Reading, stored: Map<string, IndexedDocument>): Outcome {
  if (reading.state === 'read') {
    const { chunks, notes } = stored.get(path)!
    return { path, state: 'stored', chunks: chunks.length, notes: notes.length }
  }
  if (reading.state === 'same') return { path, state: 'unchanged' }
  return reading.state === 'gone'
    ? { path, state: 'forgotten' }
    : { path, state: reading.state, reason: reading.reason }
}
