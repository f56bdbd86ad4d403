// The second look without a model that reads: passages that are near the two best ones in meaning move up. What a question
// words otherwise than its answer, the best passages often word alike.
import type { Store } from '../store/port.js'
import { centroid } from './related.js'

export interface Judged {
  chunk: number
  score: number
}

/** How many of the best say what is meant, and how much nearness to them counts beside the log-odds of a relevance. */
const feedback = { best: 2, weight: 2.2 }

/** What each adds to its log-odds, around nothing; null where too few have a vector. */
export async function nearness(
  store: Store,
  model: string,
  ranked: readonly Judged[],
): Promise<number[] | null> {
  const vectors = await store.vectors.of(
    model,
    ranked.map(({ chunk }) => chunk),
  )
  const best = ranked.slice(0, feedback.best).flatMap(({ chunk, score }) => {
    const vector = vectors.get(chunk)
    return vector ? [vector.map((value) => value * score)] : []
  })
  const middle = centroid(best)
  if (!middle || vectors.size < 2) return null
  const near = ranked.map(({ chunk }) => {
    const vector = vectors.get(chunk)
    return vector ? vector.reduce((sum, value, i) => sum + value * middle[i]!, 0) : null
  })
  const known = near.filter((one) => one !== null)
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length
  return near.map((one) => (one === null ? 0 : feedback.weight * (one - mean)))
}
