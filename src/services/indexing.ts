import type { RunCounts } from '../model/outcome.js'
import type { Library } from './library.js'

export interface IndexProgress {
  phase: 'waiting' | 'listing' | 'reading' | 'settling'
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
  /** Why files were passed over, with how many and a few of them. */
  skipped: { reason: string; count: number; examples: string[] }[]
  ms: number
}

/** Brings the index up to date with every configured source. One process at a time; others wait their turn. */
export async function indexAll(
  _library: Library,
  _options: { onProgress?: (progress: IndexProgress) => void; signal?: AbortSignal; force?: boolean },
): Promise<IndexReport> {
  throw new Error('pending')
}
