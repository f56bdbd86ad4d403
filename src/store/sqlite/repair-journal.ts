// Compares the journal of records with the index and completes both. Neither is the authority: a record that only one
// of them has is copied to the other.
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../model/problem.js'
import { listDataFolder, readDataFile, replaceDataFile } from '../data-files.js'
import { type Database, fileName, openDatabase, type Writing } from './database.js'
import {
  asideName,
  type IsWhole,
  isJournalled,
  type JournalEntry,
  journalName,
  journalText,
  keyOf,
  readJournal,
  replaceJournal,
  unreadableLines,
} from './journal.js'
import { followJournal, insertRecords, livingRecords, noteJournal, readAll } from './records.js'

/** The faults of the journal as sentences; null if it is sound. */
export function auditJournal(folder: string, isWhole?: IsWhole): string | null {
  const file = join(folder, journalName)
  try {
    const lines = unreadableLines(folder, isWhole)
    const faults = [...(lines.length > 0 ? [excludedPaths(lines, file)] : []), ...lacks(folder, isWhole)]
    return faults.length > 0 ? faults.join(' ') : null
  } catch (error) {
    return `${file} cannot be read: ${reasonOf(error)}`
  }
}

function excludedPaths(lines: readonly number[], file: string): string {
  if (lines.length === 1) return `Line ${lines[0]} of ${file} cannot be used and is passed over.`
  const named = lines.slice(0, mostNamed).join(', ') + (lines.length > mostNamed ? ', …' : '')
  return `${lines.length} lines of ${file} (${named}) cannot be used and are passed over.`
}

const mostNamed = 5

function lacks(folder: string, isWhole?: IsWhole): string[] {
  const differences = readable(folder, isWhole, (database) => {
    const before = compare(database, isWhole)
    // Other processes may be writing, so records that changed during the comparison prove nothing.
    return isAlike(before) ? before : common(before, compare(database, isWhole))
  })
  if (!differences) return []
  const { journalLacks, indexLacks, bothLack, all } = differences
  const file = join(folder, journalName)
  return [
    ...(journalLacks.size > 0
      ? [`${file} lacks ${journalLacks.size} of the ${all} records that the index has.`]
      : []),
    ...(indexLacks.size > 0 ? [`The index lacks ${count(indexLacks.size)} that ${file} has.`] : []),
    ...[...bothLack].map(
      ([name, keys]) =>
        `${join(folder, name)} has ${count(keys.size)} that neither the index nor ${journalName} has.`,
    ),
  ]
}

function count(records: number): string {
  return records === 1 ? 'a record' : `${records} records`
}

// A missing index has nothing to compare with, and another check reports an unreadable one.
function readable<T>(
  folder: string,
  isWhole: IsWhole | undefined,
  work: (database: Database) => T,
): T | null {
  if (!existsSync(join(folder, fileName))) return null
  let database: Database | null = null
  try {
    database = openDatabase(folder, followJournal(folder, isWhole))
    return work(database)
  } catch {
    return null
  } finally {
    void database?.close()
  }
}

/** By the records' keys, with the line that the one has and the other has not. */
interface Differences {
  all: number
  journalLacks: Map<string, string>
  indexLacks: Map<string, string>
  /** Records that only journals set aside have, by the name of the journal. */
  bothLack: Map<string, Map<string, string>>
}

function compare(database: Database, isWhole?: IsWhole): Differences {
  const { folder } = database
  const index = linesOf(database.read(livingRecords))
  const every = readJournal(folder)
  const journal = linesOf(readJournal(folder, isWhole).values())
  const aside = putAside(folder).map((name) => {
    const lines = linesOf(readJournal(folder, isWhole, name).values())
    return [name, only(lines, (key) => !index.has(key) && !every.has(key))] as const
  })
  const before = linesOf(every.values())
  return {
    all: index.size,
    journalLacks: only(index, (key, line) => before.get(key) !== line),
    indexLacks: only(journal, (key) => !index.has(key)),
    bothLack: new Map(aside.filter(([, lines]) => lines.size > 0)),
  }
}

