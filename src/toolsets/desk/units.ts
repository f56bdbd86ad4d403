// A unit is what `find` shows: a whole function, a section of a document, a discovery. A hit of the index becomes the unit
// around it.
import type { FoundPassage } from '../../answer/find-passages.js'
import type { Library } from '../../answer/library.js'
import { fileOf, placeOf } from '../../answer/library.js'
import { knownFile, type ProjectListing, roleIn, rootOf, symbolsOf } from '../../answer/project-texts.js'
import type { Scope } from '../../model/scope.js'
import { enclosing, type FileSymbol, isInTestModule } from '../../parse/file-symbols.js'
import { hasConvertedLines } from '../../parse/formats.js'
import { pooledSymbols } from '../../parse/symbol-pool.js'
import { type FileRole, isSideRole } from '../../text/file-role.js'
import { isStopWord, terms } from '../../text/terms.js'
import { dedent, labelOf, linesOfText, tightRow } from './lines.js'

export interface Unit {
  /** As `read` takes it. */
  path: string
  role: FileRole
  side: 'code' | 'docs'
  first: number
  last: number
  /** The lines from `first` to `last`. */
  lines: string[]
  /** `Class.method`, or the heading. */
  name: string
  /** What ranks it among the others of its answer. */
  relevance: number
  /** The relevance that the search found, whatever the others are: it tells whether there is an answer at all. */
  certainty: number
  /** What is shown. */
  score: number
  /** What a reader should know of the document: its status, its version. */
  facts: string
  /** For a document: the sections below and behind this one. */
  next: FileSymbol[]
  /** The whole text of its file, where it is one. */
  text: string
}

/** The words of a question that say something, and how much each says: a word that few passages have says more. */
export type Wanted = ReadonlyMap<string, number>

const even = { title: 1, headings: 1, names: 1, body: 1 }
const mostTerms = 60

export async function questionTerms(library: Library, question: string, scope: Scope): Promise<Wanted> {
  const words = [...new Set(terms(question).map(({ term }) => term))]
    .filter((term) => !isStopWord(term) && term.length > 1)
    .slice(0, mostTerms)
  if (words.length === 0) return new Map()
  const { chunks } = await library.store.counts()
  const { holders } = await library.store.rank({
    terms: words.map((term) => ({ term, weight: 1 })),
    ...{ weights: even, scope, limit: 1 },
  })
  return new Map(words.map((term, i) => [term, Math.log(1 + chunks / (1 + holders[i]!))]))
}

/** How much a text has of what is wanted. */
export function matchesIn(text: string, wanted: Wanted): number {
  const found = new Set<string>()
  for (const { term } of terms(text.slice(0, 20_000))) if (wanted.has(term)) found.add(term)
  return [...found].reduce((sum, term) => sum + wanted.get(term)!, 0)
}

/** A longer function is not shown whole, and a longer class gives way to its methods. */
const wholeLines = 150
const longestClass = 60

export async function unitOf(
  library: Library,
  listing: ProjectListing,
  hit: FoundPassage,
  wanted: Wanted,
): Promise<Unit> {
  const path = fileOf(library, hit.source, hit.ref.path)
  const isFile = placeOf(library, hit.source) !== null && !hasConvertedLines(hit.document.format)
  const file = isFile ? knownFile(rootOf(library), path) : null
  const role = roleIn(listing, path, file?.text ?? '')
  const { relevance, score } = hit
  const common = { path, role, relevance, certainty: relevance, score, facts: factsOf(library, hit) }
  if (!file) {
    const lines = linesOfText(hit.text)
    const [first] = hit.lines
    const name = hit.heading ?? hit.document.title
    const side = hit.kind === 'code' ? ('code' as const) : ('docs' as const)
    return { ...common, side, first, last: first + lines.length - 1, lines, name, next: [], text: hit.text }
  }
  const all = linesOfText(file.text)
  const isCode = hit.document.format === 'code' || hit.document.format === 'data'
  const { symbols } = isCode ? await symbolsOf(library, file) : await pooledSymbols(path, file.text)
  const [from, to] = [Math.min(hit.lines[0], all.length), Math.min(hit.lines[1], all.length)]
  const own = isCode ? bestSymbol(symbols, [from, to], all, wanted) : sectionOf(symbols, from, to)
  const isAbout = isCode && !own && isPreamble(all.slice(from - 1, to))
  const symbol = isAbout ? bestOfFile(symbols, all, wanted) : own
  const isWhole =
    symbol &&
    (isCode
      ? isAbout || (symbol.line <= to && symbol.endLine >= from)
      : symbol.endLine - symbol.line < wholeLines)
  const [first, last] = isWhole ? [symbol.line, symbol.endLine] : [from, to]
  return {
    ...common,
    ...(isCode && isInTestModule(symbols, first) && { role: 'test' as const }),
    side: isCode ? 'code' : 'docs',
    first,
    last,
    lines: all.slice(first - 1, last),
    name: symbol ? labelOf(symbol) : '',
    next: isCode ? [] : following(symbols, symbol, last),
    text: file.text,
  }
}

