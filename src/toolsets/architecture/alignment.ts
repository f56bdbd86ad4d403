// A proposal held against every decision there is: which it agrees with, which it contradicts, which it only touches.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { noneIndexed } from '../../answer/architecture/none-indexed.js'
import type { Library } from '../../answer/library.js'
import { unindexedFoldersNotes } from '../../answer/notes/unindexed-folders.js'
import { refresh } from '../../answer/refresh.js'
import { chooseEmbedder } from '../../answer/vectors.js'
import type { Embedder } from '../../embed/port.js'
import { type Note, Problem } from '../../model/problem.js'
import { refKey } from '../../model/source.js'
import { align, type Evidence, type Prepared, type Verdict } from '../../retrieve/alignment/align.js'
import { type Asked, askedOf } from '../../retrieve/alignment/asked.js'
import type { Quote } from '../../retrieve/alignment/evidence.js'
import { isNamed } from '../../retrieve/alignment/given-up.js'
import { type Found, verdictsOf } from '../../retrieve/alignment/judge.js'
import { type Judged, signalsOf } from '../../retrieve/alignment/signals.js'
import { unquoted } from '../../retrieve/query.js'
import { search as retrieve } from '../../retrieve/search.js'
import { createYielder } from '../../runtime/yield.js'
import { candidatesOf } from './candidates.js'
import {
  byPath,
  type Decision,
  type Decisions,
  decisionsOf,
  isInForce,
  type Standing,
  standingOf,
  supersessionAround,
} from './decisions.js'
import { readTogether } from './read-together.js'

export interface AlignmentRequest {
  description: string
  context?: string | undefined
  limit?: number
  signal?: AbortSignal
}

export interface AlignedDecision extends Standing {
  decision: Decision
  alignment: Verdict['alignment']
  /** The two sentences and the rule; null where nothing of the kind was found. */
  evidence: Evidence | null
  /** What it says that comes nearest to the proposal, as far as that is known. */
  nearest: Quote | null
  /** How near it is to the proposal, 0..1. */
  score: number
}

export interface Alignment {
  decisions: AlignedDecision[]
  /** Of the records named above: links of supersession that do not add up. */
  issues: string[]
  notes: Note[]
}

const most = 10
/** Both rounds, with all that is asked of models, so that the tool answers by words before its time is up. */
const mostMs = 8_000

export async function checkAlignment(library: Library, request: AlignmentRequest): Promise<Alignment> {
  if (request.description.trim() === '')
    throw new Problem('invalid', 'The decision is empty.', 'Say in a sentence or two what you propose to do.')
  const end = performance.now() + mostMs
  const first = await judge(library, request, end)
  const { changed, notes } = await refresh(
    library,
    first.decisions.map(({ decision }) => decision.document.ref),
  )
  request.signal?.throwIfAborted()
  const answer = changed ? await judge(library, request, end) : first
  return { ...answer, notes: [...answer.notes, ...(changed ? [] : notes)] }
}

async function judge(library: Library, request: AlignmentRequest, end: number): Promise<Alignment> {
  const compared = await compare(library, request, end)
  if (compared === null) return { decisions: [], issues: [], notes: [await noneIndexed(library, 'adr')] }
  const { decisions, scores, notes, asked, judged, byMeaning } = compared
  const verdicts = new Map(verdictsOf(asked, judged).map((one) => [one.record, one]))
  const found = decisions.all.flatMap((decision) => {
    const record = decisions.prepared.get(decision)!
    const { verdict, about, nearest } = verdicts.get(record) ?? onlyTouched(compared.ruled.get(decision)!)
    const near = scores.get(decision) ?? 0
    return (
      settled(decision, verdict, {
        decisions,
        nearest,
        near,
        byMeaning,
        isMeant: about >= likely || isNamed(asked, record) || isTouched(compared, record),
      }) ?? []
    )
  })
  const listed = withSuccessors(ranked(found).slice(0, request.limit ?? most), found, decisions)
  return {
    decisions: listed,
    issues: issuesOf(listed, decisions),
    notes: [...notes, ...(await unindexedFoldersNotes(library))],
  }
}

function leftUntil(end: number): number {
  return Math.max(0, end - performance.now())
}

/** A record that is more likely than not what a proposal is about is shown, however short the proposal is. */
const likely = 0.5

/** Reading found a statement of it that bears on the proposal, however far search puts the record. */
function isTouched({ judged }: Compared, record: Prepared<Decision>): boolean {
  const reads = judged.find((one) => one.record === record)?.reads ?? []
  return reads.some(({ stand }) => stand.beside < likely)
}

function onlyTouched(verdict: Verdict): Omit<Found<Prepared>, 'record'> {
  return { verdict: { ...verdict, alignment: 'related' }, about: 0, nearest: verdict.evidence }
}

export interface Compared {
  decisions: Decisions
  asked: Asked
  scores: Map<Decision, number>
  ruled: Map<Decision, Verdict>
  judged: Judged<Prepared<Decision>>[]
  /** Search went by meaning too. */
  byMeaning: boolean
  notes: Note[]
}

