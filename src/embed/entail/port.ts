// Two texts read together: whether doing what the one says goes against the other, along with it, or neither.

/** What somebody is about to do, and what was decided. */
export type Pair = readonly [proposal: string, decision: string]

/** Probabilities, which sum to 1. */
export interface Stand {
  against: number
  along: number
  beside: number
}

export interface Entailment {
  readonly model: string
  /** One answer a pair, in order. */
  compare(pairs: readonly Pair[], options?: { signal?: AbortSignal | undefined }): Promise<Stand[]>
  close(): Promise<void>
}
