// `uses`: where a name is defined, and every line that has it as a whole word: definition, import, use, comment, document
// or test, by the syntax tree. Nothing is dropped without being counted.
import type { Library } from '../../answer/library.js'
import { knownFile, knownListing, largeTexts, roleIn, rootOf, symbolsOf } from '../../answer/project-texts.js'
import { Problem } from '../../model/problem.js'
import {
  enclosing,
  type FileSymbol,
  type FileSymbols,
  isInTestModule,
  isWithin,
} from '../../parse/file-symbols.js'
import { createYielder } from '../../runtime/yield.js'
import { grepLines, type MatchingLine, mostLines } from '../../sources/grep-lines.js'
import { thousands } from '../../text/counted.js'
import type { FileRole } from '../../text/file-role.js'
import { isInModule } from './definitions.js'
import { asideKinds, byFile, cutText, isAside, noFilesIn, order, roomOfCut, wholeLines } from './grep.js'
import { cutLine, fairShare, linesOfText, placeLabel, plural, range } from './lines.js'
import { nearNames } from './near-names.js'

export interface UsesRequest {
  name: string
  within?: readonly string[] | undefined
  budget: number
}

export type LineClass = 'definition' | 'import' | 'use' | 'comment' | 'document' | 'test'

export interface ClassifiedLine extends MatchingLine {
  is: LineClass
  role: FileRole
  /** The symbol that is defined here, or that encloses the line. */
  symbol: FileSymbol | null
  /** Of a call that is written over several lines, what follows its first. */
  rest?: string
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
    knownListing(library),
  ])
  const yieldIfDue = createYielder(signal)
  const classified: ClassifiedLine[] = []
  let trees = 0
  for (const [path, own] of byFile(lines)) {
    const role = roleIn(listing, path)
    const needsTree = !isDocument(role) && !isAside(role) && trees < mostTrees
    const file = needsTree || own.some(({ isCut }) => isCut) ? knownFile(root, path) : null
    const symbols = file && needsTree ? await symbolsOf(library, file) : null
    if (symbols) trees++
    const named = symbols?.symbols.filter((symbol) => symbol.name === name) ?? []
    const fileText = file?.text ?? ''
    for (const line of wholeLines(own, file?.text)) {
      await yieldIfDue()
      const classed = classOf(line, { name, role, symbols, named, fileText })
      const rest = symbols && classed.is === 'use' ? restOfCall(line, symbols, fileText) : ''
      classified.push({ ...line, role, ...classed, ...(rest && { rest }) })
    }
  }
  return { lines: classified, stopped, large: largeTexts(large) }
}

function isDocument(role: FileRole): boolean {
  return role === 'docs' || role === 'changelog'
}

interface ClassedFile {
  name: string
  role: FileRole
  symbols: FileSymbols | null
  /** Those of the symbols that have the name. */
  named: readonly FileSymbol[]
  fileText: string
}

function classOf(
  { line, text, isCut }: MatchingLine,
  { name, role, symbols, named, fileText }: ClassedFile,
): Pick<ClassifiedLine, 'is' | 'symbol'> {
  if (isDocument(role)) return { is: 'document', symbol: null }
  if (isAside(role)) return { is: 'test', symbol: null }
  if (!symbols) return { is: byLook(text), symbol: null }
  if (isInTestModule(symbols.symbols, line)) return { is: 'test', symbol: null }
  const defined = named.find(({ nameLine }) => nameLine === line)
  if (defined) return { is: 'definition', symbol: defined }
  const symbol = enclosing(symbols.symbols, line)
  const start = symbols.starts[line - 1] ?? 0
  const end = symbols.starts[line] ?? fileText.length
  const places = isCut ? [start] : offsetsOf(fileText, name, start, end)
  if (places.some((at) => isWithin(symbols.imports, at))) return { is: 'import', symbol }
  if (places.length > 0 && places.every((at) => isWithin(symbols.comments, at)))
    return { is: 'comment', symbol }
  return { is: symbols.hasTree ? 'use' : byLook(text), symbol }
}

