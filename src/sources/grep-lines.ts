// All lines of a folder that match, in one run of ripgrep, in the order of paths and lines.
import { createYielder } from '../runtime/yield.js'
import { compileGlob, compilePlaces } from '../text/glob.js'
import { excludedPaths } from './excluded-paths.js'
import { always, everyFile, largeIn, matching, notLarge, searches } from './grep.js'
import { isNeverListed } from './path-rules.js'
import { invalidPattern, plainPath, run } from './ripgrep.js'

export interface LineQuery {
  /** A real path. */
  root: string
  pattern: string
  /** Take the pattern as a name: these characters, as a whole word. */
  isName?: boolean
  caseSensitive: boolean
  /** Globs of files; one with `!` in front excludes. Default: every file. */
  within?: readonly string[] | undefined
  signal?: AbortSignal | undefined
}

export interface MatchingLine {
  path: string
  /** From 1. */
  line: number
  /** Of the first match, in bytes from 1. */
  column: number
  /** Without its end; a long line is cut and ends with `cut`. */
  text: string
  isCut: boolean
}

export interface MatchingLines {
  lines: MatchingLine[]
  /** There were more than `mostLines`: the rest was not looked at. */
  stopped: boolean
  /** Files that are too large to be searched. */
  large: string[]
}

/** More matching lines than this are no answer to anything. */
export const mostLines = 50_000
const longest = 2_000
const omitted = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/

export async function grepLines(query: LineQuery): Promise<MatchingLines> {
  if (/\0/.test(query.pattern)) throw invalidPattern(query.pattern, 'it has a NUL character')
  return searches.run(() => searchLines(query), query.signal)
}

async function searchLines(query: LineQuery): Promise<MatchingLines> {
  const over = await excludedPaths(query.root, query.signal)
  const within = query.within ?? []
  const isWithin = compilePlaces(within)
  const covers = (path: string) => over.keeps(path) && !isNeverListed(path) && isWithin(path)
  // ripgrep prunes by the folders that a glob names; which files it covers is decided here, since a glob given to ripgrep
  // would win over .gitignore.
  const only = within.filter((place) => !place.startsWith('!')).map(compileGlob)
  const glob = only.length === 1 && only[0]!.names ? only[0]! : null
  const where = { glob, over }
  const grepped = { ...query, limit: 0 }
  const known = largeIn(query.root).known()
  const args = [
    ...[...always, '--line-number', '--column', '--no-heading', '--with-filename', '--null'],
    ...['--max-columns', String(longest), '--max-columns-preview'],
    ...(query.isName ? ['--word-regexp', '--fixed-strings'] : []),
    ...[...everyFile(query, where), ...withoutLarge(known), ...matching(grepped), '--', './'],
  ]
  const listed = known ?? largeIn(query.root).fresh()
  Promise.resolve(listed).catch(() => {})
  const files = new Map<string, MatchingLine[]>()
  let [count, stopped] = [0, false]
  const pathOf = pathReader()
  const covered = new Map<string, boolean>()
  const yieldIfDue = createYielder(query.signal)
  await run(query, args, async (stdout) => {
    let rest: Buffer = Buffer.alloc(0)
    for await (const part of stdout) {
      await yieldIfDue()
      const bytes = rest.length === 0 ? part : Buffer.concat([rest, part])
      let from = 0
      for (let end = bytes.indexOf(10, from); end >= 0; end = bytes.indexOf(10, from)) {
        const one = lineOf(bytes.subarray(from, end), pathOf)
        from = end + 1
        if (!one) continue
        if (!covered.has(one.path)) covered.set(one.path, covers(one.path))
        if (!covered.get(one.path)) continue
        if (++count > mostLines) {
          stopped = true
          return
        }
        const own = files.get(one.path)
        if (own) own.push(one)
        else files.set(one.path, [one])
      }
      rest = bytes.subarray(from)
    }
  })
  const large = (await listed).filter(covers)
  // ripgrep prints the lines of a file in order.
  const lines = [...files.keys()].sort().flatMap((path) => files.get(path)!)
  return { lines, stopped, large }
}

// To keep within a size, ripgrep asks the system for the size of every file, which is a fifth of its time (20,000 files).
// So the large files are left out by name, once they are known.
function withoutLarge(known: readonly string[] | null): readonly string[] {
  if (!known || known.length > mostNamed) return notLarge
  return known.flatMap((path) => ['--glob', `!/${path.replace(/[*?[\]{}\\]/g, '[$&]')}`])
}

const mostNamed = 50

/** Lines of one file follow each other: their path is read once. */
function pathReader(): (written: Buffer) => string {
  let last: { written: Buffer; path: string } | null = null
  return (written) => {
    if (!last?.written.equals(written)) last = { written, path: plainPath(written.toString('utf8')) }
    return last.path
  }
}

/** `path NUL line:column:text`; null for a message about a binary file. */
function lineOf(record: Buffer, pathOf: (written: Buffer) => string): MatchingLine | null {
  const nul = record.indexOf(0)
  if (nul < 0) return null
  const found = /^(\d+):(\d+):/.exec(record.toString('latin1', nul + 1, nul + 40))
  if (!found) return null
  const written = record.toString('utf8', nul + 1 + found[0].length).replace(/\r$/, '')
  const text = written.replace(omitted, '')
  return {
    path: pathOf(record.subarray(0, nul)),
    ...{ line: Number(found[1]), column: Number(found[2]) },
    ...{ text, isCut: text.length < written.length },
  }
}
