// A few files of a folder, read and stored at once: after a write of ours, or when a file is seen to have changed. No
// lease is needed, since a document read earlier never replaces one read later.
import type { IndexedDocument } from '../model/document.js'
import type { Outcome } from '../model/outcome.js'
import type { FolderSettings, Limits } from '../model/settings.js'
import type { IngestPorts } from './ingest.js'
import { sizeLimit } from './readers.js'
import { type Reading, unpack } from './task.js'

export interface FilesRun {
  source: string
  folder: FolderSettings
  limits: Limits
}

const batchDocuments = 400

/** One outcome a path, in their order. Files that are gone, or are no documents any more, leave the index. */
export async function ingestFiles(
  ports: IngestPorts,
  run: FilesRun,
  paths: readonly string[],
): Promise<Outcome[]> {
  const startedAt = Date.now()
  const readings = await Promise.all(paths.map((path) => read(ports, run, path)))
  const documents = readings.flatMap((reading) => (reading.state === 'read' ? unpack(reading.document) : []))
  for (let i = 0; i < documents.length; i += batchDocuments)
    await ports.store.replace(documents.slice(i, i + batchDocuments))
  const gone = paths.filter((_, i) => ['gone', 'skipped'].includes(readings[i]!.state))
  await ports.store.forget(
    gone.map((path) => ({ source: run.source, path })),
    startedAt,
  )
  return paths.map((path, i) => outcome(path, readings[i]!, documents))
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

function outcome(path: string, reading: Reading, documents: IndexedDocument[]): Outcome {
  if (reading.state === 'read') {
    const { chunks, notes } = documents.find(({ ref }) => ref.path === path)!
    return { path, state: 'stored', chunks: chunks.length, notes: notes.length }
  }
  if (reading.state === 'same') return { path, state: 'unchanged' }
  return reading.state === 'gone'
    ? { path, state: 'forgotten' }
    : { path, state: reading.state, reason: reading.reason }
}
