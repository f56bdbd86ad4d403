// The score that users see. The same figures mean more for a long question than for a short one, since no passage has all of
// a long one. Relevance ranks the passages of one question, for which its length tells nothing; the score adds it, so that it
// says for any question how many of such passages are relevant.
import { moved } from './relevance.js'

/** What ranks, and what is shown. */
export interface Scored {
  relevance: number
  score: number
}

// Fitted by evals/calibrate.ts; evals/runs/calibration.md keeps the figures.
const both = { bias: -1.76, length: 0.83 }
const wordsAlone = { bias: -3.17, length: 1.68 }
/** The longest questions that the fit has seen have about so many terms. */
export const longest = 20

/**
 * What the length of a question adds to the log-odds of a relevance. It is the same for all passages of a search, so that
 * the score never changes their order.
 */
export function lengthFactor(terms: number, isByMeaning: boolean): number {
  const { bias, length } = isByMeaning ? both : wordsAlone
  return bias + length * Math.log(Math.max(1, Math.min(longest, terms)))
}

/** Moved up or down by some log-odds, both what ranks and what is shown. */
export function lifted<T extends Scored>(hit: T, by: number): T {
  return { ...hit, relevance: moved(hit.relevance, by), score: moved(hit.score, by) }
}
