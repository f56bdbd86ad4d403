// How much words should weigh against meaning where the documents are code. Our own functions without their comments are
// the documents; what the comments said are the questions. One run compares weights on the same candidates.
//   npm run evals -- code
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mean, ndcg } from '../src/app/evaluate/evaluate.js'
import type { Hit } from '../src/model/hit.js'
import { projectRoot } from '../test/support/world.js'
import { embedder, openFolder } from './judged.js'

const folder = mkdtempSync(join(tmpdir(), 'carrel-code-'))
const questions = withoutComments(join(projectRoot, 'src'), folder)
const model = embedder()
const judged = await openFolder(folder, questions, model)
const ratios = [0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8]
const scores = new Map<string, number[]>()
for (const { text, relevant } of judged.questions) {
  const { hits } = await judged.ask(text, { limit: 50, explain: true })
  const grades = new Map([...relevant].map((path) => [path, 1]))
  const note = (way: string, order: number[]) =>
    scores.set(way, [...(scores.get(way) ?? []), ndcg(ranked(hits, order), grades, 10)])
  note(
    'as ranked',
    hits.map(({ score }) => score),
  )
  for (const ratio of ratios)
    note(
      `share ${ratio} × cosine`,
      hits.map(({ explain }) => (explain!.meaning?.cosine ?? 0) + ratio * (explain!.words?.share ?? 0)),
    )
}
await judged.close()
await model.close()
rmSync(folder, { recursive: true })
console.log(`${questions.length} questions`)
console.table([...scores].map(([way, list]) => ({ way, 'nDCG@10': Math.round(mean(list) * 1000) / 1000 })))

function ranked(hits: Hit[], order: number[]): string[] {
  return hits
    .map(({ ref }, i) => ({ path: ref.path, score: order[i]! }))
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path)
}

function withoutComments(from: string, to: string) {
  const questions: { text: string; relevant: ReadonlySet<string> }[] = []
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' })
  for (const path of files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).sort()) {
    const text = readFileSync(join(from, path), 'utf8')
    for (const [, comment] of text.matchAll(/^\/\*\* ([A-Z][^*]{30,200}?[.:])[^*]*\*\/\nexport /gm))
      questions.push({ text: comment!.replaceAll('`', ''), relevant: new Set([path]) })
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), text.replace(/\/\*\*?[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
  }
  return questions
}
