// Questions in other languages over the English sample library: of those whose English form finds its document in the top
// ten, in how many does the translation find it?
//   npm run evals -- languages [--misses] [--json]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../test/support/world.js'
import { embedder, openFolder } from './judged.js'

const languages = ['de', 'fr', 'es', 'pt', 'ru', 'zh', 'ja'] as const
type Translated = Record<'query' | 'document' | (typeof languages)[number], string>

const words = process.argv.slice(2)
const set = readFileSync(join(projectRoot, 'evals/sets/library-languages.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Translated)

const model = embedder()
const library = await openFolder(join(projectRoot, 'examples/library'), [], model)
const found: Translated[] = []
for (const question of set)
  if ((await place(question.query, question.document)) !== null) found.push(question)

const rows = []
for (const language of languages) {
  let [asWritten, translated] = [0, 0]
  for (const question of found) {
    if ((await place(question[language], question.document, true)) !== null) asWritten++
    if ((await place(question[language], question.document)) !== null) translated++
    else if (words.includes('--misses'))
      console.error(`${language}: ${question[language]} (${question.query})`)
  }
  rows.push({
    language,
    questions: found.length,
    'as written': share(asWritten),
    translated: share(translated),
  })
}
await library.close()
await model.close()
console.error(`The English form finds ${found.length} of ${set.length} in the top ten.`)
if (words.includes('--json')) console.log(JSON.stringify(rows))
else console.table(rows)

async function place(text: string, document: string, asWritten = false): Promise<number | null> {
  const { hits } = await library.ask(text, { asWritten })
  const at = hits.findIndex(({ ref }) => ref.path === document)
  return at < 0 ? null : at
}

function share(count: number): number {
  return Math.round((count / found.length) * 1000) / 1000
}
