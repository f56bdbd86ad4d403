// A proposal held against every decision there is: which it agrees with, which it contradicts, which it only touches.

import { noneIndexed } from '../../answer/architecture/places.js'
import type { Library } from '../../answer/library.js'
import { unindexedFoldersNotes } from '../../answer/notes/index-state.js'
import { refresh } from '../../answer/refresh.js'
import { chooseEmbedder } from '../../answer/vectors.js'
import type { Embedder } from '../../embed/port.js'
import { type Note, Problem } from '../../model/problem.js'
import { refKey } from '../../model/source.js'
import type { Evidence, Quote, Verdict } from '../../retrieve/alignment/evidence.js'
import { verdictsByReading, verdictsByWords } from '../../retrieve/alignment/judge.js'
import type { ReadRecord } from '../../retrieve/alignment/signals.js'
import { unquoted } from '../../retrieve/query.js'
import { search as retrieve } from '../../retrieve/search.js'
import { createYielder } from '../../runtime/yield.js'
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
  /** Its sentence that comes nearest to the proposal, if known. */
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
/** For both rounds and all use of models. The tool can then still answer by words before its own time is up. */
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
  const { decisions, near, read, notes } = compared
  const verdicts = verdictsOf(request.description, compared)
  const byWords = verdictsByWords(request.description)
  const yieldIfDue = createYielder(request.signal)
  const found: AlignedDecision[] = []
  for (const decision of decisions.all) {
    const verdict = verdicts.get(decision) ?? byWords(decision)
    const { relevance, score } = near.get(decision) ?? { relevance: 0, score: 0 }
    const isNear = relevance >= leastNear || isTouched(read?.get(decision))
    const aligned = settled(decision, verdict, { decisions, score, isNear })
    if (aligned) found.push(aligned)
    await yieldIfDue()
  }
  const listed = withSuccessors(ranked(found).slice(0, request.limit ?? most), found, decisions)
  return {
    decisions: listed,
    issues: issuesOf(listed, decisions),
    notes: [...notes, ...(await unindexedFoldersNotes(library))],
  }
}

function verdictsOf(proposal: string, { candidates, near, read }: Compared): Map<Decision, Verdict> {
  if (!read) return new Map()
  const readable = candidates.map((record) => ({
    record,
    score: near.get(record)?.relevance ?? 0,
    read: read.get(record)!,
  }))
  const verdicts = verdictsByReading(proposal, readable)
  return new Map(candidates.map((record, i) => [record, verdicts[i]!]))
}

/** Reading found a statement that bears on the proposal, however far search puts the record. */
function isTouched(read: ReadRecord | undefined): boolean {
  return read?.statements.some(({ stand }) => stand.beside < 0.5) ?? false
}

export interface Compared {
  decisions: Decisions
  near: ReadonlyMap<Decision, Nearness>
  /** The few records that the proposal may be about. */
  candidates: Decision[]
  /** The model's reading of each candidate; null if no model read them. */
  read: ReadonlyMap<Decision, ReadRecord> | null
  notes: Note[]
}

/** The proposal read together with the few records that it may be about; null without records. */
export async function compare(
  library: Library,
  { description, context, signal }: AlignmentRequest,
  end = performance.now() + mostMs,
): Promise<Compared | null> {
  const decisions = await decisionsOf(library)
  if (decisions.all.length === 0) return null
  const { near, notes, embedder } = await search(library, decisions, { description, context }, leftUntil(end))
  const candidates = candidatesOf(decisions, near)
  const { entailment } = library
  if (!embedder || !entailment) return { decisions, near, candidates, read: null, notes }
  signal?.throwIfAborted()
  const records = candidates.map((record) => ({ record, found: near.get(record)?.lines ?? [] }))
  const read = await readTogether({ embedder, entailment }, description, records, {
    signal,
    timeMs: leftUntil(end),
  })
  if ('message' in read) return { decisions, near, candidates, read: null, notes: [...notes, read] }
  const readings = new Map(candidates.map((record, i) => [record, read[i]!]))
  return { decisions, near, candidates, read: readings, notes }
}

function leftUntil(end: number): number {
  return Math.max(0, end - performance.now())
}

const mostCandidates = 8

/** The records in force that search finds first. Where it finds a superseded one, its successor stands in for it. */
export function candidatesOf(
  decisions: Decisions,
  near: ReadonlyMap<Decision, Pick<Nearness, 'relevance'>>,
): Decision[] {
  const scores = new Map<Decision, number>()
  for (const [decision, { relevance }] of near) {
    const standing = standingOf(decision, decisions)
    for (const one of isInForce(decision, standing) ? [decision] : standing.successors)
      scores.set(one, Math.max(relevance, scores.get(one) ?? 0))
  }
  return [...scores.keys()]
    .sort((a, b) => scores.get(b)! - scores.get(a)! || byPath(a, b))
    .slice(0, mostCandidates)
}

/** How near a record is to the proposal, by search. */
interface Nearness {
  relevance: number
  score: number
  /** Of the passages found, best first. */
  lines: [number, number][]
}

interface Found {
  near: Map<Decision, Nearness>
  notes: Note[]
  /** Null: words alone answered. */
  embedder: Embedder | null
}

/** At most half of the time: the candidates must be read as well. */
const searchShare = 0.5
const longestQuery = 1_500
const mostPassages = 90

async function search(
  library: Library,
  { all }: Decisions,
  { description, context }: Pick<AlignmentRequest, 'description' | 'context'>,
  leftMs: number,
): Promise<Found> {
  const { embedder, notes } = await chooseEmbedder(library)
  const found = await retrieve(
    { store: library.store, embedder },
    {
      text: unquoted(`${description}\n${context ?? ''}`).slice(0, longestQuery),
      scope: { documents: all.map(({ document }) => document.ref) },
      // Without a model, a note below says how that weakens the comparison.
      mode: embedder ? 'hybrid' : 'text',
      limit: mostPassages,
      perDocument: 3,
      asWritten: true,
      deadlineMs: searchShare * leftMs,
    },
  )
  for (const chunk of found.unembedded) library.wanted.add(chunk)
  const known = new Map(all.map((decision) => [refKey(decision.document.ref), decision]))
  const near = new Map<Decision, Nearness>()
  for (const { ref, relevance, score, lines } of found.hits) {
    const decision = known.get(refKey(ref))
    if (!decision) continue
    const before = near.get(decision)
    if (before) before.lines.push(lines)
    else near.set(decision, { relevance, score, lines: [lines] })
  }
  const isByWords = embedder === null || found.notes.some(({ code }) => code === 'words_only')
  return {
    near,
    notes: [...found.notes, ...notes, ...(embedder === null ? [byWordsAlone] : [])],
    embedder: isByWords ? null : embedder,
  }
}

/** Below this relevance a record is about something else. */
const leastNear = 0.12

/** The verdict, given whether the record is in force; null where the record has nothing to do with the proposal. */
function settled(
  decision: Decision,
  verdict: Verdict,
  { decisions, score, isNear }: { decisions: Decisions; score: number; isNear: boolean },
): AlignedDecision | null {
  const standing = standingOf(decision, decisions)
  const alignment = isInForce(decision, standing) ? verdict.alignment : 'related'
  if (alignment === 'related' && !isNear) return null
  return { decision, ...verdict, alignment, score, ...standing }
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

/** Adds the successors of superseded records that are listed, also successors that do not hold themselves. */
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
