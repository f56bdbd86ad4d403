// `read`: numbered lines of files, by range, by symbol, by section or by a bare name; several at once.
import { refOfAddress } from '../../answer/addresses.js'
import type { Library } from '../../answer/library.js'
import { namedFile, projectListing, symbolsOf, type TextFile } from '../../answer/project-texts.js'
import {
  type Address,
  isBareName,
  noSymbol,
  parseAddress,
  symbolsNamed,
  wholeWord,
} from '../../answer/symbol-addresses.js'
import type { Stamp } from '../../model/document.js'
import { Problem } from '../../model/problem.js'
import type { Ref } from '../../model/source.js'
import { enclosing, type FileSymbol, type FileSymbols } from '../../parse/file-symbols.js'
import { formatOf } from '../../parse/formats.js'
import { pooledSymbols } from '../../parse/symbol-pool.js'
import { type Definition, definitionsOf } from './definitions.js'
import { commonIndent, cutLine, fairShare, linesOfText, plural, printable, range, tightRow } from './lines.js'
import { nearNames } from './near-names.js'
import { outline, outlineText } from './outline.js'

export interface ReadRequest {
  at: readonly string[]
  /** Characters of the whole answer. */
  budget: number
}

/** A file with more lines than this is shown as its outline, unless a part is asked for. */
const wholeLines = 400
const wholeCharacters = 10_000
const mostAddresses = 20
const longLine = 500

export async function read(
  library: Library,
  { at, budget }: ReadRequest,
  signal?: AbortSignal,
): Promise<string> {
  const asked = at.slice(0, mostAddresses)
  const part = async (written: string, share: number) => {
    signal?.throwIfAborted()
    return readOne(library, written, share).catch((error: unknown) => {
      if (!(error instanceof Problem) || asked.length === 1) throw error
      const sentence = error.message.replace(/[^.!?]$/, '$&.')
      return `${printable(written)}: ${[sentence, error.hint].filter(Boolean).join(' ')}`
    })
  }
  const texts: string[] = []
  for (const written of asked) texts.push(await part(written, budget))
  const share = fairShare(
    texts.map(({ length }) => length + 2),
    budget,
  )
  for (const [i, written] of asked.entries())
    if (texts[i]!.length + 2 > share) texts[i] = await part(written, share - 2)
  if (at.length > asked.length)
    texts.push(
      `…+${plural(at.length - asked.length, 'address', 'addresses')}: at most ${mostAddresses} at once.`,
    )
  return texts.join('\n\n')
}

async function readOne(library: Library, written: string, budget: number): Promise<string> {
  const address = parseAddress(written)
  const file = await fileAt(library, address).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_a_file') return readInFolder(library, address, budget)
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    return elsewhere(library, address, budget, error)
  })
  if (typeof file === 'string') return file
  return readFrom(library, file, address, budget)
}

/** `folder#name`: what is declared so below the folder. A folder alone gives its entries. */
async function readInFolder(library: Library, { path, symbol }: Address, budget: number): Promise<string> {
  const below = path === '.' ? '' : `${path}/`
  const found = symbol === undefined ? [] : await declared(library, symbol, below)
  return found.length > 0
    ? found.map((one) => definitionText(one, Math.floor(budget / found.length))).join('\n\n')
    : outline(library, { path, budget })
}

const mostDeclared = 3

async function declared(library: Library, name: string, below: string): Promise<Definition[]> {
  if (!isName.test(name)) return []
  const found = await definitionsOf(library, name)
  return found.filter(({ file }) => file.path.startsWith(below)).slice(0, mostDeclared)
}

const isName = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$][\p{L}\p{N}_$]*)*$/u

/** What is meant by a path that no file has: the end of the path of one file, or a name. */
async function elsewhere(library: Library, address: Address, budget: number, error: Problem) {
  const { paths } = await projectListing(library)
  const ending = paths.filter((path) => path.endsWith(`/${address.path}`))
  if (ending.length === 1) return fileAt(library, { ...address, path: ending[0]! })
  const isPath = !isBareName(address) || (formatOf(address.path)?.format ?? 'text') !== 'text'
  const named = isBareName(address) ? await readNamedSymbol(library, address, budget, isPath) : null
  if (named !== null) return named
  throw new Problem('not_found', `There is no file "${printable(address.path)}".`, error.hint)
}

