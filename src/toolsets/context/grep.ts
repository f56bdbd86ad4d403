// Matches in the project's files, each with the lines around it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import type { Library } from '../../answer/library.js'
import { knownFile, projectListing, roleIn, rootOf, symbolsOf } from '../../answer/project-texts.js'
import { isWindows1252, windows1252 } from '../../parse/decode.js'
import { enclosing } from '../../parse/file-symbols.js'
import { createYielder } from '../../runtime/yield.js'
import { type Grepped, grep, largestFile, type Place } from '../../sources/grep.js'
import { readInside } from '../../sources/safe-file.js'
import { isSideRole } from '../../text/file-role.js'
import { compileGlob } from '../../text/glob.js'
import { maskPrivateKeys } from '../../text/mask-private-keys.js'
import { type Sitting, touch } from './sessions.js'

export interface GrepRequest {
  pattern: string
  filePattern?: string | undefined
  caseSensitive: boolean
  limit: number
  /** Lines around each match. */
  contextLines?: number | undefined
  /** A glob of files that are not searched. */
  exclude?: string | undefined
  /** False: no tests, fixtures, generated, vendored or minified files. */
  tests?: boolean | undefined
}

export interface GrepMatch {
  file: string
  line: number
  /** From 1, in characters. */
  column: number
  text: string
  context: { before: string[]; after: string[] }
  /** The function or section around the line, where one is known. */
  enclosing?: string
}

export interface GrepAnswer {
  matches: GrepMatch[]
  pattern: string
  totalMatches: number
  filesSearched: number
  /** Milliseconds. */
  searchTime: number
  /** For example on files that the totals do not count. */
  notes: string[]
}

export async function grepCodebase(
  library: Library,
  request: GrepRequest,
  sitting: Sitting = {},
  signal?: AbortSignal,
): Promise<GrepAnswer> {
  touch(library, sitting)
  const start = performance.now()
  const { root } = library.settings
  const { contextLines = 2, exclude, tests, ...query } = request
  const found = await grep({
    root,
    ...query,
    keeps: await fileFilter(library, { exclude, tests }),
    isWindows1252: (path) => {
      const file = readInside(root, path, grepped)
      return !('why' in file) && isWindows1252(file.bytes)
    },
    signal,
  })
  const rows = oneALine(await showAll(root, found, contextLines, signal)).slice(0, request.limit)
  const shown = await withEnclosing(library, rows, signal)
  return {
    matches: shown,
    pattern: request.pattern,
    totalMatches: found.matches,
    filesSearched: found.files,
    searchTime: Math.round(performance.now() - start),
    notes: [...largeNote(found.large), ...unfittingNote(request, found)],
  }
}

async function fileFilter(
  library: Library,
  { exclude, tests = true }: Pick<GrepRequest, 'exclude' | 'tests'>,
): Promise<((path: string) => boolean) | undefined> {
  if (!exclude && tests) return undefined
  const without = exclude ? compileGlob(exclude) : null
  const listing = tests ? null : await projectListing(library)
  return (path) => !without?.covers(path) && !(listing && isSideRole(roleIn(listing, path)))
}

function oneALine(matches: readonly GrepMatch[]): GrepMatch[] {
  return matches.filter(({ file, line }, i) => {
    const before = matches[i - 1]
    return before?.file !== file || before.line !== line
  })
}

async function withEnclosing(
  library: Library,
  matches: readonly GrepMatch[],
  signal?: AbortSignal,
): Promise<GrepMatch[]> {
  const root = rootOf(library)
  const yieldIfDue = createYielder(signal)
  const named: GrepMatch[] = []
  for (const match of matches) {
    await yieldIfDue()
    const file = knownFile(root, match.file)
    const symbols = file && file.text.length <= longestParsed ? (await symbolsOf(library, file)).symbols : []
    const around = enclosing(symbols, match.line)?.qualified
    named.push(around === undefined ? match : { ...match, enclosing: around })
  }
  return named
}

