// Records of our own exist nowhere else, so each write is also appended to a plain file beside the database: when the
// database is damaged, that file brings them back.
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { RecordStore } from '../port.js'
import { type Connection, type Database, fromDatabase } from './database.js'

export const journalName = 'records.jsonl'

export function sqliteRecords(database: Database): RecordStore {
  const file = join(database.folder, journalName)
  const insert = (db: Connection, { kind, id, value }: JournalEntry) => {
    const text = JSON.stringify(value)
    db.sql('INSERT OR REPLACE INTO records (kind, id, value) VALUES (?, ?, ?)').run(kind, id, text)
  }
  const put = (db: Connection, kind: string, id: string, value: unknown) => {
    insert(db, { kind, id, value })
    append(file, [{ kind, id, value }])
  }
  const remove = (db: Connection, kind: string, id: string) => {
    const gone = Number(db.sql('DELETE FROM records WHERE kind = ? AND id = ?').run(kind, id).changes) > 0
    if (gone) append(file, [{ kind, id, value: null }])
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
        append(file, records)
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

export interface JournalEntry {
  kind: string
  id: string
  /** Null: deleted. */
  value: unknown
}

// Called inside the transaction, so that processes take turns and a line is never torn by another.
function append(file: string, entries: readonly JournalEntry[]) {
  const lines = entries.filter(({ kind }) => !kind.startsWith('~')).map(lineOf)
  if (lines.length === 0) return
  const handle = openSync(file, 'a', 0o600)
  try {
    writeSync(handle, lines.join(''))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function lineOf({ kind, id, value }: JournalEntry): string {
  return `${JSON.stringify({ kind, id, value })}\n`
}

/** The last state of every record in the journal. A line that a crash cut short is passed over. */
export function readJournal(folder: string): Map<string, JournalEntry> {
  const found = new Map<string, JournalEntry>()
  let text = ''
  try {
    text = readFileSync(join(folder, journalName), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  for (const line of text.split('\n')) {
    try {
      const entry = JSON.parse(line) as JournalEntry
      found.set(`${entry.kind}\0${entry.id}`, entry)
    } catch {
      // An empty or torn line.
    }
  }
  return found
}

/** Into a new database: what was recorded before the old one was lost or deleted. */
export function restoreRecords(db: Connection, folder: string) {
  for (const { kind, id, value } of readJournal(folder).values())
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
  const file = join(database.folder, journalName)
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size < smallestWorthIt) return
  await database.write((db) => {
    const rows = db.sql("SELECT kind, id, value FROM records WHERE kind NOT LIKE '~%'").all() as {
      kind: string
      id: string
      value: string
    }[]
    const lines = rows.map(({ kind, id, value }) =>
      JSON.stringify({ kind: fromDatabase(kind), id: fromDatabase(id), value: JSON.parse(value) }),
    )
    const text = lines.map((line) => `${line}\n`).join('')
    if (text.length * 2 > size) return
    const fresh = `${file}.new`
    writeFileSync(fresh, text, { mode: 0o600, flush: true })
    renameSync(fresh, file)
  })
}
