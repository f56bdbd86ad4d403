// One clause of a proposal held against what a record says: agreement, contradiction, or nothing to do with it.
import { agrees } from './agreement.js'
import type { Decided } from './decided.js'
import { type Evidence, type Rule, roleOf } from './evidence.js'
import { between, common, own, sameOrder, share, without } from './measures.js'
import type { Prepared, Scene, Weights } from './prepared.js'
import type { Stance } from './stances.js'
import { contentTerms } from './wording.js'

/** A stance is compared with what it fits best of all that the record says: the rest speaks of something else. */
export function bestOf(stance: Stance, scene: Scene): Evidence[] {
  const found = scene.record.stances.flatMap((decided) => compare(stance, decided, scene))
  const top = Math.max(0, ...found.map(({ fit }) => fit))
  const near = found.filter(({ fit }) => fit >= top - tooClose)
  const sides = new Set(near.map(({ verdict }) => verdict))
  // Evenly matched on both sides is a doubt, and a doubt counts against calling it support.
  return sides.size === 2 ? near.map((one) => ({ ...one, strength: Math.min(one.strength, doubt) })) : near
}

/** As little as this against it, and it is no longer called support. */
export const doubt = 0.4
/** Evidence for both that is as close as this decides nothing. */
const tooClose = 0.04

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
  if (stance.side > 0 && !speaksOfDeed(stance, decided)) return []
  // A part that the record says nothing of is not what it chose.
  if (stance.gone !== null && !record.terms.has(stance.gone)) return []
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

/** "A flag must not depend on another one" turns down depending, not flags. */
function speaksOfDeed({ terms }: Stance, { from, words }: Decided): boolean {
  const [, subject = '', deed = ''] = (from === 'decision' && notDone.exec(words)) || []
  const told = without(contentTerms(deed), contentTerms(subject))
  return told.size === 0 || [...told].some((term) => terms.has(term))
}

const notDone =
  /^(.+?)\s(?:(?:must|may|can|will|should|shall|do|does|is|are)\s+(?:not|never)|cannot|\w+n't|never)\s(.+)$/i

/** Agreement on one common word is none; nor on what the proposal moves elsewhere or allows only here and there. */
function isMoreThanAWord(stance: Stance, decided: Decided): boolean {
  if (stance.only && !decided.only && stance.side > 0) return false
  if ([...decided.poles.keys(), ...decided.unclear].some((axis) => stance.unclear.has(axis))) return false
  if ([...decided.key].every((term) => stance.moot.has(term) || !stance.terms.has(term))) return false
  return common(stance.terms, decided.terms) > 1 || [...decided.names].some((name) => stance.terms.has(name))
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
