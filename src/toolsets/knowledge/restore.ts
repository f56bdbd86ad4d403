// The index brought up to date with our own records: after it was lost, after a process was killed half way, or because
// everything is to be read again.

import type { Library } from '../../answer/library.js'
import { isOwnId, keepRow, ownSources, type SourceRecord } from '../../answer/source-records.js'
import type { Outcome } from '../../model/reports.js'
import type { Fingerprint } from '../../store/port.js'
import { blobPath, sweepBytes } from './blob-store.js'
import { deleteSource, forgetDocument } from './delete-source.js'
import { type DocumentRecord, documentRecords } from './document-records.js'
import { indexDocument } from './index-document.js'

export interface RestoreOptions {
  /** Read everything again. */
  force?: boolean | undefined
  signal?: AbortSignal | undefined
  onSource?: (name: string, total: number) => void
}

/** Indexes all uploads and crawled pages again, with an outcome each. Documents without a record leave the index. */
export async function* restoreKnowledge(
  library: Library,
  options: RestoreOptions = {},
): AsyncGenerator<{ source: string; bytes: number; outcome: Outcome }> {
  await forgetUnknownSources(library)
  const sources = await ownSources(library)
  await forgetHomeless(library, new Set(sources.map(({ id }) => id)))
  for (const source of sources) yield* restoreSource(library, source, options)
  // `sweepBytes` keeps incoming bytes, which have no record yet.
  await sweepBytes(library, new Set((await documentRecords(library)).map(blobPath)))
}

async function* restoreSource(library: Library, source: SourceRecord, options: RestoreOptions) {
  await keepRow(library, source)
  const asOf = Date.now()
  // A document is a record before it is in the index, so one without a record was deleted.
  const known = await library.store.fingerprints(source.id)
  const records = await documentRecords(library, source.id)
  options.onSource?.(source.name, records.length)
  for (const record of records) {
    options.signal?.throwIfAborted()
    const outcome = await restoreDocument(library, record, known.get(record.path), options.force ?? false)
    yield { source: source.name, bytes: outcome.state === 'stored' ? record.bytes : 0, outcome }
  }
  const paths = new Set(records.map(({ path }) => path))
  const gone = [...known.keys()].filter((path) => !paths.has(path))
  await library.store.forget(
    gone.map((path) => ({ source: source.id, path })),
    asOf,
  )
  for (const path of gone)
    yield { source: source.name, bytes: 0, outcome: { path, state: 'forgotten' } as const }
}

async function restoreDocument(
  library: Library,
  record: DocumentRecord,
  known: Fingerprint | undefined,
  force: boolean,
): Promise<Outcome> {
  const { path } = record
  const current = known?.hash === record.hash.slice(0, known?.hash.length ?? 0)
  if (!force && current && record.status === 'completed') return { path, state: 'unchanged' }
  if (!force && record.status === 'failed')
    return { path, state: 'failed', reason: record.error ?? 'It failed.' }
  const outcome = await indexDocument(library, record.id)
  if (outcome === null) return { path, state: 'skipped', reason: 'It was deleted meanwhile.' }
  if (outcome.state === 'stored')
    return { path, state: 'stored', chunks: outcome.chunks, notes: outcome.notes }
  return { path, state: 'failed', reason: outcome.reason }
}

// A source is a record before it is a row, so a row without a record was being deleted.
async function forgetUnknownSources(library: Library) {
  const rows = (await library.store.sources()).filter(({ id }) => isOwnId(id))
  const own = new Set((await ownSources(library)).map(({ id }) => id))
  for (const { id } of rows) if (!own.has(id)) await deleteSource(library, id)
}

async function forgetHomeless(library: Library, sources: ReadonlySet<string>) {
  for (const { id, source } of await documentRecords(library))
    if (!sources.has(source)) await forgetDocument(library, id)
}
