// Records exist nowhere else, so each write also goes to the journal beside the database.
import { statDataFile } from '../data-files.js'
import type { RecordStore } from '../port.js'
import {
  type Connection,
  type Database,
  type Followed,
  fromDatabase,
  type WriteOptions,
  type Writing,
} from './database.js'
import {
  appendEntries,
  type IsWhole,
  isJournalled,
  type JournalEntry,
  journalName,
  journalSize,
  journalText,
  keyOf,
  readJournalAfter,
  readJournalInSteps,
  replaceJournal,
} from './journal.js'
import { intact, seal } from './stored-values.js'

export function sqliteRecords(
  database: Database,
  journal = followJournal(database.folder),
  isValid: IsWhole = () => true,
): RecordStore {
  const readValid = <T>(db: Connection, kind: string, id: string): T | null => {
    const value = readRecord<T>(db, kind, id)
    return value !== null && isValid({ kind, id, value }) ? value : null
  }
  const write = tidyingWrite(database, journal)
  const note = (db: Writing, entries: readonly JournalEntry[]) => {
    if (!entries.some(({ kind }) => isJournalled(kind))) return
    fillJournal(database)
    db.orElse(appendEntries(database.folder, entries))
    noteJournal(db, database.folder)
  }
  const put = (db: Writing, kind: string, id: string, value: unknown) => {
    insert(db, { kind, id, value })
    note(db, [{ kind, id, value }])
  }
  const remove = (db: Writing, kind: string, id: string) => {
    const gone = erase(db, { kind, id })
    if (gone) note(db, [{ kind, id, value: null }])
    return gone
  }
  return {
    put: (kind, id, value) => write((db) => put(db, kind, id, value), as(kind)),
    putAll: (records) =>
      write(
        async (db, yieldIfDue) => {
          for (const record of records) {
            insert(db, record)
            await yieldIfDue()
          }
          note(db, records)
        },
        as(...records.map(({ kind }) => kind)),
      ),
    get: async <T>(kind: string, id: string) => database.read((db) => readValid<T>(db, kind, id)),
    all: async <T>(kind: string) =>
      database.read((db) => readAll<T>(db, kind)).filter(({ id, value }) => isValid({ kind, id, value })),
    update: <T>(kind: string, id: string, change: (value: T | null) => T | null) =>
      write((db) => {
        const value = change(readValid<T>(db, kind, id))
        if (value === null) remove(db, kind, id)
        else put(db, kind, id, value)
        return value
      }, as(kind)),
    delete: (kind, id) => write((db) => remove(db, kind, id), as(kind)),
    clear: (kind) =>
      write(async (db, yieldIfDue) => {
        const rows = db.sql('SELECT id FROM records WHERE kind = ?').all(kind) as { id: string }[]
        for (const { id } of rows) {
          remove(db, kind, fromDatabase(id))
          await yieldIfDue()
        }
        return rows.length
      }, as(kind)),
  }
}

function as(...kinds: string[]): WriteOptions {
  return { lasting: kinds.some(isJournalled) }
}

const whole = intact('records')

function insert(db: Connection, { kind, id, value }: JournalEntry) {
  const text = JSON.stringify(value)
  db.sql('INSERT OR REPLACE INTO records (kind, id, value, sum) VALUES (?, ?, ?, ?)').run(
    kind,
    id,
    text,
    seal(kind, id, text),
  )
}

function erase(db: Connection, { kind, id }: Pick<JournalEntry, 'kind' | 'id'>): boolean {
  return Number(db.sql('DELETE FROM records WHERE kind = ? AND id = ?').run(kind, id).changes) > 0
}

function readRecord<T>(db: Connection, kind: string, id: string): T | null {
  const row = db.sql(`SELECT value, ${whole} FROM records WHERE kind = ? AND id = ?`).get(kind, id) as
    | { value: string }
    | undefined
  return row ? (parseValue(row.value) as T) : null
}

export function readAll<T>(db: Connection, kind: string): { id: string; value: T }[] {
  const rows = db.sql(`SELECT id, value, ${whole} FROM records WHERE kind = ? ORDER BY id`).all(kind) as {
    id: string
    value: string
  }[]
  return rows.map(({ id, value }) => ({ id: fromDatabase(id), value: parseValue(value) as T }))
}

function parseValue(text: string): unknown {
  return JSON.parse(fromDatabase(text))
}

/**
 * The journal from which the database restores records. A new database restores all of them. One that lost its log, or
 * that came back from a backup, restores what was recorded since.
 */
