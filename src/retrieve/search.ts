// A search: candidates by words and by meaning, the best of them as passages, within a budget. Each stage reports that it
// ran, was skipped or was cut short. Pure over the ports.

import type { Embedder, Reranker } from '../embed/port.js'
import type { StoredChunk } from '../model/document.js'
import type { Found, Hit, SearchMode } from '../model/hit.js'
import type { Scope } from '../model/scope.js'
import { createYielder } from '../runtime/yield.js'
import type { Store } from '../store/port.js'
import { terms } from '../text/terms.js'
import { type AskedLanguage, askedLanguage } from './asked-language.js'
import { isDemand, isLate, looking, type Run, tell, timed } from './candidates.js'
import { correct, correctedWeight } from './correct.js'
import { exactly, exactness, namesIn, type Spelled, sideRoles, spelledIn } from './exact.js'
import {
  type CopyCount,
  countCopies,
  fit,
  headingsAbove,
  isFrontMatter,
  longestPassage,
  type Passage,
  passages,
  type Room,
  readPassages,
  textKey,
} from './passages.js'
import { type IsKnown, knownTerms, mostCharacters, quotes } from './query.js'
import {
  byPromise,
  byRelevance,
  type Candidate,
  isWeak,
  moved,
  type Rated,
  type Reading,
  rate,
} from './relevance.js'
import { rerank, reranked } from './rerank.js'
import { lengthFactor } from './score.js'
import { translate } from './translate.js'
import { inPart, type Part, type WordHits } from './words.js'

export interface Ports {
  store: Store
  /** Null: search is by words alone. */
  embedder: Embedder | null
  /** For `mode: 'rerank'`; null or absent: the vectors of the best passages judge the others. */
  reranker?: Reranker | null
}

export interface Search extends Room {
  text: string
  scope: Scope
  mode: SearchMode
  maxTokens?: number | undefined
  /** What closes a text that was cut to the budget; its tokens count. */
  ending?: ((hit: Hit) => string) | undefined
  /** No row is farther than this (cosine distance); one that could not be measured is not shown. */
  maxDistance?: number
  /** Only this part of the documents that the scope names. */
  part?: Part
  /** Words that the index does not know are not corrected: the text is no question that somebody typed. */
  asWritten?: boolean | undefined
  deadlineMs?: number
  explain?: boolean
}

/** A search whose text is as it is looked for. */
export interface Asked extends Search {
  /** What the search by words looks for, where it is not the text. */
  words: string
  /** Terms of corrected and translated words, which count for less. */
  corrected: ReadonlySet<string>
  /** The programming language that the question names; the text is without the name. */
  language: AskedLanguage | null
}

export async function search(ports: Ports, written: Search): Promise<Found> {
  const run: Run = {
    notes: [],
    stages: [],
    end: performance.now() + (written.deadlineMs ?? Number.POSITIVE_INFINITY),
  }
  const query = withLanguage(await asked(ports.store, written, run))
  const widened = query.mode === 'rerank' ? { ...query, limit: Math.max(query.limit, reranked) } : query
  const assembled = await fill(ports, widened, run)
  const hits = query.mode === 'rerank' ? await rerank(ports, query, assembled, run) : assembled
  const { fitting, notes } = fit(
    hits.map(({ hit }) => hit),
    { asked: query.text, maxTokens: query.maxTokens, ending: query.ending },
  )
  return {
    hits: fitting,
    notes: [...run.notes, ...notes],
    stages: run.stages,
    unembedded: unembedded(hits.slice(0, fitting.length), ports),
    isWeak: hits.every(({ candidate }) => isWeak(evidence(candidate))),
  }
}

function evidence({ words, meaning, share }: Candidate): Parameters<typeof isWeak>[0] {
  const parts = words?.parts ?? []
  const said = parts.filter((part) => part > 0).length / Math.max(1, parts.length)
  return { cosine: meaning?.cosine ?? null, share, said }
}

