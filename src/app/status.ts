import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../answer/library.js'
import { inPart, lastRunRecord, unindexedFolders } from '../answer/notes/index-state.js'
import type { LastRun, Status } from '../model/reports.js'
import { indexingLease, isFree } from '../runtime/lease.js'
import { memoryStatus } from '../toolsets/context/overview.js'

export async function status(library: Library): Promise<Status> {
  const { settings, store } = library
  const counts = await store.counts()
  const last = await store.records.get<LastRun>(lastRunRecord.kind, lastRunRecord.id)
  const holder = await store.leases.holder(indexingLease)
  const { embedder } = library
  const vectors = { ...(embedder && { [embedder.model]: 0 }), ...(await store.vectors.counts()) }
  return {
    root: settings.root,
    data: settings.data,
    collections: (await store.sources()).map(({ id, name, kind, location }) => ({
      name,
      id,
      kind,
      location,
      ...(counts.bySource[id] ?? { documents: 0, chunks: 0 }),
    })),
    documents: counts.documents,
    chunks: counts.chunks,
    characters: counts.chars,
    databaseBytes: bytesIn(settings.data),
    indexing: holder && !isFree(holder) ? { pid: holder.pid, host: holder.host } : null,
    folders: library.sources.length,
    unread: (await unindexedFolders(library)).map(({ name, location }) => ({ name, location })),
    lastIndexed: last?.at ?? null,
    lastFailures: last?.failures ?? [],
    lastSkipped: last?.skippedFiles ?? [],
    inPart: await inPart(store),
    vectors: Object.entries(vectors).map(([model, count]) => ({ model, count })),
    memory: await memoryStatus(library),
  }
}

function bytesIn(folder: string): number {
  const files = ['index.sqlite', 'index.sqlite-wal', 'records.jsonl']
  return files.reduce(
    (sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
