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
