// Hybrid against reranked, on every judged set: nDCG@10, how often the first hit is right, and what the second look takes.
//   npm run evals -- rerank [SET…] [--json]
import { mean, ndcg, percentile } from '../src/app/evaluate/evaluate.js'
import { chosenSets, embedder, type Judged, openJudged } from './judged.js'

const words = process.argv.slice(2)
const model = embedder()
const rows = []
for (const name of chosenSets(words)) {
  const judged = await openJudged(name, model)
  if (!judged) console.error(`${name}: its data is not here`)
  else {
    rows.push(await compare(judged))
    await judged.close()
  }
}
await model.close()
if (words.includes('--json')) console.log(JSON.stringify(rows))
else console.table(rows)

async function compare({ name, questions, ask }: Judged) {
  const [gains, first] = [
    { hybrid: [] as number[], rerank: [] as number[] },
    { hybrid: [] as number[], rerank: [] as number[] },
  ]
  const times: number[] = []
  for (const { text, relevant } of questions)
    for (const mode of ['hybrid', 'rerank'] as const) {
      const { hits, stages } = await ask(text, { mode })
      const grades = new Map([...relevant].map((path) => [path, 1]))
      gains[mode].push(ndcg([...new Set(hits.map(({ ref }) => ref.path))], grades, 10))
      first[mode].push(relevant.has(hits[0]?.ref.path ?? '') ? 1 : 0)
      times.push(...stages.filter((stage) => stage.name === 'rerank').map(({ ms }) => ms))
    }
  return {
    set: name,
    questions: questions.length,
    'nDCG@10, hybrid': three(mean(gains.hybrid)),
    'nDCG@10, rerank': three(mean(gains.rerank)),
    'first, hybrid': three(mean(first.hybrid)),
    'first, rerank': three(mean(first.rerank)),
    'p50 of the second look, ms': three(percentile(times, 0.5)),
  }
}

function three(value: number): number {
  return Math.round(value * 1000) / 1000
}
