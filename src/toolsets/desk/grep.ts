// `grep`: one line a match, grouped by file, each with the function around it. Counts come first, tests stay apart.
import type { Library } from '../../answer/library.js'
import {
  knownFile,
  knownListing,
  largeTexts,
  type ProjectListing,
  roleIn,
  rootOf,
  symbolsOf,
} from '../../answer/project-texts.js'
import { Problem } from '../../model/problem.js'
import { enclosing, isInTestModule } from '../../parse/file-symbols.js'
import { grepLines, type MatchingLine, mostLines } from '../../sources/grep-lines.js'
import { thousands } from '../../text/counted.js'
import { type FileRole, isSideRole } from '../../text/file-role.js'
import { compileGlob, compilePlaces } from '../../text/glob.js'
import { cutLine, linesOfText, placeLabel, plural, printable, tightRow } from './lines.js'

export type Kind = 'code' | 'docs' | 'all'

export interface GrepRequest {
  pattern: string
  within?: readonly string[] | undefined
  kind: Kind
  /** Show matches in tests, generated and vendored files too. */
  tests: boolean
  context: number
  caseSensitive: boolean
  budget: number
}

export async function grep(library: Library, request: GrepRequest, signal?: AbortSignal): Promise<string> {
  const root = rootOf(library)
  const { pattern, within, kind, tests, caseSensitive, budget, context } = request
  const [{ lines, stopped, large: tooLarge }, listing] = await Promise.all([
    grepLines({ root, pattern, within, caseSensitive, signal }).catch((error: unknown) => {
      throw withReason(error)
    }),
    knownListing(library),
  ])
  const large = largeTexts(tooLarge)
  const files = [...byFile(lines)].map(([path, own]) => ({ path, lines: own, role: roleIn(listing, path) }))
  const wanted = files.filter(({ role }) => isOfKind(role, kind))
  const isShown = ({ role }: Matched) => tests || !isAside(role)
  const shown = wanted.filter(isShown).sort(codeFirst)
  const aside = wanted.filter((one) => !isShown(one))
  const notes = [
    ...(aside.length > 0
      ? [
          `${asideKinds(aside)}: ${sums(aside)}${asideNames(aside)}${shown.length > 0 ? '' : '; tests=true shows them'}`,
        ]
      : []),
    ...(stopped ? [`Stopped after ${thousands(mostLines)} lines: narrow the pattern or give in=.`] : []),
    ...(large.length > 0
      ? [
          `Not searched, too large: ${large.slice(0, 5).join(', ')}${large.length > 5 ? ` (+${large.length - 5})` : ''}`,
        ]
      : []),
  ]
  if (wanted.length === 0) return [nothing(request, listing), ...notes].join('\n')
  const blocksIn = async (room: number) => {
    const blocks: Block[] = []
    let left = room
    for (const file of shown) {
      signal?.throwIfAborted()
      if (left < 80) break
      const block = await fileBlock(library, root, file, { context, tests, budget: left })
      blocks.push(block)
      left -= block.text.length + 1
    }
    return blocks
  }
  const room = budget - notes.join('\n').length - 60
  const all = await blocksIn(room)
  const isWhole = all.length === shown.length && all.every(({ hidden }) => hidden === 0)
  const blocks = isWhole ? all : await blocksIn(room - roomOfCut)
  const inModules = blocks.filter(({ tests }) => tests > 0)
  const cut = [
    ...blocks.flatMap((block) => (block.hidden > 0 ? [{ path: block.path, count: block.hidden }] : [])),
    ...shown.slice(blocks.length).map(({ path, lines: own }) => ({ path, count: own.length })),
  ]
  return [
    `${sums(shown)}${kind === 'all' ? '' : ` of ${kind}`}`,
    ...blocks.filter(({ rows }) => rows > 0).map(({ text }) => text),
    ...(cut.length > 0 ? [`…+${cutText(cut)}`] : []),
    ...(inModules.length > 0
      ? [`In test modules: ${cutText(inModules.map(({ path, tests }) => ({ path, count: tests })))}`]
      : []),
    ...notes,
  ].join('\n')
}

