import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { indexingLease, isFree } from '../ingest/lease.js'
import { type MemoryStatus, memoryStatus } from './context/memory-status.js'
import { type InPart, inPart } from './in-part.js'
import type { IndexReport, LastRun, SkippedFile } from './indexing.js'
import { lastRunRecord } from './last-run.js'
import type { Library } from './library.js'
import { unreadFolders } from './unread.js'

export interface Status {
  root: string
  data: string
  collections: {
    name: string
    id: string
    kind: string
    location: string
    documents: number
    chunks: number
  }[]
  documents: number
  chunks: number
  characters: number
  databaseBytes: number
  /** Who is indexing right now, if anybody. */
  indexing: { pid: number; host: string } | null
  /** Folders that are configured; a project may have none, and hold only what was uploaded or crawled. */
  folders: number
  /** Those of them that no run has read to its end: answers lack what is in them. */
  unread: { name: string; location: string }[]
  lastIndexed: string | null
  lastFailures: IndexReport['failures']
  /** What the last run skipped although it is of a kind that is read: files over a limit, for example. */
  lastSkipped: SkippedFile[]
  /** Documents of which the index has a part only. */
  inPart: InPart[]
  /** By model, the configured one also while it has none. */
  vectors: { model: string; count: number }[]
  /** Discoveries, sessions and what was read. */
  memory: MemoryStatus
  /** How the tools were used, by every process so far. */
  tools?: ToolUse[]
}

export interface ToolUse {
  tool: string
  calls: number
  failures: number
  timeouts: number
  rateLimited: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  /** Characters of an answer, on average. */
  averageSize: number
}

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
    unread: (await unreadFolders(library)).map(({ name, location }) => ({ name, location })),
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
