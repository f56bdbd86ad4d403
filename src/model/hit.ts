import type { DocumentSummary } from './document.js'
import type { Note } from './problem.js'
import type { ChunkKind, Ref } from './source.js'

/** One passage found, ready to be shown. */
export interface Hit {
  ref: Ref
  /** Title, format, tags, dates, size, notes: one object from the store to the surface. */
  document: DocumentSummary
  heading: string | null
  headings: string[]
  symbols: string[]
  kind: ChunkKind
  language: string | null
  lines: [number, number]
  text: string
  /** Calibrated relevance in 0..1, comparable across queries and toolsets; falls down the list. */
  score: number
  /** Cosine distance of the chunk's vector to the query's (0..2); null without a vector. */
  distance: number | null
  /** What found it. */
  by: 'words' | 'meaning' | 'both' | 'rerank'
  /** The first chunk's position in its document, from 0. */
  index: number
  /** The text was cut to fit the budget. */
  cut: boolean
  /** Where else this very text stands; only where it does. */
  copies?: Copies
  explain?: Explanation
}

export interface Copies {
  refs: Ref[]
  /** There are no others. */
  areAll: boolean
}

/** Why a hit stands where it stands. */
export interface Explanation {
  /** Place among the words' hits (null: not among them), BM25 score, and its share of the most there could be. */
  words: { rank: number | null; score: number; share: number } | null
  /** Place among the nearest vectors (null: not among them) and the cosine. */
  meaning: { rank: number | null; cosine: number } | null
  /** How literally it has the question: 1 is its name, 0 not at all. */
  exact: number
  score: number
  /** What each word of the query added to the BM25 score. */
  terms: Record<string, number>
}

export interface Stage {
  name: string
  ms: number
  /** Ran, was skipped (why), or was cut short by the deadline. */
  state: 'ran' | 'skipped' | 'cut'
  reason?: string
}

export interface Found {
  hits: Hit[]
  notes: Note[]
  stages: Stage[]
  /** Ids of chunks among the hits that have no vector yet. */
  unembedded: number[]
}

/** How a search looks: by words, by meaning, by both, or by both with a second look at the best. */
export type SearchMode = 'text' | 'vector' | 'hybrid' | 'rerank'
