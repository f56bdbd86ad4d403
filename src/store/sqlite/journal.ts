// The plain file beside the database that has every record of our own: when the database is damaged or deleted, this
// file brings them back. It is written inside the transaction that writes the record, so that processes take turns.
import { fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../model/problem.js'
import type { YieldIfDue } from '../../runtime/yield.js'
import {
  readDataFile,
  replaceDataFile,
  statDataFile,
  sweepReplacements,
  withDataFile,
} from '../data-files.js'
import { crc32 } from './checksums.js'

export const journalName = 'records.jsonl'

/** The name of a file that is put aside, `damaged` or `old`. */
export function asideName(why: 'damaged' | 'old', name: string, now: number): string {
  return `${why}-${new Date(now).toISOString().replace(/[:.]/g, '-')}-${name}`
}

export interface JournalEntry {
  kind: string
  id: string
  /** Null: deleted. */
  value: unknown
}

/** What a record is known by. */
export function keyOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind}\0${id}`
}

/** Puts the entries at the end, all of them or none. What it gives takes them out again. */
export function appendEntries(folder: string, entries: readonly JournalEntry[]): () => void {
  const lines = entries.filter(({ kind }) => isKept(kind)).map(lineOf)
  if (lines.length === 0) return () => {}
  return withDataFile(folder, journalName, 'append', (handle) => {
    const start = fstatSync(handle).size
    const bytes = Buffer.from(`${endsLine(handle, start) ? '' : '\n'}${lines.join('')}`)
    try {
      writeAll(handle, bytes)
      fsyncSync(handle)
    } catch (error) {
      // Opened anew: Windows does not truncate a file that is open for appending.
      withDataFile(folder, journalName, 'change', (again) => ftruncateSync(again, start))
      throw error
    }
    return () => takeOut(folder, start, bytes)
  })
}

/** Whether records of a kind are worth a line: those that start with a tilde can be had again. */
export function isKept(kind: string): boolean {
  return !kind.startsWith('~')
}

// With a checksum, so that a flipped bit is no other record.
function lineOf({ kind, id, value }: JournalEntry): string {
  return `${JSON.stringify({ kind, id, value, sum: sumOf({ kind, id, value }) })}\n`
}

function sumOf({ kind, id, value }: JournalEntry): number {
  return crc32(JSON.stringify([kind, id, value]))
}

// A process that died, or somebody's editor, may have left the last line without its end.
function endsLine(handle: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(handle, last, 0, 1, size - 1)
  return last[0] === newline
}

const newline = 0x0a

// A disk that is nearly full takes a part and says how much; only the next piece fails.
function writeAll(handle: number, bytes: Buffer) {
  for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done)
}

// SQLite may have rolled back by itself and let another process in, who appended or wrote the file anew: so only the
// bytes that are certainly ours go, and where others follow them, empty lines take their place.
function takeOut(folder: string, start: number, bytes: Buffer) {
  withDataFile(folder, journalName, 'change', (handle) => {
    const there = Buffer.alloc(bytes.length)
    readSync(handle, there, 0, there.length, start)
    if (!there.equals(bytes)) return
    if (fstatSync(handle).size === start + bytes.length) ftruncateSync(handle, start)
    else writeSync(handle, Buffer.alloc(bytes.length, newline), 0, bytes.length, start)
    fsyncSync(handle)
  })
}

/** Why nothing can be recorded, in a sentence; null where it can, or where there is no journal yet. Changes nothing. */
export function journalHindrance(folder: string): string | null {
  const file = join(folder, journalName)
  try {
    withDataFile(folder, journalName, 'change', () => {})
    return null
  } catch (error) {
    if (error instanceof Problem) return `${error.message} Nothing can be recorded.`
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    const why = code === 'EISDIR' ? 'a folder stands there' : code
    return `${file} cannot be read and written (${why}): nothing can be recorded.`
  }
}

export const hindranceHint =
  'Make it a file that you may read and write, as with "chmod u+rw", or choose another data folder with --data DIR.'

/** Whether those who keep records of a kind can use one. */
export type IsWhole = (entry: JournalEntry) => boolean

/**
 * The last state of every record in the journal, or in one that was put aside. A line that is no entry, or not a whole
 * one, is passed over.
 */
export function readJournal(
  folder: string,
  isWhole: IsWhole = () => true,
  name = journalName,
): Map<string, JournalEntry> {
  return parseJournal(folder, name, isWhole).entries
}

/** The same of what was added after the first bytes. */
export function readJournalAfter(
  folder: string,
  bytes: number,
  isWhole: IsWhole = () => true,
): JournalEntry[] {
  return [...parseJournal(folder, journalName, isWhole, bytes).entries.values()]
}

/** Nothing where there is none, or where something else stands. */
export function journalSize(folder: string): number {
  try {
    return statDataFile(folder, journalName)?.size ?? 0
  } catch {
    return 0
  }
}

/** The same, giving way in between: for whoever has others to answer. */
export async function readJournalInSteps(folder: string, yieldIfDue: YieldIfDue): Promise<JournalEntry[]> {
  const entries = new Map<string, JournalEntry>()
  for (const line of readText(folder, journalName).split('\n')) {
    const entry = parseLine(line)
    if (entry) entries.set(keyOf(entry), entry)
    await yieldIfDue()
  }
  return [...entries.values()]
}

/** The numbers of the lines that are passed over: cut short by a crash, or changed by hand. */
export function unreadableLines(folder: string, isWhole: IsWhole = () => true): number[] {
  return parseJournal(folder, journalName, isWhole).unreadable
}

function parseJournal(folder: string, name: string, isWhole: IsWhole, from = 0) {
  const entries = new Map<string, JournalEntry>()
  const unreadable: number[] = []
  for (const [index, line] of readText(folder, name, from).split('\n').entries()) {
    if (line.trim() === '') continue
    const entry = parseLine(line)
    if (entry && (entry.value === null || isWhole(entry))) entries.set(keyOf(entry), entry)
    else unreadable.push(index + 1)
  }
  return { entries, unreadable }
}

function readText(folder: string, name: string, from = 0): string {
  return readDataFile(folder, name)?.toString('utf8', from) ?? ''
}

function parseLine(line: string): JournalEntry | null {
  try {
    const entry = JSON.parse(line) as Partial<JournalEntry & { sum: number }> | null
    const { kind, id, value, sum } = entry ?? {}
    if (typeof kind !== 'string' || typeof id !== 'string' || value === undefined) return null
    // Lines of an older Carrel have no checksum.
    if (sum !== undefined && sum !== sumOf({ kind, id, value })) return null
    return { kind, id, value }
  } catch {
    return null
  }
}

/** Writes the journal anew. The old one is there until the new one is whole, and stays where it may not go any more. */
export function replaceJournal(folder: string, text: string | Buffer, mayGo = () => true) {
  sweepReplacements(folder, journalName)
  replaceDataFile(folder, journalName, text, mayGo)
}

/** The journal that has these records and no history. */
export function journalText(entries: readonly JournalEntry[]): string {
  return entries
    .filter(({ kind }) => isKept(kind))
    .map(lineOf)
    .join('')
}
