// `uses`: where a name is defined, and every line that has it as a whole word: definition, import, use, comment, document
// or test, by the syntax tree. Nothing is dropped without being counted.
import type { Library } from '../../answer/library.js'
import {
  knownFile,
  largeTexts,
  projectListing,
  roleIn,
  rootOf,
  symbolsOf,
} from '../../answer/project-texts.js'
import { Problem } from '../../model/problem.js'
import { enclosing, type FileSymbol, type FileSymbols, isWithin } from '../../parse/file-symbols.js'
import { createYielder } from '../../runtime/yield.js'
import { grepLines, type MatchingLine, mostLines } from '../../sources/grep-lines.js'
import { type FileRole, isSideRole } from '../../text/file-role.js'
import { nearest } from '../../text/nearest.js'
import { byFile, cutText } from './grep.js'
import { cutLine, plural } from './lines.js'

export interface UsesRequest {
  name: string
  within?: readonly string[] | undefined
  budget: number
}

export type LineClass = 'definition' | 'import' | 'use' | 'comment' | 'document' | 'test'

export interface ClassifiedLine extends MatchingLine {
  is: LineClass
  /** The symbol that is defined here, or that encloses the line. */
  symbol: FileSymbol | null
}

export interface Uses {
  lines: ClassifiedLine[]
  stopped: boolean
  large: string[]
}

/** So many uses of a method are shown whatever their files name. */
const fewUses = 12
/** Trees of this many files are read; the lines of more are told by their look. */
const mostTrees = 150

export async function classifiedUses(
  library: Library,
  { name, within }: Pick<UsesRequest, 'name' | 'within'>,
  signal?: AbortSignal,
): Promise<Uses> {
  const root = rootOf(library)
  const [{ lines, stopped, large }, listing] = await Promise.all([
    grepLines({ root, pattern: name, isName: true, caseSensitive: true, within, signal }),
    projectListing(library),
  ])
  const yieldIfDue = createYielder(signal)
  const classified: ClassifiedLine[] = []
  let trees = 0
  for (const [path, own] of byFile(lines)) {
    await yieldIfDue()
    const role = roleIn(listing, path)
    const needsTree = !isDocument(role) && !isTestLike(role) && trees < mostTrees
    const file = needsTree ? knownFile(root, path) : null
    const symbols = file ? await symbolsOf(library, file) : null
    if (symbols) trees++
    for (const line of own)
      classified.push({ ...line, ...classOf(line, name, role, symbols, file?.text ?? '') })
  }
  return { lines: classified, stopped, large: largeTexts(large) }
}

function isDocument(role: FileRole): boolean {
  return role === 'docs' || role === 'changelog'
}

function isTestLike(role: FileRole): boolean {
  return isSideRole(role) && role !== 'changelog'
}

function classOf(
  { line, text, isCut }: MatchingLine,
  name: string,
  role: FileRole,
  symbols: FileSymbols | null,
  fileText: string,
): Pick<ClassifiedLine, 'is' | 'symbol'> {
  if (isDocument(role)) return { is: 'document', symbol: null }
  if (isTestLike(role)) return { is: 'test', symbol: null }
  if (!symbols) return { is: byLook(text), symbol: null }
  const defined = symbols.symbols.find((symbol) => symbol.nameLine === line && symbol.name === name)
  if (defined) return { is: 'definition', symbol: defined }
  const symbol = enclosing(symbols.symbols, line)
  if (!symbols.hasTree) return { is: byLook(text), symbol }
  const start = symbols.starts[line - 1] ?? 0
  const end = symbols.starts[line] ?? fileText.length
  const places = isCut ? [start] : offsetsOf(fileText, name, start, end)
  if (places.some((at) => isWithin(symbols.imports, at))) return { is: 'import', symbol }
  return {
    is: places.length > 0 && places.every((at) => isWithin(symbols.comments, at)) ? 'comment' : 'use',
    symbol,
  }
}

function offsetsOf(text: string, name: string, start: number, end: number): number[] {
  const found: number[] = []
  for (let at = text.indexOf(name, start); at >= 0 && at < end; at = text.indexOf(name, at + name.length))
    if (!isWordAt(text, at - 1) && !isWordAt(text, at + name.length)) found.push(at)
  return found
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\p{L}\p{N}_]/u.test(text[at]!)
}