const opensCall = /\([{[]?$/
const longestRest = 120

/** The arguments of a call whose first line ends with its bracket, in one line. */
function restOfCall({ line, text }: MatchingLine, { starts }: FileSymbols, fileText: string): string {
  const from = starts[line]
  if (from === undefined || !opensCall.test(text.trimEnd())) return ''
  const indent = text.length - text.trimStart().length
  const rows = linesOfText(fileText.slice(from, from + 4 * longestRest))
  const end = rows.findIndex((row) => row.trim() !== '' && row.length - row.trimStart().length <= indent)
  const last = rows[end]?.trim() ?? ''
  // What follows at this depth is no bracket that closes: the code is broken.
  if (end >= 0 && !/^[)\]}]/.test(last)) return ''
  const inside = rows.slice(0, end < 0 ? rows.length : end).flatMap((row) => row.trim() || [])
  const rest = `${inside.join(' ')}${last}`
  return end < 0 || rest.length > longestRest ? `${rest.slice(0, longestRest)} …` : rest
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

/** Several names, with commas between them, share the budget. */
export async function usesOfEach(
  library: Library,
  { name, within, budget }: UsesRequest,
  signal?: AbortSignal,
): Promise<string> {
  const asked = [
    ...new Set(
      name
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  ]
  const names = asked.slice(0, mostNames)
  if (names.length < 2) return uses(library, { name, within, budget }, signal)
  const part = (one: string, share: number) =>
    uses(library, { name: one, within, budget: share }, signal).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      return [error.message, error.hint].filter(Boolean).join(' ')
    })
  const texts: string[] = []
  for (const one of names) texts.push(await part(one, budget))
  const share = fairShare(
    texts.map(({ length }, i) => length + names[i]!.length + 3),
    budget,
  )
  for (const [i, one] of names.entries())
    if (texts[i]!.length + one.length + 3 > share) texts[i] = await part(one, share - one.length - 3)
  const left = asked.length - names.length
  return [
    ...texts.map((text, i) => `${names[i]}\n${text}`),
    ...(left > 0 ? [`…+${plural(left, 'name')}: at most ${mostNames} at once.`] : []),
  ].join('\n\n')
}

const mostNames = 5

