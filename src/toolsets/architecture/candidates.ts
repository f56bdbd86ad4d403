// Which records a proposal may be about.
import type { Prepared, Verdict } from '../../retrieve/alignment/align.js'
import type { Candidate } from '../../retrieve/alignment/signals.js'
import { byPath, type Decision, type Decisions, isInForce, standingOf } from './decisions.js'

const mostCandidates = 8
const mostByRule = 2
const sureByRule = 0.5

/** The few in force that search finds first, and those that the rules are sure of. */
export function candidatesOf(
  decisions: Decisions,
  found: ReadonlyMap<Decision, number>,
  ruled: ReadonlyMap<Decision, Verdict>,
): Candidate<Prepared<Decision>>[] {
  const scores = ofThoseInForce(decisions, found)
  const score = (decision: Decision) => scores.get(decision) ?? 0
  const first = [...scores.keys()]
    .sort((a, b) => score(b) - score(a) || byPath(a, b))
    .slice(0, mostCandidates)
  const strength = (decision: Decision) => {
    const { alignment, evidence } = ruled.get(decision)!
    return alignment === 'conflicts' ? (evidence?.strength ?? 0) : 0
  }
  const sure = decisions.all
    .filter((one) => !first.includes(one) && strength(one) >= sureByRule)
    .filter((one) => isInForce(one, standingOf(one, decisions)))
    .sort((a, b) => strength(b) - strength(a) || byPath(a, b))
    .slice(0, mostByRule)
  return [...first, ...sure].map((one) => ({ record: decisions.prepared.get(one)!, score: score(one) }))
}

/** Who comes near a superseded record is asking about what holds in its place. */
function ofThoseInForce(
  decisions: Decisions,
  found: ReadonlyMap<Decision, number>,
): ReadonlyMap<Decision, number> {
  const scores = new Map<Decision, number>()
  for (const [decision, score] of found) {
    const standing = standingOf(decision, decisions)
    for (const one of isInForce(decision, standing) ? [decision] : standing.successors)
      scores.set(one, Math.max(score, scores.get(one) ?? 0))
  }
  return scores
}