async function asked(store: Store, query: Search, run: Run): Promise<Asked> {
  const asWritten = { ...query, words: query.text, corrected: new Set<string>(), language: null }
  if (query.asWritten) return asWritten
  const isKnown = knownTerms(store)
  if (await allKnown(query.text, isKnown)) return asWritten
  const translated = await translate(isKnown, query.text)
  if (translated) {
    const { text, words, terms, english, language } = translated
    tell(run, 'translated', `Searched for ${english.join(', ')} (translated from ${language}).`)
    return { ...asWritten, text, words, corrected: terms }
  }
  const corrected = await correct(store, isKnown, query.text)
  if (!corrected) return asWritten
  const words = corrected.words.map(({ written, searched }) => `${searched} (you wrote ${written})`)
  tell(run, 'corrected', `Searched for ${words.join(' and ')}.`)
  return { ...asWritten, text: corrected.text, words: corrected.text, corrected: corrected.terms }
}

function withLanguage(query: Asked): Asked {
  const language = query.asWritten || quotes(query.text) ? null : askedLanguage(query.text)
  return language ? { ...query, text: language.rest, language } : query
}

/** A question whose words all stand in the index is neither misspelt nor in another language than its library. */
async function allKnown(text: string, isKnown: IsKnown): Promise<boolean> {
  const all = [...new Set(terms(text.slice(0, mostCharacters)).map(({ term }) => term))]
  return all.length <= mostLookedUp && (await Promise.all(all.map(isKnown))).every((known) => known)
}

/** A longer text is pasted: it is neither corrected nor translated. */
const mostLookedUp = 100

export type Assembled = { hit: Hit; candidate: Candidate }[]

// Copies of one text are shown once and neighbours together, and there may be any number of them: where they take all
// the places, one looks farther down.
async function fill(ports: Ports, query: Asked, run: Run): Promise<Assembled> {
  const look = looking(ports, query, run)
  for (let times = 1; ; times *= 4) {
    const { candidates, words, more } = await look(times)
    const choice = { ...query, ...literalness(query, words) }
    const length = lengthFactor(
      words.asked.terms.length,
      candidates.some(({ meaning }) => meaning),
    )
    // It is a score, and passages are compared by their relevance.
    const threshold = query.threshold && moved(query.threshold, -length)
    const chosen = await timed(
      run,
      'assemble',
      () => choose(ports.store, candidates, { ...choice, threshold }, run),
      cutShort,
    )
    const isFull = chosen.passages.length >= query.limit || !(more || chosen.more)
    if (!isFull && isLate(run)) tell(run, 'incomplete', 'There was no time to look for more passages.')
    if (isFull || isLate(run))
      return timed(run, 'assemble', () => assemble(ports.store, query, { chosen, words, length, more }))
  }
}

function cutShort({ more }: Chosen): string | null {
  return more ? 'There was no time to read all that was found.' : null
}

async function assemble(
  store: Store,
  query: Search,
  { chosen, words, length, more }: { chosen: Chosen; words: WordHits; length: number; more: boolean },
): Promise<Assembled> {
  const { passages, rated, copies, readAll } = chosen
  const shown = await readPassages(store, query.part ? passages : await withBodies(store, passages))
  const best = shown.map(
    ({
      passage: {
        best: { by, chunk },
      },
    }) => ({ ...rated.get(by.id)!, chunk }),
  )
  const above = await headingsAbove(store, best, words.asked)
  return shown.map(({ passage, document, text }, i) => {
    const { candidate, chunk } = best[i]!
    const relevance = passage.best.score
    const score = moved(relevance, length)
    const hit = {
      document,
      ...hitOf(passage, candidate, above.get(chunk.id) ?? chunk.headings),
      relevance,
      score,
      text,
      ...(query.copies ? {} : copies.of(chunk, readAll && !more)),
      ...(query.explain ? { explain: explain(best[i]!, words, length) } : {}),
    }
    return { hit, candidate }
  })
}

/** Fields in front of a document say nothing alone: they are shown with what follows them. */
async function withBodies(store: Store, passages: readonly Passage[]): Promise<Passage[]> {
  return Promise.all(
    passages.map(async (passage) => {
      const [first, second] = passage.chunks
      if (second || !isFrontMatter(first!)) return passage
      const next = (await store.chunksOf(first!.ref))[1]
      const isShown = next && passages.some(({ chunks }) => chunks.some(({ id }) => id === next.id))
      if (!next || isShown || next.end - first!.start > longestPassage) return passage
      return { ...passage, chunks: [first!, next] }
    }),
  )
}

