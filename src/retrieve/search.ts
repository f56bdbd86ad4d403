// The road out: both arms, scoped before ranking; united; assembled within a budget. Every stage says that it ran, was
// skipped or was cut short. Pure over the ports.
import type { Embedder } from '../embed/port.js'
import type { Reranker } from '../embed/rerank/port.js'
import type { StoredChunk } from '../model/document.js'
import type { Found, Hit, Stage } from '../model/hit.js'
import type { Note } from '../model/problem.js'
import type { Scope } from '../model/source.js'
import type { Store } from '../store/port.js'
import { type Passage, passages, type Scored, textOf, withinBudget } from './assemble.js'
import { exactly } from './exact.js'
import { type Candidate, order, shortlist, unite } from './fuse.js'
import { byMeaning, queryVector } from './meaning.js'
import { rerank, reranked } from './rerank.js'
import { byWords, type WordHits } from './words.js'

export interface Ports {
  store: Store
  /** Null: search is by words alone. */
  embedder: Embedder | null
  /** For `mode: 'rerank'`; null or absent: the hybrid order, with a note. */
  reranker?: Reranker | null
}

export interface Search {
  text: string
  scope: Scope
  mode: 'text' | 'vector' | 'hybrid' | 'rerank'
  limit: number
  /** How many passages one document may have while others wait. */
  perDocument: number
  maxTokens?: number
  /** No row is farther than this (cosine distance); one that could not be measured is not shown. */
  maxDistance?: number
  /** Only these chunks, all of documents that the scope names: a part of a document. */
  within?: ReadonlySet<number>
  deadlineMs?: number
  explain?: boolean
}

export async function search(ports: Ports, query: Search): Promise<Found> {
  const run: Run = {
    notes: [],
    stages: [],
    end: performance.now() + (query.deadlineMs ?? Number.POSITIVE_INFINITY),
  }
  // The model works on its own thread while the words are looked up here.
  const vector = startMeaning(ports, query, run)
  const words = await byWordsUnless(query.mode === 'vector' && vector !== null, ports, query, run)
  const candidates = (await addMeaning(ports, query, words, vector, run)).filter(admitted(query))
  const widened = query.mode === 'rerank' ? { ...query, limit: Math.max(query.limit, reranked) } : query
  const assembled = await timed(run, 'assemble', () => assemble(ports.store, widened, candidates, words))
  const hits = query.mode === 'rerank' ? await secondLook(ports, query, assembled, run) : assembled
  return {
    hits: hits.map(({ hit }) => hit),
    notes: run.notes,
    stages: run.stages,
    unembedded: unembedded(hits, ports),
  }
}

type Assembled = { hit: Hit; candidate: Candidate }[]

async function secondLook(
  { reranker }: Ports,
  query: Search,
  assembled: Assembled,
  run: Run,
): Promise<Assembled> {
  if (!reranker) {
    run.notes.push({ code: 'not_reranked', message: 'No reranker is set up; this is the hybrid order.' })
    run.stages.push({ name: 'rerank', ms: 0, state: 'skipped', reason: 'no reranker' })
    return assembled.slice(0, query.limit)
  }
  const start = performance.now()
  const best = assembled.slice(0, reranked)
  const passages = best.map(({ hit }) => ({ text: `${hit.title}\n${hit.text}`, score: hit.score }))
  const scores = await rerank(reranker, query.text, passages, run.end - start)
  const ms = performance.now() - start
  if (!Array.isArray(scores)) {
    run.notes.push(scores)
    run.stages.push({ name: 'rerank', ms, state: 'cut', reason: scores.message })
    return assembled.slice(0, query.limit)
  }
  run.stages.push({ name: 'rerank', ms, state: 'ran' })
  const again = best.map(({ hit, candidate }, i) => ({
    hit: { ...hit, score: scores[i]!, by: 'rerank' as const },
    candidate,
  }))
  // What was not looked at again stands below what was: its relevance is capped by the last one's.
  const sorted = again.sort((a, b) => b.hit.score - a.hit.score)
  const least = sorted.at(-1)?.hit.score ?? 1
  const rest = assembled
    .slice(reranked)
    .map(({ hit, candidate }) => ({ hit: { ...hit, score: Math.min(hit.score, least) }, candidate }))
  return [...sorted, ...rest].slice(0, query.limit)
}

interface Run {
  notes: Note[]
  stages: Stage[]
  /** When the answer is due. */
  end: number
}

const noWords: WordHits = {
  asked: { terms: [], wholes: [], phrases: [], cut: false },
  ranks: [],
  ceiling: 0,
  phraseMissed: false,
}

// Enough to fill the list after joining neighbours and capping documents.
function depth({ limit, within }: Search): number {
  return within ? mostOfDocuments : Math.max(100, limit * 5)
}

/** A part of a document is chosen from all of its chunks; no document has more. */
const mostOfDocuments = 100_000

function admitted({ maxDistance, within }: Search): (candidate: Candidate) => boolean {
  const near = (cosine: number | undefined) =>
    maxDistance === undefined || (cosine !== undefined && 1 - cosine <= maxDistance)
  return ({ chunk, meaning }) => (!within || within.has(chunk)) && near(meaning?.cosine)
}

