// What reading a record together with a proposal comes to, as numbers, and what those weigh. The weights are fitted by
// evals/alignment-fit.ts, which also tells how they do on repositories that they were not fitted on.
import type { Stand } from '../../embed/port.js'
import type { Statement } from './statements.js'
import { fitted } from './weights.js'

/** A statement read together with a part of the proposal. */
export interface Read {
  statement: Statement
  part: string
  stand: Stand
}

/** A record's nearest statements, read one by one and all at once. */
export interface ReadRecord {
  statements: Read[]
  atOnce: Stand[]
}

/** A record that a proposal may be about: what search says of it, and what reading found. */
export interface Candidate<R> {
  record: R
  /** Relevance by search, 0..1. */
  score: number
  read: ReadRecord
}

export type Signals = Record<string, number>

export interface Model {
  bias: number
  /** By signal. */
  weights: Readonly<Record<string, number>>
}

/** Probabilities, 0..1. */
export interface Odds {
  /** The proposal is about the record and goes against it. */
  conflict: number
  /** It is about the record and goes along with it. */
  support: number
}

/** The signals of every candidate, in order: each also says how it stands among the others. */
export function signalsOf(candidates: readonly Omit<Candidate<unknown>, 'record'>[]): Signals[] {
  const own = candidates.map(({ score, read }) => ({ ...readSignals(read), score }))
  return own.map((signals, i) => {
    const others = own.filter((_, j) => j !== i)
    return { ...signals, ...among(signals, others), ...clearly(signals, others) }
  })
}

export function oddsOf(signals: Signals): Odds {
  return { conflict: probability(signals, fitted.conflict), support: probability(signals, fitted.support) }
}

export function probability(signals: Signals, { bias, weights }: Model): number {
  const sum = Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + weight * (signals[name] ?? 0),
    bias,
  )
  return 1 / (1 + Math.exp(-sum))
}

function readSignals({ statements, atOnce }: ReadRecord) {
  const stands = statements.map(({ stand }) => stand)
  const most = (all: readonly Stand[], of: (stand: Stand) => number) => Math.max(farthest, ...all.map(of))
  return {
    against: most(stands, against),
    along: most(stands, along),
    gap: most(stands, gap),
    near: most(stands, near),
    'at once: against': most(atOnce, against),
    'at once: along': most(atOnce, along),
    'at once: gap': most(atOnce, gap),
    'at once: near': most(atOnce, near),
  }
}

type Own = ReturnType<typeof readSignals> & { score: number }

const against = (stand: Stand) => logOdds(stand.against)
const along = (stand: Stand) => logOdds(stand.along)
const gap = (stand: Stand) => against(stand) - along(stand)
const near = (stand: Stand) => -logOdds(stand.beside)

/** A logarithm of odds, as of a text about something else. */
const farthest = -12
/** More certainty than this counts no more. */
const least = 0.002

function logOdds(probability: number): number {
  return Math.log((probability + least) / (1 - probability + least))
}

/** How many candidates stand higher, and by how much this one leads the best of the others. */
function among(own: Own, others: readonly Own[]): Signals {
  return Object.fromEntries(
    (['against', 'near', 'score'] as const).flatMap((name) => [
      [`${name}: rank`, others.filter((other) => other[name] > own[name]).length],
      [`${name}: margin`, marginOf(own, others, name)],
    ]),
  )
}

function marginOf(own: Own, others: readonly Own[], name: 'against' | 'near' | 'score'): number {
  const floor = name === 'score' ? 0 : -6
  return own[name] - Math.max(floor, ...others.map((other) => other[name]))
}

/** A little of it says nothing, much of it almost everything. */
function clearly(own: Own, others: readonly Own[]): Signals {
  const over = (value: number, bound: number) => Math.max(0, value - bound)
  const margin = marginOf(own, others, 'against')
  return {
    'clearly against': over(own.against, 1.5),
    'clearly along': over(own.along, 0),
    apart: over(margin, 1),
    'against and apart': over(own.against, 0) * over(margin, 0),
  }
}
