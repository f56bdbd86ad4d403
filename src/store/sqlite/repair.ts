// Looking an index over, and starting it anew when it is beyond use. The old file is always kept.
import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Problem, reasonOf } from '../../model/problem.js'
import { fileName, openDatabase } from './database.js'
import { type IsWhole, type JournalEntry, journalName, readJournal, unreadableLines } from './journal.js'
import { eachPosting, entries } from './postings.js'
import { missingInJournal, readAll, restoreRecords, rewriteJournal, sqliteRecords } from './records.js'
import { isDead, viewSegments } from './segments.js'

/**
 * What is wrong with the index, in sentences; nothing when it is sound. Reads all of it: not for every start. What
 * keeps it from being read and is no damage, as a full disk, is a Problem.
 */
export function auditIndex(folder: string): string[] {
  if (!existsSync(join(folder, fileName))) return []
  let database: ReturnType<typeof openDatabase>
  try {
    database = openDatabase(folder)
  } catch (error) {
    return [damageOf(error)]
  }
  try {
    return database.read((db) => {
      const [first] = db.sql('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
      if (first && first.integrity_check !== 'ok') return [`The file is damaged: ${first.integrity_check}.`]
      return [...orphans(db), ...strayPostings(db)]
    })
  } catch (error) {
    return [damageOf(error)]
  } finally {
    void database.close()
  }
}

// Without the hint: whoever audits knows what to do about it.
function damageOf(error: unknown): string {
  if (!(error instanceof Problem)) return reasonOf(error)
  if (error.code !== 'store_damaged') throw error
  return error.message
}

/** What is wrong with the journal of records, in a sentence; null when it is sound. */
export function auditJournal(folder: string, isWhole?: IsWhole): string | null {
  const file = join(folder, journalName)
  try {
    const lines = unreadableLines(folder, isWhole)
    return lines.length > 0 ? passedOver(lines, file) : lackOf(folder, file)
  } catch (error) {
    return `${file} cannot be read: ${reasonOf(error)}`
  }
}

function lackOf(folder: string, file: string): string | null {
  const found = readable(folder, missingInJournal)
  if (!found || found.missing === 0) return null
  return `${file} lacks ${found.missing} of the ${found.all} records that the index has.`
}

/** The records of a kind, from whichever place still gives them; none where neither does, which the audits tell of. */
export function recordsOf<T>(folder: string, kind: string, isWhole?: IsWhole): T[] {
  const rows = readable(folder, (database) => database.read((db) => readAll<T>(db, kind)))
  if (rows) return rows.map(({ value }) => value)
  try {
    const entries = [...readJournal(folder, isWhole).values()].filter((entry) => entry.kind === kind)
    return entries.flatMap(({ value }) => (value === null ? [] : [value as T]))
  } catch {
    return []
  }
}

// An index that is not there has nothing to compare with, and one that cannot be read is told of by itself.
function readable<T>(folder: string, work: (database: ReturnType<typeof openDatabase>) => T): T | null {
  if (!existsSync(join(folder, fileName))) return null
  let database: ReturnType<typeof openDatabase> | null = null
  try {
    database = openDatabase(folder)
    return work(database)
  } catch {
    return null
  } finally {
    void database?.close()
  }
}

function passedOver(lines: readonly number[], file: string): string {
  if (lines.length === 1) return `Line ${lines[0]} of ${file} cannot be used and is passed over.`
  const named = lines.slice(0, mostNamed).join(', ') + (lines.length > mostNamed ? ', …' : '')
  return `${lines.length} lines of ${file} (${named}) cannot be used and are passed over.`
}

const mostNamed = 5

/** Keeps the old journal under another name, if there is one, and writes one with what the index has. Gives the name. */
export async function repairJournal(
  folder: string,
  isWhole?: IsWhole,
  now = Date.now(),
): Promise<string | null> {
  const database = openDatabase(folder, (db) => restoreRecords(db, folder, isWhole))
  try {
    const kept = existsSync(join(folder, journalName)) ? asideName(folder, journalName, now) : null
    if (kept) copyFileSync(join(folder, journalName), kept)
    await rewriteJournal(database)
    return kept
  } finally {
    await database.close()
  }
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
    'SELECT count(*) AS n FROM documents WHERE source NOT IN (SELECT id FROM sources)',
  'vectors without a chunk': 'SELECT count(*) AS n FROM vectors WHERE chunk NOT IN (SELECT id FROM chunks)',
  'blocks without a segment':
    'SELECT count(*) AS n FROM blocks WHERE segment NOT IN (SELECT id FROM segments)',
  'documents with a wrong chunk count':
    'SELECT count(*) AS n FROM documents d WHERE chunk_count <> (SELECT count(*) FROM chunks c WHERE c.document = d.id)',
}

function orphans(db: Db): string[] {
  return Object.entries(laws).flatMap(([what, sql]) => {
    const { n } = db.sql(sql).get() as { n: number }
    return n > 0 ? [`There are ${n} ${what}.`] : []
  })
}

// Every live chunk is numbered by one segment, every live number is a chunk, and no posting points beyond its segment.
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
  /** Where the old file went. */
  kept: string | null
  /** How many of the user's own records were saved. */
  records: number
}

/** Puts the old file aside and opens an empty index with all records that can be saved. The sources fill it again. */
export async function rebuildIndex(folder: string, isWhole?: IsWhole, now = Date.now()): Promise<Rebuilt> {
  const saved = new Map([...salvageRecords(folder), ...readJournal(folder, isWhole)])
  const kept = putAside(folder, now)
  const database = openDatabase(folder)
  try {
    const records = sqliteRecords(database)
    const live = [...saved.values()].filter((entry) => entry.value !== null)
    for (const { kind, id, value } of live) await records.put(kind, id, value)
    return { kept, records: live.length }
  } finally {
    await database.close()
  }
}

// The journal has every record since the index was made; the damaged file may have older ones.
function salvageRecords(folder: string): Map<string, JournalEntry> {
  const found = new Map<string, JournalEntry>()
  try {
    const db = new DatabaseSync(join(folder, fileName), { readOnly: true })
    try {
      for (const row of db.prepare('SELECT kind, id, value FROM records').iterate() as Iterable<
        Record<string, string>
      >)
        found.set(`${row.kind}\0${row.id}`, { kind: row.kind!, id: row.id!, value: JSON.parse(row.value!) })
    } finally {
      db.close()
    }
  } catch {
    // As far as it could be read.
  }
  return found
}

function putAside(folder: string, now: number): string | null {
  let kept: string | null = null
  for (const name of [fileName, `${fileName}-wal`, `${fileName}-shm`, journalName]) {
    if (!existsSync(join(folder, name))) continue
    const aside = asideName(folder, name, now)
    renameSync(join(folder, name), aside)
    if (name === fileName) kept = aside
  }
  return kept
}

function asideName(folder: string, name: string, now: number): string {
  return join(folder, `damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}-${name}`)
}
