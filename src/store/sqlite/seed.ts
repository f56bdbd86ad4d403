// The first worktree that shares a store starts from the main worktree's own index: it adopts documents from there like
// those of any other worktree, with their vectors. The next sweep removes documents that no worktree has adopted.
import { randomBytes } from 'node:crypto'
import { fsyncSync, linkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Source } from '../../model/source.js'
import { createYielder } from '../../runtime/yield.js'
import { removeFromData, statDataFile, withDataFile } from '../data-files.js'
import { type Connection, connect, fileName, sharedSettings } from './database.js'
import { makeFolder, requirePlainDatabase } from './database-file.js'
import { migrations } from './schema.js'
import { checksums } from './stored-values.js'

export interface Seed {
  /** The data folder of the other index. */
  folder: string
  /** The id of a source in the shared store; null if it is not shared. */
  idOf(source: Source): string | null
  /** Only sources that this version of the reader has read are used. */
  reader: { kind: string; version: number }
}

/** Makes the shared database from another index. Does nothing if there is one, or if the other cannot be read. */
export async function seedShared(folder: string, seed: Seed) {
  makeFolder(folder, 0o700)
  if (statDataFile(folder, fileName)) return
  const name = `${fileName}.new-${randomBytes(6).toString('hex')}`
  try {
    requirePlainDatabase(seed.folder)
    withDataFile(folder, name, 'create', () => {})
    await copyDocuments(join(folder, name), seed)
    withDataFile(folder, name, 'change', fsyncSync)
    // Fails if another process was quicker.
    linkSync(join(folder, name), join(folder, fileName))
  } catch {
    // Without a seed, the files are read.
  } finally {
    for (const end of ['', '-journal', '-wal', '-shm']) removeFromData(folder, `${name}${end}`)
  }
}

async function copyDocuments(file: string, seed: Seed) {
  const db = connect(file, 0, sharedSettings)
  try {
    // Nobody sees this file before it is whole.
    db.exec('PRAGMA journal_mode = OFF')
    for (const step of migrations) db.exec(step)
    db.exec(`PRAGMA user_version = ${migrations.length}; DELETE FROM state`)
    const other = `${pathToFileURL(join(seed.folder, fileName)).href}?mode=ro`
    db.sql('ATTACH ? AS other').run(other)
    const { user_version: version } = db.sql('PRAGMA other.user_version').get() as { user_version: number }
    if (version !== migrations.length) throw new Error('The other index has another format.')
    db.exec('BEGIN')
    const tables = ['state', 'documents', 'texts', 'chunks', 'segments', 'blocks', 'spaces', 'signs']
    for (const table of tables) await copyTable(db, table)
    await copyVectors(db)
    for (const { facts } of db.sql('SELECT facts FROM other.sources').all() as { facts: string }[]) {
      const source = JSON.parse(facts) as Source
      const id = wasReadBy(db, seed.reader, source.id) ? seed.idOf(source) : null
      if (id !== null) await rename(db, source.id, { id, reader: seed.reader.version })
    }
    db.exec('COMMIT')
  } finally {
    db.close()
  }
}

const rowsAtOnce = 500

async function copyTable(db: Connection, table: string) {
  const yieldIfDue = createYielder()
  if (table === 'state') return db.exec('INSERT INTO main.state SELECT * FROM other.state')
  const { last } = db.sql(`SELECT max(rowid) AS last FROM other.${table}`).get() as { last: number | null }
  for (let from = 0; from < (last ?? 0); from += rowsAtOnce) {
    db.sql(`INSERT INTO main.${table} SELECT * FROM other.${table} WHERE rowid > ? AND rowid <= ?`).run(
      from,
      from + rowsAtOnce,
    )
    await yieldIfDue()
  }
}

async function copyVectors(db: Connection) {
  const yieldIfDue = createYielder()
  const { last } = db.sql('SELECT max(id) AS last FROM main.chunks').get() as { last: number | null }
  for (const { id } of db.sql('SELECT id FROM main.spaces').all() as { id: number }[])
    for (let from = 0; from < (last ?? 0); from += rowsAtOnce) {
      db.sql(
        'INSERT INTO main.vectors SELECT * FROM other.vectors WHERE space = ? AND chunk > ? AND chunk <= ?',
      ).run(id, from, from + rowsAtOnce)
      await yieldIfDue()
    }
}

function wasReadBy(db: Connection, { kind, version }: Seed['reader'], source: string): boolean {
  const record = db.sql('SELECT value FROM other.records WHERE kind = ? AND id = ?').get(kind, source)
  return (record as { value: string } | undefined)?.value === String(version)
}

const { name_sum: nameColumns, sum: columns } = checksums.documents
const nameSum = sumWith(nameColumns, { source: '?2' })
const sum = sumWith(columns, { name_sum: nameSum, reader: '?3' })
/** A row that does not match its checksums is left out. */
const renaming = `UPDATE main.documents SET source = ?2, reader = ?3, name_sum = ${nameSum}, sum = ${sum}
  WHERE source = ?1 AND id > ?4 AND id <= ?5
  AND name_sum = ${sumWith(nameColumns, {})} AND sum = ${sumWith(columns, {})}`

function sumWith(columns: readonly string[], others: Record<string, string>): string {
  return `carrel_sum(${columns.map((column) => others[column] ?? column).join(', ')})`
}

async function rename(db: Connection, source: string, { id, reader }: { id: string; reader: number }) {
  const yieldIfDue = createYielder()
  const { last } = db.sql('SELECT max(id) AS last FROM main.documents').get() as { last: number | null }
  for (let from = 0; from < (last ?? 0); from += rowsAtOnce) {
    db.sql(renaming).run(source, id, reader, from, from + rowsAtOnce)
    await yieldIfDue()
  }
}
