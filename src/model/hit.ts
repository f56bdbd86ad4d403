import type { DocumentSummary } from './document.js'
import type { Note } from './problem.js'
import type { ChunkKind, Ref } from './source.js'

/** One passage that a search found. */
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
  /** How likely the hit is relevant, 0..1. It is for users: shown, and compared with thresholds that they set. */
  score: number
  /** What ranks the hits of a search, highest first; ratios and bounds in code are about it. `score` is made of it. */
  relevance: number
  /** Cosine distance of the chunk's vector to the query's (0..2); null without a vector. */
  distance: number | null
  /** Which ranking found it. */
  by: 'words' | 'meaning' | 'both' | 'rerank'
  /** The first chunk's position in its document, from 0. */
  index: number
  /** The text was cut to fit the budget. */
  cut: boolean
  /** Other places with the same text, if there are any. */
  copies?: Copies
  /** Of a decision or discovery that no longer holds. */
  standing?: Standing
  explain?: Explanation
}

export interface Standing {
  /** `superseded`, `deprecated` or `rejected`. */
  status: string
  /** What holds instead. */
  successors: Ref[]
}

export interface Copies {
  refs: Ref[]
  /** True if `refs` lists all copies. */
  areAll: boolean
}

/** Why a hit has its rank. */
export interface Explanation {
  /** Rank by words (null: not ranked), BM25 score, and its share of the highest possible score. */
  words: { rank: number | null; score: number; share: number } | null
  /** Rank among the nearest vectors (null: not ranked), and the cosine. */
  meaning: { rank: number | null; cosine: number } | null
  /** How literally the hit matches the query: 1 if the query is its name, 0 if there is no literal match. */
  exact: number
  /** How the hit has a name that was asked for: it defines or explains it. */
  name?: string
  /** Why the hit counts less: its file is a test, generated code, a changelog that nobody asked for; or `other language`. */
  role?: string
  /** `upper`: the hit has the quoted phrase, or the name with its signs; all hits without stand in the lower half. */
  half?: 'upper' | 'lower'
  /** What the factors above give. */
  relevance: number
  /** Log-odds that reranking added. */
  reranked?: number
  /** It took the place of another document, and counts as much as that. */
  successor?: true
  /** Log-odds by which the score is higher than the relevance: the same for all passages of a question, by its length. */
  length: number
  score: number
  /** The BM25 score that each word of the query contributed. */
  terms: Record<string, number>
}

export interface Stage {
  name: string
  ms: number
  /** `cut`: the deadline stopped it. `reason` says why a stage was skipped or cut. */
  state: 'ran' | 'skipped' | 'cut'
  reason?: string
}

export interface Found {
  hits: Hit[]
  notes: Note[]
  stages: Stage[]
  /** Ids of chunks among the hits that have no vector yet. */
  unembedded: number[]
  /** Nothing speaks for any of the hits: the index has no answer. */
  isWeak: boolean
}

/** By words, by meaning, by both, or by both with the best hits reranked. */
export type SearchMode = 'text' | 'vector' | 'hybrid' | 'rerank'