export function followJournal(folder: string, isWhole?: IsWhole): Followed {
  return {
    isBehind: (db) => journalSize(folder) > (notedSize(db) ?? Number.POSITIVE_INFINITY),
    replay(db) {
      for (const entry of readJournalAfter(folder, notedSize(db) ?? 0, isWhole))
        if (entry.value !== null) insert(db, entry)
        else erase(db, entry)
      noteJournal(db, folder)
    },
  }
}

/** The length of the journal when this database last had all of it; null if an earlier version did not store it. */
function notedSize(db: Connection): number | null {
  const row = db.sql("SELECT value FROM state WHERE key = 'journal'").get() as { value: number } | undefined
  return row?.value ?? null
}

/** Call it inside the transaction after which the database has all of the journal. */
export function noteJournal(db: Connection, folder: string) {
  db.sql("INSERT OR REPLACE INTO state (key, value) VALUES ('journal', ?)").run(journalSize(folder))
}

/** Writes to the table only, for records that the journal has or will have at once. */
export function insertRecords(db: Connection, entries: readonly JournalEntry[]) {
  for (const entry of entries) insert(db, entry)
}

const smallestWorthIt = 1_000_000

/**
 * If only records are written for days, the journal is compacted whenever it is several times the size of the live
 * records.
 */
function tidyingWrite(database: Database, journal: Followed): Database['write'] {
  let enough = smallestWorthIt
  const tidy = async () => {
    const size = journalSize(database.folder)
    if (size < enough) return
    // The record is stored, whether or not the journal could be compacted.
    const living = await tidyJournal(database).catch(() => size)
    enough = Math.max(smallestWorthIt, 4 * living)
  }
  return async (work, options) => {
    if (!options?.lasting) return database.write(work, options)
    const result = await database.write((db, yieldIfDue) => {
      // Before the stored length moves past entries that could not be restored when the database was opened.
      if (journal.isBehind(db)) journal.replay(db)
      return work(db, yieldIfDue)
    }, options)
    await tidy()
    return result
  }
}

/**
 * Rewrites the journal without history, if most of it is history. Returns the bytes of live records; 0 if it did not
 * check.
 */
export async function tidyJournal(database: Database): Promise<number> {
  const { folder } = database
  if (journalSize(folder) < smallestWorthIt) return 0
  return database.write(async (db, yieldIfDue) => {
    const size = journalSize(folder)
    const lines = new Map<string, string>()
    const take = (entry: JournalEntry) => lines.set(keyOf(entry), journalText([entry]))
    // If database and journal disagree, neither is truncated to match the other.
    for (const entry of await readJournalInSteps(folder, yieldIfDue)) if (entry.value !== null) take(entry)
    for (const row of ownRows(db)) {
      take(recordOf(row))
      await yieldIfDue()
    }
    const bytes = Buffer.from([...lines.values()].join(''))
    // A repair may move this file away, and other processes may then have appended to the journal.
    if (bytes.length * 2 <= size) {
      replaceJournal(folder, bytes, () => journalSize(folder) === size)
      noteJournal(db, folder)
    }
    return bytes.length
  })
}

/**
 * A user may have deleted or emptied the journal. It must be complete again before the database can be damaged. If it
 * cannot be written now, the next write of a record tries again and reports the error.
 */
export async function restoreJournal(database: Database) {
  try {
    if (isBlank(database.folder) && database.read(hasOwn)) await database.write(() => fillJournal(database))
  } catch {
    // A reader need not wait for this.
  }
}

function hasOwn(db: Connection): boolean {
  return db.sql("SELECT 1 FROM records WHERE kind NOT GLOB '~*' LIMIT 1").get() !== undefined
}

// Only for the current writer. The reader does not see what the writer's own transaction has changed so far: those
// entries follow, and are removed again if it fails.
function fillJournal(database: Database) {
  if (!isBlank(database.folder)) return
  const text = journalText(database.read(livingRecords))
  if (text !== '') replaceJournal(database.folder, text)
}

function isBlank(folder: string): boolean {
  try {
    const found = statDataFile(folder, journalName)
    return found === null || found.size === 0
  } catch {
    // The writer of the next record gets the error.
    return false
  }
}

/** All records in the database, of any kind. */
export function livingRecords(db: Connection): JournalEntry[] {
  return (db.sql(`SELECT kind, id, value, ${whole} FROM records`).all() as RecordRow[]).map(recordOf)
}

function ownRows(db: Connection): RecordRow[] {
  return db.sql(`SELECT kind, id, value, ${whole} FROM records WHERE kind NOT GLOB '~*'`).all() as RecordRow[]
}

interface RecordRow {
  kind: string
  id: string
  value: string
}

/** A row of the table as a journal entry. */
export function recordOf({ kind, id, value }: RecordRow): JournalEntry {
  return { kind: fromDatabase(kind), id: fromDatabase(id), value: parseValue(value) }
}