/** What such files are, as a title: "Tests", "Tests and generated", "Tests, generated and vendored". */
export function asideKinds(files: Iterable<{ role: FileRole }>): string {
  const roles = new Set([...files].map(({ role }) => role))
  const has = (...some: FileRole[]) => some.some((role) => roles.has(role))
  const kinds = [
    // Code may hold a module of tests.
    ...(has('test', 'fixture', 'code') ? ['tests'] : []),
    ...(has('generated', 'minified', 'lock') ? ['generated'] : []),
    ...(has('vendored') ? ['vendored'] : []),
  ]
  const last = kinds.pop() ?? ''
  const text = kinds.length > 0 ? `${kinds.join(', ')} and ${last}` : last
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Tests, generated and vendored files are counted; a changelog is a document, shown after the others. */
export function isAside(role: FileRole): boolean {
  return isSideRole(role) && role !== 'changelog'
}

function nothing({ pattern, within, kind }: GrepRequest, listing: ProjectListing): string {
  const where = within?.length ? ` in ${within.join(', ')}` : ''
  const what = kind === 'all' ? '' : ` of kind ${kind}`
  const isWithin = compilePlaces(within ?? [])
  const files = listing.paths.filter(
    (path) => isWithin(path) && (kind === 'all' || isOfKind(roleIn(listing, path), kind)),
  )
  const count = files.length > 0 ? ` (${plural(files.length, 'file')})` : ''
  return `No line${what} matches ${JSON.stringify(pattern.slice(0, 200))}${where}${count}.${noFilesIn(within, listing)}`
}

/** A folder that was mistyped is no evidence that something is nowhere. */
export function noFilesIn(within: readonly string[] | undefined, { paths }: ProjectListing): string {
  const empty = (within ?? []).filter((place) => {
    const { covers } = compileGlob(place)
    return !place.startsWith('!') && !paths.some(covers)
  })
  return empty.length > 0 ? ` There are no files in ${printable(empty.join(', '))}.` : ''
}

/** Where the pattern breaks off, and what finds its signs as they stand. */
function withReason(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'invalid_pattern') return error
  const { pattern, reason } = error.details as { pattern: string; reason: string }
  const escaped = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const literally = /^unclosed|^unopened|repetition/.test(reason)
    ? ` As it stands: ${printable(escaped)}`
    : ''
  return new Problem(error.code, `${error.message}: ${printable(reason)}.`, `${error.hint}${literally}`)
}

export function byFile(lines: readonly MatchingLine[]): Map<string, MatchingLine[]> {
  const files = new Map<string, MatchingLine[]>()
  for (const line of lines) {
    const own = files.get(line.path)
    if (own) own.push(line)
    else files.set(line.path, [line])
  }
  return files
}

/** The whole of the lines that ripgrep cut, with the column in characters. */
export function wholeLines<Line extends MatchingLine>(
  lines: readonly Line[],
  text: string | undefined,
): Line[] {
  if (text === undefined || !lines.some(({ isCut }) => isCut)) return [...lines]
  const all = linesOfText(text)
  return lines.map((line) => {
    const whole = line.isCut ? all[line.line - 1] : undefined
    if (whole === undefined) return line
    const column = Buffer.from(whole).toString('utf8', 0, line.column - 1).length + 1
    return { ...line, text: whole, column }
  })
}

export function isOfKind(role: FileRole, kind: Kind): boolean {
  if (kind === 'all') return true
  return (role === 'docs' || role === 'changelog') === (kind === 'docs')
}

interface Matched {
  path: string
  lines: MatchingLine[]
  role: FileRole
}

function codeFirst(a: Matched, b: Matched): number {
  return order(a.role) - order(b.role) || (a.path < b.path ? -1 : 1)
}

/** Code, then settings and data, then documents, then tests and the like. */
export function order(role: FileRole): number {
  return role === 'code' ? 0 : isSideRole(role) ? 3 : role === 'docs' ? 2 : 1
}

function sums(files: readonly Matched[]): string {
  const matches = files.reduce((sum, { lines }) => sum + lines.length, 0)
  return `${plural(matches, 'line')} in ${plural(files.length, 'file')}`
}

function asideNames(files: readonly Matched[]): string {
  return files.length > 3 ? '' : `: ${files.map(({ path }) => path).join(', ')}`
}

