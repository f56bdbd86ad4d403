import type { DiscoveryType } from './discovery.js'
import type { SearchMode } from './hit.js'
import type { Note } from './problem.js'

/** A document of which the index has only a part. */
export interface InPart {
  source: string
  path: string
  reason: string
}

/** A file that clients read, with its current context score. */
export interface ContextItem {
  path: string
  module: string | null
  accesses: number
  /** Milliseconds. */
  lastAccess: number
  /** 0.6 × recency (linear over 30 days) + 0.4 × accesses over the most accesses of any file. */
  score: number
}

/** Counts of a project's discoveries and sessions, and the files with the highest context scores. */
export interface MemoryStatus {
  discoveries: { total: number; superseded: number; byType: Record<DiscoveryType, number> }
  sessions: { total: number; open: number; last: string | null }
  /** Highest score first. */
  context: Pick<ContextItem, 'path' | 'score' | 'accesses'>[]
}

export interface IndexProgress {
  phase: 'waiting' | 'listing' | 'reading' | 'settling' | 'embedding' | 'crawling'
  /** The process we wait for, or the source that is being read. */
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
  /** Files that are only partly indexed, in this run or an earlier one. */
  inPart: InPart[]
  /** For each reason, how many files were skipped and a few examples. */
  skipped: { reason: string; count: number; examples: string[] }[]
  /** Skipped files of a supported format, up to the size limit of a record. */
  skippedFiles: SkippedFile[]
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
   * A repeated run of the same process. It forgets no folder: an unknown folder may have been added to the configuration
   * after this process read it.
   */
  again?: boolean
  /** A background run: it reports missing folders and keeps their documents. */
  background?: boolean
}

/** The outcome of the last run, stored so that every process can report it. */
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

type EvalMode = SearchMode

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
  /** The same for each kind of question that the set names, by name; empty where it names none. */
  kinds: { kind: string; queries: number; ndcg10: number; recall100: number; mrr10: number }[]
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
  /** What the index takes on the disk, in bytes. The rest: documents, chunks, records and space that is not used. */
  disk?: { texts: number; postings: number; vectors: number; rest: number }
  /** The process that holds the index open for the others of this user. */
  engine?: EngineReport | null
  /** The process that is indexing now. */
  indexing: { pid: number; host: string } | null
  /** Number of configured folders. A project may have none, and hold only uploads or crawled pages. */
  folders: number
  /** Configured folders that no run has completed yet: answers may lack their documents. */
  unread: { name: string; location: string }[]
  lastIndexed: string | null
  lastFailures: IndexReport['failures']
  /** Files of a supported format that the last run skipped, for example because of their size. */
  lastSkipped: SkippedFile[]
  /** Documents that are only partly indexed. */
  inPart: InPart[]
  /** For each model, how many chunks have a vector. Includes the configured model even when it has none. */
  vectors: { model: string; count: number }[]
  memory: MemoryStatus
  /** Use of the tools by all processes so far. */
  tools?: ToolUse[]
}

export interface EngineReport {
  pid: number
  /** A server that a client or a user started, or a process that the command line started. */
  kind: 'mcp' | 'serve' | 'commands'
  /** How many other processes it answers. */
  clients: number
  startedAt: string
  /** The model whose vectors it makes; null when it makes none. */
  model: string | null
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

/** What happened to one file during indexing. Every file has exactly one outcome. */
export type Outcome =
  | { path: string; state: 'stored'; chunks: number; notes: number }
  | { path: string; state: 'unchanged' }
  | { path: string; state: 'forgotten' }
  | { path: string; state: 'skipped'; reason: string }
  | { path: string; state: 'failed'; reason: string }

/** The counts of a run. `found` = stored + unchanged + skipped + failed. */
export interface RunCounts {
  found: number
  stored: number
  unchanged: number
  skipped: number
  failed: number
  forgotten: number
  chunks: number
  bytes: number
}
