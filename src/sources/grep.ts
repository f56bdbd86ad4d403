// Text search in a folder with ripgrep, in two short runs: the first counts the matches of every file, on all cores; the
// second finds the places in the few files whose matches are shown. So the totals are true and the answer is the same
// each time, however many matches there are: nothing is printed that is not used.
import { spawn } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../model/problem.js'
import { compileGlob, type Glob } from '../text/glob.js'
import { ripgrep } from './ripgrep.js'

export interface GrepQuery {
  /** A real path. */
  root: string
  pattern: string
  /** A glob; without one, every file. */
  filePattern?: string | undefined
  caseSensitive: boolean
  limit: number
  signal?: AbortSignal | undefined
}

export interface Grepped {
  /** The first matches by path and place, at most as many as asked for. */
  places: Place[]
  /** All there are. */
  matches: number
  /** Files looked at. */
  files: number
}

/** Where a match starts. Lines from 1; the offset is in bytes of the file's UTF-8. */
export interface Place {
  path: string
  line: number
  offset: number
}

/** Larger files are data. */
export const largestFile = 20_000_000

export async function grep(query: GrepQuery): Promise<Grepped> {
  if (/\0/.test(query.pattern)) throw invalidPattern(query.pattern, 'it has a NUL character')
  const glob = query.filePattern ? compileGlob(query.filePattern) : null
  const { counts, files } = await countAll(query, glob)
  const shown = firstFiles(counts, query.limit)
  return {
    places: shown.length > 0 ? await placesIn(query, shown) : [],
    matches: counts.reduce((sum, { count }) => sum + count, 0),
    files,
  }
}

/** Never searched, whatever a glob says: what others made, our own data, and secrets. In any case of letters. */
const never = [
  ...['node_modules', '.git', 'dist', 'build', '.next', '.context', '.carrel', '.hg', '.svn'],
  ...['.env', '.env.*', '.envrc', '.npmrc', '.netrc', '.pypirc', '.pgpass', '.htpasswd'],
  ...['*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.kdbx', '.aws', '.ssh', '.gnupg'],
  ...['id_rsa*', 'id_ed25519*', 'id_ecdsa*'],
]

const always = ['--no-config', '--no-messages', '--color=never', '--null', '--with-filename', '--no-heading']

interface FileCount {
  path: string
  count: number
}

async function countAll(
  query: GrepQuery,
  glob: Glob | null,
): Promise<{ counts: FileCount[]; files: number }> {
  // A glob given to ripgrep itself would win over .gitignore; a type of file does not. What a type cannot say is sorted
  // out here, from a list of every file that was searched.
  const sorted = glob !== null && !glob.byName
  const args = [
    ...[...always, '--count-matches', '--hidden', '--no-require-git', '--no-ignore-global'],
    ...(sorted ? ['--include-zero'] : ['--stats']),
    ...['--max-filesize', String(largestFile)],
    ...(glob?.names ?? []).flatMap((name) => ['--type-add', `carrel:${name}`]),
    ...(glob?.names ? ['--type', 'carrel'] : []),
    // In one glob: thirty of them took a third longer.
    ...['--iglob', `!{${never.join(',')}}`],
    ...matching(query),
    ...['--', './'],
  ]
  const found: FileCount[] = []
  let tail = ''
  await run(query, args, (line) => {
    const nul = line.indexOf(0)
    if (nul < 0) tail += `${line.toString('latin1')}\n`
    else found.push({ path: pathOf(line.subarray(0, nul)), count: Number(line.toString('latin1', nul + 1)) })
    return true
  })
  if (!sorted) return { counts: found, files: Number(/^(\d+) files? searched$/m.exec(tail)?.[1] ?? 0) }
  const covered = await filtered(found, ({ path }) => glob.covers(path))
  return { counts: covered.filter(({ count }) => count > 0), files: covered.length }
}

async function filtered(all: FileCount[], keep: (one: FileCount) => boolean): Promise<FileCount[]> {
  const kept: FileCount[] = []
  for (const [i, one] of all.entries()) {
    if (keep(one)) kept.push(one)
    if (i % 1_000 === 999) await nextTurn()
  }
  return kept
}

