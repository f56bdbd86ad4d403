// Both arms on one scale. A candidate is known by two figures that mean the same in every query and collection: the
// cosine of its vector, and the share of what could match by words that did. One fitted function makes relevance of them,
// and the order is by relevance. score.ts makes of it the score that is shown.

import type { StoredChunk } from '../model/document.js'
import type { VectorRank, WordRanking } from '../store/port.js'
import type { FileRole } from '../text/file-role.js'
import type { NameUse } from './exact.js'
import { exactness } from './exact.js'

export interface Candidate {
  chunk: number
  /** Place in the words' list, from 1 (null: found by meaning alone), and the BM25 score. Null: it has none of the words. */
  words: { rank: number | null; score: number; parts: number[] } | null
  /** Place in the meaning's list (null: found by words alone) and the exact cosine (null: no vector yet). */
  meaning: { rank: number | null; cosine: number } | null
  /** BM25 over the most that could be had. */
  share: number
}

/**
 * The union of both lists. Both figures are measured for every candidate, whichever list it comes from, so that a chunk has
 * the same relevance in every mode and under every filter.
 */
export function unite(
  words: Pick<WordRanking, 'ranks' | 'maxTermScores' | 'of'>,
  meaning: readonly VectorRank[],
  cosines: ReadonlyMap<number, number>,
): Candidate[] {
  const found = new Map<number, Candidate>()
  const ceiling = words.maxTermScores.reduce((sum, one) => sum + one, 0)
  const shareOf = (score: number) => (ceiling > 0 ? Math.min(1, score / ceiling) : 0)
  for (const [i, { chunk, score, parts }] of words.ranks.entries()) {
    const cosine = cosines.get(chunk)
    const seen = cosine === undefined ? null : { rank: null, cosine }
    found.set(chunk, { chunk, words: { rank: i + 1, score, parts }, meaning: seen, share: shareOf(score) })
  }
  const unlisted = meaning.flatMap(({ chunk }) => (found.has(chunk) ? [] : [chunk]))
  const measured = new Map(words.of(unlisted).map((rank) => [rank.chunk, rank]))
  for (const [i, { chunk, cosine }] of meaning.entries()) {
    const near = { rank: i + 1, cosine }
    const known = found.get(chunk)
    const said = measured.get(chunk)
    if (known) known.meaning = near
    else if (said) {
      const { score, parts } = said
      found.set(chunk, { chunk, words: { rank: null, score, parts }, meaning: near, share: shareOf(score) })
    } else found.set(chunk, { chunk, words: null, meaning: near, share: 0 })
  }
  return [...found.values()]
}

/**
 * The most promising first, judged without their text; `promised` tells how literal each may turn out to be. Equal ones
 * stay in the order of their lists.
 */
export function byPromise(
  candidates: readonly Candidate[],
  promised: (candidate: Candidate) => number,
): Candidate[] {
  return candidates
    .map((candidate) => ({ candidate, score: relevanceOf(candidate, promised(candidate)) }))
    .sort((a, b) => b.score - a.score)
    .map(({ candidate }) => candidate)
}

/** A candidate whose text was read. */
export interface Rated {
  candidate: Candidate
  /** As it counts for the chunk. */
  share: number
  chunk: StoredChunk
  exact: number
  /** How it has a name that was asked for. */
  name: NameUse | null
  /** The role of a file that counts less for it. */
  role: FileRole | 'other language' | null
  /** Half of the scale, where the question has a quoted phrase or a name with signs. */
  half?: 'upper' | 'lower'
  score: number
}

/** What the text of a chunk says about it. */
export interface Reading {
  /** How literally a chunk has the question. */
  exactly(candidate: Candidate, chunk: StoredChunk): number
  nameIn(chunk: StoredChunk): { use: NameUse; value: number } | null
  sideRole(chunk: StoredChunk): FileRole | 'other language' | null
  /** A candidate as it counts for its chunk. */
  counted(candidate: Candidate, chunk: StoredChunk): Candidate
}

