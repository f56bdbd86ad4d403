// Three ways to bring words and meaning together, on the same candidates: our relevance, scores normalised within each
// query (0.3 words + 0.7 meaning), and reciprocal ranks.
//   npm run evals -- fusion [SET…]

import { mean, ndcg } from '../src/app/evaluate/evaluate.js'
import type { Hit } from '../src/model/hit.js'
import { chosenSets, embedder, openJudged } from './judged.js'

const words = process.argv.slice(2)
const names = chosenSets(words)
const model = embedder()
const rows = []
for (const name of names) {
  const judged = await openJudged(name, model)
  if (!judged) continue
  const scores: Record<string, number[]> = {}
  for (const { text, relevant } of judged.questions) {
    const { hits } = await judged.ask(text, { limit: 100, explain: true })
    const grades = new Map([...relevant].map((path) => [path, 1]))
    for (const [way, order] of Object.entries(ways(hits))) {
      const ranked = hits
        .map((hit, i) => ({ path: hit.ref.path, score: order[i]! }))
        .sort((a, b) => b.score - a.score)
      scores[way] = [
        ...(scores[way] ?? []),
        ndcg(
          ranked.map(({ path }) => path),
          grades,
          10,
        ),
      ]
    }
  }
  await judged.close()
  rows.push({
    set: name,
    ...Object.fromEntries(
      Object.entries(scores).map(([way, list]) => [way, Math.round(mean(list) * 1000) / 1000]),
    ),
  })
}
await model.close()
console.table(rows)

/** A score a hit, each way; nDCG@10 of the orders they give is compared. */
function ways(hits: Hit[]): Record<string, number[]> {
  const bm25 = hits.map(({ explain }) => explain!.words?.score ?? 0)
  const cosines = hits.map(({ explain }) => explain!.meaning?.cosine ?? 0)
  const [most, low, high] = [Math.max(...bm25, 1e-9), Math.min(...cosines), Math.max(...cosines)]
  const rank = (place: number | null | undefined) => (place ? 1 / (60 + place) : 0)
  return {
    relevance: hits.map(({ relevance }) => relevance),
    'normalised in the query': hits.map(
      (_, i) => (0.3 * bm25[i]!) / most + (0.7 * (cosines[i]! - low)) / (high - low || 1),
    ),
    'reciprocal ranks': hits.map(({ explain }) => rank(explain!.words?.rank) + rank(explain!.meaning?.rank)),
  }
}