/** Journals that a repair moved away before it had copied them. After copying, the repair names them `old`. */
function putAside(folder: string): string[] {
  const names = listDataFolder(folder).filter(
    (name) => name.startsWith('damaged-') && name.endsWith(journalName),
  )
  return names.sort()
}

function linesOf(entries: Iterable<JournalEntry>): Map<string, string> {
  const living = [...entries].filter(({ kind, value }) => isJournalled(kind) && value !== null)
  return new Map(living.map((entry) => [keyOf(entry), journalText([entry])]))
}

function only(
  lines: Map<string, string>,
  which: (key: string, line: string) => boolean,
): Map<string, string> {
  return new Map([...lines].filter(([key, line]) => which(key, line)))
}

function isAlike({ journalLacks, indexLacks, bothLack }: Differences): boolean {
  return journalLacks.size + indexLacks.size + bothLack.size === 0
}

function common(before: Differences, after: Differences): Differences {
  const still = (lines: Map<string, string>, others: Map<string, string>) =>
    only(lines, (key, line) => others.get(key) === line)
  return {
    all: after.all,
    journalLacks: still(before.journalLacks, after.journalLacks),
    indexLacks: still(before.indexLacks, after.indexLacks),
    bothLack: after.bothLack,
  }
}

/** The records of a kind, from the index or else the journal; none if neither can be read, which the audits report. */
export function recordsOf<T>(folder: string, kind: string, isWhole?: IsWhole): T[] {
  const rows = readable(folder, isWhole, (database) => database.read((db) => readAll<T>(db, kind)))
  if (rows) return rows.map(({ value }) => value)
  try {
    const entries = [...readJournal(folder, isWhole).values()].filter((entry) => entry.kind === kind)
    return entries.flatMap(({ value }) => (value === null ? [] : [value as T]))
  } catch {
    return []
  }
}

/** The invalid records of the index, as `kind id`; none if the index cannot be read. */
export function invalidRecords(folder: string, isValid: IsWhole): string[] {
  const found = readable(folder, undefined, (database) => database.read(livingRecords)) ?? []
  return found.filter((entry) => !isValid(entry)).map(({ kind, id }) => `${kind} ${id}`)
}

/** The ids of a kind's records in the index: none without an index, null if it cannot be read. */
export function recordIdsIn(folder: string, kind: string, isWhole?: IsWhole): string[] | null {
  if (!existsSync(join(folder, fileName))) return []
  return readable(folder, isWhole, (database) => database.read((db) => readAll(db, kind).map(({ id }) => id)))
}

export interface MendedJournal {
  /** The path of the old file, if there was one. */
  oldFile: string | null
  /** How many records were restored to the index. */
  records: number
}

/**
 * Copies into the index the records that only the journal, or one that was set aside, has, and rewrites the journal
 * with all of them. If a record differs, the index wins. The old journal is kept under another name.
 */
export async function repairJournal(
  folder: string,
  isWhole?: IsWhole,
  now = Date.now(),
): Promise<MendedJournal> {
  const database = openDatabase(folder, followJournal(folder, isWhole))
  try {
    return await database.write((db) => {
      const merged = putAside(folder)
      const records = bringBack(db, folder, merged, isWhole)
      const old = readDataFile(folder, journalName)
      const oldFile = old ? asideName('old', journalName, now) : null
      if (old && oldFile) replaceDataFile(folder, oldFile, old)
      replaceJournal(folder, journalText(livingRecords(db)))
      noteJournal(db, folder)
      for (const name of merged)
        renameSync(join(folder, name), join(folder, name.replace('damaged-', 'old-')))
      return { oldFile: oldFile && join(folder, oldFile), records }
    })
  } finally {
    await database.close()
  }
}

// A record that the journal says was deleted stays deleted, even if older journals have it.
function bringBack(db: Writing, folder: string, aside: readonly string[], isWhole?: IsWhole): number {
  const known = new Set(livingRecords(db).map(keyOf))
  const older = aside.flatMap((name) => [...readJournal(folder, isWhole, name)])
  const journal = new Map([...older, ...readJournal(folder, isWhole)])
  const back = [...journal.values()].filter((entry) => entry.value !== null && !known.has(keyOf(entry)))
  insertRecords(db, back)
  return back.length
}
