// Whether a proposal agrees with a decision, goes against it, or only touches it. Every verdict names the rule that gave
// it and the two sentences it compared; where nothing carries a verdict, it says "related" and no more.
import type { Adr } from '../../parse/adr/adr.js'
import { sentences } from '../../text/sentences.js'
import { type Decided, decidedIn } from './decided.js'
import { type Stance, stancesOf } from './stances.js'

export type Rule =
  | 'same-choice'
  | 'same-refusal'
  | 'negates-chosen'
  | 'picks-rejected'
  | 'opposite-end'
  | 'other-value'
  | 'other-option'

export interface Evidence {
  rule: Rule
  verdict: 'supports' | 'conflicts'
  strength: number
  proposal: string
  decision: string
  line: number
}

export interface Verdict {
  alignment: 'supports' | 'conflicts' | 'related'
  /** What carried the verdict; of a related record, the nearest thing to one. */
  evidence: Evidence | null
  /** How much of what the record decides the proposal speaks of, 0..1. */
  overlap: number
}

export interface Weights {
  of(term: string): number
  /** In few enough records to tell one from another. */
  isRare(term: string): boolean
}

/** A record made ready to be compared with many proposals. */
export interface Prepared<A extends Adr = Adr> {
  adr: A
  stances: Decided[]
  /** All terms of its title, options and decision. */
  terms: ReadonlySet<string>
}

export function prepared<A extends Adr>(adr: A): Prepared<A> {
  const stances = decidedIn(adr)
  return { adr, stances, terms: new Set(stances.flatMap((stance) => [...stance.terms])) }
}

/** Rare words tell decisions apart; words that every record has say little. */
export function weightsOf(all: readonly Prepared[]): Weights {
  const counts = new Map<string, number>()
  for (const { terms } of all) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const of = (term: string) => Math.log(1 + (all.length + 2) / ((counts.get(term) ?? 0) + 0.5))
  const few = Math.max(2, all.length * 0.08)
  return { of, isRare: (term) => (counts.get(term) ?? 0) <= few }
}

