// How many questions that no set can answer are answered by "nothing relevant", and how many judged ones that had their
// answer among the first ten lose it so.
//   npm run evals -- silence [SET…] [--json]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../test/support/world.js'
import { chosenSets, embedder, type Judged, openJudged } from './judged.js'

interface Answered {
  text: string
  isSilent: boolean
  /** The first relevant document is among the first ten. */
  found: boolean
}

const unanswerable = readFileSync(join(projectRoot, 'evals/sets/unanswerable.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const modes = ['hybrid', 'vector'] as const
const words = process.argv.slice(2)
const model = embedder()
const rows: Record<string, string | number>[] = []
const all: Record<string, unknown>[] = []
for (const name of chosenSets(words)) {
  const judged = await openJudged(name, model)
  if (!judged) console.error(`${name}: its data is not here`)
  else {
    for (const mode of modes) {
      const answered = await askAll(judged, judged.questions, mode)
      const nonsense = await askAll(
        judged,
        unanswerable.map((text) => ({ text, relevant: new Set<string>() })),
        mode,
      )
      all.push({ name, mode, answered, nonsense })
      rows.push(row(name, mode, answered, nonsense))
    }
    await judged.close()
  }
}
await model.close()
if (words.includes('--json')) console.log(JSON.stringify(all))
else console.table(rows)

async function askAll({ ask }: Judged, questions: Judged['questions'], mode: (typeof modes)[number]) {
  const answers: Answered[] = []
  for (const { text, relevant } of questions) {
    const { hits, isWeak } = await ask(text, { mode })
    answers.push({
      text,
      isSilent: isWeak,
      found: hits.some((hit) => relevant.has(hit.ref.path)),
    })
  }
  return answers
}

function row(set: string, mode: string, answered: readonly Answered[], nonsense: readonly Answered[]) {
  const good = answered.filter(({ found }) => found)
  const silent = (list: readonly Answered[]) => list.filter(({ isSilent }) => isSilent).length
  return {
    set,
    mode,
    questions: answered.length,
    answered: good.length,
    'answered, silenced': silent(good),
    'points lost': three((100 * silent(good)) / answered.length),
    'nonsense silenced': `${silent(nonsense)} of ${nonsense.length}`,
  }
}

function three(value: number): number {
  return Math.round(value * 1000) / 1000
}