export async function uses(
  library: Library,
  { name: written, within, budget }: UsesRequest,
  signal?: AbortSignal,
): Promise<string> {
  const { name, owner, lines, stopped, large } = await linesOf(library, { written, within }, signal)
  const notes = [
    ...(stopped ? [`Stopped after ${thousands(mostLines)} lines: give in= to narrow it.`] : []),
    ...(large.length > 0 ? [`Not searched, too large: ${large.slice(0, 5).join(', ')}`] : []),
  ]
  if (lines.length === 0) throw await unknownName(library, name, within)
  const definitions = lines.filter((line) => line.is === 'definition')
  const owned = owner ? definitions.filter(({ symbol }) => isOwnedBy(symbol!, owner, name)) : definitions
  // `queue.New` of Go, Python and Rust: no type is called so, but a file or folder is.
  const inModule =
    owner && owned.length === 0 ? definitions.filter(({ path }) => isInModule(path, owner)) : []
  const asked = owned.length > 0 ? owned : inModule
  const isMeant = inModule.length > 0 ? meantBy(inModule, owner!, name) : () => true
  const of = (is: LineClass) => lines.filter((line) => line.is === is && isMeant(line))
  const main = asked.length > 0 ? asked : definitions
  const head = [
    ...(main.length > 0
      ? main.slice(0, 6).map(definitionText)
      : [`Defined: not in ${within?.join(', ') ?? 'this project'}`]),
    ...(main.length > 6 ? [`…+${plural(main.length - 6, 'definition')}: ${placesText(main.slice(6))}`] : []),
    ...(asked.length > 0 && asked.length < definitions.length
      ? [
          `Namesakes: ${placesText(
            definitions.filter((one) => !asked.includes(one)),
            3,
          )}${inModule.length > 0 ? '' : '; their uses are among those below'}`,
        ]
      : main.length > 1 || (owner && main.length > 0 && asked.length === 0)
        ? [
            `${owner && asked.length === 0 ? `Nothing declares ${owner}.${name} itself. ` : ''}Uses below may mean any ${name}.`,
          ]
        : []),
  ]
  const all = of('use').sort((a, b) => order(a.role) - order(b.role))
  // What code declares is named in settings and data, but not used there.
  const isOfCode = main.some(({ role, symbol }) => role === 'code' && symbol!.kind !== 'template')
  const used = isOfCode ? all.filter(({ role }) => role === 'code') : all
  const shown = inModule.length > 0 ? used : await usesOfMethod(library, { owner, used, within }, signal)
  const namesakes = lines.filter((line) => line.is !== 'definition' && !isMeant(line))
  const isShown = new Set(shown)
  const elsewhere = shown.length > 0 ? used.filter((line) => !isShown.has(line)) : []
  const tail = [
    ...(main.some(isFunction) ? await usesByOtherNames(library, { name, shown, within }, signal) : []),
    ...apart(`Others called ${name}, in files that do not name ${owner}`, elsewhere),
    ...apart('Imports', of('import')),
    ...apart('Comments', of('comment')),
    ...apart('Settings and data', isOfCode ? all.filter(({ role }) => role !== 'code') : []),
    ...apart('Documents', of('document'), 4),
    ...apart(asideKinds(of('test')), of('test'), 2),
    ...apart(`Others called ${name}, not ${owner}.${name}`, namesakes, 2),
    ...notes,
  ]
  const room = budget - [...head, ...tail].join('\n').length - 40
  const listed = elsewhere.length > 0 ? shown : used
  const isLikely = owner && owned.length > 0 ? likelyReceiver(owned, owner, name) : () => true
  const [likely, unsure] = [listed.filter(isLikely), listed.filter((line) => !isLikely(line))]
  if (likely.length === 0 || unsure.length === 0)
    return [...head, ...usesText(listed, room), ...tail].join('\n')
  const first = usesText(likely, room - roomOfCut)
  const rest = room - first.join('\n').length
  const others = usesText(unsure, rest, { title: `Others called ${name}, maybe of ${owner}` })
  return [...head, ...first, ...others, ...tail].join('\n')
}

interface AskedLines extends Uses {
  name: string
  owner: string | null
}

/**
 * `Client.send` means the method `send`, and its uses are those of `send`. `storage.backend` may be a key of the settings,
 * which nothing declares: then the lines that have it as it is written.
 */