/** How many characters that takes. */
export const roomOfCut = 300

/** The files whose lines are not shown, with their numbers: a few by name. */
export function cutText(cut: readonly { path: string; count: number }[]): string {
  const lines = cut.reduce((sum, { count }) => sum + count, 0)
  let left = roomOfCut - 60
  const fitting = cut.findIndex(({ path }) => {
    left -= path.length + 10
    return left < 0
  })
  const named = cut
    .slice(0, fitting < 0 ? cut.length : Math.max(1, fitting))
    .map(({ path, count }) => `${path} (${count})`)
  const more = cut.length > named.length ? `, and ${plural(cut.length - named.length, 'more file')}` : ''
  return `${plural(lines, 'line')}: ${named.join(', ')}${more}`
}

interface Block {
  path: string
  text: string
  rows: number
  /** Matching lines that did not fit. */
  hidden: number
  /** Matching lines in a module of tests beside the code, which are not shown. */
  tests: number
}

/** A longer line is cut around its match; the row of a table, whose last column says most, only if it is longer still. */
const longestMatch = 240
const longestRow = 500

async function fileBlock(
  library: Library,
  root: string,
  { path, lines: matched }: Matched,
  { context, tests, budget }: { context: number; tests: boolean; budget: number },
): Promise<Block> {
  const file = knownFile(root, path)
  const symbols = file ? (await symbolsOf(library, file)).symbols : []
  const lines = tests ? matched : matched.filter(({ line }) => !isInTestModule(symbols, line))
  const all = file && context > 0 ? linesOfText(file.text) : null
  const rows: string[] = []
  let [size, last, around] = [path.length, 0, '']
  let shown = 0
  for (const match of wholeLines(lines, file?.text)) {
    const own: string[] = []
    const name = placeLabel(enclosing(symbols, match.line), match.line)
    if (context > 0 && all) {
      const from = Math.max(last + 1, match.line - context)
      if (last > 0 && from > last + 1) own.push('  --')
      for (let line = from; line < match.line; line++) own.push(`  ${line}- ${cutLine(all[line - 1]!, 200)}`)
    }
    const column = match.column - 1
    const row = tightRow(match.text)
    const isRow = row.startsWith('|') && row.length <= longestRow
    const text = isRow ? row : match.text
    const indent = text.length - text.trimStart().length
    const place = context > 0 && all ? text.trimEnd() : text.trim()
    // The function is named once for the lines that follow each other in it.
    const label = name !== '' && name !== around ? `[${name}] ` : ''
    if (match.line > last)
      own.push(
        `  ${match.line} ${label}${cutLine(place, isRow ? longestRow : longestMatch, column - indent)}`,
      )
    if (context > 0 && all) {
      const next = lines[shown + 1]?.line ?? Number.POSITIVE_INFINITY
      const to = Math.min(all.length, match.line + context, next - 1)
      for (let line = match.line + 1; line <= to; line++)
        own.push(`  ${line}- ${cutLine(all[line - 1]!, 200)}`)
      last = Math.max(last, to, match.line)
    } else last = match.line
    const length = own.reduce((sum, row) => sum + row.length + 1, 0)
    if (size + length > budget && rows.length > 0) break
    around = name
    rows.push(...own)
    size += length
    shown++
  }
  return {
    path,
    text: [path, ...rows].join('\n'),
    rows: rows.length,
    hidden: lines.length - shown,
    tests: matched.length - lines.length,
  }
}

/** `in=` as people write it: a folder, a file, a glob, several with commas, `!` in front to exclude. */
export function placesIn(written: string | undefined): string[] | undefined {
  const parts = written
    ?.split(/,(?![^{]*\})/)
    .map((part) =>
      part
        .trim()
        .replace(/^(!?)\.\//, '$1')
        .replace(/\/+$/, ''),
    )
    .filter((part) => part !== '' && part !== '.' && part !== '!')
  if (parts?.some((part) => /^!?(?:\/|\.\.(?:\/|$)|[A-Za-z]:)/.test(part)))
    throw new Problem(
      'invalid',
      'in= takes folders and globs below the project folder.',
      'For example in="src,!src/legacy".',
    )
  return parts?.length ? parts : undefined
}
