// Questions in other languages over English text: of those whose English form finds its document in the top ten, in how many
// does the translation find it? `library` was written before the word list by the same author; `docs` translates questions
// of another author that the word list was not written for.
//   npm run evals -- languages [library|docs] [--misses] [--json]
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../test/support/world.js'
import { embedder, openFolder } from './judged.js'

const languages = ['de', 'fr', 'es', 'pt', 'ru', 'zh', 'ja'] as const
type Translated = Record<'query' | 'document' | (typeof languages)[number], string>

const folders = { library: 'examples/library', docs: '../shared/data/docs' }
const words = process.argv.slice(2)
const names = (['library', 'docs'] as const).filter(
  (name, _, all) => words.includes(name) || !all.some((one) => words.includes(one)),
)
const model = embedder()
const rows = []
for (const name of names) {
  const folder = join(projectRoot, folders[name])
  if (existsSync(folder)) rows.push(...(await askSet(name, folder)))
  else console.error(`${name}: its data is not here`)
}
await model.close()
if (words.includes('--json')) console.log(JSON.stringify(rows))
else console.table(rows)

async function askSet(name: string, folder: string) {
  const set = readFileSync(join(projectRoot, `evals/sets/${name}-languages.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Translated)
  const { ask, close } = await openFolder(folder, [], model)
  const finds = async (text: string, document: string, asWritten = false) => {
    const { hits } = await ask(text, { asWritten })
    return hits.some(({ ref }) => ref.path === document)
  }
  const found: Translated[] = []
  for (const question of set) if (await finds(question.query, question.document)) found.push(question)
  const figures = []
  for (const language of languages) {
    let [asWritten, translated] = [0, 0]
    for (const question of found) {
      if (await finds(question[language], question.document, true)) asWritten++
      if (await finds(question[language], question.document)) translated++
      else if (words.includes('--misses'))
        console.error(`${language}: ${question[language]} (${question.query})`)
    }
    const share = (count: number) => Math.round((count / found.length) * 1000) / 1000
    const all = { set: name, language, questions: found.length }
    figures.push({ ...all, 'as written': share(asWritten), translated: share(translated) })
  }
  await close()
  return figures
}
