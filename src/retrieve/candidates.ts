// Candidates by words and by meaning, scoped before ranking, and united. How far down both look grows when that does not
// fill the list.

import type { Embedder } from '../embed/port.js'
import type { Stage } from '../model/hit.js'
import { type Note, reasonOf } from '../model/problem.js'
import { withTimeout } from '../runtime/timeout.js'
import type { VectorRank } from '../store/port.js'
import { spelledIn } from './exact.js'
import { quotes } from './query.js'
import { type Candidate, unite } from './relevance.js'
import type { Asked, Ports, Search } from './search.js'
import { byWords, canBeSought, type WordHits } from './words.js'

export interface Looked {
  candidates: Candidate[]
  words: WordHits
  /** There may be others farther down. */
  more: boolean
}

/** The model starts now, on its own thread; each call looks so many times as far down as is usual. */
export function looking(ports: Ports, query: Asked, run: Run): (times: number) => Promise<Looked> {
  const started = startMeaning(ports, query, run)
  return async (times) => {
    const alone = query.mode === 'vector' && started !== null
    // By meaning alone words find nothing, but they count in the score of what is found: it is the same in every mode.
    const words = await lookForWords(ports, query, times, run)
    const vector = started && (await awaitVector(started, run))
    if (!vector || !alone || quotes(query.text)) tellOfWords(words, run)
    if (vector && alone && isDemand(words))
      return timed(run, 'meaning', () => holdersByMeaning(ports, query, words, vector))
    const listed = alone ? { ...words, ranks: [], more: false } : words
    if (vector) return timed(run, 'meaning', () => addMeaning(ports, query, listed, vector, times))
    const candidates = unite(words, [], new Map()).filter(admitted(query))
    return { candidates, words, more: words.more && query.maxDistance === undefined }
  }
}

// Enough to fill the list after joining neighbours and capping documents. What has a name with its signs may stand below
// many that have its words.
function depth({ limit, part, text }: Search): number {
  if (part) return mostOfDocuments
  return Math.max(spelledIn(text)?.isAll ? 300 : 100, limit * 5)
}

/** So many passages with a quoted phrase are ordered by meaning alone. */
const mostHolders = 2000

/** A part of a document is chosen from all of its chunks; no document has more. */
const mostOfDocuments = 100_000

function startMeaning({ embedder }: Ports, query: Search, run: Run): Promise<Float32Array | Note> | null {
  if (query.mode === 'text') return null
  if (!embedder) {
    tell(run, 'words_only', 'No embedding model is set up; this search is by words.')
    record(run, { name: 'meaning', ms: 0, state: 'skipped', reason: 'no embedding model' })
    return null
  }
  if (query.text.trim() === '') return null
  return queryVector(embedder, query.text, run.end - performance.now())
}

async function lookForWords({ store }: Ports, query: Asked, times: number, run: Run): Promise<WordHits> {
  const { text, words, corrected, scope, part, limit } = query
  const most = depth(query) * times
  // Meaning alone puts those that hold a phrase in another order than words: it is given more of them.
  const [given, enough] =
    query.mode === 'vector' && quotes(text) ? [Math.max(mostHolders, most), most] : [most, limit * times]
  const asked = { text: words, corrected, scope, part, limit: given, enough, end: run.end }
  return timed(
    run,
    'words',
    () => byWords(store, asked),
    ({ stoppedAfter }) => (stoppedAfter === null ? null : 'There was no time to look at all passages.'),
  )
}

function tellOfWords(words: WordHits, run: Run) {
  if (words.asked.terms.length === 0) tell(run, 'empty_query', 'The query has no words to look for.')
  if (words.asked.cut) tell(run, 'query_cut', 'The query is very long; only its first words were looked for.')
  if (words.phraseMissed) tell(run, 'phrase_missed', missed(words))
}

function missed({ asked, stoppedAfter }: WordHits): string {
  const [what, be, their] = asked.phrases.length === 1 ? ['phrase', 'is', 'its'] : ['phrases', 'are', 'their']
  if (!canBeSought(asked))
    return 'A single character of this script cannot be looked for in quotation marks; quote one more beside it. This is the search without them.'
  const nowhere = asked.phrases.length === 1 ? 'stands nowhere' : 'stand nowhere together'
  const where =
    stoppedAfter === null
      ? nowhere
      : `${be} not among the best ${stoppedAfter} passages with ${their} words, and there was no time to look at more`
  return `The quoted ${what} ${where}; this is the search without ${their} quotation marks.`
}

