// How good the answers are on a judged set.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { embedBatch } from '../../answer/vectors.js'
import type { Embedder, Reranker } from '../../embed/port.js'
import { prepare } from '../../ingest/prepare.js'
import type { Note } from '../../model/problem.js'
import type { EvalOptions, EvalReport } from '../../model/reports.js'
import { type Ports, search } from '../../retrieve/search.js'
import type { Store } from '../../store/port.js'
import { type Entry, type JudgedSet, readJudgedSet } from './judged-set.js'

/** Opens a store in a given folder: an evaluation never touches the project's index. */
export type OpenStore = (folder: string) => Promise<Store>

export interface Models {
  embedder: Embedder | null
  reranker: Reranker | null
}

export async function evaluate(
  open: OpenStore,
  { embedder, reranker }: Models,
  options: EvalOptions,
): Promise<EvalReport> {
  const set = await readJudgedSet(options.folder)
  const data = mkdtempSync(join(tmpdir(), 'carrel-eval-'))
  const store = await open(data)
  try {
    const start = performance.now()
    await indexCorpus(store, set.corpus, options)
    if (embedder && options.mode !== 'text') await embedAll(store, embedder, options)
    const indexMs = performance.now() - start
    const results = await runQueries({ store, embedder, reranker }, set.queries, options)
    return {
      set: basename(resolve(options.folder)),
      mode: options.mode,
      documents: set.corpus.length,
      queries: set.queries.length,
      indexMs,
      ...measure(results, set),
    }
  } finally {
    await store.close()
    rmSync(data, { recursive: true, force: true, maxRetries: 3 })
  }
}

const source = {
  id: 'eval',
  name: 'eval',
  kind: 'api',
  location: 'eval:',
  createdAt: '',
  updatedAt: '',
  details: {},
} as const
const batch = 500

async function indexCorpus(store: Store, corpus: readonly Entry[], options: EvalOptions) {
  await store.putSource(source)
  for (let i = 0; i < corpus.length; i += batch) {
    options.signal?.throwIfAborted()
    options.onProgress?.(`indexing ${i} of ${corpus.length}`)
    const documents = await Promise.all(corpus.slice(i, i + batch).map(toDocument))
    await store.replace(documents)
  }
  await store.settle(options.signal)
}

async function embedAll(store: Store, embedder: Embedder, options: EvalOptions) {
  const { chunks } = await store.counts()
  for (let done = 0; ; ) {
    options.onProgress?.(`embedding ${done} of ${chunks}`)
    const stored = await embedBatch(store, embedder, { limit: 64, signal: options.signal })
    if (stored === null) return
    done += stored
  }
}

function toDocument({ id, title, text }: Entry) {
  const ref = { source: source.id, path: pathOf(id) }
  return prepare({ ref, bytes: Buffer.from(text), stamp: null, readAt: 0, title })
}

function pathOf(id: string): string {
  return `${encodeURIComponent(id)}.txt`
}

function idOf(path: string): string {
  return decodeURIComponent(path.slice(0, -'.txt'.length))
}

interface QueryResult {
  id: string
  kind: string | null
  ranked: string[]
  ms: number
  notes: Note[]
}

const depth = 100

async function runQueries(
  ports: Ports,
  queries: readonly Entry[],
  options: EvalOptions,
): Promise<QueryResult[]> {
  const results: QueryResult[] = []
  for (const [i, { id, text, kind = null }] of queries.entries()) {
    options.signal?.throwIfAborted()
    if (i % 50 === 0) options.onProgress?.(`asking ${i} of ${queries.length}`)
    const query = { text, scope: {}, mode: options.mode, perDocument: 1 }
    // Timed with ten results, as in normal use; ranked a hundred deep for recall.
    const start = performance.now()
    await search(ports, { ...query, limit: 10 })
    const ms = performance.now() - start
    const { hits, notes } = await search(ports, { ...query, limit: depth })
    results.push({ id, kind, ranked: [...new Set(hits.map((hit) => idOf(hit.ref.path)))], ms, notes })
  }
  return results
}

function measure(results: QueryResult[], { judged, notes: known }: Pick<JudgedSet, 'judged' | 'notes'>) {
  const times = results.map(({ ms }) => ms)
  const notes = new Set(results.flatMap((result) => result.notes.map((note) => note.message)))
  const names = [...new Set(results.flatMap(({ kind }) => kind ?? []))].sort()
  const kinds = names.map((kind) => {
    const own = results.filter((one) => one.kind === kind)
    const { ndcg10Graded: _, ...measures } = means(own, judged)
    return { kind, queries: own.length, ...measures }
  })
  return {
    ...means(results, judged),
    queryMs: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
    kinds,
    notes: [...known, ...notes],
  }
}

function means(results: readonly QueryResult[], judged: JudgedSet['judged']) {
  const grades = (id: string) => judged.get(id)!
  const binary = (id: string) =>
    new Map([...grades(id)].map(([document, grade]) => [document, grade > 0 ? 1 : 0]))
  return {
    ndcg10: mean(results.map(({ id, ranked }) => ndcg(ranked, binary(id), 10))),
    ndcg10Graded: mean(results.map(({ id, ranked }) => ndcg(ranked, grades(id), 10))),
    recall100: mean(results.map(({ id, ranked }) => recall(ranked, grades(id), 100))),
    mrr10: mean(results.map(({ id, ranked }) => reciprocalRank(ranked, grades(id), 10))),
  }
}

/** The standard measures of a ranked list against judgements, without variants. */
export type Grades = ReadonlyMap<string, number>

export function ndcg(ranked: readonly string[], grades: Grades, depth: number): number {
  const ideal = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a)
  const best = dcg(ideal.slice(0, depth))
  return best === 0 ? 0 : dcg(ranked.slice(0, depth).map((id) => Math.max(0, grades.get(id) ?? 0))) / best
}

function dcg(gains: readonly number[]): number {
  return gains.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
}

export function recall(ranked: readonly string[], grades: Grades, depth: number): number {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id)
  const top = new Set(ranked.slice(0, depth))
  return relevant.length === 0 ? 0 : relevant.filter((id) => top.has(id)).length / relevant.length
}

function reciprocalRank(ranked: readonly string[], grades: Grades, depth: number): number {
  const place = ranked.slice(0, depth).findIndex((id) => (grades.get(id) ?? 0) > 0)
  return place < 0 ? 0 : 1 / (place + 1)
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
