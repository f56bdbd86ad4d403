// Words against hybrid on every judged set: how often the first hit is right, and how often going from words to hybrid
// loses the first relevant hit from the top ten.
//   npm run evals -- modes [SET…] [--json] [--save]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mean } from '../src/app/evaluate/evaluate.js'
import { projectRoot } from '../test/support/world.js'
import { chosenSets, embedder, type Judged, openJudged } from './judged.js'

const words = process.argv.slice(2)
const names = chosenSets(words)
const model = embedder()
const rows = []
for (const name of names) {
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
if (words.includes('--save'))
  writeFileSync(join(projectRoot, 'evals/baselines/modes.json'), `${JSON.stringify(rows, null, 2)}\n`)

async function compare({ name, questions, ask }: Judged) {
  const places: Record<'text' | 'hybrid', (number | null)[]> = { text: [], hybrid: [] }
  for (const { text, relevant } of questions)
    for (const mode of ['text', 'hybrid'] as const) {
      const { hits } = await ask(text, { mode })
      const at = hits.findIndex((hit) => relevant.has(hit.ref.path))
      places[mode].push(at < 0 ? null : at)
    }
  const share = (mode: 'text' | 'hybrid', good: (place: number | null) => boolean) =>
    three(mean(places[mode].map((place) => (good(place) ? 1 : 0))))
  const lost = places.text.map((place, i) => (place !== null && places.hybrid[i] === null ? 1 : 0))
  return {
    set: name,
    questions: questions.length,
    'first, words': share('text', (place) => place === 0),
    'first, hybrid': share('hybrid', (place) => place === 0),
    'top 10, words': share('text', (place) => place !== null),
    'top 10, hybrid': share('hybrid', (place) => place !== null),
    'lost by hybrid': three(mean(lost)),
  }
}

function three(value: number): number {
  return Math.round(value * 1000) / 1000
}