function unembedded(hits: { candidate: Candidate }[], { embedder }: Ports): number[] {
  return embedder ? hits.flatMap(({ candidate }) => (candidate.meaning ? [] : [candidate.chunk])) : []
}

// Only a passage that has every word can have them in a row; of a long question hardly any has.
function literalness({ text, corrected, language }: Asked, words: WordHits) {
  const trust = corrected.size > 0 ? correctedWeight : 1
  const literal = exactly(text)
  const spelled = spelledIn(text)
  const complete = (candidate: Candidate) =>
    candidate.words?.parts.every((part, i) => part > 0 || words.asked.wholes[i]) ?? false
  const names = namesIn(text)
  const sideRole = sideRoles(text)
  const covered = coverage(words)
  // By words alone BM25 has said as much already; beside a model that does not know the word somebody must.
  const partly = (candidate: Candidate) =>
    candidate.meaning ? exactness.complete * covered(candidate) ** 3 : exactness.none
  return {
    promised: (candidate: Candidate) => trust * (complete(candidate) ? exactness.said : partly(candidate)),
    exactly: (candidate: Candidate, chunk: StoredChunk) =>
      trust * (complete(candidate) ? literal(chunk) : partly(candidate)),
    nameIn(chunk: StoredChunk) {
      const use = names?.useIn(chunk) ?? null
      return use && { use, value: trust * names!.valueOf(use) }
    },
    sideRole: (chunk: StoredChunk) =>
      sideRole(chunk) ?? (language?.isOf(chunk) === false ? 'other language' : null),
    counted: language ? inLanguage(language, words) : (candidate: Candidate) => candidate,
    last: words.named,
    isFirst: firstClass(words, spelled),
    reads: spelled?.isAll ? mostSpelled : names ? mostNamed : 0,
  }
}

/** Code of the language that was asked for has its name, as if the name stood in it as often as can be. */
function inLanguage({ term, isOf }: AskedLanguage, { asked, maxTermScores }: WordHits): Reading['counted'] {
  const at = asked.terms.findIndex((one) => one.term === term)
  const ceiling = maxTermScores.reduce((sum, most) => sum + most, 0)
  if (at < 0 || ceiling === 0) return (candidate) => candidate
  return (candidate, chunk) => {
    if (!isOf(chunk)) return candidate
    const { words, share } = candidate
    const parts = words?.parts ?? maxTermScores.map(() => 0)
    const missing = maxTermScores[at]! - parts[at]!
    return {
      ...candidate,
      share: Math.min(1, share + missing / ceiling),
      words: words && {
        ...words,
        parts: parts.map((part, i) => (i === at ? maxTermScores[at]! : part)),
      },
    }
  }
}

/** Whether a name has its signs is only seen in the text: so many are read for it. */
const mostSpelled = 300

/** What defines a name may have it less often than what uses it: so many are read. */
const mostNamed = 100

/**
 * Tells which chunks come before all others: those that say a quoted phrase in their own text, and those that have a name
 * with its signs. Null where the question asks for neither. It depends on question and chunk alone.
 */
function firstClass(words: WordHits, spelled: Spelled | null): ((chunk: StoredChunk) => boolean) | null {
  const demands = isDemand(words)
  const signs = spelled?.isAll ? spelled : null
  if (!demands && !signs) return null
  return (chunk) => !(demands && words.named.has(chunk.id)) && signs?.standsIn(chunk) !== false
}

/** How much of what the question's words tell a candidate has, however often; a word that nothing has tells nothing. */
function coverage({ holders, maxTermScores }: WordHits): (candidate: Candidate) => number {
  const told = maxTermScores.map((ceiling, i) => (holders[i]! > 0 ? ceiling : 0))
  const all = told.reduce((sum, one) => sum + one, 0)
  return ({ words }) =>
    words ? words.parts.reduce((sum, part, i) => sum + (part > 0 ? told[i]! : 0), 0) / all : 0
}

function hitOf(
  passage: Passage,
  candidate: Candidate,
  headings: string[],
): Omit<Hit, 'text' | 'document' | 'relevance' | 'score'> {
  const first = passage.chunks[0]!
  const last = passage.chunks.at(-1)!
  const { chunk } = passage.best
  return {
    ref: first.ref,
    heading: headings.at(-1) ?? null,
    headings,
    symbols: [...new Set(passage.chunks.flatMap((one) => one.symbols))],
    kind: chunk.kind,
    language: chunk.language,
    lines: [first.line, last.endLine],
    distance: candidate.meaning ? 1 - candidate.meaning.cosine : null,
    by: foundBy(candidate),
    index: first.index,
    cut: false,
  }
}