/** A proposal beside the few records that it may be about, with all that can be said of each; null without records. */
export async function compare(
  library: Library,
  request: AlignmentRequest,
  end = performance.now() + mostMs,
): Promise<Compared | null> {
  const decisions = await decisionsOf(library)
  if (decisions.all.length === 0) return null
  const { scores, notes, embedder } = await closeness(library, decisions, request, leftUntil(end))
  await nextTurn()
  const yieldIfDue = createYielder()
  const asked = askedOf(request.description, request.context)
  const ruled = new Map<Decision, Verdict>()
  for (const decision of decisions.all) {
    ruled.set(decision, align(asked, decisions.prepared.get(decision)!, decisions.weights))
    await yieldIfDue()
    request.signal?.throwIfAborted()
  }
  const candidates = candidatesOf(decisions, scores, ruled)
  const records = candidates.map(({ record }) => record)
  const { entailment } = library
  const read =
    embedder && entailment
      ? await readTogether(
          { embedder, entailment },
          request.description,
          records,
          request.signal,
          leftUntil(end),
        )
      : null
  const readings = read instanceof Map ? read : null
  const judged: Judged<Prepared<Decision>>[] = []
  await nextTurn()
  for (const one of signalsOf(asked, candidates, decisions.weights, readings)) {
    judged.push(one)
    await yieldIfDue()
  }
  if (read && 'message' in read) notes.push(read)
  return { decisions, asked, scores, ruled, judged, byMeaning: embedder !== null, notes }
}

// --- How near a record is, by words and by meaning.

interface Closeness {
  scores: Map<Decision, number>
  notes: Note[]
  /** Null: words alone answered. */
  embedder: Embedder | null
}

/** Half of the time at most: what is found is to be read, too. */
const mostOfIt = 0.5
const longestQuery = 1_500
/** Many more than are shown: a record that is not among them counts as far away. */
const mostPassages = 60

async function closeness(
  library: Library,
  { all }: Decisions,
  request: AlignmentRequest,
  leftMs: number,
): Promise<Closeness> {
  const { embedder, notes } = await chooseEmbedder(library)
  const text = unquoted(`${request.description}\n${request.context ?? ''}`).slice(0, longestQuery)
  const found = await retrieve(
    { store: library.store, embedder },
    {
      text,
      scope: { documents: all.map(({ document }) => document.ref) },
      // Without a model it is told below what that means for a comparison.
      mode: embedder ? 'hybrid' : 'text',
      limit: mostPassages,
      perDocument: 1,
      deadlineMs: mostOfIt * leftMs,
    },
  )
  for (const chunk of found.unembedded) library.wanted.add(chunk)
  const known = new Map(all.map((decision) => [refKey(decision.document.ref), decision]))
  const scores = new Map<Decision, number>()
  for (const { ref, score } of found.hits) {
    const decision = known.get(refKey(ref))
    if (decision && !scores.has(decision)) scores.set(decision, score)
  }
  const wordsOnly = embedder === null || found.notes.some(({ code }) => code === 'words_only')
  const said = [...found.notes, ...notes, ...(embedder === null ? [byWordsAlone] : [])]
  return { scores, notes: said, embedder: wordsOnly ? null : embedder }
}

// --- What a verdict comes to, given where the record stands and how near it is.

interface Nearness {
  decisions: Decisions
  nearest: Quote | null
  near: number
  byMeaning: boolean
  /** It is spoken of by name, or likely what is meant. */
  isMeant: boolean
}

/** Below this a record is about something else, and shared words are a coincidence. */
const leastNear = 0.12
const leastOverlap = 0.3

function settled(
  decision: Decision,
  verdict: Verdict,
  { decisions, nearest, near, byMeaning, isMeant }: Nearness,
): AlignedDecision | null {
  const standing = standingOf(decision, decisions)
  const alignment = isInForce(decision, standing) ? verdict.alignment : 'related'
  const isFar = near < leastNear && (byMeaning || verdict.overlap < leastOverlap)
  if (alignment === 'related' && isFar && !isMeant) return null
  return { decision, alignment, evidence: verdict.evidence, nearest, score: near, ...standing }
}

const order: Readonly<Record<Verdict['alignment'], number>> = { conflicts: 0, supports: 1, related: 2 }

function ranked(found: readonly AlignedDecision[]): AlignedDecision[] {
  return [...found].sort(
    (a, b) =>
      order[a.alignment] - order[b.alignment] ||
      (b.alignment === 'related' ? 0 : (b.evidence?.strength ?? 0) - (a.evidence?.strength ?? 0)) ||
      b.score - a.score ||
      byPath(a.decision, b.decision),
  )
}

/** Who names a superseded record names what holds instead of it, or what was to. */
function withSuccessors(
  listed: readonly AlignedDecision[],
  found: readonly AlignedDecision[],
  decisions: Decisions,
): AlignedDecision[] {
  const all = [...listed]
  for (const { decision, successors, fallen } of listed) {
    const partial = decision.partly ? supersessionAround(decision, decisions).current(decision) : []
    for (const next of [...successors, ...fallen, ...partial]) {
      if (all.some((one) => one.decision === next)) continue
      const known = found.find((one) => one.decision === next)
      const bare = { decision: next, alignment: 'related', evidence: null, nearest: null, score: 0 } as const
      all.push(known ?? { ...bare, ...standingOf(next, decisions) })
    }
  }
  return all
}

function issuesOf(listed: readonly AlignedDecision[], { supersessions }: Decisions): string[] {
  const shown = new Set(listed.map(({ decision }) => refKey(decision.document.ref)))
  return [...supersessions].flatMap(([source, { issues }]) =>
    issues
      .filter(({ path, to }) => [path, to].some((one) => shown.has(refKey({ source, path: one }))))
      .map(({ message }) => message),
  )
}

const byWordsAlone: Note = {
  code: 'words_only',
  message: 'No embedding model is set up: decisions were compared by their words alone.',
}