/** Of the declarations in a passage, the one that has most of the question's words; a small one rather than its class. */
function bestSymbol(
  symbols: readonly FileSymbol[],
  [from, to]: [number, number],
  lines: readonly string[],
  wanted: Wanted,
): FileSymbol | null {
  const around = enclosing(symbols, from)
  const inside = symbols.filter(({ line, endLine }) => line <= to && endLine >= from)
  const callable = inside.filter(
    ({ line, endLine, kind }) => !holders.has(kind) || endLine - line < longestClass,
  )
  const outer = callable.filter((one) => !isInside(one, callable))
  if (outer.length === 0) return around
  const rated = outer.map((symbol) => {
    const overlap = Math.min(to, symbol.endLine) - Math.max(from, symbol.line) + 1
    return { symbol, rate: rateOf(symbol, lines, wanted) + overlap / 1_000 }
  })
  return rated.reduce((best, one) => (one.rate > best.rate ? one : best)).symbol
}

function rateOf(symbol: FileSymbol, lines: readonly string[], wanted: Wanted): number {
  const own = lines.slice(symbol.line - 1, symbol.endLine).join('\n')
  return matchesIn(own, wanted) + 2 * matchesIn(symbol.qualified, wanted)
}

/** Imports and the comment above them: what was found is that the file is about it. */
function isPreamble(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '')
  return filled.filter((line) => preamble.test(line)).length * 2 > filled.length
}

