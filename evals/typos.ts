// Questions with a slip of the fingers, with and without correction; and how many questions without one are changed.
//   npm run evals -- typos
import { mean } from '../src/app/evaluate/evaluate.js'
import { embedder, openJudged } from './judged.js'
import { setNames } from './sets/read.js'

const model = embedder()
const rows = []
for (const name of setNames) {
  const judged = await openJudged(name, model)
  if (!judged) continue
  const row: Record<string, unknown> = { set: name, questions: judged.questions.length }
  const changed: number[] = []
  for (const mode of ['text', 'hybrid'] as const)
    for (const asWritten of [true, false]) {
      const first: number[] = []
      const top10: number[] = []
      for (const { text, relevant } of judged.questions) {
        const { hits, notes } = await judged.ask(text, { mode, asWritten })
        const place = hits.findIndex(({ ref }) => relevant.has(ref.path))
        first.push(place === 0 ? 1 : 0)
        top10.push(place >= 0 ? 1 : 0)
        if (mode === 'text' && !asWritten)
          changed.push(notes.some(({ code }) => code === 'corrected') ? 1 : 0)
      }
      row[`${mode}, ${asWritten ? 'as written' : 'corrected'}`] = `${three(first)} / ${three(top10)}`
    }
  rows.push({ ...row, corrected: three(changed) })
  await judged.close()
}
await model.close()
console.log('Share of questions whose document is the first hit / among ten hits.')
console.table(rows)

function three(list: number[]): number {
  return Math.round(mean(list) * 1000) / 1000
}