/** A longer text is data. */
const longestParsed = 500_000

const mostNamed = 5

function largeNote(large: readonly string[]): string[] {
  if (large.length === 0) return []
  const more = large.length > mostNamed ? ` and ${large.length - mostNamed} more` : ''
  const what = large.length === 1 ? 'as it is' : 'as they are'
  const named = large.slice(0, mostNamed).join(', ') + more
  return [`Not searched, ${what} larger than ${largestFile / 1_000_000} MB: ${named}.`]
}

function unfittingNote({ filePattern }: GrepRequest, { files, large }: Grepped): string[] {
  if (!filePattern || files > 0 || large.length > 0) return []
  const left = 'what is ignored, built or secret is not searched'
  return [`No file fits "${filePattern}": globs go from the project root, and ${left}.`]
}

const grepped = { maxBytes: largestFile, followLinks: false }

async function showAll(
  root: string,
  { places, windows1252: others }: Grepped,
  contextLines: number,
  signal?: AbortSignal,
): Promise<GrepMatch[]> {
  const shown: GrepMatch[] = []
  const yieldIfDue = createYielder(signal)
  for (const [path, own] of grouped(places)) {
    await yieldIfDue()
    const file = readInside(root, path, grepped)
    if ('why' in file) continue
    const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength)
    shown.push(
      ...(isWindows1252(bytes)
        ? await matchesIn(decodedText(bytes), path, others.has(path) ? own : moved(bytes, own), contextLines)
        : await matchesIn(await utf8(bytes), path, own, contextLines)),
    )
  }
  return shown
}

function grouped(places: readonly Place[]): Map<string, Place[]> {
  const groups = new Map<string, Place[]>()
  for (const place of places) {
    const group = groups.get(place.path)
    if (group) group.push(place)
    else groups.set(place.path, [place])
  }
  return groups
}

// Offsets are those of the text as ripgrep saw it: without a mark of its encoding in front, and UTF-16 with one is read as
// UTF-8.
async function utf8(bytes: Buffer): Promise<Buffer> {
  const order = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0
  if (order === 0xfffe) return decoded(bytes, new TextDecoder('utf-16le'))
  if (order === 0xfeff) return decoded(bytes, new TextDecoder('utf-16be'))
  return bytes.subarray(0, utf8Mark.length).equals(utf8Mark) ? bytes.subarray(utf8Mark.length) : bytes
}

const utf8Mark = Buffer.from('\ufeff')

/** As many bytes as are looked at before others have their turn. */
const atOnce = 1_000_000

async function decoded(bytes: Buffer, decoder: TextDecoder): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += atOnce) {
    parts.push(Buffer.from(decoder.decode(bytes.subarray(at, at + atOnce), { stream: true })))
    await nextTurn()
  }
  return Buffer.concat([...parts, Buffer.from(decoder.decode())])
}

function decodedText(bytes: Buffer): Buffer {
  return Buffer.from(windows1252(bytes))
}

/** Places among the bytes of a Windows-1252 file, in its text as UTF-8. */
function moved(bytes: Buffer, places: readonly Place[]): Place[] {
  let [from, to] = [0, 0]
  return places.map((place) => {
    to += decodedText(bytes.subarray(from, place.offset)).length
    from = place.offset
    return { ...place, offset: to }
  })
}

/** Keys and their fences are ASCII, so that a byte may stand for a character. */
function withMaskedKeys(bytes: Buffer): Buffer {
  if (!bytes.includes('PRIVATE KEY') && !bytes.includes('Private-Lines')) return bytes
  return Buffer.from(maskPrivateKeys(bytes.toString('latin1')), 'latin1')
}

