// Questions out of the history of a repository: the subject of a commit that changed at most three functions, all of which
// are still there, asks for those functions. Nothing of it is kept.
import { spawnSync } from 'node:child_process'
import type { Declaration } from '../src/model/document.js'
import { parse } from '../src/parse/parse.js'

export interface Place {
  path: string
  symbol: string
}

export interface CommitQuestion {
  text: string
  places: Place[]
}

const depth = 6_000
const written = ['*.ts', '*.js', '*.go', '*.py', '*.rs', '*.java']
const mostFunctions = 3
/** Subjects of commits that say nothing of a function. */
const aside =
  /merge|bump|release|version|typo|lint|rustfmt|clippy|format|changelog|deps|upgrade|readme|revert|comment|test/i

/** `declared` has the declarations of each file as it is now. Newest first. */
export async function commitQuestions(
  folder: string,
  declared: ReadonlyMap<string, readonly Declaration[]>,
  most: number,
): Promise<CommitQuestion[]> {
  const log = git(folder, [
    'log',
    '--no-merges',
    '--format=%x01%H%x02%s',
    '-U0',
    '-n',
    String(depth),
    '--',
    ...written,
  ])
  const questions: CommitQuestion[] = []
  for (const entry of log.split('\x01').slice(1)) {
    if (questions.length >= most) break
    const [, hash, subject] = /^(\w+)\x02(.*)/.exec(entry) ?? []
    const text = plain(subject ?? '')
    const words = text.split(/\s+/).length
    if (!hash || words < 5 || words > 25 || aside.test(text)) continue
    const files = touched(entry).filter(({ path }) => declared.has(path))
    if (files.length === 0 || files.length > 2) continue
    const places = (await Promise.all(files.map((file) => functionsIn(folder, hash, file)))).flat()
    const distinct = [...new Map(places.map((place) => [`${place.path}\0${place.symbol}`, place])).values()]
    const isThere = ({ path, symbol }: Place) => declared.get(path)?.some((one) => symbolOf(one) === symbol)
    if (distinct.length > 0 && distinct.length <= mostFunctions && distinct.every(isThere))
      questions.push({ text, places: distinct })
  }
  return questions
}

export function symbolOf({ scope, name }: Pick<Declaration, 'scope' | 'name'>): string {
  return [...scope, name].join('.')
}

/** Without "fix(parser):", "(#12)" and "[docs]". */
function plain(subject: string): string {
  return subject
    .replace(/^\w+(\([^)]*\))?!?:\s*/, '')
    .replace(/\s*\(?#\d+\)?/g, '')
    .replace(/\[[^\]]*\]\s*/g, '')
    .trim()
}

interface Touched {
  path: string
  lines: [number, number][]
}

function touched(entry: string): Touched[] {
  return entry
    .split('\ndiff --git ')
    .slice(1)
    .flatMap((part) => {
      const path = /^\+\+\+ b\/(.*)/m.exec(part)?.[1]
      const lines = [...part.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(
        ([, first, count]): [number, number] => [
          Number(first),
          Number(first) + Math.max(0, Number(count ?? 1) - 1),
        ],
      )
      return path ? [{ path, lines }] : []
    })
}

/** The smallest declarations around the changed lines, as the file was then. */
async function functionsIn(folder: string, hash: string, { path, lines }: Touched): Promise<Place[]> {
  const bytes = Buffer.from(git(folder, ['show', `${hash}:${path}`]))
  const { declarations } = await parse({ path, bytes })
  return lines.flatMap(([first, last]) => {
    const around = declarations.filter(({ line, endLine }) => line <= first && endLine >= last)
    const [smallest] = around.sort((a, b) => a.endLine - a.line - (b.endLine - b.line))
    return smallest ? [{ path, symbol: symbolOf(smallest) }] : []
  })
}

/** What git says; of a partial clone as much as there is. */
function git(folder: string, args: string[]): string {
  return spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 2_000_000_000 }).stdout
}