const preamble =
  /^\s*(?:(?:import|from|package|use|using|require)\b|#\s*include\b|(?:const|let|var) .*\brequire\(|["'][^"']*["'],?$|[\w$]+,$|[(){}]|\/[/*]|\*|#|""")/

/** The function of a file that has most of what is wanted. */
function bestOfFile(
  symbols: readonly FileSymbol[],
  lines: readonly string[],
  wanted: Wanted,
): FileSymbol | null {
  const rated = symbols
    .filter(({ kind, line, endLine }) => !holders.has(kind) && endLine - line >= 2)
    .slice(0, mostRated)
    .map((symbol) => ({ symbol, rate: rateOf(symbol, lines, wanted) }))
    .sort((a, b) => b.rate - a.rate)
  return rated[0] && rated[0].rate > 0 ? rated[0].symbol : null
}

/** Of a longer file only the first are looked at. */
const mostRated = 60

const holders = new Set([
  'class',
  'struct',
  'interface',
  'trait',
  'impl',
  'namespace',
  'module',
  'enum',
  'object',
  'record',
  'table',
  'key',
])

function isInside(one: FileSymbol, others: readonly FileSymbol[]): boolean {
  return others.some(
    (other) =>
      other !== one && other.line <= one.line && other.endLine >= one.endLine && other.level < one.level,
  )
}

/** The smallest section that has the whole passage, else the one where the passage begins. */
function sectionOf(symbols: readonly FileSymbol[], from: number, to: number): FileSymbol | null {
  const whole = symbols.filter(({ line, endLine }) => line <= from && endLine >= to)
  return whole.at(-1) ?? enclosing(symbols, from)
}

function following(symbols: readonly FileSymbol[], section: FileSymbol | null, last: number): FileSymbol[] {
  return symbols
    .filter(({ line, level }) => line > last && (!section || level <= section.level + 1))
    .slice(0, 3)
}

const telling =
  /^(?:status|version|versions|since|deprecated|feature[-_ ]?state|min[-_].*version|superseded[-_ ]?by|date)$/i

function factsOf(library: Library, { document: { metadata }, source, standing }: FoundPassage): string {
  const facts = Object.entries(metadata)
    .filter(
      ([key, value]) =>
        telling.test(key) &&
        !(standing && /^(?:status|superseded)/i.test(key)) &&
        (typeof value === 'string' || typeof value === 'number') &&
        // The status of a page's answer, and ids, say nothing to a reader.
        !(/^status$/i.test(key) && Number.isFinite(Number(value))) &&
        !/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(String(value)),
    )
    .map(([key, value]) => `${key}: ${String(value).replace(/\s+/g, ' ').slice(0, 60)}`)
  const successors = (standing?.successors ?? []).map((one) =>
    one.source === source.id ? fileOf(library, source, one.path) : one.path,
  )
  return [
    ...(source.kind === 'memory' ? ['remembered'] : []),
    ...(standing
      ? [`${standing.status}${successors.length > 0 ? ` by ${successors.join(' and ')}` : ''}`]
      : []),
    ...facts.slice(0, 3),
  ].join(', ')
}

/** The same file and overlapping lines, or the same text elsewhere: the better one stays. */
export function withoutRepeats(units: readonly Unit[]): Unit[] {
  const kept: Unit[] = []
  const texts = new Set<string>()
  for (const unit of units) {
    const text = unit.lines.map((line) => line.trim()).join('\n')
    const repeats = kept.some(
      (one) => one.path === unit.path && one.first <= unit.last && one.last >= unit.first,
    )
    if (repeats || (text.length > 80 && texts.has(text))) continue
    texts.add(text)
    kept.push(unit)
  }
  return kept
}

export function isSide({ role }: Unit): boolean {
  return isSideRole(role)
}

/**
 * The lines of a unit, numbered, within a number of characters. Of a longer one its beginning and the block that has most of
 * the question's words, ended where a block ends.
 */
export function unitLines(
  { first, lines }: Unit,
  room: number,
  wanted: Wanted,
  isGlimpse = false,
): { rows: string[]; isPart: boolean } {
  const without = rowsBeside(lines, wanted)
  // The numbers tell where blank lines, and rows of a table, were.
  const shown = dedent(lines).map((line, i) =>
    isEmpty.test(line) || without.has(i) ? '' : `${first + i} ${cut(tightRow(line))}`.trimEnd(),
  )
  const size = (rows: readonly string[]) => rows.reduce((sum, row) => sum + row.length + 1, 0)
  if (lines.length <= wholeLines && size(shown) <= room) return { rows: shown.filter(Boolean), isPart: false }
  const rates = lines.map((line) => matchesIn(line, wanted))
  const near = rates.map((_, i) =>
    [-2, -1, 0, 1, 2].reduce((sum, d) => sum + (rates[i + d] ?? 0) / (1 + Math.abs(d)), 0),
  )
  const best = near.reduce((top, rate, i) => (rate > near[top]! ? i : top), 0)
  const head = Math.min(
    lines.length,
    Math.max(1, lines.findIndex((line) => /[{:(]\s*$|^#/.test(line)) + 1),
    isGlimpse ? 1 : 4,
  )
  let left = room - size(shown.slice(0, head)) - 30
  let [from, to] = [Math.max(best, head), Math.max(best, head) - 1]
  // A line that is longer than the room is cut rather than left out.
  const row = shown[from]
  if (row !== undefined && row.length + 1 > left && left > leastLine)
    shown[from] = `${row.slice(0, left - 3)} …`
  const takes = (at: number) => {
    const row = shown[at]
    if (row === undefined || row.length + 1 > left) return false
    left -= row.length + 1
    return true
  }
  // Two lines below for each line above: what follows a match says more than what leads to it.
  for (let grew = true; grew; ) {
    grew = false
    for (const _ of [1, 2])
      if (takes(to + 1)) {
        to++
        grew = true
      }
    if (from - 1 >= head && takes(from - 1)) {
      from--
      grew = true
    }
  }
  while (
    to > best + 3 &&
    to < lines.length - 1 &&
    !isBreak(lines, to) &&
    to - best > (lines.length - best) / 4
  )
    to--
  const gap = from > head ? ['…'] : []
  const rest = to < lines.length - 1 ? [`…+${lines.length - 1 - to} lines`] : []
  return {
    rows: [...shown.slice(0, head), ...gap, ...shown.slice(from, to + 1), ...rest].filter(Boolean),
    isPart: true,
  }
}

/** Of a longer table, the rows that have much less of the question's words than the best one. Its head stays. */
function rowsBeside(lines: readonly string[], wanted: Wanted): Set<number> {
  const beside = new Set<number>()
  for (let from = 0; from < lines.length; from++) {
    if (!isRow(lines[from])) continue
    let to = from
    while (isRow(lines[to + 1])) to++
    const rates = lines.slice(from + 2, to + 1).map((line) => matchesIn(line, wanted))
    const best = Math.max(0, ...rates)
    if (rates.length > longTable && best > 0)
      for (const [i, rate] of rates.entries()) if (rate < best * saysAsMuch) beside.add(from + 2 + i)
    from = to
  }
  return beside
}

const longTable = 6
const saysAsMuch = 0.5

function isRow(line: string | undefined): boolean {
  return line?.startsWith('|') ?? false
}

const leastLine = 60
/** Blank lines, rules, and the line below the head of a table. */
const isEmpty = /^\s*(?:-{3,}|={3,}|\*{3,}|\|(?:\s*:?-+:?\s*\|)+)?\s*$/

function isBreak(lines: readonly string[], at: number): boolean {
  return lines[at + 1]?.trim() === '' || /^\s*[}\])]/.test(lines[at]!)
}

function cut(line: string): string {
  return line.length > 400 ? `${line.slice(0, 400)} …+${line.length - 400} characters` : line
}
