// Audits an index, and replaces it when it is beyond repair. The old file is always kept.

import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Problem, reasonOf } from '../../model/problem.js'
import { type Connection, connect, fileName, openDatabase } from './database.js'
import { guard, identityOf, requirePlainDatabase } from './database-file.js'
import {
  appendEntries,
  asideName,
  hindranceHint,
  type IsWhole,
  isJournalled,
  type JournalEntry,
  journalHindrance,
  keyOf,
  readJournal,
} from './journal.js'
import { eachPosting, entries } from './postings.js'
import { followJournal, insertRecords, noteJournal, recordOf } from './records.js'
import { migrations } from './schema.js'
import { isDead, viewSegments } from './segments.js'
import { checksums, differs, requireIntact, type Table } from './stored-values.js'

/**
 * The faults of the index as sentences; empty if it is sound. Reads all of it, so do not call it at every start. An
 * error that is not damage, such as a full disk, is thrown as a Problem.
 */
export function auditIndex(folder: string, isWhole?: IsWhole): string[] {
  if (!existsSync(join(folder, fileName))) return []
  let database: ReturnType<typeof openDatabase>
  try {
    database = openDatabase(folder, followJournal(folder, isWhole))
  } catch (error) {
    return [damageOf(error)]
  }
  try {
    return database.read((db) => {
      const [first] = db.sql('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
      if (first && first.integrity_check !== 'ok') return [`The file is damaged: ${first.integrity_check}.`]
      const wrong = [...wrongSchema(db), ...orphans(db), ...wrongSums(db)]
      return wrong.length > 0 ? wrong : strayPostings(db)
    })
  } catch (error) {
    return [damageOf(error)]
  } finally {
    void database.close()
  }
}

// Without the hint: the audit's caller gives its own.
function damageOf(error: unknown): string {
  if (!(error instanceof Problem)) return reasonOf(error)
  if (error.code !== 'store_damaged') throw error
  return error.message
}

/** SQLite accepts a definition with a changed letter, and then compares or sorts differently. */
function wrongSchema(db: Connection): string[] {
  const fresh = connect(':memory:', 0)
  try {
    for (const step of migrations) fresh.exec(step)
    const [here, expected] = [db, fresh].map((one) =>
      JSON.stringify(one.sql('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all()),
    )
    return here === expected ? [] : ['The definitions of its tables are not those that Carrel made.']
  } finally {
    fresh.close()
  }
}

function wrongSums(db: Connection): string[] {
  return (Object.keys(checksums) as Table[]).flatMap((table) => {
    const conditions = Object.keys(checksums[table]).map((column) => differs(table, column))
    const { n } = db.sql(`SELECT count(*) AS n FROM ${table} WHERE ${conditions.join(' OR ')}`).get() as {
      n: number
    }
    if (n === 0) return []
    return [
      n === 1
        ? `A row of "${table}" does not match its checksum.`
        : `${n} rows of "${table}" do not match their checksums.`,
    ]
  })
}

type Db = Parameters<Parameters<ReturnType<typeof openDatabase>['read']>[0]>[0]

const laws: Record<string, string> = {
  'chunks without a document':
    'SELECT count(*) AS n FROM chunks WHERE document NOT IN (SELECT id FROM documents)',
  'texts without a document':
    'SELECT count(*) AS n FROM texts WHERE document NOT IN (SELECT id FROM documents)',
  'documents without a text':
    'SELECT count(*) AS n FROM documents WHERE id NOT IN (SELECT document FROM texts)',
  'documents of an unknown source':
    // Worktrees that share documents keep their sources in their own data folders.
    'SELECT count(*) AS n FROM documents WHERE source NOT IN (SELECT id FROM sources) AND NOT EXISTS (SELECT 1 FROM worktrees)',
  'vectors without a chunk': 'SELECT count(*) AS n FROM vectors WHERE chunk NOT IN (SELECT id FROM chunks)',
  'blocks without a segment':
    'SELECT count(*) AS n FROM blocks WHERE segment NOT IN (SELECT id FROM segments)',
  'vectors without a model': 'SELECT count(*) AS n FROM vectors WHERE space NOT IN (SELECT id FROM spaces)',
  'signs without a model': 'SELECT count(*) AS n FROM signs WHERE space NOT IN (SELECT id FROM spaces)',
  'counters missing':
    "SELECT 3 - count(*) AS n FROM state WHERE key IN ('epoch', 'layout', 'vectors') AND typeof(value) = 'integer'",
  'documents with a wrong chunk count':
    'SELECT count(*) AS n FROM documents d WHERE chunk_count <> (SELECT count(*) FROM chunks c WHERE c.document = d.id)',
}

function orphans(db: Db): string[] {
  return Object.entries(laws).flatMap(([what, sql]) => {
    const { n } = db.sql(sql).get() as { n: number }
    return n > 0 ? [`There are ${n} ${what}.`] : []
  })
}

// Every live chunk belongs to one segment, every live ordinal is a chunk, and no posting points beyond its segment.
function strayPostings(db: Db): string[] {
  const problems: string[] = []
  const numbered = new Map<number, number>()
  for (const segment of viewSegments(db, new Map(), null).segments) {
    const { chunks, documents } = segment.directory
    for (let i = 0; i < chunks.length; i++) if (!isDead(segment, i)) numbered.set(chunks[i]!, documents[i]!)
    const blocks = db.sql('SELECT data FROM blocks WHERE segment = ? ORDER BY "first"').all(segment.id) as {
      data: Uint8Array
    }[]
    for (const { data } of blocks)
      for (const { term, postings } of entries(data))
        eachPosting(postings, (ordinal) => {
          if (ordinal >= chunks.length) problems.push(`The word "${term}" points beyond its segment.`)
        })
  }
  const rows = db.sql('SELECT id, document FROM chunks').all() as { id: number; document: number }[]
  const missing = rows.filter(({ id, document }) => numbered.get(id) !== document).length
  if (missing > 0) problems.push(`There are ${missing} chunks that words cannot find.`)
  if (numbered.size > rows.length)
    problems.push(`There are ${numbered.size - rows.length} words' entries without a chunk.`)
  return problems.slice(0, 10)
}

export interface Rebuilt {
  /** The path of the old file. */
  oldFile: string | null
  /** How many records were saved. */
  records: number
}

/**
 * Sets the old file aside and opens an empty index with all records that can be saved. The next indexing run fills it
 * from the sources. The journal stays in place and is completed first: if the process is killed at any moment, the next
 * one to open the index restores everything from there.
 */
export async function rebuildIndex(folder: string, isWhole?: IsWhole, now = Date.now()): Promise<Rebuilt> {
  const file = join(folder, fileName)
  refuseWhileOpen(file)
  refuseWithoutJournal(folder)
  const { oldFile, live } = guard(file, () => saveRecords(folder, now, isWhole))
  const replay = (db: Connection) => {
    insertRecords(db, live)
    noteJournal(db, folder)
  }
  const database = openDatabase(folder, { isBehind: () => false, replay })
  await database.close()
  return { oldFile, records: live.filter(({ kind }) => isJournalled(kind)).length }
}

function saveRecords(folder: string, now: number, isWhole?: IsWhole) {
  const salvaged = salvageRecords(folder, isWhole)
  const journal = readJournal(folder, isWhole)
  appendEntries(
    folder,
    [...salvaged].flatMap(([key, entry]) => (journal.has(key) ? [] : [entry])),
  )
  const oldFile = putAside(folder, now)
  // Read again: another process may have recorded something before its file was moved away.
  const saved = new Map([...salvaged, ...readJournal(folder, isWhole)])
  return { oldFile, live: [...saved.values()].filter((entry) => entry.value !== null) }
}

// A process that is not listed here (another system, another user) notices by itself and stops writing.
function refuseWhileOpen(file: string) {
  const others = existsSync(file) ? processesWith(file) : []
  if (others.length === 0) return
  const [who, it] = others.length === 1 ? ['process', 'it'] : ['processes', 'them']
  throw new Problem(
    'store_in_use',
    `It cannot be started anew while ${who} ${others.join(', ')} ${others.length === 1 ? 'has' : 'have'} it open.`,
    `Stop ${it}, run "carrel doctor --repair" again, then start ${it} anew.`,
  )
}

function refuseWithoutJournal(folder: string) {
  const hindrance = journalHindrance(folder)
  if (hindrance !== null) throw new Problem('store_readonly', hindrance, hindranceHint)
}

// The journal has every record since the index was made; the damaged file may have older ones.
function salvageRecords(folder: string, isWhole: IsWhole = () => true): Map<string, JournalEntry> {
  const found = new Map<string, JournalEntry>()
  try {
    requirePlainDatabase(folder)
    const db = new DatabaseSync(join(folder, fileName), { readOnly: true })
    try {
      for (const row of db.prepare('SELECT * FROM records').iterate()) {
        const entry = entryOf(row as StoredRecord)
        if (entry && isWhole(entry)) found.set(keyOf(entry), entry)
      }
    } finally {
      db.close()
    }
  } catch {
    // As far as the file could be read.
  }
  return found
}

interface StoredRecord {
  kind: string
  id: string
  value: string
  /** Absent in an index of an older Carrel. */
  sum?: number
}

function entryOf(row: StoredRecord): JournalEntry | null {
  try {
    if (row.sum !== undefined) requireIntact('records', row.sum, [row.kind, row.id, row.value])
    return recordOf(row)
  } catch {
    return null
  }
}

// Moves the file first: without its log it might look sound, and its records are older than the journal's. SQLite
// discards a log without a file. A log that another process has made in between is not ours to move.
function putAside(folder: string, now: number): string | null {
  const files = [fileName, `${fileName}-wal`, `${fileName}-shm`].map((name) => {
    const file = join(folder, name)
    return { file, aside: join(folder, asideName('damaged', name, now)), identity: identityOf(file) }
  })
  const moved = files.filter(({ file, aside, identity }) => {
    if (identity === null || identityOf(file) !== identity) return false
    renameSync(file, aside)
    return true
  })
  return moved.find(({ file }) => file === join(folder, fileName))?.aside ?? null
}

/** The other processes that have a file open, each as `1234 (node carrel.mjs serve)`. */
function processesWith(file: string): string[] {
  const pids = orNone(() => readdirSync('/proc')).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  )
  const paths = orNone(() => [realpathSync.native(file)])
  return pids.filter((pid) => paths.some((path) => hasOpen(pid, path))).map(described)
}

// Processes of other users cannot be inspected, and any process may end during the inspection.
function hasOpen(pid: string, path: string): boolean {
  const handles = orNone(() => readdirSync(`/proc/${pid}/fd`))
  return handles.some((handle) => orNone(() => [readlinkSync(`/proc/${pid}/fd/${handle}`)])[0] === path)
}

// Only up to the first option: what follows may be confidential.
function described(pid: string): string {
  const words = orNone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'))
  const end = words.findIndex((word) => word === '' || word.startsWith('-'))
  const command = words.slice(0, end === -1 ? undefined : end).map((word) => basename(word))
  return command.length > 0 ? `${pid} (${command.join(' ')})` : pid
}

function orNone(read: () => string[]): string[] {
  try {
    return read()
  } catch {
    return []
  }
}