/** The question's vector; null when there is none, which is told. */
async function awaitVector(started: Promise<Float32Array | Note>, run: Run): Promise<Float32Array | null> {
  const start = performance.now()
  const vector = await started
  const ms = performance.now() - start
  if (vector instanceof Float32Array) {
    record(run, { name: 'embed', ms, state: 'ran' })
    return vector
  }
  tell(run, vector.code, vector.message)
  record(run, { name: 'meaning', ms, state: 'cut', reason: vector.message })
  return null
}

/** What holds the quoted phrase, found by meaning alone; where there is no vector yet, by its words. */
async function holdersByMeaning(
  { store, embedder }: Ports,
  query: Search,
  words: WordHits,
  vector: Float32Array,
): Promise<Looked> {
  const holders = words.ranks.map(({ chunk }) => chunk)
  const cosines = await store.vectors.cosines(embedder!.model, vector, holders)
  const measured = holders
    .flatMap((chunk) => (cosines.has(chunk) ? [{ chunk, cosine: cosines.get(chunk)! }] : []))
    .sort((a, b) => b.cosine - a.cosine)
  const others = words.ranks.filter(({ chunk }) => !cosines.has(chunk))
  const near = unite({ ...words, ranks: [] }, measured, cosines)
  const candidates = [...near, ...unite({ ...words, ranks: others }, [], cosines)].filter(admitted(query))
  return { candidates, words, more: words.more }
}

/** A quoted phrase is a demand: meaning then only ranks what has it. */
export function isDemand({ asked, phraseMissed }: WordHits): boolean {
  return asked.phrases.length > 0 && !phraseMissed
}

async function addMeaning(
  { store, embedder }: Ports,
  query: Search,
  words: WordHits,
  vector: Float32Array,
  times: number,
): Promise<Looked> {
  const { model } = embedder!
  const strict = isDemand(words)
  const limit = depth(query) * times
  const ranks = strict ? [] : await store.vectors.nearest({ model, vector, scope: query.scope, limit })
  const measured = new Set(ranks.map(({ chunk }) => chunk))
  const others = words.ranks.flatMap(({ chunk }) => (measured.has(chunk) ? [] : [chunk]))
  const cosines = await store.vectors.cosines(model, vector, others)
  const candidates = unite(words, ranks, cosines).filter(admitted(query))
  // All that is near enough is among the nearest, whatever its words.
  const byWord = words.more && (strict || query.maxDistance === undefined)
  return { candidates, words, more: byWord || goesOn(ranks, limit, query) }
}

function goesOn(ranks: readonly VectorRank[], limit: number, { maxDistance }: Search): boolean {
  return ranks.length >= limit && isNear(ranks.at(-1)!.cosine, maxDistance)
}

function admitted({ maxDistance, part }: Search): (candidate: Candidate) => boolean {
  return ({ chunk, meaning }) => (!part || part.has(chunk)) && isNear(meaning?.cosine, maxDistance)
}

function isNear(cosine: number | undefined, maxDistance: number | undefined): boolean {
  return maxDistance === undefined || (cosine !== undefined && 1 - cosine <= maxDistance)
}

/** The query as a vector; a note when the model fails or the deadline passes: words always answer. */
async function queryVector(embedder: Embedder, text: string, msLeft: number): Promise<Float32Array | Note> {
  const late = {
    code: 'words_only',
    message: 'There was no time to search by meaning; these hits are by words.',
  }
  try {
    return await withTimeout(
      msLeft,
      late,
      async (signal) => (await embedder.embed([text], { kind: 'query', signal }))[0]!,
    )
  } catch (error) {
    const message = `Search by meaning is not available: ${reasonOf(error)} These hits are by words.`
    return { code: 'words_only', message }
  }
}

/** One search under way: what is to be told about it. */
export interface Run {
  notes: Note[]
  stages: Stage[]
  /** When the answer is due. */
  end: number
}

export function isLate({ end }: Run): boolean {
  return performance.now() >= end
}

/** Tells it once, however often a stage is gone through. */
export function tell({ notes }: Run, code: string, message: string) {
  if (!notes.some((note) => note.code === code)) notes.push({ code, message })
}

/** A stage that is gone through again adds to its time, and stays cut short when it once was. */
export function record({ stages }: Run, stage: Stage) {
  const place = stages.findIndex(({ name }) => name === stage.name)
  const known = stages[place]
  if (!known) stages.push(stage)
  else stages[place] = { ...(known.state === 'cut' ? known : stage), ms: known.ms + stage.ms }
}

/** Times some work. `cut` tells why it was cut short, if it was. */
export async function timed<T>(
  run: Run,
  name: string,
  work: () => Promise<T>,
  cut: (result: T) => string | null = () => null,
): Promise<T> {
  const start = performance.now()
  const result = await work()
  const ms = performance.now() - start
  const reason = cut(result)
  record(run, reason === null ? { name, ms, state: 'ran' } : { name, ms, state: 'cut', reason })
  return result
}
