/** What became of one item on the road in. One a file, whatever happens. */
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