/** Where no tree tells: by how the line begins. */
function byLook(text: string): LineClass {
  const line = text.trim()
  if (/^(?:\/\/|\/\*|\*|#(?!\s*(?:include|import|define))|--|;|<!--|""")/.test(line)) return 'comment'
  return /^(?:import|from|use|using|#\s*include|require|package)\b/.test(line) ? 'import' : 'use'
}

export async function uses(
  library: Library,
  { name: written, within, budget }: UsesRequest,
  signal?: AbortSignal,
): Promise<string> {
  const { name, owner } = nameOf(written)
  const { lines, stopped, large } = await classifiedUses(library, { name, within }, signal)
  const notes = [
    ...(stopped ? [`Stopped after ${mostLines.toLocaleString('en-US')} lines: give in= to narrow it.`] : []),
    ...(large.length > 0 ? [`Not searched, too large: ${large.slice(0, 5).join(', ')}`] : []),
  ]
  if (lines.length === 0) throw await unknownName(library, name, within)
  const of = (is: LineClass) => lines.filter((line) => line.is === is)
  const definitions = of('definition')
  const asked = owner
    ? definitions.filter(({ symbol }) => `.${symbol!.qualified}`.endsWith(`.${owner}.${name}`))
    : definitions
  const main = asked.length > 0 ? asked : definitions
  const head = [
    ...(main.length > 0 ? main.slice(0, 6).map(definitionText) : ['Defined: not in this project']),
    ...(main.length > 6 ? [`…+${plural(main.length - 6, 'definition')}: ${placesText(main.slice(6))}`] : []),
    ...(asked.length > 0 && asked.length < definitions.length
      ? [
          `Namesakes: ${placesText(definitions.filter((one) => !asked.includes(one)))}; their uses are among those below`,
        ]
      : main.length > 1
        ? ['Several are called so: uses below may mean any of them.']
        : []),
  ]
  const used = of('use')
  // A method's name can be common: what lies in files that do not name its type is counted, not shown.
  const near = owner && used.length > fewUses ? await namingFiles(library, owner, within, signal) : null
  const shown = near ? used.filter(({ path }) => near.has(path)) : used
  const elsewhere = shown.length > 0 ? used.filter((line) => !shown.includes(line)) : []
  const tail = [
    ...apart(`Others called ${name}, in files that do not name ${owner}`, elsewhere),
    ...apart('Imports', of('import')),
    ...apart('Comments', of('comment')),
    ...apart('Documents', of('document'), 4),
    ...apart('Tests and generated', of('test'), 2),
    ...notes,
  ]
  const room = budget - [...head, ...tail].join('\n').length - 40
  return [...head, ...usesText(elsewhere.length > 0 ? shown : used, room), ...tail].join('\n')
}

async function namingFiles(
  library: Library,
  owner: string,
  within: readonly string[] | undefined,
  signal?: AbortSignal,
): Promise<Set<string>> {
  const { lines } = await grepLines({
    ...{ root: rootOf(library), pattern: owner, isName: true, caseSensitive: true, within, signal },
  })
  return new Set(lines.map(({ path }) => path))
}

function nameOf(written: string): { name: string; owner: string | null } {
  const parts = written
    .trim()
    .replace(/\(\)$/, '')
    .replace(/^.*#/, '')
    .split(/\.|::|->/)
  const name = parts.pop()!.trim()
  if (name === '' || /[\s\n]/.test(name))
    throw new Problem(
      'invalid',
      'uses takes one name.',
      'For example "parseHeader" or "Client.send"; grep takes any pattern.',
    )
  return { name, owner: parts.at(-1) || null }
}

function definitionText({ path, line, symbol, text }: ClassifiedLine): string {
  const { qualified, kind, endLine } = symbol!
  const lines = endLine > line ? `${line}-${endLine}` : String(line)
  return `Defined: ${path}:${lines} ${kind} ${qualified}: ${cutLine(text.trim(), 160)}`
}

function placesText(lines: readonly ClassifiedLine[]): string {
  const named = lines
    .slice(0, 6)
    .map(({ path, line, symbol }) => `${path}:${line} ${symbol?.qualified ?? ''}`.trim())
  return named.join('; ') + (lines.length > 6 ? ` …+${lines.length - 6}` : '')
}

/** Every use with its function, as far as there is room; what is left out is counted by file. */
function usesText(lines: readonly ClassifiedLine[], room: number): string[] {
  if (lines.length === 0) return ['Used: nowhere else']
  const files = [...byFile(lines)] as [string, ClassifiedLine[]][]
  const rows = [`Used: ${plural(lines.length, 'line')} in ${plural(files.length, 'file')}`]
  const cut: { path: string; count: number }[] = []
  let left = room - rows[0]!.length
  for (const [path, own] of files) {
    const block = [path]
    let around = ''
    for (const { line, text, symbol, column } of own) {
      const name = symbol?.qualified ?? ''
      const label = name !== '' && name !== around ? `[${name}] ` : ''
      around = name
      block.push(`  ${line} ${label}${cutLine(text.trim(), 160, column)}`)
    }
    const fitting = fittingRows(block, left)
    if (fitting.length < 2) {
      cut.push({ path, count: own.length })
      continue
    }
    rows.push(...fitting)
    left -= fitting.reduce((sum, row) => sum + row.length + 1, 0)
    if (fitting.length < block.length) cut.push({ path, count: block.length - fitting.length })
  }
  return cut.length > 0 ? [...rows, `…+${cutText(cut)}`] : rows
}

function fittingRows(rows: readonly string[], room: number): string[] {
  let size = 0
  const end = rows.findIndex((row) => {
    size += row.length + 1
    return size > room
  })
  return end < 0 ? [...rows] : rows.slice(0, end)
}

function apart(title: string, lines: readonly ClassifiedLine[], shown = 3): string[] {
  if (lines.length === 0) return []
  const files = [...byFile(lines)]
  const named = files
    .slice(0, shown)
    .map(([path, own]) => `${path}:${own[0]!.line}${own.length > 1 ? ` (+${own.length - 1})` : ''}`)
  const more = files.length > shown ? ` …+${plural(files.length - shown, 'file')}` : ''
  return [`${title}: ${plural(lines.length, 'line')}: ${named.join(', ')}${more}`]
}

/** The nearest name that the project has: by its case first, then by its letters. */
async function unknownName(
  library: Library,
  name: string,
  within: readonly string[] | undefined,
): Promise<Problem> {
  const root = rootOf(library)
  const loose = await grepLines({ root, pattern: escaped(name), caseSensitive: false, within })
  const words = new Map<string, number>()
  const pattern = new RegExp(`[\\p{L}\\p{N}_$]*${escaped(name)}[\\p{L}\\p{N}_$]*`, 'giu')
  for (const { text } of loose.lines.slice(0, 5_000))
    for (const [word] of text.matchAll(pattern)) words.set(word, (words.get(word) ?? 0) + 1)
  const near = [...words].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5)
  const where = within ? ` in ${within.join(', ')}` : ''
  if (near.length > 0)
    return new Problem(
      'not_found',
      `No line has "${name}" as a whole word${where}.`,
      `Near: ${near.map(([word, count]) => `${word} (${count})`).join(', ')}.`,
    )
  const spelled = await nearestSymbol(library, name)
  return new Problem(
    'not_found',
    `No line has "${name}"${where}.`,
    spelled ? `The nearest name is ${spelled}.` : 'find searches by meaning.',
  )
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/** A misspelt name: among the words of lines that share its beginning. */
async function nearestSymbol(library: Library, name: string): Promise<string | null> {
  if (name.length < 4) return null
  const root = rootOf(library)
  const halves = [name.slice(0, Math.ceil(name.length / 2)), name.slice(Math.floor(name.length / 2))]
  const { lines } = await grepLines({ root, pattern: halves.map(escaped).join('|'), caseSensitive: false })
  const words = new Set(
    lines
      .slice(0, 20_000)
      .flatMap(({ text }) => text.slice(0, 400).match(/[\p{L}_$][\p{L}\p{N}_$]{3,60}/gu) ?? []),
  )
  return nearest(name, words)
}
