// Questions as people ask the web ("python split list into equal size chunks"), put to the code of public repositories: is a
// function that does it among the first ten chunks? Each repository alone, and all of them in one index.
//   npm run evals -- web --corpora DIR [--data DIR]
// DIR has a checkout of each repository in a folder of the repository's name. --data keeps the indexes for the next run.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { mean } from '../src/app/evaluate/evaluate.js'
import type { Hit } from '../src/model/hit.js'
import { projectRoot } from '../test/support/world.js'
import { embedder, openFolder } from './judged.js'

interface WebQuestion {
  repository: string
  heldOut?: true
  query: string
  symbols: string[]
}

const { values } = parseArgs({ options: { corpora: { type: 'string' }, data: { type: 'string' } } })
if (!values.corpora) throw new Error('Give the folder of the checkouts: --corpora DIR.')
const { corpora } = values
const questions = readFileSync(join(projectRoot, 'evals/sets/web-code.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as WebQuestion)
const there = questions.filter(({ repository }) => existsSync(join(corpora, basename(repository))))
const repositories = [...new Set(there.map(({ repository }) => repository))]
const modes = ['hybrid', 'vector', 'text', 'rerank'] as const
const data = values.data ?? mkdtempSync(join(tmpdir(), 'carrel-web-'))
const code = join(data, 'code')
const left =
  /(?:^|\/)(?:\.git|node_modules|tests?|__tests__|examples|docs|benchmarks?|es|exp|amd|cjs)\/|^it\/|_test\.go$|\.test\.|\bunderscore[^/]*\.js$/
for (const repository of repositories) copyCode(basename(repository))
const model = embedder()
const rows = []
for (const repository of repositories) {
  const questions = there.filter((one) => one.repository === repository)
  rows.push({ of: repository, ...(await ask(basename(repository), questions)) })
}
for (const heldOut of [undefined, true] as const) {
  const questions = there.filter((one) => one.heldOut === heldOut)
  rows.push({ of: heldOut ? 'together, held out' : 'together', ...(await ask('', questions)) })
}
await model.close()
if (!values.data) rmSync(data, { recursive: true })
console.table(rows)

function copyCode(name: string) {
  for (const file of readdirSync(join(corpora, name), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:py|go|js|java)$/.test(file) || left.test(file)) continue
    mkdirSync(dirname(join(code, name, file)), { recursive: true })
    cpSync(join(corpora, name, file), join(code, name, file))
  }
}

/** The mean nDCG@10 of each mode. */
async function ask(folder: string, questions: readonly WebQuestion[]) {
  const judged = await openFolder(join(code, folder), [], model, join(data, 'index', folder || 'together'))
  const row: Record<string, number> = { questions: questions.length }
  for (const mode of modes) {
    const gains: number[] = []
    for (const question of questions) {
      const { hits } = await judged.ask(question.query, { mode, perDocument: 10, copies: true })
      const at = hits.findIndex((hit) => answers(question, hit, folder))
      gains.push(at < 0 ? 0 : 1 / Math.log2(at + 2))
    }
    row[mode] = Math.round(mean(gains) * 1000) / 1000
  }
  await judged.close()
  return row
}

function answers({ repository, symbols }: WebQuestion, { ref, symbols: has }: Hit, folder: string): boolean {
  const isThere = folder !== '' || ref.path.startsWith(`${basename(repository)}/`)
  return isThere && has.some((one) => symbols.some((wanted) => `.${one}`.endsWith(`.${wanted}`)))
}
