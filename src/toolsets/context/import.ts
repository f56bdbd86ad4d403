// Imports discoveries from notes and from transcripts of agents. Each keeps the place that it comes from.
import { createReadStream, existsSync, realpathSync, type Stats, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Library } from '../../answer/library.js'
import { isoTime } from '../../answer/memory/records.js'
import { type Statement, worthKeeping } from '../../answer/memory/statements.js'
import { Problem } from '../../model/problem.js'
import { decode } from '../../parse/decode.js'
import { readTranscriptLine, type TranscriptMessage } from '../../parse/transcript.js'
import { moduleOf } from '../../text/module.js'
import { type FoundStatement, statementsIn } from './find-statements.js'
import { type Met, recordAll } from './record-discovery.js'

export interface ImportReport {
  file: string
  /** Messages of a transcript that were read. */
  messages: number
  statements: number
  recorded: number
  merged: number
  /** Earlier discoveries that these replaced. */
  superseded: number
  /** Lines that could not be read: cut short, too long or no JSON. */
  unreadable: number
  /** Lines of notes whose items are too short or too long to be kept, or nothing but secrets. */
  leftOut: number[]
}

export interface ImportOptions {
  signal?: AbortSignal
  onProgress?: (recorded: number, statements: number) => void
}

const mostNotes = 20_000_000

export async function importNotes(
  library: Library,
  file: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const name = nameOf(library, file)
  const { size, mtimeMs } = statSync(file)
  if (size > mostNotes)
    throw new Problem('too_large', `${file} is too large for a note.`, 'Import a smaller file.')
  const text = decode(await readFile(file)).text
  const leftOut: number[] = []
  const passOver = (line: number) => leftOut.push(line)
  const statements = statementsIn(text, { headed: true, passOver }).map((found) => ({
    ...statementOf(library, found),
    at: isoTime(Math.floor(mtimeMs)),
    from: { by: 'notes' as const, file: name, line: found.line },
  }))
  return keepAll(library, { file: name, messages: 0, unreadable: 0, leftOut }, statements, options)
}

export async function importTranscript(
  library: Library,
  file: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const name = nameOf(library, file)
  const seen = { file: name, messages: 0, unreadable: 0, leftOut: [] }
  const statements: Statement[] = []
  let understood = 0
  let session: string | null = null
  for await (const { text, line } of linesOf(file, options.signal)) {
    if (text === '') continue
    const read = text === null ? null : readTranscriptLine(parsed(text))
    if (!read) {
      seen.unreadable++
      continue
    }
    understood++
    session = read.session ?? session
    if (!read.message) continue
    seen.messages++
    statements.push(...messageStatements(library, read.message, { file: name, line, session }))
  }
  if (understood === 0)
    throw new Problem(
      'not_a_transcript',
      `${file} is no transcript that can be read.`,
      'JSON lines of Claude Code (~/.claude/projects) and Codex (~/.codex/sessions) are. For notes: carrel import notes FILE.',
    )
  return keepAll(library, seen, statements, options)
}

function messageStatements(
  library: Library,
  message: TranscriptMessage,
  { file, line, session }: { file: string; line: number; session: string | null },
): Statement[] {
  const at = message.at !== null && !Number.isNaN(Date.parse(message.at)) ? new Date(message.at) : null
  return statementsIn(message.text).map((found) => ({
    ...statementOf(library, found),
    session: message.session ?? session,
    ...(at && { at: at.toISOString() }),
    from: { by: 'transcript', file, line, ...(message.id !== null && { message: message.id }) },
  }))
}

function statementOf({ settings }: Library, { type, content }: FoundStatement) {
  return { type, content, module: mentioned(settings.root, content) }
}

/** The module of the files that a statement names, if they are all of one. */
function mentioned(root: string, content: string): string | null {
  const paths = content.match(/(?<![\w/.])[\w@-][\w@.-]{0,80}(?:\/[\w@.-]{1,80}){1,10}/g) ?? []
  const real = paths
    .map((path) => path.replace(/\.$/, ''))
    .filter((path) => !path.includes('..') && existsSync(join(root, path)))
  const modules = new Set(real.map(moduleOf))
  return modules.size === 1 ? [...modules][0]! : null
}

const atOnce = 25

/** In small turns, so that an agent that records something meanwhile does not wait for the whole file. */
async function keepAll(
  library: Library,
  seen: Pick<ImportReport, 'file' | 'messages' | 'unreadable' | 'leftOut'>,
  all: readonly Statement[],
  { signal, onProgress }: ImportOptions,
): Promise<ImportReport> {
  const statements = all.filter(({ content }) => worthKeeping(content))
  const secrets = all.flatMap(({ content, from }) =>
    from.by === 'notes' && from.line !== undefined && !worthKeeping(content) ? [from.line] : [],
  )
  const leftOut = [...seen.leftOut, ...secrets].sort((a, b) => a - b)
  const report = { ...seen, leftOut, statements: statements.length, recorded: 0, merged: 0, superseded: 0 }
  const met: Met = new Map()
  for (let i = 0; i < statements.length; i += atOnce) {
    const recorded = await recordAll(library, statements.slice(i, i + atOnce), signal, met)
    for (const { state, supersedes } of recorded) {
      report[state]++
      report.superseded += supersedes.length
    }
    onProgress?.(Math.min(i + atOnce, statements.length), statements.length)
  }
  return report
}

function nameOf({ settings }: Library, file: string): string {
  const wrong = (message: string, cause?: unknown) =>
    new Problem('no_file', message, 'Name a file to import.', { cause })
  let real: string
  let found: Stats
  try {
    real = realpathSync.native(file)
    found = statSync(real)
  } catch (error) {
    throw wrong(`There is no file at ${file}.`, error)
  }
  if (!found.isFile())
    throw wrong(`${file} is ${found.isDirectory() ? 'a folder' : 'something else'}, not a file.`)
  return real.startsWith(settings.root + sep) ? relative(settings.root, real).replaceAll(sep, '/') : real
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A longer line is the output of a tool, which has no statements. */
const longestLine = 4_000_000

/** Lines with their numbers; null in place of one that is too long. */
async function* linesOf(
  file: string,
  signal?: AbortSignal,
): AsyncGenerator<{ text: string | null; line: number }> {
  let parts: Buffer[] = []
  let length = 0
  let line = 1
  const take = () => {
    const text = length > longestLine ? null : Buffer.concat(parts).toString('utf8').trim()
    parts = []
    length = 0
    return { text, line: line++ }
  }
  const add = (part: Buffer) => {
    length += part.length
    if (length <= longestLine) parts.push(part)
    else parts = []
  }
  for await (const chunk of createReadStream(file, { signal }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end))
      yield take()
      from = end + 1
    }
    add(chunk.subarray(from))
  }
  if (length > 0) yield take()
}
