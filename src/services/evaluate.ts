// How good the answers are on a judged set in BEIR form: corpus.jsonl, queries.jsonl, qrels.tsv with a header line.
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Embedder } from '../embed/port.js'
import type { Reranker } from '../embed/rerank/port.js'
import { prepare } from '../ingest/prepare.js'
import { type Note, Problem } from '../model/problem.js'
import { type Ports, type Search, search } from '../retrieve/search.js'
import type { Store } from '../store/port.js'
import { embedBatch } from './meaning.js'
import { mean, ndcg, percentile, recall, reciprocalRank } from './metrics.js'

export type EvalMode = Search['mode']

export interface EvalReport {
  set: string
  mode: EvalMode
  documents: number
  queries: number
  /** Any grade above 0 counts as relevant. */
  ndcg10: number
  /** With the grades as gains. */
  ndcg10Graded: number
  recall100: number
  mrr10: number
  queryMs: { p50: number; p95: number }
  indexMs: number
  notes: string[]
}

export interface EvalOptions {
  folder: string
  mode: EvalMode
  onProgress?: (message: string) => void
  signal?: AbortSignal
}

type Judged = Map<string, Map<string, number>>

/** Opens a store in a folder of its own: an evaluation never touches the project's index. */
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
  const files = requireFiles(options.folder)
  const data = mkdtempSync(join(tmpdir(), 'carrel-eval-'))
  const store = await open(data)
  try {
    const start = performance.now()
    const documents = await indexCorpus(store, files.corpus, options)
    if (embedder && options.mode !== 'text') await embedAll(store, embedder, options)
    const indexMs = performance.now() - start
    const judged = await readJudgements(files.qrels)
    const queries = (await readLines(files.queries)).map(
      parseLine<{ _id: string; text: string }>(files.queries),
    )
    const asked = queries.filter(({ _id }) => judged.has(String(_id)))
    if (asked.length === 0)
      throw new Problem('no_queries', `No query of ${files.queries} has a judgement in ${files.qrels}.`)
    const results = await askAll({ store, embedder, reranker }, asked, options)
    return {
      set: basename(resolve(options.folder)),
      mode: options.mode,
      documents,
      queries: asked.length,
      indexMs,
      ...measure(results, judged),
    }
  } finally {
    await store.close()
    rmSync(data, { recursive: true, force: true })
  }
}

function requireFiles(folder: string) {
  const files = {
    corpus: join(folder, 'corpus.jsonl'),
    queries: join(folder, 'queries.jsonl'),
    qrels: join(folder, 'qrels.tsv'),
  }
  const qrels = [files.qrels, join(folder, 'qrels', 'test.tsv')].find(existsSync)
  for (const file of [files.corpus, files.queries, qrels ?? files.qrels])
    if (!existsSync(file))
      throw new Problem(
        'no_set',
        `There is no ${basename(file)} in ${folder}.`,
        'An evaluation set has corpus.jsonl, queries.jsonl and qrels.tsv.',
      )
  return { ...files, qrels: qrels! }
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

async function indexCorpus(store: Store, file: string, options: EvalOptions): Promise<number> {
  await store.putSource(source)
  const lines = (await readLines(file)).map(parseLine<{ _id: string; title?: string; text: string }>(file))
  for (let i = 0; i < lines.length; i += batch) {
    options.signal?.throwIfAborted()
    options.onProgress?.(`indexing ${i} of ${lines.length}`)
    const documents = await Promise.all(lines.slice(i, i + batch).map(toDocument))
    await store.replace(documents)
  }
  await store.settle(options.signal)
  return lines.length
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

function toDocument({ _id, title, text }: { _id: string; title?: string; text: string }) {
  const bytes = Buffer.from(String(text ?? ''))
  return prepare({
    ref: { source: source.id, path: pathOf(String(_id)) },
    bytes,
    stamp: null,
    readAt: 0,
    title: title ?? '',
  })
}

function pathOf(id: string): string {
  return `${encodeURIComponent(id)}.txt`
}

function idOf(path: string): string {
  return decodeURIComponent(path.slice(0, -'.txt'.length))
}

interface Asked {
  id: string
  ranked: string[]
  ms: number
  notes: Note[]
}

const depth = 100

async function askAll(
  ports: Ports,
  queries: { _id: string; text: string }[],
  options: EvalOptions,
): Promise<Asked[]> {
  const results: Asked[] = []
  for (const [i, { _id, text }] of queries.entries()) {
    options.signal?.throwIfAborted()
    if (i % 50 === 0) options.onProgress?.(`asking ${i} of ${queries.length}`)
    const query = { text, scope: {}, mode: options.mode, perDocument: 1 }
    // Timed as it is used, with ten results; ranked a hundred deep for recall.
    const start = performance.now()
    await search(ports, { ...query, limit: 10 })
    const ms = performance.now() - start
    const { hits, notes } = await search(ports, { ...query, limit: depth })
    results.push({ id: String(_id), ranked: [...new Set(hits.map((hit) => idOf(hit.ref.path)))], ms, notes })
  }
  return results
}

function measure(results: Asked[], judged: Judged) {
  const times = results.map(({ ms }) => ms)
  const grades = (id: string) => judged.get(id)!
  const binary = (id: string) =>
    new Map([...grades(id)].map(([document, grade]) => [document, grade > 0 ? 1 : 0]))
  const notes = new Set(results.flatMap((result) => result.notes.map((note) => note.message)))
  return {
    ndcg10: mean(results.map(({ id, ranked }) => ndcg(ranked, binary(id), 10))),
    ndcg10Graded: mean(results.map(({ id, ranked }) => ndcg(ranked, grades(id), 10))),
    recall100: mean(results.map(({ id, ranked }) => recall(ranked, grades(id), 100))),
    mrr10: mean(results.map(({ id, ranked }) => reciprocalRank(ranked, grades(id), 10))),
    queryMs: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
    notes: [...notes],
  }
}

async function readJudgements(file: string): Promise<Judged> {
  const judged: Judged = new Map()
  for (const [i, line] of (await readLines(file)).entries()) {
    const [query, document, grade] = line.split('\t')
    if (i === 0 && !Number.isFinite(Number(grade))) continue
    if (query === undefined || document === undefined || !Number.isFinite(Number(grade)))
      throw new Problem('bad_set', `Line ${i + 1} of ${file} is not "query, document, grade" parted by tabs.`)
    const row = judged.get(query) ?? new Map<string, number>()
    judged.set(query, row.set(document, Number(grade)))
  }
  for (const [query, row] of judged) if (![...row.values()].some((grade) => grade > 0)) judged.delete(query)
  return judged
}

async function readLines(file: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  }))
    if (line.trim() !== '') lines.push(line)
  return lines
}

function parseLine<T>(file: string) {
  return (line: string, i: number): T => {
    try {
      return JSON.parse(line) as T
    } catch (error) {
      throw new Problem('bad_set', `Line ${i + 1} of ${file} is not JSON.`, undefined, { cause: error })
    }
  }
}
