// Where things are kept. A store keeps documents whole and returns candidates; it knows no tokenizer, model or tool.
// The contract, in sentences that run, is test/contract/store.ts; `reference.ts` is the slow, obviously right answer.
import type {
  DocumentSummary,
  Field,
  IndexedDocument,
  NotedDocument,
  Stamp,
  StoredChunk,
  StoredDocument,
} from '../model/document.js'
import type { Scope } from '../model/scope.js'
import type { Ref, Source } from '../model/source.js'

export interface Store {
  putSource(source: Source): Promise<void>
  /** In the order of their ids. */
  sources(): Promise<Source[]>
  /** With all its documents, chunks and vectors. False when there is none. */
  forgetSource(id: string): Promise<boolean>

  /**
   * Swaps documents whole, all of them or none. A document read earlier than the stored one is left out. Here and below, a
   * stored time that lies more than two seconds ahead is of a clock that was wrong, and stops nothing.
   */
  replace(documents: readonly IndexedDocument[]): Promise<void>
  /** Removes documents, unless they were read after `asOf` (ms). Returns how many went. */
  forget(refs: readonly Ref[], asOf?: number): Promise<number>
  /** The bytes are the same but the file was touched: only remember how it looks now. */
  restamp(stamps: readonly { ref: Ref; stamp: Stamp; readAt: number }[]): Promise<void>
  document(ref: Ref): Promise<StoredDocument | null>
  /** By source, then path. */
  documents(
    scope: Scope,
    page: { offset: number; limit: number },
  ): Promise<{ documents: DocumentSummary[]; total: number }>
  /** What is needed to see whether a file changed. */
  fingerprints(source: string): Promise<Map<string, Fingerprint>>
  /** Names, tags and links of a source's Markdown documents, without their texts, by path. Of all, or of these paths. */
  noted(source: string, paths?: readonly string[]): Promise<NotedDocument[]>

  /** Chunks by id, in the order asked for; ids that are gone are left out. */
  chunks(ids: readonly number[]): Promise<StoredChunk[]>
  chunksOf(ref: Ref): Promise<StoredChunk[]>

  /** BM25 over weighted fields. Best first; equal scores by source, path and position. */
  rank(query: WordQuery): Promise<WordRanking>

  /**
   * The same store for questions that are asked together, and dropped after them: what one of them read it may keep
   * for the others, and what is asked at once it may answer one after the other. It sees every change, and answers as the
   * store itself.
   */
  withReadCache(): Store

  vectors: VectorStore
  records: RecordStore
  leases: LeaseStore

  counts(): Promise<StoreCounts>
  /** Changes whenever anything that could change an answer was committed by any process. */
  version(): Promise<string>
  /** Puts what was written into its lasting form (merging, checkpoints), in small steps. */
  settle(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface Fingerprint {
  stamp: Stamp | null
  hash: string
  readAt: number
}

export interface WordQuery {
  terms: readonly QueryTerm[]
  /** How much a match in a field counts. */
  weights: Readonly<Record<Field, number>>
  scope: Scope
  limit: number
}

export interface QueryTerm {
  term: string
  weight: number
  /** A chunk without it is no candidate. */
  required?: boolean
}

export interface WordRanking {
  ranks: WordRank[]
  /** What each term would add to a chunk that had it without end: makes scores comparable across queries. */
  maxTermScores: number[]
  /** How many chunks of the whole store have each term, whatever the scope. */
  holders: number[]
  /**
   * The same figures for any chunks, listed or not, in scope or not; those without any of the terms are left out. As of the
   * moment of the ranking.
   */
  of(chunks: readonly number[]): WordRank[]
}

export interface WordRank {
  chunk: number
  score: number
  /** What each term of the query added, in the query's order. */
  parts: number[]
}

export interface VectorStore {
  /** Chunks that have no vector of this model yet: those preferred, then the most recently read documents', by position. */
  pending(model: string, limit: number, preferred?: readonly number[]): Promise<PendingChunk[]>
  /** Vectors of unit length. A chunk that is gone, or whose hash is another by now, is left out. */
  put(
    model: string,
    vectors: readonly { chunk: number; hash: string; vector: Float32Array }[],
  ): Promise<number>
  /** Best first by cosine; equal ones by source, path and position. Only chunks in scope that have a vector. */
  nearest(query: { model: string; vector: Float32Array; scope: Scope; limit: number }): Promise<VectorRank[]>
  /** The cosine of each chunk that has a vector. */
  cosines(model: string, vector: Float32Array, chunks: readonly number[]): Promise<Map<number, number>>
  /** The vectors of these chunks, as far as there are any. */
  of(model: string, chunks: readonly number[]): Promise<Map<number, Float32Array>>
  /** How many chunks have a vector, by model. */
  counts(): Promise<Record<string, number>>
  /** Drops all vectors of a model. */
  forget(model: string): Promise<void>
}

export interface PendingChunk {
  chunk: number
  hash: string
  context: string
  text: string
}

export interface VectorRank {
  chunk: number
  cosine: number
}

/**
 * Records of our own (discoveries, sessions, jobs): no source has them, so they are kept with a database's care. A kind
 * that starts with `~` can be had again (statistics, the last run): it need not survive the loss of the database.
 */
export interface RecordStore {
  put(kind: string, id: string, value: unknown): Promise<void>
  /** Many at once, of any kinds, all of them or none. */
  putAll(records: readonly { kind: string; id: string; value: unknown }[]): Promise<void>
  get<T>(kind: string, id: string): Promise<T | null>
  /** By id. */
  all<T>(kind: string): Promise<{ id: string; value: T }[]>
  /** Reads, changes and writes as one step: no other process writes in between. Null removes. */
  update<T>(kind: string, id: string, change: (value: T | null) => T | null): Promise<T | null>
  delete(kind: string, id: string): Promise<boolean>
  /** Removes every record of a kind. Returns how many there were. */
  clear(kind: string): Promise<number>
}

export interface LeaseHolder {
  id: string
  pid: number
  host: string
  /** What tells the process from a later one with its pid; absent where the system does not say. */
  start?: string
}

/**
 * A lease is lost when its holder is gone for sure, or when the holder did not renew it for its time to live, as
 * measured by whoever wants it on a clock of its own that nobody sets. The time of day decides nothing.
 */
export interface LeaseStore {
  /** Takes or renews a lease. Null when taken; otherwise who has it. `gone` tells that a holder is dead for sure. */
  take(
    name: string,
    holder: LeaseHolder,
    ttlMs: number,
    gone?: (holder: LeaseHolder) => boolean,
  ): Promise<LeaseHolder | null>
  release(name: string, holderId: string): Promise<void>
  /** Who has it now, if it has not run out. */
  holder(name: string): Promise<LeaseHolder | null>
}

export interface StoreCounts {
  sources: number
  documents: number
  chunks: number
  /** Characters of all documents' texts, in UTF-16 units. */
  chars: number
  bySource: Record<string, { documents: number; chunks: number }>
}
