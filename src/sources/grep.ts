// What `grep_codebase` runs; the desk's `grep` and `uses` are in grep-lines.ts. Text search in a folder with ripgrep, in two
// short runs: the first counts the matches of every file, on all cores; the second finds the places in the few files whose
// matches are shown, and is stopped when the answer is full. So the totals are true and the answer is the same each time,
// however many matches there are.
//
// Searches that wait for their turn share the first run where they can: it looks for all their patterns at once and finds
// the few files that have any of them. Then each search looks into those files only.

import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { aborted } from '../runtime/abort-signals.js'
import { lru } from '../runtime/lru.js'
import { type Revalidated, revalidated } from '../runtime/revalidated.js'
import { createSemaphore } from '../runtime/semaphore.js'
import { compileGlob, type Glob } from '../text/glob.js'
import { type ExcludedPaths, excludedPaths, ownStores } from './excluded-paths.js'
import { isNeverListed } from './path-rules.js'
import { eachRecord, ignoreFilesOf, invalidPattern, plainPath, run, type Search } from './ripgrep.js'
import { matchesIn, type Place } from './ripgrep-json.js'
import { withoutSecrets } from './secret-files.js'
import { sharedScans } from './shared-scan.js'

export type { Place }

export interface GrepQuery {
  /** A real path. */
  root: string
  pattern: string
  /** A glob. Default: every file. */
  filePattern?: string | undefined
  caseSensitive: boolean
  /** Which files are searched, in addition to the glob. Default: all. */
  keeps?: ((path: string) => boolean) | undefined
  /** How many lines with a match are returned, and at most how many matches of each. */
  limit: number
  /** Whether a file that is not UTF-8 is read as Windows-1252. Default: never. */
  isWindows1252?: (path: string) => boolean
  signal?: AbortSignal | undefined
}

export interface Grepped {
  /** Matches of the first lines that have one, by path and position. */
  places: Place[]
  /** Files that were searched as Windows-1252. Positions in them refer to their text as UTF-8. */
  windows1252: ReadonlySet<string>
  /** The number of all matches. */
  matches: number
  /** The number of searched files. */
  files: number
  /** Files that are too large to be searched, by path. */
  large: string[]
}

/** Larger files are data: they are reported, not searched. */
export const largestFile = 20_000_000

// One ripgrep takes all cores. Fifty at once only took turns with each other and with indexing, and all ended late (7 s at the
// median); one after the other, most end early. Two, so that one runs while the other is started or read.
const mostAtOnce = Math.max(2, Math.ceil(availableParallelism() / 2))
export const searches = createSemaphore({ places: mostAtOnce })
let unfinished = 0

export async function grep(query: GrepQuery): Promise<Grepped> {
  if (/\0/.test(query.pattern)) throw invalidPattern(query.pattern, 'it has a NUL character')
  unfinished++
  try {
    return await grepInTurn({ ...query, busy: unfinished > mostAtOnce })
  } finally {
    unfinished--
  }
}

async function grepInTurn(query: GrepQuery & Search): Promise<Grepped> {
  if (query.keeps || !isPlain(query.pattern)) return searches.run(() => grepNow(query), query.signal)
  const { root, filePattern, caseSensitive } = query
  const scan = scans.join(JSON.stringify([root, filePattern, caseSensitive]), query)
  try {
    return await searches.run(async () => {
      const candidates = await untilAborted(scan.found(), query.signal)
      return candidates ? grepIn(query, candidates) : grepNow(query)
    }, query.signal)
  } finally {
    scan.leave()
  }
}

async function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work
  const first = await Promise.race([work.then((value) => ({ value })), aborted(signal)])
  if (first) return first.value
  throw signal.reason
}

/**
 * Whether a search for it can share a scan: it consists of plain words. Such a pattern matches no empty text, means no signs
 * beyond ASCII, and does not slow down the search for others.
 */
function isPlain(pattern: string): boolean {
  return pattern.length <= 200 && pattern.split('|').every((branch) => plainBranch.test(branch))
}

