// A plain file beside the database with every record. If the database is damaged or deleted, its records are restored
// from here. It is written inside the transaction that writes the record, so processes write one at a time.
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
import { crc32 } from './stored-values.js'

export const journalName = 'records.jsonl'

/** The name for a file that is set aside as `damaged` or `old`. */
export function asideName(why: 'damaged' | 'old', name: string, now: number): string {
  return `${why}-${new Date(now).toISOString().replace(/[:.]/g, '-')}-${name}`
}

export interface JournalEntry {
  kind: string
  id: string
  /** Null: the record was deleted. */
  value: unknown
}

/** A record's key. */
export function keyOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind}\0${id}`
}

/** Appends all entries or none. Returns a function that removes them again. */
export function appendEntries(folder: string, entries: readonly JournalEntry[]): () => void {
  const lines = entries.filter(({ kind }) => isJournalled(kind)).map(lineOf)
  if (lines.length === 0) return () => {}
  return withDataFile(folder, journalName, 'append', (handle) => {
    const start = fstatSync(handle).size
    const bytes = Buffer.from(`${endsLine(handle, start) ? '' : '\n'}${lines.join('')}`)
    try {
      writeAll(handle, bytes)
      fsyncSync(handle)
    } catch (error) {
      // Opened again, because Windows cannot truncate a file that is open for appending.
      withDataFile(folder, journalName, 'change', (again) => ftruncateSync(again, start))
      throw error
    }
    return () => takeOut(folder, start, bytes)
  })
}

/** Whether records of a kind belong into the journal. A kind that starts with a tilde can be recreated. */
export function isJournalled(kind: string): boolean {
  return !kind.startsWith('~')
}

// The checksum makes sure that a flipped bit does not become a different record.
function lineOf({ kind, id, value }: JournalEntry): string {
  return `${JSON.stringify({ kind, id, value, sum: sumOf({ kind, id, value }) })}\n`
}

function sumOf({ kind, id, value }: JournalEntry): number {
  return crc32(JSON.stringify([kind, id, value]))
}

// A process that died, or an editor, may have left the last line without a line break.
function endsLine(handle: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(handle, last, 0, 1, size - 1)
  return last[0] === newline
}

const newline = 0x0a

// A disk that is nearly full writes a part and returns its size. Only the next write fails.
function writeAll(handle: number, bytes: Buffer) {
  for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done)
}

// SQLite may have rolled back by itself and let another process in, which appended or rewrote the file. So only the
// bytes that are certainly ours are removed. If other lines follow them, empty lines replace them.
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

/** Why no record can be written, as a sentence; null if it can, or if there is no journal yet. Changes nothing. */
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

/** Whether an entry has all that the readers of its kind need. */
export type IsWhole = (entry: JournalEntry) => boolean

/**
 * The last state of every record in the journal, or in one that was set aside. Skips lines that are not complete
 * entries.
 */
export function readJournal(
  folder: string,
  isWhole: IsWhole = () => true,
  name = journalName,
): Map<string, JournalEntry> {
  return parseJournal(folder, name, isWhole).entries
}

/** The same for the entries after the first bytes. */
export function readJournalAfter(
  folder: string,
  bytes: number,
  isWhole: IsWhole = () => true,
): JournalEntry[] {
  return [...parseJournal(folder, journalName, isWhole, bytes).entries.values()]
}

/** Empty if there is no file, or something other than a file. */
export function journalSize(folder: string): number {
  try {
    return statDataFile(folder, journalName)?.size ?? 0
  } catch {
    return 0
  }
}

/** The same, yielding to other work. */
export async function readJournalInSteps(folder: string, yieldIfDue: YieldIfDue): Promise<JournalEntry[]> {
  const entries = new Map<string, JournalEntry>()
  for (const line of readText(folder, journalName).split('\n')) {
    const entry = parseLine(line)
    if (entry) entries.set(keyOf(entry), entry)
    await yieldIfDue()
  }
  return [...entries.values()]
}

/** The numbers of the lines that reading skips: cut short by a crash, or edited by hand. */
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
    // Lines from an older Carrel have no checksum.
    if (sum !== undefined && sum !== sumOf({ kind, id, value })) return null
    return { kind, id, value }
  } catch {
    return null
  }
}

/** Rewrites the journal. The old one stays until the new one is complete, and also if it must no longer be replaced. */
export function replaceJournal(folder: string, text: string | Buffer, mayGo = () => true) {
  sweepReplacements(folder, journalName)
  replaceDataFile(folder, journalName, text, mayGo)
}

/** A journal with these records and no history. */
export function journalText(entries: readonly JournalEntry[]): string {
  return entries
    .filter(({ kind }) => isJournalled(kind))
    .map(lineOf)
    .join('')
}