async function linesOf(
  library: Library,
  { written, within }: { written: string; within: readonly string[] | undefined },
  signal?: AbortSignal,
): Promise<AskedLines> {
  const { whole, name, owner } = nameOf(written)
  const found = await classifiedUses(library, { name, within }, signal)
  const owned = found.lines.filter(
    (line) =>
      line.is === 'definition' && (isOwnedBy(line.symbol!, owner!, name) || isInModule(line.path, owner!)),
  )
  if (owner === null || owned.some(({ symbol }) => symbol!.kind !== 'key')) return { name, owner, ...found }
  const asWritten = await classifiedUses(library, { name: whole, within }, signal)
  const isKey = asWritten.lines.some(({ text }) => /["'`]/.test(text[text.indexOf(whole) - 1] ?? ''))
  if (!isKey) return { name, owner, ...found }
  // The file of settings may have it below a table, where it is not written so.
  const places = new Set(asWritten.lines.map(({ path, line }) => `${path}:${line}`))
  const isDeclared = asWritten.lines.some(
    ({ is, symbol }) => is === 'definition' && symbol!.kind === 'template',
  )
  const below = isDeclared ? [] : owned.filter(({ path, line }) => !places.has(`${path}:${line}`))
  const lines = [...asWritten.lines, ...below]
  return { ...asWritten, lines, name: whole, owner: null }
}

/** A method's name can be common: of many uses, those in files that name its type. */
async function usesOfMethod(
  library: Library,
  { owner, used, within }: { owner: string | null; used: ClassifiedLine[]; within: UsesRequest['within'] },
  signal?: AbortSignal,
): Promise<ClassifiedLine[]> {
  if (!owner || used.length <= fewUses) return used
  const naming = await namingFiles(library, owner, within, signal)
  return used.filter(({ path }) => naming.has(path))
}

/** Whether a line calls a method on something that is named like its class, or stands beside the class. */
function likelyReceiver(owned: readonly ClassifiedLine[], owner: string, name: string) {
  const files = new Set(owned.map(({ path }) => path))
  const written = name.replace(/\$/g, '\\$&')
  const receiver = new RegExp(
    `([\\p{L}_$][\\p{L}\\p{N}_$]*)(?:\\(\\))?[!?]?(?:\\.|->|::)${written}(?![\\p{L}\\p{N}_])`,
    'gu',
  )
  const type = owner.toLowerCase()
  return ({ path, text }: ClassifiedLine) =>
    files.has(path) ||
    [...text.matchAll(receiver)].some(([, found]) => {
      const variable = found!.replace(/^[_$]+/, '').toLowerCase()
      return variable.length >= 3 && (variable.includes(type) || type.includes(variable))
    })
}

/** The lines that have a module's function as it is written outside, `queue.New`, and those of the module itself. */
function meantBy(definitions: readonly ClassifiedLine[], owner: string, name: string) {
  const folders = definitions.map(({ path }) => path.slice(0, path.lastIndexOf('/')))
  // A package of Go is called by its folder, whatever the file is called.
  const modules = [owner, ...folders.map((folder) => folder.slice(folder.lastIndexOf('/') + 1))]
  const written = modules.flatMap((module) => ['.', '::', '->'].map((sign) => `${module}${sign}${name}`))
  return ({ path, text }: ClassifiedLine) =>
    folders.includes(path.slice(0, path.lastIndexOf('/'))) || written.some((one) => text.includes(one))
}

/** A function that is handed on by another name, `onSave = store.save`, is called by that name. */
const mostOtherNames = 2

async function usesByOtherNames(
  library: Library,
  { name, shown, within }: { name: string; shown: readonly ClassifiedLine[]; within: UsesRequest['within'] },
  signal?: AbortSignal,
): Promise<string[]> {
  const escaped = name.replace(/\$/g, '\\$&')
  const handedOn = new RegExp(
    `(?:^|[\\s,({.])([A-Za-z_$][\\w$]{3,})\\s*(?::=|=|:)\\s*&?(?:[\\w$]+(?:\\.|::))*${escaped}\\s*[,;})]*\\s*$`,
  )
  const others = new Map<string, ClassifiedLine>()
  const yieldIfDue = createYielder(signal)
  for (const line of shown) {
    await yieldIfDue()
    const other = line.role === 'code' ? handedOn.exec(line.text)?.[1] : undefined
    if (other && other !== name && !others.has(other)) others.set(other, line)
  }
  const rows: string[] = []
  for (const [other, { path, line }] of [...others].slice(0, mostOtherNames)) {
    const found = await classifiedUses(library, { name: other, within }, signal)
    const calls = found.lines.filter(
      (one) => one.is === 'use' && one.role === 'code' && !(one.path === path && one.line === line),
    )
    if (calls.length === 0 || calls.length > fewUses) continue
    rows.push(`As ${other} (${path}:${line}): ${plural(calls.length, 'line')}`)
    for (const one of calls)
      rows.push(`  ${one.path}:${one.line} ${inPlace(one)}${cutLine(one.text.trim(), 120, one.column - 1)}`)
  }
  return rows
}

function isFunction({ symbol }: ClassifiedLine): boolean {
  return symbol?.kind === 'function' || symbol?.kind === 'method'
}

function inPlace({ symbol, line }: ClassifiedLine): string {
  const label = placeLabel(symbol, line)
  return label === '' ? '' : `[${label}] `
}

function isOwnedBy({ qualified }: FileSymbol, owner: string, name: string): boolean {
  return `.${qualified}`.endsWith(`.${owner}.${name}`)
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

function nameOf(written: string): { whole: string; name: string; owner: string | null } {
  const whole = written.trim().replace(/\(\)$/, '').replace(/^.*#/, '')
  const parts = whole.split(/\.|::|->/)
  const name = parts.pop()!.trim()
  if (!/[\p{L}\p{N}_$]/u.test(name) || /\s/.test(name))
    throw new Problem(
      'invalid',
      'uses takes one name, or several with commas.',
      'For example "parseHeader" or "Client.send"; grep takes any pattern.',
    )
  return { whole, name, owner: parts.at(-1) || null }
}

/** The name only where its line does not show the whole of it. */
function definitionText({ path, line, symbol, text }: ClassifiedLine): string {
  const { qualified, name, endLine } = symbol!
  return `Defined: ${path}:${range(line, endLine)} ${qualified === name ? '' : `${qualified}: `}${cutLine(text.trim(), 160)}`
}

function placesText(lines: readonly ClassifiedLine[], most = 6): string {
  const named = lines
    .slice(0, most)
    .map(({ path, line, symbol }) => `${path}:${line} ${symbol?.qualified ?? ''}`.trim())
  return named.join('; ') + (lines.length > most ? ` …+${lines.length - most}` : '')
}

/** Every use with its function, as far as there is room; what is left out is counted by file. */
function usesText(
  lines: readonly ClassifiedLine[],
  room: number,
  { title = 'Used', isCut = false } = {},
): string[] {
  if (lines.length === 0) return ['Used: nowhere else']
  const files = [...byFile(lines)] as [string, ClassifiedLine[]][]
  const rows = [`${title}: ${plural(lines.length, 'line')} in ${plural(files.length, 'file')}`]
  const cut: { path: string; count: number }[] = []
  let left = room - rows[0]!.length
  for (const [path, own] of files) {
    if (left <= path.length) {
      cut.push({ path, count: own.length })
      continue
    }
    const block = [path]
    let around = ''
    // Each row takes some characters of the room, so that more rows than this cannot fit.
    for (const { line, text, symbol, column, rest = '' } of own.slice(0, Math.ceil(left / 4))) {
      const name = placeLabel(symbol, line)
      const label = name !== '' && name !== around ? `[${name}] ` : ''
      around = name
      const indent = text.length - text.trimStart().length
      block.push(`  ${line} ${label}${cutLine(text.trim(), 160, column - 1 - indent)}${isCut ? '' : rest}`)
    }
    const fitting = fittingRows(block, left)
    if (fitting.length < 2) {
      cut.push({ path, count: own.length })
      continue
    }
    rows.push(...fitting)
    left -= fitting.reduce((sum, row) => sum + row.length + 1, 0)
    const hidden = own.length - (fitting.length - 1)
    if (hidden > 0) cut.push({ path, count: hidden })
  }
  if (cut.length === 0) return rows
  return isCut ? [...rows, `…+${cutText(cut)}`] : usesText(lines, room - roomOfCut, { title, isCut: true })
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

async function unknownName(
  library: Library,
  name: string,
  within: readonly string[] | undefined,
): Promise<Problem> {
  const where = within ? ` in ${within.join(', ')}` : ''
  return new Problem(
    'not_found',
    `No line has "${name}" as a whole word${where}.${noFilesIn(within, await knownListing(library))}`,
    await nearNames(library, name, within),
  )
}
