// Whether a proposal agrees with a decision, goes against it, or only touches it, as far as rules over words can tell. What
// they find names a rule and the two sentences it compared. judge.ts weighs it with all else that can be said.
import { turnsDownMore, wantsMore } from './agreement.js'
import { bestOf, doubt } from './compare.js'
import type { Evidence } from './evidence.js'
import { givenUp } from './given-up.js'
import { share } from './measures.js'
import { byName, otherOption } from './other-choice.js'
import type { Prepared, Proposal, Scene, Weights } from './prepared.js'

export type { Evidence, Rule } from './evidence.js'
export { type Prepared, type Proposal, prepared, proposalOf, type Weights, weightsOf } from './prepared.js'

export interface Verdict {
  alignment: 'supports' | 'conflicts' | 'related'
  /** What carried the verdict; of a related record, the nearest thing to one. */
  evidence: Evidence | null
  /** How much of what the record decides the proposal speaks of, 0..1. */
  overlap: number
}

// Set on the labelled proposals in evals/sets/adr, on the part that is there to develop on.
const enoughForConflict = 0.5
const enoughForSupport = 0.6

/** What every clause of a proposal comes to beside a record, by words. */
function claimsOfEach(
  { stances: proposal, all }: Proposal,
  record: Prepared,
  weights: Weights,
): Evidence[][] {
  const scene: Scene = { proposal, record, weights, all }
  return proposal.map((stance) => [
    ...bestOf(stance, scene),
    ...otherOption(stance, scene),
    ...byName(stance, scene),
  ])
}

/** The same, strongest first. */
export function claimsOf(asked: Proposal, record: Prepared, weights: Weights): Evidence[] {
  return claimsOfEach(asked, record, weights)
    .flat()
    .sort((a, b) => b.strength - a.strength)
}

export function align(asked: Proposal, record: Prepared, weights: Weights): Verdict {
  const { stances: proposal, all } = asked
  const scene: Scene = { proposal, record, weights, all }
  const each = claimsOfEach(asked, record, weights)
  const found = each.flat()
  const unshared = proposal.filter((_, i) => strongest(each[i]!, 'supports') === null)
  const overlap = overlapOf(scene)
  const given = givenUp(asked, record)
  if (given) return { alignment: 'conflicts', evidence: given, overlap }
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

function strongest(found: readonly Evidence[], verdict: Evidence['verdict']): Evidence | null {
  return found.reduce<Evidence | null>(
    (best, one) => (one.verdict === verdict && one.strength > (best?.strength ?? 0) ? one : best),
    null,
  )
}

function overlapOf({ all, record, weights }: Scene): number {
  const best = Math.max(0, ...record.stances.map(({ terms }) => share(all, terms, weights)))
  return Math.min(best, share(record.terms, all, weights) * 1.5)
}
