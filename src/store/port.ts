// The port of the store. A store keeps whole documents and returns candidates for a query; it knows no tokenizer, model
// or tool. test/contract/ holds the contract as tests; test/support/reference-store.ts is slow and obviously right.
import type {
  DocumentSummary,
  Field,
  IndexedDocument,
  NotedDocument,
  Stamp,
  StoredChunk,
  StoredDocument,
} from '../model/document.js'
import type { LeaseStore } from '../model/lease.js'
import type { Scope } from '../model/scope.js'
import type { Ref, Source } from '../model/source.js'

export interface Store {
  putSource(source: Source): Promise<void>
  /** Ordered by id. */
  sources(): Promise<Source[]>
  /** Removes a source with its documents, chunks and vectors. Returns false if there is no such source. */
  forgetSource(id: string): Promise<boolean>

  /**
   * Replaces whole documents, all of them or none. Skips a document that was read earlier than the stored one. Here and
   * below, a stored time more than two seconds in the future came from a wrong clock and is ignored.
   */
  replace(documents: readonly IndexedDocument[]): Promise<void>
  /** Removes documents, except those read after `asOf` (ms). Returns how many were removed. */
  forget(refs: readonly Ref[], asOf?: number): Promise<number>
  /** Updates the stamps of files that were touched while their bytes stayed the same. */
  restamp(stamps: readonly { ref: Ref; stamp: Stamp; readAt: number }[]): Promise<void>
  document(ref: Ref): Promise<StoredDocument | null>
  /** Ordered by source, then path. */
  documents(
    scope: Scope,
    page: { offset: number; limit: number },
  ): Promise<{ documents: DocumentSummary[]; total: number }>
  /** For each path, what the indexer needs to detect a changed file. */
  fingerprints(source: string): Promise<Map<string, Fingerprint>>
  /** Names, tags and links of a source's Markdown documents, or of those at `paths`, without texts. Ordered by path. */
  noted(source: string, paths?: readonly string[]): Promise<NotedDocument[]>

  /** Chunks by id, in the order of `ids`. Skips ids that no longer exist. */
  chunks(ids: readonly number[]): Promise<StoredChunk[]>
  chunksOf(ref: Ref): Promise<StoredChunk[]>

  /** Ranks chunks by BM25 over weighted fields, best first; ties by source, path and position. */
  rank(query: WordQuery): Promise<WordRanking>
  /** The terms that begin with `prefix` and match, with how many chunks have each; ordered by code points. */
  terms(query: TermQuery): Promise<TermCount[]>

  /**
   * A view of this store with a read cache, for one batch of questions. Drop it afterwards. It may answer concurrent
   * questions one after the other. It sees every change and gives the same answers as the store.
   */
  withReadCache(): Store

  /** Documents that other worktrees have read; absent if no store is shared. */
  shared?: SharedDocuments

  vectors: VectorStore
  records: RecordStore
  leases: LeaseStore

  counts(): Promise<StoreCounts>
  /** Reads the whole store: slow for a large one. */
  diskUse(): Promise<DiskUse>
  /** Changes whenever any process commits something that could change an answer. */
  version(): Promise<string>
  /** Compacts the store in small steps: merges segments, writes a checkpoint. */
  settle(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface Fingerprint {
  stamp: Stamp | null
  hash: string
  readAt: number
}

/** Documents of other worktrees of the same repository. A worktree gets one only for a file with the same bytes and path. */
export interface SharedDocuments {
  /** For each path, the hashes of the versions that this version of the reader read. */
  versions(source: string, reader: number): Promise<Map<string, string[]>>
  /** One answer a file, in their order. Null: no worktree has it any more. */
  adopt(
    files: readonly { ref: Ref; hash: string; reader: number; stamp: Stamp; readAt: number }[],
  ): Promise<(Adopted | null)[]>
}

/** How many chunks and notes a document has that was taken over. */
export interface Adopted {
  chunks: number
  notes: number
}

export interface WordQuery {
  terms: readonly QueryTerm[]
  /** The weight of a match in each field. */
  weights: Readonly<Record<Field, number>>
  scope: Scope
  limit: number
}

export interface QueryTerm {
  term: string
  weight: number
  /** Only chunks with this term are candidates. */
  required?: boolean
}

export interface TermQuery {
  prefix: string
  matches(term: string): boolean
  /** False: no term that begins so matches. It lets a store skip most of its terms. */
  mayMatch(start: string): boolean
}

export interface TermCount {
  term: string
  chunks: number
}

export interface WordRanking {
  ranks: WordRank[]
  /** For each query term, the highest BM25 score it can contribute. Makes scores comparable between queries. */
  maxTermScores: number[]
  /** For each query term, how many chunks of the whole store have it, regardless of the scope. */
  holders: number[]
  /**
   * The scores of any chunks, ranked or not, in scope or not, on the snapshot of the ranking. Skips chunks that have none
   * of the terms.
   */
  of(chunks: readonly number[]): WordRank[]
}

export interface WordRank {
  chunk: number
  score: number
  /** The score that each query term contributed, in the order of the query. */
  parts: number[]
}

export interface PendingOrder {
  /** These chunks come before all others. */
  preferred?: readonly number[] | undefined
  /** Documents for whose path this is true come after all others. */
  isLast?: ((path: string) => boolean) | undefined
}

export interface VectorStore {
  /** Chunks without a vector of this model: the preferred ones first, then by most recently read document and position. */
  pending(model: string, limit: number, order?: PendingOrder): Promise<PendingChunk[]>
  /** Stores vectors of unit length. Skips chunks that no longer exist or whose hash changed. Returns how many it stored. */
  put(
    model: string,
    vectors: readonly { chunk: number; hash: string; vector: Float32Array }[],
  ): Promise<number>
  /** The chunks in scope with the highest cosine, best first; ties by source, path and position. */
  nearest(query: { model: string; vector: Float32Array; scope: Scope; limit: number }): Promise<VectorRank[]>
  /** The cosine of each chunk that has a vector. */
  cosines(model: string, vector: Float32Array, chunks: readonly number[]): Promise<Map<number, number>>
  /** The vectors of those chunks that have one. */
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
 * Discoveries, sessions, jobs and other values that no source has, so the store must not lose them. Records of a kind that
 * starts with `~` (statistics, the last run) can be recreated; they need not survive the loss of the database.
 */
export interface RecordStore {
  put(kind: string, id: string, value: unknown): Promise<void>
  /** Stores records of any kinds, all of them or none. */
  putAll(records: readonly { kind: string; id: string; value: unknown }[]): Promise<void>
  get<T>(kind: string, id: string): Promise<T | null>
  /** Ordered by id. */
  all<T>(kind: string): Promise<{ id: string; value: T }[]>
  /** Reads, changes and writes in one transaction. A change that returns null deletes the record. */
  update<T>(kind: string, id: string, change: (value: T | null) => T | null): Promise<T | null>
  delete(kind: string, id: string): Promise<boolean>
  /** Deletes every record of a kind. Returns how many there were. */
  clear(kind: string): Promise<number>
}

export interface StoreCounts {
  sources: number
  documents: number
  chunks: number
  /** Characters (UTF-16 units) of text in all documents. */
  chars: number
  bySource: Record<string, { documents: number; chunks: number }>
}

/** The space that the store uses on the disk, in bytes. */
export interface DiskUse {
  /** The texts of documents, with their sections and links. */
  texts: number
  postings: number
  vectors: number
  /** Documents, chunks, records and space that is not used. */
  rest: number
}
