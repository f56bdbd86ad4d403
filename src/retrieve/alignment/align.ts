// Whether a proposal agrees with a decision, goes against it, or only touches it. Every verdict names the rule that gave
// it and the two sentences it compared; where nothing carries a verdict, it says "related" and no more.
import type { Adr } from '../../parse/adr/adr.js'
import { sentences } from '../../text/sentences.js'
import { agrees, even, turnsDownMore, wantsMore } from './agreement.js'
import { dissent } from './cues.js'
import { type Decided, decidedIn } from './decided.js'
import { contentTerms, type Stance, stancesOf, withReferents } from './stances.js'

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
  /** What the record does with it: an option may only be listed, and not taken. */
  as: 'said' | 'chosen' | 'not chosen'
  line: number
  /** How much of each of the two sentences the other has, 0..1. */
  fit: number
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
  /** In so many that it says nothing about any. */
  isCommon(term: string): boolean
}

/** A record made ready to be compared with many proposals. */
export interface Prepared<A extends Adr = Adr> {
  adr: A
  stances: Decided[]
  /** All terms of its title, options and decision. */
  terms: ReadonlySet<string>
  /** Those and the terms of its context and consequences: whatever it speaks of. */
  known: ReadonlySet<string>
}

export function prepared<A extends Adr>(adr: A): Prepared<A> {
  const stances = decidedIn(adr)
  const terms = new Set(stances.flatMap((stance) => [...stance.terms]))
  const rest = [...adr.context, ...adr.consequences].slice(0, mostSentences).map(({ text }) => text)
  return { adr, stances, terms, known: new Set([...terms, ...contentTerms(rest.join('\n'))]) }
}

/** Rare words tell decisions apart; words that every record has say little. */
export function weightsOf(all: readonly Prepared[]): Weights {
  const counts = new Map<string, number>()
  for (const { terms } of all) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const of = (term: string) => Math.log(1 + (all.length + 2) / ((counts.get(term) ?? 0) + 0.5))
  const few = Math.max(3, all.length * 0.08)
  const many = Math.max(4, all.length * 0.25)
  return {
    of,
    isRare: (term) => (counts.get(term) ?? 0) <= few,
    isCommon: (term) => (counts.get(term) ?? 0) > many,
  }
}

export interface Proposal {
  stances: Stance[]
  /** Every term of the proposal and of its context. */
  all: ReadonlySet<string>
  /** It says that it goes against something, whatever that is. */
  dissents: boolean
}

