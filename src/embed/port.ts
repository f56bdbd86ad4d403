// The ports of this room. An embedder turns texts into unit vectors, a reranker scores passages for a query, and an
// entailment model compares two sentences. None of them knows a store.
import { hashOf } from '../text/hash.js'

export interface Embedder {
  /** Names the vectors' space: model, quantisation and weights. Vectors of another name are not comparable. */
  readonly model: string
  readonly dimensions: number
  /** One unit-length vector a text, in order. A query and a passage may be worded differently to the model. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
  /** Begins to load the model, for a question that is about to come. A model that cannot be loaded says so to the question. */
  load?(): void
  close(): Promise<void>
}

export interface EmbedOptions {
  kind: 'query' | 'passage'
  signal?: AbortSignal
  /** Receives each vector with its text's place at once, from a model that returns them one by one. */
  onVector?: (place: number, vector: Float32Array) => void
}

/** Scores the best passages again: slower and better than comparing vectors. */
export interface Reranker {
  readonly model: string
  /** One number a passage, in order; a higher one is more relevant. Only numbers of one call are comparable. */
  score(query: string, passages: readonly string[], options?: { signal?: AbortSignal }): Promise<number[]>
  close(): Promise<void>
}

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

/** The name of a vector space. Words put before every passage change the vectors, and so they change the name. */
export function spaceName(model: string, passagePrefix: string): string {
  return passagePrefix === '' ? model : `${model}+${hashOf(passagePrefix).slice(0, 8)}`
}