function startMeaning({ embedder }: Ports, query: Search, run: Run): Promise<Float32Array | Note> | null {
  if (query.mode === 'text') return null
  if (!embedder) {
    if (query.mode !== 'hybrid')
      run.notes.push({
        code: 'words_only',
        message: 'No embedding model is set up; these hits are by words.',
      })
    run.stages.push({ name: 'meaning', ms: 0, state: 'skipped', reason: 'no embedding model' })
    return null
  }
  if (query.text.trim() === '') return null
  return queryVector(embedder, query.text, run.end - performance.now())
}

async function byWordsUnless(skip: boolean, ports: Ports, query: Search, run: Run): Promise<WordHits> {
  if (skip) return noWords
  const words = await timed(run, 'words', () =>
    byWords(ports.store, { text: query.text, scope: query.scope, limit: depth(query) }),
  )
  const note = (code: string, message: string) => run.notes.push({ code, message })
  if (words.asked.terms.length === 0) note('empty_query', 'The query has no words to look for.')
  if (words.asked.cut) note('query_cut', 'The query is very long; only its first words were looked for.')
  if (words.phraseMissed)
    note('phrase_missed', 'The quoted phrase stands nowhere; these passages have its words.')
  return words
}

async function addMeaning(
  { store, embedder }: Ports,
  query: Search,
  words: WordHits,
  started: Promise<Float32Array | Note> | null,
  run: Run,
): Promise<Candidate[]> {
  if (!started || !embedder) return unite(words, [], new Map())
  const start = performance.now()
  const vector = await started
  if (!(vector instanceof Float32Array)) {
    run.notes.push(vector)
    run.stages.push({ name: 'meaning', ms: performance.now() - start, state: 'cut', reason: vector.message })
    return unite(
      words.ranks.length > 0 ? words : await byWordsUnless(false, { store, embedder }, query, run),
      [],
      new Map(),
    )
  }
  run.stages.push({ name: 'embed', ms: performance.now() - start, state: 'ran' })
  return timed(run, 'meaning', async () => {
    // A quoted phrase is a demand: meaning then only ranks what has it.
    const strict = words.asked.phrases.length > 0 && !words.phraseMissed
    const { ranks } = strict
      ? { ranks: [] }
      : await byMeaning(store, {
          model: embedder.model,
          vector,
          scope: query.scope,
          limit: depth(query),
        })
    const measured = new Set(ranks.map(({ chunk }) => chunk))
    const others = words.ranks.flatMap(({ chunk }) => (measured.has(chunk) ? [] : [chunk]))
    const cosines = await store.vectors.cosines(embedder.model, vector, others)
    return unite(words, ranks, cosines)
  })
}

async function assemble(
  store: Store,
  query: Search,
  candidates: Candidate[],
  words: WordHits,
): Promise<Assembled> {
  const promising = shortlist(candidates, query.limit * 3 + 20)
  const read = await store.chunks(promising.map(({ chunk }) => chunk))
  const chunks = new Map(read.map((chunk) => [chunk.id, chunk]))
  const ordered = order(promising, chunks, exactness(query.text, words))
  const known = new Map(ordered.map((one) => [one.chunk.id, one]))
  const chosen = passages(ordered as Scored[], query)
  return withinBudget(chosen.map(textOf), query.maxTokens).map(({ text, cut }, i) => {
    const passage = chosen[i]!
    const { candidate, exact, score } = known.get(passage.best.chunk.id)!
    const hit = hitOf(passage, candidate, text, cut)
    const explained = query.explain ? { ...hit, explain: explain(candidate, { exact, score }, words) } : hit
    return { hit: explained, candidate }
  })
}

function unembedded(hits: { candidate: Candidate }[], { embedder }: Ports): number[] {
  return embedder ? hits.flatMap(({ candidate }) => (candidate.meaning ? [] : [candidate.chunk])) : []
}

// Only a passage that has every word can have them in a row; of a long question hardly any has.
function exactness(text: string, { asked }: WordHits) {
  const literal = exactly(text)
  const complete = ({ words }: Candidate) =>
    words?.parts.every((part, i) => part > 0 || asked.wholes[i]) ?? false
  return (candidate: Candidate, chunk: StoredChunk) => (complete(candidate) ? literal(chunk) : 0)
}

function hitOf(passage: Passage, candidate: Candidate, text: string, cut: boolean): Hit {
  const first = passage.chunks[0]!
  const last = passage.chunks.at(-1)!
  const { chunk, score } = passage.best
  return {
    ref: first.ref,
    title: first.title,
    heading: chunk.headings.at(-1) ?? null,
    headings: chunk.headings,
    symbols: [...new Set(passage.chunks.flatMap((one) => one.symbols))],
    kind: chunk.kind,
    format: first.format,
    language: chunk.language,
    lines: [first.line, last.endLine],
    text,
    score,
    distance: candidate.meaning ? 1 - candidate.meaning.cosine : null,
    by: foundBy(candidate),
    index: first.index,
    count: first.count,
    cut,
  }
}

function foundBy({ words, meaning }: Candidate): Hit['by'] {
  if (!words) return 'meaning'
  return meaning?.rank ? 'both' : 'words'
}

function explain(
  { words, meaning, share }: Candidate,
  figures: { exact: number; score: number },
  { asked }: WordHits,
): Hit['explain'] {
  return {
    words: words && { rank: words.rank, score: words.score, share },
    meaning,
    ...figures,
    terms: Object.fromEntries(asked.terms.map(({ term }, i) => [term, words?.parts[i] ?? 0])),
  }
}

async function timed<T>(run: Run, name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  run.stages.push({ name, ms: performance.now() - start, state: 'ran' })
  return result
}