/** A candidate whose chunk is gone is left out. */
export function rate(
  candidates: readonly Candidate[],
  chunks: readonly StoredChunk[],
  { exactly, nameIn, sideRole, counted }: Reading,
): Rated[] {
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  return candidates.flatMap((candidate) => {
    const chunk = byId.get(candidate.chunk)
    if (!chunk) return []
    const name = nameIn(chunk)
    const role = sideRole(chunk)
    const counts = counted(candidate, chunk)
    const exact = Math.max(exactly(counts, chunk), name?.value ?? 0)
    const score = relevanceOf(counts, exact, role !== null)
    return [{ candidate, share: counts.share, chunk, exact, name: name?.use ?? null, role, score }]
  })
}

/** Best first; equal ones by source, path and position. */
export function byRelevance(a: Rated, b: Rated): number {
  return b.score - a.score || byPlace(a.chunk, b.chunk)
}

function relevanceOf({ meaning, share }: Candidate, exact: number, isAside = false): number {
  return relevance({ cosine: meaning?.cosine ?? null, share, exact, isAside })
}

function byPlace(a: StoredChunk, b: StoredChunk): number {
  return compare(a.ref.source, b.ref.source) || compare(a.ref.path, b.ref.path) || a.index - b.index
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** What is known of a candidate, whatever the query and the collection. */
export interface Features {
  /** Null: the chunk has no vector (yet), or the search is by words alone. */
  cosine: number | null
  /** BM25 over the most that a chunk could have for this query, 0..1. */
  share: number
  /** How literally the passage has the question, 0..1 (exact.ts). */
  exact: number
  /** It is of a test, generated or another such file, and nobody asked for those (`sideRoles`). */
  isAside?: boolean
}

// Fitted by evals/calibrate.ts; the fit and its reliability are in evals/runs/calibration.md.
const both = { bias: -5.01, cosine: 5.55, share: 3.33, exact: 3 }
const wordsOnly = { bias: -3.29, share: 5.44, exact: 3 }

/** Relevance in 0..1, the same in every mode and tool: rises with closeness in meaning and in words. */
export function relevance({ cosine, share, exact, isAside = false }: Features): number {
  const found =
    cosine === null
      ? wordsOnly.bias + wordsOnly.share * share + wordsOnly.exact * exact
      : both.bias + both.cosine * cosine + both.share * share + both.exact * exact
  const known = logistic(isAside ? found - aside : found)
  const least = isAside ? 0 : literal * exact
  const score = least + (1 - least) * known
  return exact < exactness.complete || score >= weak ? score : (weak + score) / 2
}

/**
 * Beside the fit, what is written is worth something however far the vector is: of questions around one rare word, five in a
 * hundred more have its passage among ten (evals/rare-words.ts), for two of 152 paraphrases that lose theirs.
 */
const literal = 0.1

/** In log-odds. A test has the words of what it tests, often more of them, and repeats its name. */
const aside = 1.2

/** What has all that was asked for is never as good as nothing, however long it is and whatever else it is about. */
const weak = 0.1

/** A relevance moved up or down by some log-odds. */
export function moved(score: number, by: number): number {
  const safe = Math.min(1 - 1e-6, Math.max(1e-6, score))
  return logistic(Math.log(safe / (1 - safe)) + by)
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x))
}

/** A passage below this is hardly ever the answer. */
export const leastRelevance = 0.05

/**
 * Whether nothing speaks for a passage: its vector is far from the question's, it has little of what words could match, and
 * few of the words. Where all are so, the index has no answer. By words alone nobody can tell: a paraphrase shares as few
 * words with its answer as nonsense with anything. Chosen with evals/silence.ts.
 */
export function isWeak({
  cosine,
  share,
  said,
}: {
  cosine: number | null
  share: number
  said: number
}): boolean {
  return cosine !== null && cosine < weakest.cosine && share < weakest.share && said < weakest.said
}

const weakest = { cosine: 0.25, share: 0.24, said: 0.6 }