async function matchesIn(
  written: Buffer,
  path: string,
  places: readonly Place[],
  contextLines: number,
): Promise<GrepMatch[]> {
  const bytes = withMaskedKeys(written)
  const matches: GrepMatch[] = []
  // Matches on one long line share the work: each counts characters from the match before.
  let line: Line | null = null
  // As the lines of a text are counted everywhere: without any line feed, carriage returns end them. ripgrep sees one line.
  const sign = bytes.includes(lineFeed) ? lineFeed : carriageReturn
  let [returns, looked] = [0, 0]
  for (const { line: counted, offset } of places) {
    if (offset > bytes.length) continue
    if (line === null || offset < line.counted || offset > line.end)
      line = lineAround(bytes, offset, sign, contextLines)
    if (sign === carriageReturn)
      for (; looked < offset; looked++) if (bytes[looked] === carriageReturn) returns++
    const number = counted + returns
    line.characters += await charactersIn(bytes, line.counted, offset)
    line.counted = offset
    const text = around(bytes, { ...line, offset })
    matches.push({ file: path, line: number, column: line.characters + 1, text, context: line.context })
  }
  return matches
}

const [lineFeed, carriageReturn] = [10, 13]

interface Line {
  start: number
  end: number
  context: GrepMatch['context']
  /** So many characters up to here. */
  characters: number
  counted: number
}

function lineAround(bytes: Buffer, offset: number, sign: number, most: number): Line {
  const start = offset === 0 ? 0 : bytes.lastIndexOf(sign, offset - 1) + 1
  const end = endOfLine(bytes, offset, sign)
  const context = { before: linesBefore(bytes, start, sign, most), after: linesAfter(bytes, end, sign, most) }
  return { start, end, context, characters: 0, counted: start }
}

/** Counts characters. In a very long line it counts first bytes of characters, which is any byte but 10xxxxxx. */
async function charactersIn(bytes: Buffer, from: number, to: number): Promise<number> {
  let count = 0
  if (to - from <= 65_536) for (const _ of bytes.toString('utf8', from, to)) count++
  else
    for (let at = from; at < to; at += atOnce) {
      const stop = Math.min(to, at + atOnce)
      for (let i = at; i < stop; i++) if ((bytes[i]! & 0xc0) !== 0x80) count++
      await nextTurn()
    }
  return count
}

function endOfLine(bytes: Buffer, from: number, sign: number): number {
  const end = bytes.indexOf(sign, from)
  return end < 0 ? bytes.length : end
}

const longestText = 400
const longestContext = 200

function linesBefore(bytes: Buffer, start: number, sign: number, most: number): string[] {
  const lines: string[] = []
  for (let end = start - 1; end >= 0 && lines.length < most; ) {
    const begin = end === 0 ? 0 : bytes.lastIndexOf(sign, end - 1) + 1
    lines.unshift(around(bytes, { start: begin, end, offset: begin }, longestContext))
    end = begin - 1
  }
  return lines
}

function linesAfter(bytes: Buffer, end: number, sign: number, most: number): string[] {
  const lines: string[] = []
  for (let start = end + 1; start < bytes.length && lines.length < most; ) {
    const stop = endOfLine(bytes, start, sign)
    lines.push(around(bytes, { start, end: stop, offset: start }, longestContext))
    start = stop + 1
  }
  return lines
}

/** A line, or of a long one the part around an offset. Bytes that are no UTF-8 are shown as U+FFFD. */
function around(
  bytes: Buffer,
  { start, end, offset }: { start: number; end: number; offset: number },
  most = longestText,
): string {
  const last = end > start && bytes[end - 1] === 13 ? end - 1 : end
  if (last - start <= most) return bytes.toString('utf8', start, last)
  const from = characterAt(bytes, Math.max(start, Math.min(offset - Math.floor(most / 3), last - most)))
  const to = characterAt(bytes, Math.min(last, from + most))
  return `${from > start ? '…' : ''}${bytes.toString('utf8', from, to)}${to < last ? '…' : ''}`
}

/** The next place where a character starts. */
function characterAt(bytes: Buffer, at: number): number {
  let place = at
  while (place < bytes.length && place < at + 3 && (bytes[place]! & 0xc0) === 0x80) place++
  return place
}