export function proposalStances(text: string): Stance[] {
  return text
    .split(/\n+/)
    .flatMap((line) => sentences(line.replace(/^\s*(?:[-*+]|\d+[.)]|#+)\s+/, '')))
    .slice(0, 80)
    .flatMap((one, i) => stancesOf(one.text, i + 1))
}

// Set on the labelled proposals in evals/sets/adr, on the part that is there to develop on.
const enoughForConflict = 0.55
const enoughForSupport = 0.6
/** As little as this against it, and it is no longer called support. */
const doubt = 0.4
/** Evidence for both that is as close as this decides nothing. */
const tooClose = 0.04

export function align(proposal: readonly Stance[], record: Prepared, weights: Weights): Verdict {
  const all = new Set(proposal.flatMap(({ terms }) => [...terms]))
  const scene: Scene = { proposal, record, weights, all }
  const found = proposal.flatMap((stance) => [...bestOf(stance, scene), ...otherOption(stance, scene)])
  const overlap = overlapOf(scene)
  const against = strongest(found, 'conflicts')
  const along = strongest(found, 'supports')
  if (against && against.strength >= enoughForConflict)
    return { alignment: 'conflicts', evidence: against, overlap }
  if (along && along.strength >= enoughForSupport && (against?.strength ?? 0) < doubt)
    return { alignment: 'supports', evidence: along, overlap }
  return { alignment: 'related', evidence: against ?? along, overlap }
}

interface Scene {
  proposal: readonly Stance[]
  record: Prepared
  weights: Weights
  /** Every term of the proposal. */
  all: ReadonlySet<string>
}

function strongest(found: readonly Evidence[], verdict: Evidence['verdict']): Evidence | null {
  return found.reduce<Evidence | null>(
    (best, one) => (one.verdict === verdict && one.strength > (best?.strength ?? 0) ? one : best),
    null,
  )
}

/** A stance is compared with what it fits best of all that the record says: the rest speaks of something else. */
function bestOf(stance: Stance, scene: Scene): Evidence[] {
  const found = scene.record.stances.flatMap((decided) => compare(stance, decided, scene))
  const top = Math.max(0, ...found.map(({ fit }) => fit))
  const near = found.filter(({ fit }) => fit >= top - tooClose)
  const sides = new Set(near.map(({ verdict }) => verdict))
  // Evenly matched on both sides is a doubt, and a doubt counts against calling it support.
  return sides.size === 2 ? near.map((one) => ({ ...one, strength: Math.min(one.strength, doubt) })) : near
}

type Fitting = Evidence & { fit: number }

/** One stance of the proposal with one of the record. */
function compare(stance: Stance, decided: Decided, { weights, record, all }: Scene): Fitting[] {
  if (stance.side === 0 || decided.side === 0 || !sharesName(stance, decided, record)) return []
  const { cover, reach, whole } = measures(stance, decided, weights)
  if (cover < 0.34 || !isTelling(stance, decided, { weights, record, all })) return []
  const strength = (cover * 0.7 + reach * 0.3) * decided.trust * aboutTheSame(decided, all, weights)
  const fit = (whole + reach + cover) / 3
  const evidence = (rule: Rule, verdict: Evidence['verdict'], by = 1): Fitting[] => [
    {
      rule,
      verdict,
      strength: strength * by,
      fit,
      proposal: stance.sentence,
      decision: decided.sentence,
      line: decided.line,
    },
  ]
  const poles = opposed(stance, decided)
  const sides = stance.side * decided.side
  if (numbersDiffer(stance, decided)) {
    const rest = share(stance.terms, without(decided.terms, decided.numbers), weights)
    return sides > 0 && stance.side > 0 && rest >= 0.7 ? evidence('other-value', 'conflicts') : []
  }
  if (poles && sides > 0) return evidence('opposite-end', 'conflicts', whole >= 0.4 ? 1 : 0.6)
  if (poles && sides < 0) return evidence('same-refusal', 'supports', 0.9)
  if (sides > 0)
    return cover < 0.6 ? [] : evidence(stance.side > 0 ? 'same-choice' : 'same-refusal', 'supports')
  return evidence(stance.side > 0 ? 'picks-rejected' : 'negates-chosen', 'conflicts')
}

/** How much of what must be spoken of is, how much of the whole, and how much of the stance that takes up. */
function measures(stance: Stance, decided: Decided, weights: Weights) {
  const whole = share(stance.terms, decided.terms, weights)
  const reach = share(decided.terms, stance.terms, weights)
  // An option whose every word the chosen one has too is picked only by asking for it alone.
  const cover = decided.key.size > 0 ? share(stance.terms, decided.key, weights) : stance.only ? whole : 0
  return { cover, reach, whole }
}

/** Common words alone carry no verdict: a rare one must be shared, or three. */
function isTelling(
  stance: Stance,
  decided: Decided,
  { weights, record, all }: Omit<Scene, 'proposal'>,
): boolean {
  const shared = [...decided.terms].filter((term) => stance.terms.has(term))
  const rare = shared.some((term) => weights.isRare(term))
  if (decided.from === 'option' && decided.side < 0) return rare && isOnTopic(decided, all, record)
  return rare || shared.length >= 3
}

/** An option that was not chosen is picked again only where the same question is asked. */
function isOnTopic(decided: Decided, all: ReadonlySet<string>, { stances }: Prepared): boolean {
  return stances.some(
    ({ from, terms }) =>
      from === 'title' && [...terms].some((term) => all.has(term) && !decided.key.has(term)),
  )
}

/** A choice that was made for something else is another choice. */
function aboutTheSame(
  { concern, from, option }: Decided,
  all: ReadonlySet<string>,
  weights: Weights,
): number {
  if (from === 'option' || option.size === 0 || concern.size < 2) return 1
  return share(all, concern, weights) > 0.15 ? 1 : 0.55
}

/** What share of the weight of `whole` stands in `part`. */
function share(part: ReadonlySet<string>, whole: ReadonlySet<string>, weights: Weights): number {
  let [had, all] = [0, 0]
  for (const term of whole) {
    const weight = weights.of(term)
    all += weight
    if (part.has(term)) had += weight
  }
  return all === 0 ? 0 : had / all
}

/** Where a record's choice has a name, the proposal must speak of one of its names, and not of a longer one. */
function sharesName(stance: Stance, decided: Decided, { terms }: Prepared): boolean {
  const names = [...decided.names].filter((name) => decided.key.has(name))
  if (names.length === 0) return true
  const foreign = new Set(stance.runs.filter((run) => run.some((name) => !terms.has(name))).flat())
  return names.some((name) => stance.terms.has(name) && !foreign.has(name))
}

function numbersDiffer(stance: Stance, decided: Decided): boolean {
  if (stance.numbers.size === 0 || decided.numbers.size === 0) return false
  return ![...stance.numbers].some((number) => decided.numbers.has(number))
}

function without(terms: ReadonlySet<string>, gone: ReadonlySet<string>): Set<string> {
  return new Set([...terms].filter((term) => !gone.has(term)))
}

function opposed(stance: Stance, decided: Decided): boolean {
  return [...stance.poles].some(([axis, pole]) => {
    const other = decided.poles.get(axis)
    if (other === undefined) return false
    return axis === 'before or after' && swapped(stance, decided) ? other === pole : other !== pole
  })
}

/** "A before B" says the same as "B after A". */
function swapped(stance: Stance, decided: Decided): boolean {
  if (!stance.around || !decided.around) return false
  const [left, right] = stance.around
  const [first, second] = decided.around
  const straight = common(left, first) + common(right, second)
  return common(left, second) + common(right, first) > straight
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((term) => b.has(term)).length
}

/** Another thing for the same purpose, although the proposal does not mention what was chosen. */
function otherOption(stance: Stance, { proposal, record, weights }: Scene): Evidence[] {
  if (stance.side <= 0 || stance.option.size === 0) return []
  const said = new Set(proposal.filter(({ side }) => side > 0).flatMap(({ terms }) => [...terms]))
  const rest = without(stance.terms, stance.option)
  return record.stances.flatMap((decided): Evidence[] => {
    if (decided.side <= 0 || decided.option.size === 0 || decided.concern.size < 2 || rest.size < 2) return []
    if (share(said, decided.option, weights) > 0.6 || share(record.terms, stance.option, weights) > 0.6)
      return []
    const same = share(rest, decided.concern, weights)
    const back = share(decided.concern, rest, weights)
    const rare = [...rest].some((term) => decided.concern.has(term) && weights.isRare(term))
    if (same < 0.5 || back < 0.5 || !(rare || common(rest, decided.concern) >= 3)) return []
    return [
      {
        rule: 'other-option',
        verdict: 'conflicts',
        strength: (same * 0.6 + back * 0.4) * decided.trust,
        proposal: stance.sentence,
        decision: decided.sentence,
        line: decided.line,
      },
    ]
  })
}

function overlapOf({ all, record, weights }: Scene): number {
  const best = Math.max(0, ...record.stances.map(({ terms }) => share(all, terms, weights)))
  return Math.min(best, share(record.terms, all, weights) * 1.5)
}