const plainBranch = /^(?=.*(?<!\\)\w{3})(?:[\w \-/:;,<>=@#%&!~`"']|\\[sd][+*?]?|\\[b.()[\]{}+*?^$/-])+$/

/** Files that have a match of one of the patterns, by path, and how many files were searched. */
interface Candidates {
  paths: string[]
  files: number
}

const scans = sharedScans<GrepQuery, Candidates>(async (queries, signal) => {
  const [first] = queries as [GrepQuery]
  const where = await whereOf({ ...first, signal })
  const patterns = queries.map(({ pattern }) => pattern)
  const { counts, files, stopped } = await countAll({ ...first, signal }, where, { patterns, most })
  return stopped ? null : { paths: ordered(counts).map(({ path }) => path), files }
})

/** With more, a search is as quick alone. */
const most = { files: 100, matches: 20_000 }

/** One run of ripgrep counts and finds the places: there is little to read. */
async function grepIn(query: GrepQuery, { paths, files }: Candidates): Promise<Grepped> {
  const where = await whereOf(query)
  const large = await largeFiles(query, where)
  const lines = firstLines(query.limit)
  let matches = 0
  await eachPlace(query, { paths, options: [] }, (place) => {
    lines.add(place)
    matches++
    return true
  })
  return { places: lines.places, windows1252: new Set(), matches, files, large }
}

async function whereOf({ root, filePattern, keeps, signal }: GrepQuery): Promise<Where> {
  const glob = filePattern ? compileGlob(filePattern) : null
  return { glob, keeps, over: await excludedPaths(root, signal) }
}

async function grepNow(query: GrepQuery): Promise<Grepped> {
  const where = await whereOf(query)
  const [{ counts: asUtf8, files }, large] = await Promise.all([
    countAll(query, where),
    largeFiles(query, where),
  ])
  const windows1252 = new Set(mayMeanSigns(query.pattern) ? await windows1252Files(query, where) : [])
  const counts = [
    ...asUtf8.filter(({ path }) => !windows1252.has(path)),
    ...(await countIn(query, [...windows1252])),
  ]
  // Some lines have several matches.
  const shown = firstFiles(counts, 3 * query.limit)
  return {
    places: await placesIn(query, shown, windows1252),
    windows1252,
    matches: counts.reduce((sum, { count }) => sum + count, 0),
    files,
    large,
  }
}

/** Whether a search covers this file: it may be excluded, ignored, too large, or not text. */
export async function isSearched(root: string, path: string): Promise<boolean> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const covers = (other: string) => other.normalize('NFC') === path.normalize('NFC')
  const glob = { names: [name.replace(/[^\w.-]+/g, '*')], byName: false, covers }
  const query = { root, pattern: '^', caseSensitive: true, limit: 1 }
  const where = { glob, over: await excludedPaths(root) }
  const { found } = await counting(query, [...everywhere(query, where), ...matching(query), '--', './'])
  return (await filtered(found, where)).length > 0
}

/**
 * Whether a pattern may match characters beyond ASCII, which other encodings write in other bytes: it contains some,
 * escapes some (`\xe9`), or matches any (`.`, `\w`, `[^,]`). Non-ASCII blanks are too rare to check for every `\s`.
 */
function mayMeanSigns(pattern: string): boolean {
  if (/[^\0-\x7f]|\[:?\^/.test(pattern)) return true
  const escapes = pattern.match(/\\[\s\S]/g) ?? []
  if (escapes.some((one) => /[xuUpPSWDw]/.test(one[1] ?? ''))) return true
  return pattern.replace(/\\[\s\S]|\[[^\]]*\]/g, '').includes('.')
}

/** Never searched, regardless of globs and of case; secrets and excluded paths neither. */
const never = ['node_modules', ...ownStores]

export const always = ['--no-config', '--no-messages', '--color=never']

interface FileCount {
  path: string
  count: number
}

interface Where {
  glob: Glob | null
  keeps?: GrepQuery['keeps']
  over: ExcludedPaths
}

interface Counted {
  counts: FileCount[]
  files: number
  /** Whether there were more than wanted. The rest was not looked at. */
  stopped: boolean
}

interface Counting {
  /** Those to look for in the place of the query's own. */
  patterns?: readonly string[]
  most?: { files: number; matches: number }
}

async function countAll(query: GrepQuery, where: Where, { patterns, most }: Counting = {}): Promise<Counted> {
  // A glob given to ripgrep itself would win over .gitignore; a type of file does not. What a type cannot say is sorted
  // out here, from a list of every file that was searched.
  const sorted = !isByName(where)
  const args = [
    ...(sorted ? ['--include-zero'] : ['--stats']),
    ...everywhere(query, where),
    ...matching(query, patterns),
    ...['--', './'],
  ]
  const { found, tail, stopped } = await counting(query, args, most)
  if (!sorted)
    return { counts: found, files: Number(/^(\d+) files? searched$/m.exec(tail)?.[1] ?? 0), stopped }
  const covered = await filtered(found, where)
  return { counts: covered.filter(({ count }) => count > 0), files: covered.length, stopped }
}

/** ripgrep skips these silently. */
export async function largeFiles({ root }: Pick<GrepQuery, 'root'>, where: Where): Promise<string[]> {
  const all = (await largeIn(root).fresh()).map((path) => ({ path, count: 0 }))
  return (await filtered(all, where)).map(({ path }) => path)
}

/** Concurrent searches share one listing, and so do searches shortly after: a new large file in between is rare. */
export function largeIn(root: string): Revalidated<string[]> {
  const known = largeLists.get(root)
  if (known) return known
  const list = revalidated(async () => listLarge(root, await excludedPaths(root)), {
    freshMs: 5_000,
    staleMs: 60_000,
  })
  largeLists.set(root, list)
  return list
}

const largeLists = lru<string, Revalidated<string[]>>(20)

/** The large files: those that ripgrep lists without a size limit but not with it. */
async function listLarge(root: string, over: ExcludedPaths): Promise<string[]> {
  const [all, small] = await Promise.all([listAll(root, over), listed(root, over, notLarge)])
  if (all.length === small.length) return []
  const known = new Set(small.toString('utf8').split('\0'))
  const paths = all
    .toString('utf8')
    .split('\0')
    .filter((path) => !known.has(path))
  return paths
    .map(plainPath)
    .filter((path) => !isNeverListed(path))
    .sort()
}

/** The files of a folder as ripgrep prints them. Calls at the same time share one run. */
function listAll(root: string, over: ExcludedPaths): Promise<Buffer> {
  const running = listings.get(root)
  if (running) return running
  const listing = listed(root, over, []).finally(() => listings.delete(root))
  listings.set(root, listing)
  return listing
}

const listings = new Map<string, Promise<Buffer>>()

async function listed(root: string, over: ExcludedPaths, limit: readonly string[]): Promise<Buffer> {
  const query = { root, pattern: '', caseSensitive: true, limit: 0 }
  const parts: Buffer[] = []
  const args = [...always, '--files', '--null', ...everyFile(query, { glob: null, over }), ...limit, './']
  await run(query, args, async (stdout) => {
    for await (const part of stdout) parts.push(part)
  })
  return Buffer.concat(parts)
}

export const notLarge = ['--max-filesize', String(largestFile)]

/** All files that are searched. */
export function everywhere(query: GrepQuery, where: Where): string[] {
  return [...everyFile(query, where), ...notLarge]
}

export function everyFile({ root }: Pick<GrepQuery, 'root'>, { glob, over }: Where): string[] {
  return [
    ...['--hidden', ...ignoreFilesOf(root)],
    ...(glob?.names ?? []).flatMap((name) => ['--type-add', `carrel:${name}`]),
    ...(glob?.names ? ['--type', 'carrel'] : []),
    ...over.globs.flatMap((folders) => ['--glob', folders]),
    ...withoutSecrets(never),
  ]
}

async function counting(query: GrepQuery, args: readonly string[], most?: Counting['most']) {
  const found: FileCount[] = []
  let [tail, files, matches, stopped] = ['', 0, 0, false]
  await run(query, [...always, '--count-matches', '--with-filename', '--null', ...args], async (stdout) => {
    tail = await eachRecord(stdout, (printed, number) => {
      const path = plainPath(printed)
      if (isNeverListed(path)) return true
      const count = Number(number)
      found.push({ path, count })
      if (count > 0) files++
      matches += count
      stopped = most !== undefined && (files > most.files || matches > most.matches)
      return !stopped
    })
  })
  return { found, tail, stopped }
}

/**
 * Byte sequences that are invalid in UTF-8: a lead byte without its continuation, or a continuation byte after ASCII.
 */
const notUtf8 = '(?-u:[\\xC0-\\xFF](?:[\\x00-\\x7F\\xC0-\\xFF]|$)|(?:^|[\\x00-\\x7F])[\\x80-\\xBF])'

// ripgrep reads all files of a run in one encoding. Finding files in another encoding takes three times as long as
// searching for a word (10,744 files, 669 MB), so this is done only for patterns that need it.
async function windows1252Files(query: GrepQuery, where: Where): Promise<string[]> {
  const args = [...everywhere(query, where), '--max-count', '1', '-e', notUtf8, '--', './']
  const { found } = await counting(query, args)
  const matching = isByName(where) ? found : await filtered(found, where)
  const paths: string[] = []
  for (const { path } of matching) {
    query.signal?.throwIfAborted()
    if (query.isWindows1252?.(path)) paths.push(path)
    await nextTurn()
  }
  return paths
}

const asWindows1252 = ['--encoding', 'windows-1252']
/** How many paths fit on a command line. */
const filesAtOnce = 100

async function countIn(query: GrepQuery, paths: readonly string[]): Promise<FileCount[]> {
  const counts: FileCount[] = []
  for (let i = 0; i < paths.length; i += filesAtOnce) {
    const some = paths.slice(i, i + filesAtOnce).map((path) => `./${path}`)
    const { found } = await counting(query, [...asWindows1252, ...matching(query), '--', ...some])
    counts.push(...found)
  }
  return counts
}

/** Whether ripgrep can select the files by name itself. */
function isByName({ glob, over, keeps }: Where): boolean {
  return !keeps && over.byName && (glob === null || glob.byName)
}

async function filtered(all: readonly FileCount[], { glob, over, keeps }: Where): Promise<FileCount[]> {
  const matching: FileCount[] = []
  for (const [i, one] of all.entries()) {
    const covers = over.keeps(one.path) && (glob === null || glob.covers(one.path))
    if (covers && (keeps?.(one.path) ?? true)) matching.push(one)
    if (i % 1_000 === 999) await nextTurn()
  }
  return matching
}

/** In the order of paths, as many files as are needed for the limit. */
function firstFiles(counts: readonly FileCount[], limit: number): FileCount[] {
  const files = ordered(counts)
  let sum = 0
  const end = files.findIndex(({ count }) => {
    sum += count
    return sum >= limit
  })
  return end < 0 ? files : files.slice(0, end + 1)
}

function ordered(counts: readonly FileCount[]): FileCount[] {
  return [...counts].sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function placesIn(
  query: GrepQuery,
  files: readonly FileCount[],
  windows1252: ReadonlySet<string>,
): Promise<Place[]> {
  const [own, others] = [false, true].map((is) => files.filter(({ path }) => windows1252.has(path) === is))
  const places = [...(await placesOf(query, own!, [])), ...(await placesOf(query, others!, asWindows1252))]
  const order = new Map(files.map(({ path }, i) => [path, i]))
  return places.sort((a, b) => order.get(a.path)! - order.get(b.path)!)
}

async function placesOf(
  query: GrepQuery,
  files: readonly FileCount[],
  encoding: readonly string[],
): Promise<Place[]> {
  const left = new Map(files.map(({ path, count }) => [path, count]))
  const lines = firstLines(query.limit)
  // A line that matches has at least one of the matches asked for.
  const options = [...encoding, '--max-count', String(query.limit)]
  const paths = files.map(({ path }) => path)
  await eachPlace(query, { paths, options }, (place) => {
    const rest = left.get(place.path) ?? 0
    if (rest === 0) return true
    left.set(place.path, rest - 1)
    return lines.add(place)
  })
  return lines.places
}

/** Collects the matches of the first lines, so that a line with a million matches leaves room for others. */
function firstLines(limit: number) {
  const places: Place[] = []
  let [lines, onLine] = [0, 0]
  return {
    places,
    /** Whether there is room for another line. */
    add(place: Place): boolean {
      const last = places.at(-1)
      const isNew = last?.path !== place.path || last.line !== place.line
      if (isNew && lines === limit) return false
      onLine = isNew ? 1 : onLine + 1
      if (isNew) lines++
      if (onLine <= limit) places.push(place)
      return true
    },
  }
}

/** In the order of the paths given, until the reader wants no more. */
async function eachPlace(
  query: GrepQuery,
  { paths, options }: { paths: readonly string[]; options: readonly string[] },
  wantsMore: (place: Place) => boolean,
): Promise<void> {
  if (paths.length === 0) return
  const args = [
    // One thread, so that files come in the order given.
    ...[...always, '--json', '--threads=1', '--text'],
    ...[...options, ...matching(query)],
    ...['--', ...paths.map((path) => `./${path}`)],
  ]
  await run(query, args, async (stdout) => {
    for await (const match of matchesIn(stdout))
      if (!wantsMore({ ...match, path: plainPath(match.path) })) return
  })
}

export function matching(
  { pattern, caseSensitive }: GrepQuery,
  patterns: readonly string[] = [pattern],
): string[] {
  const size = ['--regex-size-limit', '10M', '--dfa-size-limit', '50M']
  // Lines may end as on Windows, so that `$` stands before the carriage return; ripgrep then refuses a pattern with one.
  const ends = patterns.some(namesReturn) ? [] : ['--crlf']
  const given = patterns.flatMap((one) => ['-e', one])
  return [caseSensitive ? '--case-sensitive' : '--ignore-case', ...ends, ...size, ...given]
}

function namesReturn(pattern: string): boolean {
  const written = pattern.replaceAll('\\\\', '')
  return /\r|\\r|\\x0[dD]|\\u000[dD]|\\U0000000[dD]|\\[xuU]\{0*[dD]\}/.test(written)
}

/** The paths of all files that a text search covers, in order. */
export async function listPaths(root: string, signal?: AbortSignal): Promise<string[]> {
  const over = await excludedPaths(root, signal)
  const all = await listAll(root, over)
  signal?.throwIfAborted()
  const paths = all.toString('utf8').split('\0').filter(Boolean).map(plainPath)
  return paths.filter((path) => over.keeps(path) && !isNeverListed(path)).sort()
}
