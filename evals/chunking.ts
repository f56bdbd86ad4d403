// How well passages cover the answers: questions with the exact spans that answer them, in five long documents.
//   npm run evals -- chunking [--mode text|hybrid] [--top N] [--json]
// Recall: the share of the answer's characters in the passages shown; precision: the share of the characters shown that
// belong to an answer; whole: how often every span stands complete in one passage shown.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillVectors } from '../src/answer/vectors.js'
import { mean } from '../src/app/evaluate/evaluate.js'
import { indexAll } from '../src/app/index-all.js'
import { openLibrary } from '../src/app/open.js'
import { search } from '../src/retrieve/search.js'
import { projectRoot, settingsFor } from '../test/support/world.js'

interface Question {
  text: string
  corpus: string
  spans: { start: number; end: number }[]
}

const value = (name: string, other: string) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? other : process.argv[at + 1]!
}
const mode = value('--mode', 'hybrid') as 'text' | 'hybrid'
const top = Number(value('--top', '5'))
const folder = join(projectRoot, '../shared/data/retrieval/chunking-eval')
if (!existsSync(folder)) {
  console.error(`${folder} is not there`)
  process.exit(1)
}
const questions = readQuestions(readFileSync(join(folder, 'questions_df.csv'), 'utf8'))
const texts = new Map(
  [...new Set(questions.map(({ corpus }) => corpus))].map((corpus) => [
    corpus,
    readFileSync(join(folder, 'corpora', `${corpus}.md`), 'utf8'),
  ]),
)
const data = mkdtempSync(join(tmpdir(), 'carrel-evals-'))
const root = join(folder, 'corpora')
const library = await openLibrary({
  ...settingsFor(root),
  data,
  embedding: mode === 'hybrid' ? { provider: 'bundled', threads: 2 } : { provider: 'none' },
})
await indexAll(library, {})
await fillVectors(library)

const rows = []
for (const corpus of [...texts.keys(), 'all']) {
  const some = questions.filter((question) => corpus === 'all' || question.corpus === corpus)
  const scores: Awaited<ReturnType<typeof ask>>[] = []
  for (const question of some) scores.push(await ask(question))
  const average = (of: 'recall' | 'precision' | 'whole') =>
    Math.round(mean(scores.map((score) => score[of])) * 1000) / 1000
  rows.push({
    corpus,
    questions: some.length,
    recall: average('recall'),
    precision: average('precision'),
    whole: average('whole'),
  })
}
await library.close()
rmSync(data, { recursive: true, force: true })
if (process.argv.includes('--json')) console.log(JSON.stringify(rows))
else console.table(rows)

async function ask({ text, corpus, spans }: Question) {
  const source = library.sources[0]!.id
  const { hits } = await search(library, {
    text,
    scope: { documents: [{ source, path: `${corpus}.md` }] },
    mode,
    limit: top,
    perDocument: top,
  })
  const whole = texts.get(corpus)!
  const shown = hits.map((hit) => {
    // Neighbours that were joined have their own white space between them; the start is certain.
    const start = whole.indexOf(hit.text.slice(0, 160))
    return { start, end: start + hit.text.length }
  })
  const covered = (from: number, to: number) =>
    shown.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0)
  const answer = spans.reduce((sum, { start, end }) => sum + end - start, 0)
  const found = spans.reduce((sum, { start, end }) => sum + Math.min(end - start, covered(start, end)), 0)
  const all = shown.reduce((sum, { start, end }) => sum + end - start, 0)
  const complete = spans.every((span) =>
    shown.some(({ start, end }) => start <= span.start && span.end <= end),
  )
  return { recall: found / answer, precision: all === 0 ? 0 : found / all, whole: complete ? 1 : 0 }
}

/** Three columns, quoted where they hold commas: question, spans as JSON, corpus. */
function readQuestions(csv: string): Question[] {
  const cells = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\r?\n|$)/g)].map(
    (match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? '',
  )
  const found: Question[] = []
  for (let i = 3; i + 2 < cells.length; i += 3) {
    const [text, spans, corpus] = cells.slice(i, i + 3) as [string, string, string]
    if (!spans) continue
    const places = JSON.parse(spans) as { start_index: number; end_index: number }[]
    found.push({
      text,
      corpus,
      spans: places.map(({ start_index, end_index }) => ({ start: start_index, end: end_index })),
    })
  }
  return found
}
