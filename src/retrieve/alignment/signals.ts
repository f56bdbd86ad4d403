// What speaks for and against a proposal's being about a record, and for its going against it. Each signal is a number
// that means little by itself; weights.ts says how much each of them counts.

import type { Stand } from '../../embed/entail/port.js'
import { align, claimsOf, type Verdict } from './align.js'
import type { Asked } from './asked.js'
import type { Evidence, Rule } from './evidence.js'
import { share } from './measures.js'
import type { Prepared, Weights } from './prepared.js'
import { amountsDiffer, quantitiesIn } from './quantities.js'
import { type Members, type Reading, readingOf } from './reading.js'
import type { Read, ReadRecord } from './statements.js'

export type Signals = Record<string, number>

/** A record that may be what the proposal is about, with how near search found it. */
export interface Candidate<R extends Prepared = Prepared> {
  record: R
  score: number
}

export interface Judged<R extends Prepared = Prepared> {
  record: R
  signals: Signals
  /** What the rules say of it alone, and what they found, strongest first. */
  ruled: Verdict
  claims: Evidence[]
  /** What came of reading it together with the proposal; null where that cannot be done. */
  reads: readonly Read[] | null
}

/** One candidate after another, so that whoever asks can let others have a turn between them. */
export function* signalsOf<R extends Prepared>(
  asked: Asked,
  candidates: readonly Candidate<R>[],
  weights: Weights,
  readings: ReadonlyMap<R, ReadRecord> | null,
): Generator<Judged<R>> {
  const scores = candidates.map(({ score }) => score)
  const read = readings && candidates.map(({ record }) => readSignals(asked, readings.get(record)!))
  for (const [i, { record }] of candidates.entries()) {
    const ruled = align(asked, record, weights)
    const claims = claimsOf(asked, record, weights)
    const reading = readingOf(record)
    const signals: Signals = {
      ...standing('score', scores, i),
      ...ruleSignals(claims, record),
      ...wordSignals(asked, record, reading, weights),
      ...familySignals(asked, reading),
      ...asked.tone,
    }
    const reads = readings?.get(record)?.statements ?? null
    if (read) {
      Object.assign(signals, read[i], ...standingOfReading(read, i))
      Object.assign(signals, clearSignals(signals))
    }
    yield { record, ruled, claims, signals, reads }
  }
}

function standingOfReading(read: readonly Signals[], i: number): Signals[] {
  return ['read: against', 'read: beside'].map((name) =>
    standing(
      name,
      read.map((one) => one[name]!),
      i,
      unread,
    ),
  )
}

/** As of a record that is about something else. */
const unread = -6

/** How one stands among all. */
function standing(name: string, all: readonly number[], i: number, least = 0): Signals {
  const own = all[i]!
  const others = all.filter((_, j) => j !== i)
  return {
    [name]: own,
    [`${name}: rank`]: others.filter((other) => other > own).length,
    [`${name}: margin`]: own - Math.max(least, ...others),
  }
}

/** How strongly each rule speaks. What a title or an option says is told apart from what a sentence says. */
function ruleSignals(claims: readonly Evidence[], { stances }: Prepared): Signals {
  const named = new Set(stances.filter(({ from }) => from !== 'decision').map(({ sentence }) => sentence))
  const best = (test: (claim: Evidence) => boolean) =>
    Math.max(0, ...claims.filter(test).map(({ strength }) => strength))
  const by = (rule: Rule, isNamed: boolean) =>
    best((claim) => claim.rule === rule && named.has(claim.decision) === isNamed)
  return {
    'rule: picks option': by('picks-rejected', true),
    'rule: picks said': by('picks-rejected', false),
    'rule: negates option': by('negates-chosen', true),
    'rule: negates said': by('negates-chosen', false),
    'rule: opposite end': best(({ rule }) => rule === 'opposite-end'),
    'rule: other value': best(({ rule }) => rule === 'other-value'),
    'rule: other option': best(({ rule }) => rule === 'other-option'),
    'rule: along option': best((one) => one.verdict === 'supports' && named.has(one.decision)),
    'rule: along said': best((one) => one.verdict === 'supports' && !named.has(one.decision)),
    against: best(({ verdict }) => verdict === 'conflicts'),
    along: best(({ verdict }) => verdict === 'supports'),
  }
}

