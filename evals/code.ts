// Code by meaning: what the doc comment of a function says, asked over code from which the comments were removed. Is the
// function in the first ten chunks, and in the first 4,000 characters of them? Weights of words against meaning are compared
// on the same candidates.
//   npm run evals -- code [FOLDER…]       default: our own src. TypeScript, JavaScript, Go and Python.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { mean } from '../src/app/evaluate/evaluate.js'
import type { Declaration } from '../src/model/document.js'
import type { Hit } from '../src/model/hit.js'
import { parse } from '../src/parse/parse.js'
import { fileRole, isSideRole } from '../src/text/file-role.js'
import { projectRoot } from '../test/support/world.js'
import { embedder, openFolder } from './judged.js'

interface Question {
  text: string
  path: string
  symbol: string
}

const most = 200
const room = 4_000
const ratios = [0.3, 0.6, 0.9, 1.2]
const given = process.argv.slice(2)
const model = embedder()
const rows = []
for (const from of given.length > 0 ? given : [join(projectRoot, 'src')]) {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-code-'))
  const all = await withoutComments(from, folder)
  const questions = all.filter((_, i) => i % Math.ceil(all.length / most) === 0)
  const judged = await openFolder(folder, [], model)
  const scores = new Map<string, Found[]>()
  for (const question of questions) {
    const { hits } = await judged.ask(question.text, { limit: 50, perDocument: 50, explain: true })
    const note = (way: string, order: (hit: Hit) => number) =>
      scores.set(way, [...(scores.get(way) ?? []), find(question, hits, order)])
    note('as ranked', ({ score }) => score)
    for (const ratio of ratios)
      note(
        `share × ${ratio}`,
        ({ explain }) => (explain!.meaning?.cosine ?? 0) + ratio * (explain!.words?.share ?? 0),
      )
  }
  await judged.close()
  rmSync(folder, { recursive: true })
  for (const [way, found] of scores)
    rows.push({
      of: basename(from),
      questions: questions.length,
      way,
      'nDCG@10': three(found.map(({ rank }) => (rank && rank <= 10 ? 1 / Math.log2(rank + 1) : 0))),
      'in 4,000 characters': three(found.map(({ characters }) => (characters <= room ? 1 : 0))),
    })
}
await model.close()
console.table(rows)

interface Found {
  rank: number | null
  /** Of the hits before it and its own. */
  characters: number
}

function find({ path, symbol }: Question, hits: readonly Hit[], order: (hit: Hit) => number): Found {
  const ranked = [...hits].sort((a, b) => order(b) - order(a))
  const at = ranked.findIndex((hit) => hit.ref.path === path && hit.symbols.includes(symbol))
  if (at < 0) return { rank: null, characters: Number.POSITIVE_INFINITY }
  return { rank: at + 1, characters: ranked.slice(0, at + 1).reduce((sum, { text }) => sum + text.length, 0) }
}

function three(values: readonly number[]): number {
  return Math.round(mean([...values]) * 1000) / 1000
}

/** Copies the code without its doc comments; the comments become the questions. Tests and generated files are left out. */
async function withoutComments(from: string, to: string): Promise<Question[]> {
  const questions: Question[] = []
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' })
  for (const path of files
    .filter((file) => /\.(?:ts|js|go|py)$/.test(file) && !isLeftOut(from, file))
    .sort()) {
    const { text, declarations } = await parse({ path, bytes: readFileSync(join(from, path)) })
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(
      join(to, path),
      without(
        text,
        declarations.flatMap((one) => docRange(text, path, one)),
      ),
    )
    for (const { doc, name, scope } of declarations) {
      const said = doc?.replace(/[`*]/g, '').replace(new RegExp(`^${name.replace(/\W/g, '\\$&')}\\b\\s*`), '')
      if (said && said.split(/\s+/).length >= 5 && !/deprecated|todo/i.test(said))
        questions.push({ text: said, path, symbol: [...scope, name].join('.') })
    }
  }
  return questions
}

function isLeftOut(from: string, file: string): boolean {
  return (
    file.includes('node_modules') || isSideRole(fileRole(file)) || statSync(join(from, file)).size > 400_000
  )
}

interface Range {
  start: number
  end: number
}

function docRange(text: string, path: string, { start, end, nameStart, doc }: Declaration): Range[] {
  if (!doc || nameStart === undefined) return []
  if (!path.endsWith('.py')) {
    const line = text.lastIndexOf('\n', nameStart) + 1
    return line > start && /^\s*\/[/*]/.test(text.slice(start, line)) ? [{ start, end: line }] : []
  }
  const opening = /:\s*\n\s*[rRuU]?("""|''')/.exec(text.slice(nameStart, end))
  if (!opening) return []
  const from = nameStart + opening.index + opening[0].length
  const closing = text.indexOf(opening[1]!, from)
  return closing < 0 ? [] : [{ start: from - 3, end: closing + 3 }]
}

/** Python needs something in the place of a docstring. */
function without(text: string, ranges: readonly Range[]): string {
  let left = text
  for (const { start, end } of [...ranges].sort((a, b) => b.start - a.start))
    left = `${left.slice(0, start)}${/^["']/.test(left.slice(start, end)) ? 'pass' : ''}${left.slice(end)}`
  return left
}
