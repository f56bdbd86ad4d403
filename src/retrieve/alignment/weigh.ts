// Signals weighed: questions, each answered by a sum of weighted signals. Fitted, not thought up:
// evals/alignment-fit.ts does it, and tells how well it does on records that it was not fitted on.
import type { Signals } from './signals.js'

/** Probabilities, 0..1. */
export interface Odds {
  /** The record is what the proposal is about. */
  about: number
  /** If so, the proposal goes against it; or goes along with it. */
  against: number
  along: number
  /** It is about the record and goes against it. */
  conflict: number
}

export interface Model {
  bias: number
  /** By signal. One that is not there counts as 0. */
  weights: Readonly<Record<string, number>>
}

export interface Models {
  about: Model
  against: Model
  along: Model
  /** Both questions asked at once, where the record was read: the two ways err in different places. */
  conflict?: Model
}

export function weighed(signals: Signals, models: Models): Odds {
  const [about, against, along] = [models.about, models.against, models.along].map((model) =>
    probability(signals, model),
  ) as [number, number, number]
  const apart = about ** aboutCounts * against
  const conflict = models.conflict ? (apart + probability(signals, models.conflict)) / 2 : apart
  return { about, against, along, conflict }
}

/** A little doubt about the subject is a lesser doubt than one about the side. */
const aboutCounts = 0.7

function probability(signals: Signals, { bias, weights }: Model): number {
  let sum = bias
  for (const [name, weight] of Object.entries(weights)) sum += weight * (signals[name] ?? 0)
  return 1 / (1 + Math.exp(-sum))
}
