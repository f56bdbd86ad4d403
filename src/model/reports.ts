import type { DiscoveryType } from './discovery.js'
import type { SearchMode } from './hit.js'
import type { RunCounts } from './outcome.js'
import type { Note } from './problem.js'

export interface InPart {
  source: string
  path: string
  reason: string
}

/** A file that was read, and how much it belongs to the context now. */
export interface ContextItem {
  path: string
  module: string | null
  accesses: number
  /** Milliseconds. */
  lastAccess: number
  /** 0.6 × recency (linear over 30 days) + 0.4 × accesses over the most accesses of any file. */
  score: number
}

/** A project's memory in figures. */
export interface MemoryStatus {
  discoveries: { total: number; superseded: number; byType: Record<DiscoveryType, number> }
  sessions: { total: number; open: number; last: string | null }
  /** What was read most and latest, the highest score first. */
  context: Pick<ContextItem, 'path' | 'score' | 'accesses'>[]
}

export interface IndexProgress {
  phase: 'waiting' | 'listing' | 'reading' | 'settling' | 'embedding' | 'crawling'
  /** Whom we wait for, or which source is being read. */
  subject: string
  done: number
  total: number
  chunks: number
  bytes: number
}

export interface IndexReport {
  counts: RunCounts
  bySource: { name: string; counts: RunCounts }[]
  failures: { source: string; path: string; reason: string }[]
  /** Of which files the index has a part only, from this run or an earlier one. */
  inPart: InPart[]
  /** Why files were passed over, with how many and a few of them. */
  skipped: { reason: string; count: number; examples: string[] }[]
  /** Those of them that are of a kind that is read, as many as a record holds. */
  skippedFiles: SkippedFile[]
  /** What a person should know beside the figures. */
  notes: Note[]
  ms: number
}

export interface SkippedFile {
  source: string
  path: string
  reason: string
}

export interface IndexOptions {
  onProgress?: (progress: IndexProgress) => void
  signal?: AbortSignal
  force?: boolean
  /**
   * A later look by a process that has run before. It forgets no folder: one that it does not know may have been added to
   * the configuration since it read it.
   */
  again?: boolean
  /** Nobody asked for this run: folders that are away are told of, and keep what the index has of them. */
  unasked?: boolean
}

/** Kept in the store, so that any process can tell how the last run went. */
export interface LastRun {
  at: string
  counts: RunCounts
  failures: IndexReport['failures']
  skippedFiles?: SkippedFile[]
}

export interface Check {
  name: string
  state: 'ok' | 'warning' | 'failed' | 'repaired'
  message: string
  hint?: string
}

export type EvalMode = SearchMode

export interface EvalReport {
  set: string
  mode: EvalMode
  documents: number
  queries: number
  /** Any grade above 0 counts as relevant. */
  ndcg10: number
  /** With the grades as gains. */
  ndcg10Graded: number
  recall100: number
  mrr10: number
  queryMs: { p50: number; p95: number }
  indexMs: number
  notes: string[]
}

export interface EvalOptions {
  folder: string
  mode: EvalMode
  onProgress?: (message: string) => void
  signal?: AbortSignal
}

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