interface FileText extends Pick<TextFile, 'path' | 'text'> {
  lines: string[]
  /** Null for a text from the index, which is not the file's own. */
  stamp: Stamp | null
}

/** The file's text; of a PDF, an Office file or a page the text that the index has of it. */
async function fileAt(library: Library, { path }: Address): Promise<FileText> {
  const indexed = async () => {
    const ref = (await refOfAddress(library, path)) ?? (await refInSource(library, path))
    const document = ref && (await library.store.document(ref))
    return document && { path, text: document.text, stamp: null }
  }
  if (formatOf(path) === null) {
    const converted = await indexed()
    if (converted) return { ...converted, lines: linesOfText(converted.text) }
  }
  try {
    const file = await namedFile(library, path)
    if (
      file.bytes.subarray(0, 8_000).includes(0) &&
      !/^(?:\xff\xfe|\xfe\xff)/.test(Buffer.from(file.bytes.subarray(0, 2)).toString('latin1'))
    )
      throw new Problem('binary', `${path} is a binary file.`, 'Only text can be read.')
    return { ...file, lines: linesOfText(file.text) }
  } catch (error) {
    const document = error instanceof Problem && error.code === 'not_found' ? await indexed() : null
    if (document) return { ...document, lines: linesOfText(document.text) }
    throw error
  }
}

/** `Harbour:http://…/tides.html`: a page or a discovery, as `find` prints it. */
async function refInSource(library: Library, path: string): Promise<Ref | null> {
  const [, name, rest] = /^([^:/]+):(.+)$/.exec(path) ?? []
  const source = name ? (await library.store.sources()).find((one) => one.name === name) : undefined
  return source ? { source: source.id, path: rest! } : null
}

async function readFrom(
  library: Library,
  file: FileText,
  { lines, symbol }: Address,
  budget: number,
): Promise<string> {
  const { path } = file
  const count = file.lines.length
  if (lines) {
    if (lines[0] > count)
      throw new Problem('invalid', `${path} has ${plural(count, 'line')}.`, `Ask for lines up to ${count}.`)
    const first = Math.max(1, lines[0])
    const last = Math.max(first, Math.min(lines[1], count))
    return stretch(file, { first, last, title: '', budget })
  }
  if (symbol !== undefined) {
    const symbols = await symbolsFor(library, file)
    const named = symbolsNamed(symbols, symbol)
    const found = named.length > 0 ? named : anchored(symbols, file.lines, symbol)
    if (found.length === 0) {
      const elsewhere = await declared(library, symbol, '')
      if (elsewhere.length === 0) throw noSymbol(path, symbol, { ...symbols, text: file.text })
      const texts = elsewhere.map((one) => definitionText(one, Math.floor(budget / elsewhere.length)))
      return [`Not in ${path}, but here:`, ...texts].join('\n')
    }
    const shown = found.slice(0, 5)
    const texts = shown.map(
      ({ line, endLine, qualified, kind }) =>
        stretch(file, {
          first: line,
          last: endLine,
          title: qualified,
          budget: Math.floor(budget / shown.length),
        }) + (kind === 'heading' ? after(symbols.symbols, endLine) : ''),
    )
    const more = found.length > shown.length ? [`…+${found.length - shown.length} more called ${symbol}`] : []
    return [...texts, ...more].join('\n\n')
  }
  if (count <= wholeLines && file.text.length <= Math.min(budget, wholeCharacters))
    return stretch(file, { first: 1, last: count, title: '', budget })
  const outline = outlineText(path, await symbolsFor(library, file), {
    lines: count,
    budget: Math.min(budget, 4_000),
  })
  return `${outline}\n(long: read a range, ${path}:1-80, or a name, ${path}#NAME)`
}

/** The section of an anchor that a document sets: `## Heading { #anchor }`, `<a id="anchor">`, or `.. _anchor:` above it. */
function anchored({ symbols }: FileSymbols, lines: readonly string[], anchor: string): FileSymbol[] {
  if (!/^[\w-]+$/.test(anchor)) return []
  const written = new RegExp(`(?:\\{[^}]*#|\\b(?:id|name)=["']|^\\s*\\.\\. _)${anchor}(?=[\\s}"':])`)
  const line = lines.findIndex((text) => written.test(text)) + 1
  if (line === 0) return []
  const below = symbols.find(
    ({ kind, nameLine }) => kind === 'heading' && nameLine >= line && nameLine <= line + 2,
  )
  const section = below ?? enclosing(symbols, line)
  return section ? [section] : []
}

