// The second look at the best hits: with a reranker, or by the vectors of the passages. What a question words otherwise than
// its answer, the best passages often word alike: those near the two best ones in meaning move up.
import type { Reranker } from '../embed/port.js'
import type { Hit } from '../model/hit.js'
import { type Note, reasonOf } from '../model/problem.js'
import { withTimeout } from '../runtime/timeout.js'
import type { Store } from '../store/port.js'
import { type Run, record, tell } from './candidates.js'
import { mentions } from './mentions.js'
import { centroid } from './related.js'
import { lifted } from './score.js'
import type { Assembled, Ports, Search } from './search.js'

/** How many hits are looked at again. */
export const reranked = 20

export async function rerank(
  { reranker, store, embedder }: Ports,
  query: Search,
  assembled: Assembled,
  run: Run,
): Promise<Assembled> {
  if (assembled.length < 2) {
    record(run, { name: 'rerank', ms: 0, state: 'skipped', reason: 'fewer than two passages' })
    return assembled
  }
  const start = performance.now()
  const best = assembled.slice(0, reranked)
  const texts = best.map(({ hit }) => `${hit.document.title}\n${hit.text}`)
  const added = reranker
    ? await byReranker(reranker, query.text, texts, run.end - start)
    : await byNearness({ store, embedder }, best)
  const ms = performance.now() - start
  if (!Array.isArray(added)) {
    tell(run, added.code, added.message)
    record(run, { name: 'rerank', ms, state: 'cut', reason: added.message })
    return assembled.slice(0, query.limit)
  }
  record(run, { name: 'rerank', ms, state: 'ran' })
  const again = best.map(({ hit, candidate }, i) => ({
    hit: { ...withAdded(hit, added[i]!), by: 'rerank' as const },
    candidate,
  }))
  // What was not looked at again stands below what was: its relevance is capped by the last one's.
  const sorted = again.sort((a, b) => b.hit.relevance - a.hit.relevance)
  const last = sorted.at(-1)!.hit
  const rest = assembled.slice(reranked).map(({ hit, candidate }) => ({
    hit: hit.relevance > last.relevance ? { ...hit, relevance: last.relevance, score: last.score } : hit,
    candidate,
  }))
  return [...sorted, ...rest].slice(0, query.limit)
}

function withAdded(hit: Hit, by: number): Hit {
  const moved = lifted(hit, by)
  const { explain, score } = moved
  return explain ? { ...moved, explain: { ...explain, reranked: by, score } } : moved
}

/** Without a reranker the vectors of the passages are compared with those of the best two, and mentions count. */
async function byNearness(
  { store, embedder }: Pick<Ports, 'store' | 'embedder'>,
  best: Assembled,
): Promise<number[] | Note> {
  const ranked = best.map(({ hit, candidate }) => ({ chunk: candidate.chunk, score: hit.relevance }))
  const added = embedder && (await nearness(store, embedder.model, ranked))
  const mentioned = mentions(best.map(({ hit }) => hit))
  if (added) return added.map((one, i) => one + mentioned[i]!)
  const message =
    'Too few of these passages have a vector to compare, and no reranker is set up (rerank.provider in the configuration); this is the hybrid order.'
  return { code: 'not_reranked', message }
}

/**
 * What each adds to its log-odds, in the order given, or a note that says why nothing. A reranker's figures have no scale of
 * their own: within the list they are made comparable.
 */
async function byReranker(
  reranker: Reranker,
  query: string,
  texts: readonly string[],
  msLeft: number,
): Promise<number[] | Note> {
  const late = { code: 'not_reranked', message: 'There was no time to rerank; this is the hybrid order.' }
  try {
    const scores = await withTimeout(msLeft, late, (signal) => reranker.score(query, texts, { signal }))
    return Array.isArray(scores) ? standardised(scores) : scores
  } catch (error) {
    const message = `Reranking is not available: ${reasonOf(error)} This is the hybrid order.`
    return { code: 'not_reranked', message }
  }
}

function standardised(scores: readonly number[]): number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  const spread = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length) || 1
  return scores.map((score) => (score - mean) / spread)
}

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
