// Records of our own exist nowhere else, so each write goes to the journal beside the database as well.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordStore } from '../port.js'
import { type Connection, type Database, fromDatabase, type WriteOptions, type Writing } from './database.js'
import {
  appendEntries,
  type IsWhole,
  isKept,
  type JournalEntry,
  journalName,
  journalText,
  readJournal,
  replaceJournal,
} from './journal.js'

export function sqliteRecords(database: Database): RecordStore {
  const note = (db: Writing, entries: readonly JournalEntry[]) => {
    if (!entries.some(({ kind }) => isKept(kind))) return
    fillJournal(database)
    db.orElse(appendEntries(database.folder, entries))
  }
  const put = (db: Writing, kind: string, id: string, value: unknown) => {
    insert(db, { kind, id, value })
    note(db, [{ kind, id, value }])
  }
  const remove = (db: Writing, kind: string, id: string) => {
    const gone = Number(db.sql('DELETE FROM records WHERE kind = ? AND id = ?').run(kind, id).changes) > 0
    if (gone) note(db, [{ kind, id, value: null }])
    return gone
  }
  return {
    put: (kind, id, value) => database.write((db) => put(db, kind, id, value), as(kind)),
    putAll: (records) =>
      database.write(
        async (db, breathe) => {
          for (const record of records) {
            insert(db, record)
            await breathe()
          }
          note(db, records)
        },
        as(...records.map(({ kind }) => kind)),
      ),
    get: async <T>(kind: string, id: string) => database.read((db) => readRecord<T>(db, kind, id)),
    all: async <T>(kind: string) => database.read((db) => readAll<T>(db, kind)),
    update: <T>(kind: string, id: string, change: (value: T | null) => T | null) =>
      database.write((db) => {
        const value = change(readRecord<T>(db, kind, id))
        if (value === null) remove(db, kind, id)
        else put(db, kind, id, value)
        return value
      }, as(kind)),
    delete: (kind, id) => database.write((db) => remove(db, kind, id), as(kind)),
    clear: (kind) =>
      database.write(async (db, breathe) => {
        const rows = db.sql('SELECT id FROM records WHERE kind = ?').all(kind) as { id: string }[]
        for (const { id } of rows) {
          remove(db, kind, fromDatabase(id))
          await breathe()
        }
        return rows.length
      }, as(kind)),
  }
}

function as(...kinds: string[]): WriteOptions {
  return { lasting: kinds.some(isKept) }
}

function insert(db: Connection, { kind, id, value }: JournalEntry) {
  const text = JSON.stringify(value)
  db.sql('INSERT OR REPLACE INTO records (kind, id, value) VALUES (?, ?, ?)').run(kind, id, text)
}

function readRecord<T>(db: Connection, kind: string, id: string): T | null {
  const row = db.sql('SELECT value FROM records WHERE kind = ? AND id = ?').get(kind, id) as
    | { value: string }
    | undefined
  return row ? (parseValue(row.value) as T) : null
}

export function readAll<T>(db: Connection, kind: string): { id: string; value: T }[] {
  const rows = db.sql('SELECT id, value FROM records WHERE kind = ? ORDER BY id').all(kind) as {
    id: string
    value: string
  }[]
  return rows.map(({ id, value }) => ({ id: fromDatabase(id), value: parseValue(value) as T }))
}

function parseValue(text: string): unknown {
  return JSON.parse(fromDatabase(text))
}

/** Into a new database: what was recorded before the old one was lost or deleted. */
export function restoreRecords(db: Connection, folder: string, isWhole?: IsWhole) {
  const entries = [...readJournal(folder, isWhole).values()]
  insertRecords(
    db,
    entries.filter(({ value }) => value !== null),
  )
}

/** Into the table only: for records that the journal has, or will have at once. */
export function insertRecords(db: Connection, entries: readonly JournalEntry[]) {
  for (const entry of entries) insert(db, entry)
}

const smallestWorthIt = 1_000_000

/** Rewrites the journal with what lives, when most of it is history. */
export async function tidyJournal(database: Database) {
  const size = statSync(join(database.folder, journalName), { throwIfNoEntry: false })?.size ?? 0
  if (size < smallestWorthIt) return
  await database.write((db) => {
    const text = journalText(livingRecords(db))
    if (text.length * 2 <= size) replaceJournal(database.folder, text)
  })
}

/**
 * Somebody may have deleted or emptied the journal: then it has to be whole again before the database comes to harm.
 * Where it cannot be written now, the next record that is written tries again, and says so.
 */
export async function restoreJournal(database: Database) {
  try {
    if (isBlank(database.folder) && database.read(hasOwn)) await database.write(() => fillJournal(database))
  } catch {
    // Nobody who only reads is kept from it.
  }
}

function hasOwn(db: Connection): boolean {
  return db.sql("SELECT 1 FROM records WHERE kind NOT GLOB '~*' LIMIT 1").get() !== undefined
}

// Only for who has the turn to write. What his own transaction has changed so far, the reader does not see: those entries
// follow, and are taken out again by themselves.
function fillJournal(database: Database) {
  if (!isBlank(database.folder)) return
  const text = journalText(database.read(livingRecords))
  if (text !== '') replaceJournal(database.folder, text)
}

function isBlank(folder: string): boolean {
  const found = statSync(join(folder, journalName), { throwIfNoEntry: false })
  return found === undefined || (found.isFile() && found.size === 0)
}

/** All of the database's records, of any kind. */
export function livingRecords(db: Connection): JournalEntry[] {
  const rows = db.sql('SELECT kind, id, value FROM records').all() as Parameters<typeof recordOf>[0][]
  return rows.map(recordOf)
}

/** A row of the table as it was recorded. */
export function recordOf({ kind, id, value }: { kind: string; id: string; value: string }): JournalEntry {
  return { kind: fromDatabase(kind), id: fromDatabase(id), value: parseValue(value) }
}
