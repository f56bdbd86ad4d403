// Records of our own exist nowhere else, so each write goes to the journal beside the database as well.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordStore } from '../port.js'
import { type Connection, type Database, fromDatabase, type Writing } from './database.js'
import {
  appendEntries,
  type IsWhole,
  type JournalEntry,
  journalName,
  journalText,
  readJournal,
  replaceJournal,
} from './journal.js'

export function sqliteRecords(database: Database): RecordStore {
  const note = (db: Writing, entries: readonly JournalEntry[]) =>
    db.orElse(appendEntries(database.folder, entries))
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
  return row ? (JSON.parse(row.value) as T) : null
}

function readAll<T>(db: Connection, kind: string): { id: string; value: T }[] {
  const rows = db.sql('SELECT id, value FROM records WHERE kind = ? ORDER BY id').all(kind) as {
    id: string
    value: string
  }[]
  return rows.map(({ id, value }) => ({ id: fromDatabase(id), value: JSON.parse(value) as T }))
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
    const text = livingRecords(db)
    if (text.length * 2 <= size) replaceJournal(database.folder, text)
  })
}

/** Writes the journal anew from what the database has. */
export async function rewriteJournal(database: Database) {
  await database.write((db) => replaceJournal(database.folder, livingRecords(db)))
}

function livingRecords(db: Connection): string {
  const rows = db.sql('SELECT kind, id, value FROM records').all() as {
    kind: string
    id: string
    value: string
  }[]
  return journalText(
    rows.map(({ kind, id, value }) => ({
      kind: fromDatabase(kind),
      id: fromDatabase(id),
      value: JSON.parse(value),
    })),
  )
}