/** Whose words they are: of what was chosen, of what was turned down, or of neither. */
function wordSignals(asked: Asked, record: Prepared, reading: Reading, weights: Weights): Signals {
  const { wanted, unwanted } = asked
  const cover = (spoken: ReadonlySet<string>, keys: Reading['keys']) =>
    Math.max(0, ...keys.map(({ key }) => share(spoken, key, weights)))
  const has = (names: ReadonlySet<string>) =>
    [...names].some((name) => reading.chosenTerms.has(name)) ? 1 : 0
  return {
    known: share(record.known, asked.all, weights),
    terms: share(record.terms, asked.all, weights),
    affirmed: cover(wanted, reading.keys),
    'affirmed title': cover(wanted, reading.titleKeys),
    denied: cover(unwanted, reading.keys),
    'denied title': cover(unwanted, reading.titleKeys),
    'from wanted': share(reading.wanted, wanted, weights),
    'from unwanted': share(reading.unwanted, wanted, weights),
    'from nowhere': wanted.size > 0 ? 1 - share(record.known, wanted, weights) : 0,
    'refuses wanted': share(reading.wanted, unwanted, weights),
    'title wanted': share(wanted, reading.titleTerms, weights),
    'title unwanted': share(unwanted, reading.titleTerms, weights),
    'names a choice': reading.hasName ? 1 : 0,
    'new names': Math.min(3, [...asked.wantedNames].filter((name) => !record.known.has(name)).length),
    'names chosen': has(asked.wantedNames),
    'names dropped': has(asked.unwantedNames),
    'names another': [...asked.wantedNames].some(
      (name) => record.known.has(name) && !reading.wanted.has(name),
    )
      ? 1
      : 0,
    'option affirmed': share(reading.chosenTerms, asked.optionTerms, weights),
    loosens: asked.isLoose && reading.isStrict ? 1 : 0,
  }
}

/** One of a family in place of another. */
function familySignals({ members }: Asked, { members: record }: Reading): Signals {
  const { wanted, unwanted } = members
  const shares = (one: Members, other: Members, family: string) =>
    [...(one.get(family) ?? [])].some((member) => other.get(family)?.has(member))
  const families = [...wanted.keys()]
  const rivals = families.filter(
    (family) => record.chosen.has(family) && !shares(wanted, record.chosen, family),
  )
  const isRefused = (family: string) =>
    [...(wanted.get(family) ?? [])].some(
      (member) => record.refused.get(family)?.has(member) && !record.chosen.get(family)?.has(member),
    )
  return {
    'family: rival': rivals.length,
    'family: same': families.some((family) => shares(wanted, record.chosen, family)) ? 1 : 0,
    'family: refused': families.some(isRefused) ? 1 : 0,
    'family: dropped': [...unwanted.keys()].some((family) => shares(unwanted, record.chosen, family)) ? 1 : 0,
  }
}

// What reading a record together with a proposal comes to, as signals.
function readSignals({ amounts }: Asked, { statements: all, atOnce }: ReadRecord): Signals {
  const most = (of: (stand: Stand) => number) => Math.max(farthest, ...all.map(({ stand }) => of(stand)))
  const mostAtOnce = (of: (stand: Stand) => number) => Math.max(farthest, ...atOnce.map(of))
  const titled = all.filter(({ statement }) => statement.role === 'title')
  const count = (side: 'against' | 'along', other: 'against' | 'along') =>
    all.filter(({ stand }) => stand[side] > stand[other] && stand[side] > stand.beside).length
  return {
    'read: against': most((stand) => logOdds(stand.against)),
    'read: along': most((stand) => logOdds(stand.along)),
    'read: gap': most((stand) => logOdds(stand.against) - logOdds(stand.along)),
    'read: beside': most((stand) => -logOdds(stand.beside)),
    'read: title against': Math.max(unsaid, ...titled.map(({ stand }) => logOdds(stand.against))),
    'read: title along': Math.max(unsaid, ...titled.map(({ stand }) => logOdds(stand.along))),
    'read: often against': count('against', 'along'),
    'read: often along': count('along', 'against'),
    'read: amounts': all.some(({ statement }) => amountsDiffer(amounts, quantitiesIn(statement.text)))
      ? 1
      : 0,
    'at once: against': mostAtOnce((stand) => logOdds(stand.against)),
    'at once: along': mostAtOnce((stand) => logOdds(stand.along)),
    'at once: gap': mostAtOnce((stand) => logOdds(stand.against) - logOdds(stand.along)),
    'at once: beside': mostAtOnce((stand) => -logOdds(stand.beside)),
  }
}

const farthest = -12
/** As of a title that says nothing about it. */
const unsaid = -4

function logOdds(probability: number): number {
  return Math.log((probability + least) / (1 - probability + least))
}

/** Where it stands out among the records that were read, how clearly: little of it says nothing, much of it almost all. */
function clearSignals(signals: Signals): Signals {
  const over = (name: string, least: number) => Math.max(0, (signals[name] ?? 0) - least)
  return {
    'read: clearly against': over('read: against', 1.5),
    'read: clearly along': over('read: along', 0),
    'read: apart': over('read: against: margin', 1),
    'read: against and apart': over('read: against', 0) * over('read: against: margin', 0),
  }
}

/** What is more certain than this is not more so. */
const least = 0.002
