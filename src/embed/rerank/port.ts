// A second look at the best passages: slower and better than comparing vectors.

export interface Reranker {
  readonly model: string
  /** One number a passage, in order; a higher one is more relevant. Only numbers of one call are comparable. */
  score(query: string, passages: readonly string[], options?: { signal?: AbortSignal }): Promise<number[]>
  close(): Promise<void>
}
