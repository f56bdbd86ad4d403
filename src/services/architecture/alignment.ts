// A proposal held against every decision there is: which it agrees with, which it contradicts, which it only touches.
import { type Note, Problem } from '../../model/problem.js'
import { align, demoted, type Evidence, proposalOf, type Verdict } from '../../retrieve/alignment/align.js'
import { search as retrieve } from '../../retrieve/search.js'
import { freshen } from '../freshness.js'
import type { Library } from '../library.js'
import { servingEmbedder } from '../meaning.js'
import { type Decision, type Decisions, decisionsOf } from './decisions.js'
import { inTurns } from './turns.js'

export interface AlignmentRequest {
  description: string
  context?: string | undefined
  limit?: number
  signal?: AbortSignal
}

export interface AlignedDecision {
  decision: Decision
  alignment: Verdict['alignment']
  /** The two sentences and the rule; null where nothing of the kind was found. */
  evidence: Evidence | null
  /** How near it is to the proposal, 0..1. */
  score: number
  /** What holds today in place of a superseded record. */
  successors: Decision[]
}

export interface Alignment {
  decisions: AlignedDecision[]
  /** Of the records named above: links of supersession that do not add up. */
  issues: string[]
  notes: Note[]
}

const most = 10

export async function checkAlignment(library: Library, request: AlignmentRequest): Promise<Alignment> {
  if (request.description.trim() === '')
    throw new Problem('invalid', 'The decision is empty.', 'Say in a sentence or two what you propose to do.')
  const first = await judge(library, request)
  const { changed, notes } = await freshen(
    library,
    first.decisions.map(({ decision }) => decision.document.ref),
  )
  request.signal?.throwIfAborted()
  const answer = changed ? await judge(library, request) : first
  return { ...answer, notes: [...answer.notes, ...(changed ? [] : notes)] }
}

async function judge(library: Library, request: AlignmentRequest): Promise<Alignment> {
  const decisions = await decisionsOf(library)
  if (decisions.all.length === 0) return { decisions: [], issues: [], notes: [noneThere] }
  const { scores, notes, byMeaning } = await closeness(library, decisions, request)
  const turn = inTurns()
  await turn(true)
  const proposal = proposalOf(request.description, request.context)
  const verdicts: { decision: Decision; verdict: Verdict }[] = []
  for (const decision of decisions.all) {
    verdicts.push({
      decision,
      verdict: align(proposal, decisions.prepared.get(decision)!, decisions.weights),
    })
    await turn()
    request.signal?.throwIfAborted()
  }
  const found = demoted(verdicts).flatMap(
    ({ decision, verdict }) =>
      settled(decision, verdict, { decisions, near: scores.get(decision) ?? null, byMeaning }) ?? [],
  )
  const listed = withSuccessors(ranked(found).slice(0, request.limit ?? most), found, decisions)
  return { decisions: listed, issues: issuesOf(listed, decisions), notes }
}

// --- How near a record is, by words and by meaning.

interface Closeness {
  scores: Map<Decision, number>
  notes: Note[]
  byMeaning: boolean
}

const deadlineMs = 4_000
const longestQuery = 1_500
/** Many more than are shown: a record that is not among them counts as far away. */
const mostPassages = 60

async function closeness(
  library: Library,
  { all }: Decisions,
  request: AlignmentRequest,
): Promise<Closeness> {
  const { embedder, notes } = await servingEmbedder(library)
  const text = [request.description, request.context ?? '']
    .join('\n')
    .replace(/["“”]/g, ' ')
    .slice(0, longestQuery)
  const found = await retrieve(
    { store: library.store, embedder },
    {
      text,
      scope: { documents: all.map(({ document }) => document.ref) },
      mode: 'hybrid',
      limit: mostPassages,
      perDocument: 1,
      deadlineMs,
    },
  )
  for (const chunk of found.unembedded) library.wanted.add(chunk)
  const known = new Map(all.map((decision) => [keyOf(decision.document.ref), decision]))
  const scores = new Map<Decision, number>()
  for (const { ref, score } of found.hits) {
    const decision = known.get(keyOf(ref))
    if (decision && !scores.has(decision)) scores.set(decision, score)
  }
  const wordsOnly = embedder === null || found.notes.some(({ code }) => code === 'words_only')
  const said = [...found.notes, ...notes, ...(embedder === null ? [byWordsAlone] : [])]
  return { scores, notes: said, byMeaning: !wordsOnly }
}

function keyOf({ source, path }: { source: string; path: string }): string {
  return `${source}\0${path}`
}

// --- What a verdict comes to, given where the record stands and how near it is.

interface Standing {
  decisions: Decisions
  /** Null: not even among the many that were looked at. */
  near: number | null
  byMeaning: boolean
}

/** Below this a record is about something else, and shared words are a coincidence. */
const leastNear = 0.12
const leastOverlap = 0.3
/** So close in words that it need not be near in meaning: the model sees little in a record of one line. */
const plainlyTheSame = 0.75

function settled(decision: Decision, verdict: Verdict, standing: Standing): AlignedDecision | null {
  const near = standing.near ?? 0
  const distant = standing.byMeaning && near < leastNear && !(standing.near === null && isPlain(verdict))
  const alignment = distant || !isInForce(decision) ? 'related' : verdict.alignment
  if (alignment === 'related' && near < leastNear && (distant || verdict.overlap < leastOverlap)) return null
  const { supersession } = standing.decisions
  const successors =
    decision.status === 'superseded' && !decision.partly ? supersession.current(decision) : []
  return { decision, alignment, evidence: verdict.evidence, score: near, successors }
}

function isPlain({ alignment, evidence }: Verdict): boolean {
  return alignment === 'conflicts' && (evidence?.strength ?? 0) >= plainlyTheSame
}

/** A superseded or deprecated record says what was, and binds nobody; a part of it may. */
function isInForce({ status, partly }: Decision): boolean {
  return status === 'superseded' ? partly : status !== 'deprecated'
}

const order: Readonly<Record<Verdict['alignment'], number>> = { conflicts: 0, supports: 1, related: 2 }

function ranked(found: readonly AlignedDecision[]): AlignedDecision[] {
  return [...found].sort(
    (a, b) =>
      order[a.alignment] - order[b.alignment] ||
      (b.alignment === 'related' ? 0 : (b.evidence?.strength ?? 0) - (a.evidence?.strength ?? 0)) ||
      b.score - a.score ||
      (a.decision.path < b.decision.path ? -1 : 1),
  )
}

/** Who names a superseded record names what holds instead of it. */
function withSuccessors(
  listed: readonly AlignedDecision[],
  found: readonly AlignedDecision[],
  { supersession }: Decisions,
): AlignedDecision[] {
  const all = [...listed]
  for (const { decision } of listed)
    for (const next of decision.status === 'superseded' ? supersession.current(decision) : []) {
      if (all.some((one) => one.decision === next)) continue
      const known = found.find((one) => one.decision === next)
      all.push(known ?? { decision: next, alignment: 'related', evidence: null, score: 0, successors: [] })
    }
  return all
}

function issuesOf(listed: readonly AlignedDecision[], { supersession }: Decisions): string[] {
  const paths = new Set(listed.map(({ decision }) => decision.path))
  return supersession.issues
    .filter(({ path, to }) => paths.has(path) || paths.has(to))
    .map(({ message }) => message)
}

const byWordsAlone: Note = {
  code: 'words_only',
  message: 'No embedding model is set up: decisions were compared by their words alone.',
}
const noneThere: Note = {
  code: 'none_indexed',
  message: 'No decisions are indexed: records are looked for in docs/adr and its like.',
}