function symbolsFor(library: Library, { path, text, stamp }: FileText) {
  return stamp ? symbolsOf(library, { path, text, stamp }) : pooledSymbols('page.md', text)
}

interface Part {
  first: number
  last: number
  title: string
  budget: number
}

/**
 * The lines with their numbers, which tell where blank lines were. The indentation that all share is left out and said.
 * Lines are cut only where the whole does not fit.
 */
function stretch({ path, lines }: FileText, { first, last, title, budget }: Part): string {
  const own = lines.slice(first - 1, last).map((line) => tightRow(line.trimEnd()))
  const indent = commonIndent(own)
  const note = indent > 0 && last > first ? ` (indented by ${indent})` : ''
  const head = `${path}:${range(first, last)}${title && ` ${title}`}${note}`
  const rows = own.map((line, i) => ({ number: first + i, text: note ? line.slice(indent) : line }))
  const filled = rows.filter(({ text }) => text !== '')
  const size = filled.reduce((sum, { text }) => sum + text.length + 8, head.length)
  const longest = first === last || size <= budget ? budget : longLine
  // Room for the line that says what is left out.
  const room = size <= budget ? budget : budget - path.length - 40
  const shown: string[] = []
  let used = head.length
  for (const { number, text } of filled.length > 0 ? filled : rows.slice(0, 1)) {
    const line = `${number} ${cutLine(text, longest)}`
    if (used + line.length + 1 > room && shown.length > 0)
      return [
        head,
        ...shown,
        `…+${plural(last - number + 1, 'line')}: read ${path}:${range(number, last)}`,
      ].join('\n')
    shown.push(line)
    used += line.length + 1
  }
  return [head, ...shown].join('\n')
}

/** The sections behind one: the answer is often in the next. */
function after(symbols: readonly { name: string; line: number; endLine: number }[], end: number): string {
  const next = symbols.filter(({ line }) => line > end).slice(0, 3)
  return next.length === 0
    ? ''
    : `\nNext: ${next.map(({ name, line, endLine }) => `${range(line, endLine)} ${name}`).join(' · ')}`
}

async function readNamedSymbol(
  library: Library,
  { path: written }: Address,
  budget: number,
  isPath: boolean,
): Promise<string | null> {
  const name = written.replace(/\(\)$/, '').replaceAll('::', '.')
  const found = await definitionsOf(library, name)
  if (found.length === 0) return isPath ? null : readOwner(library, name, budget)
  const shown = found.slice(0, 3)
  const texts = shown.map((one) => definitionText(one, Math.floor(budget / shown.length)))
  const others = found
    .slice(3)
    .map(({ file, symbol }) => `${file.path}:${symbol.nameLine} ${symbol.qualified}`)
  return [...texts, ...(others.length > 0 ? [`Also defined: ${others.slice(0, 10).join('; ')}`] : [])].join(
    '\n\n',
  )
}

function definitionText({ file, symbol }: Definition, budget: number): string {
  const lines = linesOfText(file.text)
  return stretch(
    { ...file, lines },
    { first: symbol.line, last: symbol.endLine, title: symbol.qualified, budget },
  )
}

function placeText({ file, symbol }: Definition): string {
  return `${file.path}:${range(symbol.line, symbol.endLine)}`
}

/** `Owner.name` where nothing is declared so: the owner, if its text has the name. */
async function readOwner(library: Library, name: string, budget: number): Promise<string> {
  const [, owner, own = name] = /^(.+)\.([^.]+)$/.exec(name) ?? []
  const owners = owner ? await definitionsOf(library, owner) : []
  const word = wholeWord(own)
  const holder = owners.find(({ file, symbol }) =>
    linesOfText(file.text)
      .slice(symbol.line - 1, symbol.endLine)
      .some((line) => word.test(line)),
  )
  if (holder) return definitionText(holder, budget)
  if (owners[0])
    throw new Problem('not_found', `${owner} has no "${own}".`, `It is in ${placeText(owners[0])}.`)
  throw new Problem('not_found', `No file and no name "${name}".`, await nearNames(library, own))
}
