// A choice that goes against a record without a word about what was chosen.
import { even } from './agreement.js'
import type { Decided } from './decided.js'
import { type Evidence, roleOf } from './evidence.js'
import { between, common, own, share, without } from './measures.js'
import type { Prepared, Scene } from './prepared.js'
import type { Stance } from './stances.js'

/** Another thing for the same purpose, although the proposal does not mention what was chosen. */
export function otherOption(stance: Stance, { proposal, record, weights }: Scene): Evidence[] {
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

/** What a record says yes to where it says it first. */
function chosen(decided: Decided, { stances }: Prepared): Set<string> {
  const first = stances.filter(({ from, side }) => from !== 'decision' && side > 0)
  return new Set([...decided.terms, ...first.flatMap(({ terms }) => [...terms])])
}

/** An option that was not chosen, called by its very name: small words and single capitals count here. */
export function byName(stance: Stance, scene: Scene): Evidence[] {
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
