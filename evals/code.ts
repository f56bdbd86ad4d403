// Code by meaning. Two kinds of questions are put to code and its documents: what the doc comments of functions said, which
// are taken out of the code, and the subjects of commits that changed one to three functions. Is the function in the first
// ten chunks, in the first 4,000 characters of them, and in what `find` shows? Weights of words against meaning are compared
// on the same candidates.
//   npm run evals -- code [FOLDER…] [--data DIR]
// Default: our own src. TypeScript, JavaScript, Go, Python, Rust and Java; commits where FOLDER is a clone. --data keeps
// the indexes for the next run.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { mean } from '../src/app/evaluate/evaluate.js'
import type { Declaration } from '../src/model/document.js'
import type { Hit } from '../src/model/hit.js'
import { parse } from '../src/parse/parse.js'
import { fileRole, isSideRole } from '../src/text/file-role.js'
import { find } from '../src/toolsets/desk/find.js'
import { projectRoot } from '../test/support/world.js'
import { seen } from './agents/evidence.js'
import { type CommitQuestion, commitQuestions, symbolOf } from './commits.js'
import { embedder, openFolder } from './judged.js'

interface Question extends CommitQuestion {
  kind: 'comments' | 'commits'
}

const most = { comments: 100, commits: 300 }
const room = 4_000
const ratios = [0.3, 0.6, 0.9, 1.2]
const code = /\.(?:ts|js|go|py|rs|java)$/
const documents = /\.(?:md|rst|txt|toml|ya?ml)$/
const { values, positionals } = parseArgs({ options: { data: { type: 'string' } }, allowPositionals: true })
const model = embedder()
const rows = []
for (const from of positionals.length > 0 ? positionals : [join(projectRoot, 'src')]) {
  const place = values.data ? join(values.data, basename(from)) : mkdtempSync(join(tmpdir(), 'carrel-code-'))
  const folder = join(place, basename(from))
  rmSync(folder, { recursive: true, force: true })
  const { questions, lines } = await prepareQuestions(from, folder)
  const judged = await openFolder(folder, [], model, values.data && join(place, 'index'))
  const scores = new Map<string, Found[]>()
  for (const question of questions) {
    const note = (way: string, found: Found) => {
      const key = `${question.kind}\0${way}`
      scores.set(key, [...(scores.get(key) ?? []), found])
    }
    const { hits } = await judged.ask(question.text, { limit: 50, perDocument: 50, explain: true })
    note(
      'as ranked',
      foundIn(question, hits, ({ score }) => score),
    )
    const again = await judged.ask(question.text, { limit: 50, perDocument: 50, mode: 'rerank' })
    note(
      'reranked',
      foundIn(question, again.hits, ({ score }) => score),
    )
    for (const ratio of ratios)
      note(
        `share × ${ratio}`,
        foundIn(
          question,
          hits,
          ({ explain }) => (explain!.meaning?.cosine ?? 0) + ratio * (explain!.words?.share ?? 0),
        ),
      )
    const text = await find(judged.library, { question: question.text, kind: 'all', budget: room })
    const evidence = question.places.flatMap((one) => lines.get(`${one.path}\0${one.symbol}`) ?? [])
    const isShown = seen(text, evidence) === 'shown'
    note('find', { rank: null, characters: isShown ? 0 : Number.POSITIVE_INFINITY })
  }
  await judged.close()
  if (!values.data) rmSync(place, { recursive: true })
  for (const [key, found] of scores) {
    const [kind, way] = key.split('\0')
    rows.push({
      of: basename(from),
      asked: kind,
      questions: found.length,
      way,
      'nDCG@10':
        way === 'find'
          ? null
          : three(found.map(({ rank }) => (rank && rank <= 10 ? 1 / Math.log2(rank + 1) : 0))),
      'in 4,000 characters': three(found.map(({ characters }) => (characters <= room ? 1 : 0))),
    })
  }
}
await model.close()
console.table(rows)

interface Found {
  rank: number | null
  /** Of the hits before it and its own. */
  characters: number
}

function foundIn({ places }: Question, hits: readonly Hit[], order: (hit: Hit) => number): Found {
  const ranked = [...hits].sort((a, b) => order(b) - order(a))
  const at = ranked.findIndex((hit) =>
    places.some(({ path, symbol }) => hit.ref.path === path && hit.symbols.includes(symbol)),
  )
  if (at < 0) return { rank: null, characters: Number.POSITIVE_INFINITY }
  return { rank: at + 1, characters: ranked.slice(0, at + 1).reduce((sum, { text }) => sum + text.length, 0) }
}

function three(values: readonly number[]): number {
  return Math.round(mean([...values]) * 1000) / 1000
}

/** Copies code and documents, without the comments that are asked for; tests and generated files are left out. */
async function prepareQuestions(from: string, to: string) {
  const declared = new Map<string, Declaration[]>()
  const commented: (Question & { ranges: Range[] })[] = []
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !isLeftOut(from, file),
  )
  for (const path of files.filter((file) => code.test(file)).sort()) {
    const { text, declarations } = await parse({ path, bytes: readFileSync(join(from, path)) })
    declared.set(path, declarations)
    for (const one of declarations) {
      const comment = one.doc
        ?.replace(/[`*]/g, '')
        .replace(new RegExp(`^${one.name.replace(/\W/g, '\\$&')}\\b\\s*`), '')
      const ranges = docRange(text, path, one)
      if (
        comment &&
        ranges.length > 0 &&
        comment.split(/\s+/).length >= 5 &&
        !/deprecated|todo/i.test(comment)
      )
        commented.push({ kind: 'comments', text: comment, places: [{ path, symbol: symbolOf(one) }], ranges })
    }
  }
  const comments = spread(commented, most.comments)
  const isClone = existsSync(join(from, '.git'))
  const commits = isClone ? await commitQuestions(from, declared, most.commits) : []
  const questions: Question[] = [
    ...comments,
    ...spread(commits, most.comments).map((one) => ({ ...one, kind: 'commits' as const })),
  ]
  /** Of each name; it may have several declarations. */
  const lines = new Map<string, string[]>()
  for (const path of files) {
    const copy = join(to, path)
    mkdirSync(dirname(copy), { recursive: true })
    const ranges = comments.flatMap((one) => (one.places[0]!.path === path ? one.ranges : []))
    if (ranges.length === 0) cpSync(join(from, path), copy)
    else writeFileSync(copy, without(readFileSync(join(from, path), 'utf8'), ranges))
    if (!declared.has(path)) continue
    for (const one of (await parse({ path, bytes: readFileSync(copy) })).declarations) {
      const key = `${path}\0${symbolOf(one)}`
      lines.set(key, [...(lines.get(key) ?? []), `${path}:${one.line}-${one.endLine}`])
    }
  }
  return { questions, lines }
}

function spread<T>(all: readonly T[], most: number): T[] {
  return all.filter((_, i) => i % Math.ceil(all.length / most) === 0)
}

function isLeftOut(from: string, file: string): boolean {
  if (!code.test(file) && !documents.test(file)) return true
  if (/(?:^|\/)(?:node_modules|\.git)\//.test(file) || isSideRole(fileRole(file))) return true
  const { size } = statSync(join(from, file))
  return size > 400_000
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