/** In the order of their paths, as many as have the matches asked for. */
function firstFiles(counts: readonly FileCount[], limit: number): FileCount[] {
  const ordered = [...counts].sort((a, b) => (a.path < b.path ? -1 : 1))
  let sum = 0
  const end = ordered.findIndex(({ count }) => {
    sum += count
    return sum >= limit
  })
  return end < 0 ? ordered : ordered.slice(0, end + 1)
}

async function placesIn(query: GrepQuery, files: readonly FileCount[]): Promise<Place[]> {
  const left = new Map(files.map(({ path, count }) => [path, count]))
  const places: Place[] = []
  const args = [
    // One thread, so that files come in the order given.
    ...[...always, '--threads=1', '--only-matching', '--line-number', '--byte-offset', '--text'],
    ...matching(query),
    ...['--', ...files.map(({ path }) => `./${path}`)],
  ]
  await run(query, args, (line) => {
    const nul = line.indexOf(0)
    const path = nul < 0 ? '' : pathOf(line.subarray(0, nul))
    const rest = left.get(path) ?? 0
    const [at, offset] = line.toString('latin1', nul + 1).split(':')
    if (rest > 0) {
      left.set(path, rest - 1)
      places.push({ path, line: Number(at), offset: Number(offset) })
    }
    return places.length < query.limit
  })
  return places
}

function matching({ pattern, caseSensitive }: GrepQuery): string[] {
  const size = ['--regex-size-limit', '10M', '--dfa-size-limit', '50M']
  return [caseSensitive ? '--case-sensitive' : '--ignore-case', ...size, '-e', pattern]
}

function pathOf(bytes: Buffer): string {
  const path = bytes.toString('utf8').replace(/^\.[/\\]/, '')
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}

/** Runs ripgrep and hands on its lines until one is answered with false. The process never outlives this call. */
async function run(query: GrepQuery, args: string[], onLine: (line: Buffer) => boolean): Promise<void> {
  query.signal?.throwIfAborted()
  const child = spawn(await ripgrep(), args, {
    cwd: query.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const kill = () => void child.kill('SIGKILL')
  query.signal?.addEventListener('abort', kill, { once: true })
  let said = ''
  child.stderr.on('data', (part: Buffer) => {
    if (said.length < 10_000) said += part.toString('utf8')
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  ended.catch(() => {})
  try {
    const enough = await eachLine(child.stdout, onLine)
    if (enough) kill()
    const code = await ended
    query.signal?.throwIfAborted()
    if (code === 2 && said !== '') throw failure(query.pattern, said)
  } finally {
    kill()
    query.signal?.removeEventListener('abort', kill)
  }
}

/** All that is needed of a line stands at its start; behind it may come a match of megabytes. */
const longestLine = 8_192

/** True when the reader had enough before the end. */
async function eachLine(stream: AsyncIterable<Buffer>, onLine: (line: Buffer) => boolean): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of stream) {
    let from = 0
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, from)) {
      if (!onLine(joined(rest, part.subarray(from, end)))) return true
      rest = Buffer.alloc(0)
      from = end + 1
    }
    rest = joined(rest, part.subarray(from))
  }
  return rest.length > 0 && !onLine(rest)
}

function joined(start: Buffer, more: Buffer): Buffer {
  const room = Math.max(0, longestLine - start.length)
  return start.length === 0 ? more.subarray(0, room) : Buffer.concat([start, more.subarray(0, room)])
}

// Without messages about files, what is left on stderr is about the pattern.
function failure(pattern: string, said: string): Problem {
  const reason = /^error: (.+)$/m.exec(said)?.[1] ?? said.replace(/^rg: /, '').split('\n')[0]!
  return invalidPattern(pattern, reason.slice(0, 200))
}

function invalidPattern(pattern: string, reason: string): Problem {
  const hint =
    'Patterns are regular expressions without look-around and back-references; escape signs with \\.'
  const problem = new Problem('invalid_pattern', 'Invalid regex pattern', hint)
  return Object.assign(problem, { details: { pattern, reason } })
}
