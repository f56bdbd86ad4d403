// Records of our own exist nowhere else, so each write goes to the journal beside the database as well.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordStore } from '../port.js'
import { type Connection, type Database, fromDatabase, type Writing } from './database.js'
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
  const insert = (db: Connection, { kind, id, value }: JournalEntry) => {
    const text = JSON.stringify(value)
    db.sql('INSERT OR REPLACE INTO records (kind, id, value) VALUES (?, ?, ?)').run(kind, id, text)
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
    put: (kind, id, value) => database.write((db) => put(db, kind, id, value)),
    putAll: (records) =>
      database.write(async (db, breathe) => {
        for (const record of records) {
          insert(db, record)
          await breathe()
        }
        note(db, records)
      }),
    get: async <T>(kind: string, id: string) => database.read((db) => readRecord<T>(db, kind, id)),
    all: async <T>(kind: string) => database.read((db) => readAll<T>(db, kind)),
    update: <T>(kind: string, id: string, change: (value: T | null) => T | null) =>
      database.write((db) => {
        const value = change(readRecord<T>(db, kind, id))
        if (value === null) remove(db, kind, id)
        else put(db, kind, id, value)
        return value
      }),
    delete: (kind, id) => database.write((db) => remove(db, kind, id)),
    clear: (kind) =>
      database.write(async (db, breathe) => {
        const rows = db.sql('SELECT id FROM records WHERE kind = ?').all(kind) as { id: string }[]
        for (const { id } of rows) {
          remove(db, kind, fromDatabase(id))
          await breathe()
        }
        return rows.length
      }),
  }
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
  for (const { kind, id, value } of readJournal(folder, isWhole).values())
    if (value !== null)
      db.sql('INSERT OR REPLACE INTO records (kind, id, value) VALUES (?, ?, ?)').run(
        kind,
        id,
        JSON.stringify(value),
      )
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

/** Writes the journal anew from what the database has. */
export async function rewriteJournal(database: Database) {
  await database.write((db) => replaceJournal(database.folder, journalText(livingRecords(db))))
}

/** How many of the database's records the journal has not, or has otherwise, and how many there are. */
export function missingInJournal(database: Database): { missing: number; all: number } {
  const before = linesByKey(database)
  const journal = readJournal(database.folder)
  const differ = [...before].filter(([key, line]) => {
    const entry = journal.get(key)
    return !entry || journalText([entry]) !== line
  })
  if (differ.length === 0) return { missing: 0, all: before.size }
  // Others may be writing: what changed meanwhile tells nothing.
  const after = linesByKey(database)
  return { missing: differ.filter(([key, line]) => after.get(key) === line).length, all: after.size }
}

function linesByKey(database: Database): Map<string, string> {
  const kept = database.read(livingRecords).filter(({ kind }) => isKept(kind))
  return new Map(kept.map((entry) => [`${entry.kind}\0${entry.id}`, journalText([entry])]))
}

function livingRecords(db: Connection): JournalEntry[] {
  const rows = db.sql('SELECT kind, id, value FROM records').all() as {
    kind: string
    id: string
    value: string
  }[]
  return rows.map(({ kind, id, value }) => ({
    kind: fromDatabase(kind),
    id: fromDatabase(id),
    value: parseValue(value),
  }))
}