function foundBy({ words, meaning }: Candidate): Hit['by'] {
  if (!words?.rank) return 'meaning'
  return meaning?.rank ? 'both' : 'words'
}

function explain(
  { candidate: { words, meaning }, share, exact, name, role, half, score: relevance }: Omit<Rated, 'chunk'>,
  { asked }: WordHits,
  length: number,
): Hit['explain'] {
  return {
    words: words && { rank: words.rank, score: words.score, share },
    meaning,
    exact,
    ...(name ? { name } : {}),
    ...(role ? { role } : {}),
    ...(half ? { half } : {}),
    relevance,
    length,
    score: moved(relevance, length),
    terms: Object.fromEntries(asked.terms.map(({ term }, i) => [term, words?.parts[i] ?? 0])),
  }
}

interface Choice extends Room, Reading {
  part?: Part
  /** How literally a chunk may have the question, as far as can be told without its text. */
  promised: (candidate: Candidate) => number
  /** Tells which chunks come before all others; null where the question asks for no such order. */
  isFirst: ((chunk: StoredChunk) => boolean) | null
  /** Chunks that are read after all others: they do not themselves say what was quoted. */
  last: ReadonlySet<number>
  /** At least so many candidates are read. */
  reads: number
}

interface Chosen {
  passages: Passage[]
  /** Those that were read, by chunk. */
  rated: Map<number, Rated>
  /** Candidates were left when the time was up. */
  more: boolean
  /** Of those that were read. */
  copies: CopyCount
  readAll: boolean
}

/** Reads candidates, the most promising first, until they make as many passages as are asked for. */
async function choose(
  store: Store,
  candidates: readonly Candidate[],
  { promised, exactly, nameIn, sideRole, counted, last, isFirst, reads, ...options }: Choice,
  run: Run,
): Promise<Chosen> {
  const promising = byPromise(candidates, promised).sort(
    (a, b) => Number(last.has(a.chunk)) - Number(last.has(b.chunk)),
  )
  const reading = { exactly, nameIn, sideRole, counted }
  const yieldIfDue = createYielder()
  const distinct = new Map<string, Rated>()
  const keyOf = textKey(options)
  const copies = countCopies()
  let at = 0
  for (let end = Math.max(options.limit * 3 + 20, reads); ; end *= 2) {
    for (; at < Math.min(end, promising.length); at += step) {
      const some = promising.slice(at, Math.min(at + step, end))
      const chunks = inPart(await store.chunks(some.map(({ chunk }) => chunk)), options.part)
      keepBest(distinct, inClasses(rate(some, chunks, reading), isFirst), keyOf)
      copies.add(chunks)
      await yieldIfDue()
    }
    at = Math.min(end, promising.length)
    const rated = [...distinct.values()].sort(byRelevance)
    const chosen = passages(rated, options)
    const more = chosen.length < options.limit && at < promising.length
    if (!more || isLate(run)) {
      const byChunk = new Map(rated.map((one) => [one.chunk.id, one]))
      return { passages: chosen, rated: byChunk, more, copies, readAll: at >= promising.length }
    }
  }
}

const step = 50

/**
 * Those that come first have the upper half of the scale, the others the lower. The halves are fixed, so that a score does
 * not depend on what else was found.
 */
function inClasses(rated: Rated[], isFirst: Choice['isFirst']): Rated[] {
  if (!isFirst) return rated
  return rated.map((one) => {
    const half = isFirst(one.chunk) ? 'upper' : 'lower'
    return { ...one, half, score: ((half === 'upper' ? 1 : 0) + one.score) / 2 }
  })
}

/** Of copies only the best is kept: there may be thousands. */
function keepBest(
  distinct: Map<string, Rated>,
  rated: readonly Rated[],
  keyOf: (chunk: StoredChunk) => string,
) {
  for (const one of rated) {
    const key = keyOf(one.chunk)
    const known = distinct.get(key)
    if (!known || byRelevance(one, known) < 0) distinct.set(key, one)
  }
}
