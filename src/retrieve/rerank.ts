// A second, slower look at the best hits. Never in the default path; gives way to the deadline and to any failure.
import type { Reranker } from '../embed/rerank/port.js'
import { type Note, reasonOf } from '../model/problem.js'
import { within } from '../runtime/timeout.js'

/** How many hits are looked at again. */
export const reranked = 20

/**
 * New relevances, in the order given, or a note that says why there are none. A reranker's figures have no scale of their
 * own: within the list they are made comparable, and move each relevance up or down from where it was.
 */
export async function rerank(
  reranker: Reranker,
  query: string,
  passages: readonly { text: string; score: number }[],
  msLeft: number,
): Promise<number[] | Note> {
  const late = { code: 'not_reranked', message: 'There was no time to rerank; this is the hybrid order.' }
  const texts = passages.map(({ text }) => text)
  try {
    const scores = await within(msLeft, late, (signal) => reranker.score(query, texts, { signal }))
    return Array.isArray(scores) ? blend(passages, scores) : scores
  } catch (error) {
    const message = `Reranking is not available: ${reasonOf(error)} This is the hybrid order.`
    return { code: 'not_reranked', message }
  }
}

/** Half what was known, half what the second look says, both as log-odds. */
function blend(passages: readonly { score: number }[], scores: readonly number[]): number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  const spread = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length) || 1
  return passages.map(({ score }, i) => logistic(logOdds(score) + (scores[i]! - mean) / spread))
}

function logOdds(score: number): number {
  const safe = Math.min(1 - 1e-6, Math.max(1e-6, score))
  return Math.log(safe / (1 - safe))
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x))
}