/** What a proposal stands for. Its context says what it is about and takes no side. */
export function proposalOf(text: string, context = ''): Proposal {
  const stances = text
    .split(/\n+/)
    .flatMap((line) => sentences(line.replace(/^\s*(?:[-*+]|\d+[.)]|#+)\s+/, '')))
    .slice(0, mostSentences)
    .flatMap((one, i) => stancesOf(one.text, i + 1))
  return {
    stances: withReferents(stances),
    all: contentTerms(`${text}\n${context}`),
    dissents: dissent.test(text),
  }
}

const mostSentences = 80

// Set on the labelled proposals in evals/sets/adr, on the part that is there to develop on.
const enoughForConflict = 0.5
const enoughForSupport = 0.6
/** As little as this against it, and it is no longer called support. */
const doubt = 0.4
/** Evidence for both that is as close as this decides nothing. */
const tooClose = 0.04

export function align(asked: Proposal, record: Prepared, weights: Weights): Verdict {
  const { stances: proposal, all } = asked
  const scene: Scene = { proposal, record, weights, all }
  const each = proposal.map((stance) => [
    ...bestOf(stance, scene),
    ...otherOption(stance, scene),
    ...byName(stance, scene),
  ])
  const found = each.flat()
  const unshared = proposal.filter((_, i) => strongest(each[i]!, 'supports') === null)
  const overlap = overlapOf(scene)
  const against = strongest(found, 'conflicts')
  const along = strongest(found, 'supports')
  if (against && against.strength >= enoughForConflict)
    return { alignment: 'conflicts', evidence: against, overlap }
  const isDoubtful =
    asked.dissents ||
    (against?.strength ?? 0) >= doubt ||
    turnsDownMore(proposal, unshared, record.stances) ||
    wantsMore(unshared)
  if (along && along.strength >= enoughForSupport && !isDoubtful)
    return { alignment: 'supports', evidence: along, overlap }
  return { alignment: 'related', evidence: against ?? along, overlap }
}

/** Records that a sentence fits much less than another one are not what it is about. */
export function demoted<V extends { verdict: Verdict }>(found: readonly V[]): V[] {
  const best = new Map<string, number>()
  for (const { verdict } of found)
    if (verdict.alignment === 'conflicts')
      best.set(
        verdict.evidence!.proposal,
        Math.max(best.get(verdict.evidence!.proposal) ?? 0, verdict.evidence!.fit),
      )
  return found.map((one) => {
    const { alignment, evidence } = one.verdict
    const isWeaker = alignment === 'conflicts' && evidence!.fit < best.get(evidence!.proposal)! - muchLess
    return isWeaker ? { ...one, verdict: { ...one.verdict, alignment: 'related' as const } } : one
  })
}

const muchLess = 0.15

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

/** One stance of the proposal with one of the record. */
function compare(stance: Stance, decided: Decided, { weights, record, all }: Scene): Evidence[] {
  if (stance.side === 0 || decided.side === 0 || !sharesName(stance, decided, record)) return []
  const poles = opposed(stance, decided)
  const { cover, reach, whole } = measures(stance, decided, { weights, poles })
  if (cover < 0.34 || !isTelling(stance, decided, { weights, record, all, cover, reach })) return []
  const matter = aboutTheSame(decided, all, weights)
  const strength = (cover * 0.7 + reach * 0.3) * decided.trust * matter
  const fit = matter * between(whole, reach) * (0.9 + 0.1 * sameOrder(stance.terms, decided.terms))
  const evidence = (rule: Rule, verdict: Evidence['verdict'], by = 1): Evidence[] => [
    {
      rule,
      verdict,
      strength: strength * by,
      fit,
      proposal: stance.sentence,
      decision: decided.sentence,
      as: roleOf(decided),
      line: decided.line,
    },
  ]
  const sides = stance.side * decided.side
  if (numbersDiffer(stance, decided)) {
    const rest = share(stance.terms, without(decided.terms, decided.numbers), weights)
    return sides > 0 && stance.side > 0 && rest >= 0.7 ? evidence('other-value', 'conflicts') : []
  }
  if (poles && sides > 0) return evidence('opposite-end', 'conflicts')
  if (poles && sides < 0) return evidence('same-refusal', 'supports', 0.9)
  if (sides > 0)
    return cover >= 0.6 &&
      isMoreThanAWord(stance, decided) &&
      agrees(stance, decided, { all: record.stances, whole, known: record.known })
      ? evidence(stance.side > 0 ? 'same-choice' : 'same-refusal', 'supports')
      : []
  if (isBesideThePoint(stance, decided, reach)) return []
  return evidence(stance.side > 0 ? 'picks-rejected' : 'negates-chosen', 'conflicts')
}

/** What is only turned into something, or taken out of, is neither picked nor turned down; nor is a mere topic. */
function isBesideThePoint(stance: Stance, decided: Decided, reach: number): boolean {
  const shared = [...decided.key].filter((term) => stance.terms.has(term))
  if (shared.length > 0 && shared.every((term) => stance.moot.has(term))) return true
  const isTopic = decided.from === 'title' && decided.slot === null && decided.names.size === 0
  return isTopic && stance.side < 0 && reach < mostOf
}

const mostOf = 0.65

/** Agreement on one common word is none; nor on what the proposal moves elsewhere or allows only here and there. */
function isMoreThanAWord(stance: Stance, decided: Decided): boolean {
  if (stance.only && !decided.only && stance.side > 0) return false
  if ([...decided.poles.keys(), ...decided.unclear].some((axis) => stance.unclear.has(axis))) return false
  if ([...decided.key].every((term) => stance.moot.has(term) || !stance.terms.has(term))) return false
  return common(stance.terms, decided.terms) > 1 || [...decided.names].some((name) => stance.terms.has(name))
}

function roleOf({ from, side }: Decided): Evidence['as'] {
  return from !== 'option' ? 'said' : side > 0 ? 'chosen' : 'not chosen'
}

function between(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b)
}

/** "A imports B" is not "B imports A": the share of shared words that follow each other in the same order. */
function sameOrder(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const places = [...other]
  const order = [...one].map((term) => places.indexOf(term)).filter((place) => place >= 0)
  const rising = order.filter((place, i) => i > 0 && place > order[i - 1]!).length
  return order.length < 2 ? 1 : rising / (order.length - 1)
}

/** How much of what must be spoken of is, how much of the whole, and how much of the stance that takes up. */
function measures(
  stance: Stance,
  decided: Decided,
  { weights, poles }: { weights: Weights; poles: boolean },
) {
  const spoken = own(poles ? stance.base : stance.terms, stance, decided)
  const said = poles ? decided.base : decided.terms
  const key = poles ? said : decided.key
  const whole = share(spoken, said, weights)
  const reach = share(said, spoken, weights)
  // An option whose every word the chosen one has too is picked only by asking for it alone.
  const alone = stance.only && decided.only && [...decided.names].some((name) => spoken.has(name))
  const cover = alone ? 1 : key.size > 0 ? share(spoken, key, weights) : stance.only ? whole : 0
  return { cover, reach, whole }
}

/** The terms without the parts of a compound that the record knows by a shorter or a longer name. */
function own(terms: ReadonlySet<string>, stance: Stance, decided: Decided): ReadonlySet<string> {
  const other = stance.compounds.filter((one) => decided.compounds.some((two) => extendsName(one, two)))
  if (other.length === 0) return terms
  return without(
    terms,
    new Set(other.flatMap((compound) => compound.split('-').flatMap((part) => [...contentTerms(part)]))),
  )
}

function extendsName(one: string, other: string): boolean {
  return (
    one !== other &&
    (one.endsWith(`-${other}`) ||
      one.startsWith(`${other}-`) ||
      other.endsWith(`-${one}`) ||
      other.startsWith(`${one}-`))
  )
}

/** Common words alone carry no verdict: a rare one must be shared, or three, or the whole of a title or an option. */
function isTelling(
  stance: Stance,
  decided: Decided,
  { weights, record, all, cover, reach }: Omit<Scene, 'proposal'> & { cover: number; reach: number },
): boolean {
  const shared = [...decided.terms].filter((term) => stance.terms.has(term))
  const rare = shared.some((term) => weights.isRare(term))
  if (decided.from === 'option' && decided.side < 0)
    return rare && isOnTopic(decided, { weights, record, all })
  // "Instead of GitHub": a common name that is all there is to a clause, and all there is to a choice.
  const isNamed = reach > 0.9 && [...decided.key].every((term) => decided.names.has(term))
  const isWhole = cover > 0.99 && (decided.key.size >= 2 || share(all, decided.concern, weights) > 0.15)
  const isTitle = decided.from !== 'decision' && decided.key.size >= 2
  return rare || shared.length >= 3 || (isWhole && (isNamed || isTitle))
}

/** An option that was not chosen is picked again only where the same question is asked. */
function isOnTopic({ key }: Decided, { weights, record, all }: Omit<Scene, 'proposal'>): boolean {
  return record.stances.some(
    ({ from, terms }) =>
      from === 'title' &&
      [...terms].some(
        (term) => all.has(term) && (!weights.isCommon(term) || (key.size > 1 && !key.has(term))),
      ),
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
  // A name that the record does not know is beside the point where all of a plain choice is spoken of.
  const isSpokenOf = decided.key.size >= 2 && [...decided.key].every((term) => stance.terms.has(term))
  if (!isSpokenOf && stance.names.size > 0 && ![...stance.names].some((name) => terms.has(name))) return false
  if (
    stance.names.size > 0 &&
    decided.names.size > 0 &&
    ![...decided.names].some((name) => stance.terms.has(name))
  )
    return false
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
  const said = proposal.filter(({ side }) => side > 0)
  const rest = new Set([...without(stance.terms, stance.option), ...stance.concern])
  const isNamed = [...stance.option].some((term) => stance.names.has(term))
  return record.stances.flatMap((decided): Evidence[] => {
    if (decided.side <= 0 || decided.option.size === 0 || decided.concern.size < 2 || rest.size < 2) return []
    if (decided.trust < leastTrusted) return []
    if (decided.slot !== 'use' && !(isNamed && stance.slot === 'means')) return []
    const spoken = new Set(said.flatMap((one) => [...own(one.terms, one, decided)]))
    if (
      share(spoken, decided.option, weights) > 0.6 ||
      share(chosen(decided, record), own(stance.option, stance, decided), weights) > 0.6
    )
      return []
    const same = share(rest, decided.concern, weights)
    const back = share(decided.concern, rest, weights)
    const rare = [...rest].some((term) => decided.concern.has(term) && weights.isRare(term))
    const telling = rare || common(rest, decided.concern) >= 3 || (isNamed && same > 0.9)
    if (same < 0.5 || back < 0.4 || !telling) return []
    return [
      {
        rule: 'other-option',
        verdict: 'conflicts',
        strength: (same * 0.6 + back * 0.4) * decided.trust,
        fit: between(same, back),
        proposal: stance.sentence,
        decision: decided.sentence,
        as: roleOf(decided),
        line: decided.line,
      },
    ]
  })
}

/** What a record says late in its decision explains it: another option there is no other choice. */
const leastTrusted = 0.9

/** An option that was not chosen, called by its very name: small words and single capitals count here. */
function byName(stance: Stance, scene: Scene): Evidence[] {
  if (stance.side <= 0) return []
  const { stances } = scene.record
  const taken = stances.some(
    ({ from, side, literal }) => from === 'option' && side > 0 && literal && says(stance, literal),
  )
  return stances.flatMap((decided): Evidence[] => {
    if (decided.from !== 'option' || decided.side >= 0 || taken || !decided.literal) return []
    if (!says(stance, decided.literal) || !isAsked(decided, scene)) return []
    const { sentence: decision, line } = decided
    return [
      {
        rule: 'picks-rejected',
        verdict: 'conflicts',
        strength: 0.7,
        fit: 0.7,
        proposal: stance.sentence,
        decision,
        as: roleOf(decided),
        line,
      },
    ]
  })
}

function says({ words }: Stance, literal: string): boolean {
  const single = !/[\s-]/.test(literal)
  if (single)
    return (
      /^\p{Lu}/u.test(literal) &&
      new RegExp(`(?<=[^\\p{L}\\p{N}])${escaped(literal)}(?![\\p{L}\\p{N}-])`, 'u').test(words)
    )
  return even(words).includes(even(literal))
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The record's question is this one: its title, its problem or its other options are spoken of too. */
function isAsked({ terms }: Decided, { record, all, weights }: Scene): boolean {
  return record.stances.some(
    (one) =>
      one.from !== 'decision' &&
      [...one.terms].some((term) => all.has(term) && !terms.has(term) && !weights.isCommon(term)),
  )
}

/** What a record says yes to where it says it first. */
function chosen(decided: Decided, { stances }: Prepared): Set<string> {
  const first = stances.filter(({ from, side }) => from !== 'decision' && side > 0)
  return new Set([...decided.terms, ...first.flatMap(({ terms }) => [...terms])])
}

function overlapOf({ all, record, weights }: Scene): number {
  const best = Math.max(0, ...record.stances.map(({ terms }) => share(all, terms, weights)))
  return Math.min(best, share(record.terms, all, weights) * 1.5)
}
