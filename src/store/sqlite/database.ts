// One database file with two connections: readers see the last commit while a transaction is written in small steps.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { Problem } from '../../model/problem.js'
import { createYielder, type YieldIfDue } from '../../runtime/yield.js'
import { isInModule } from '../../text/module.js'
import { sameName } from '../../text/normal-forms.js'
import { type Checkpointed, checkpointer, logBytes, longLog } from './checkpoint.js'
import {
  asProblem,
  busy,
  codeOf,
  fileName,
  guard,
  prepareFolder,
  requirePlainDatabase,
  watchFile,
} from './database-file.js'
import { migrations } from './schema.js'
import { advance, stateOf } from './segments.js'
import {
  carrelIntact,
  carrelSum,
  fromDatabase,
  linkList,
  repackText,
  sectionList,
  toDatabase,
} from './stored-values.js'
import { WorktreeDocuments } from './worktree-documents.js'

export { fromDatabase }

export type Value = string | number | null | Uint8Array

export interface Statement {
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: Value[]): unknown
  all(...values: Value[]): unknown[]
}

export interface Connection {
  /** A prepared statement from a cache. */
  sql(text: string): Statement
  /** The same with rows as arrays, which cost a third less than objects. For the queries that a search runs most. */
  lists(text: string): { all(...values: Value[]): unknown[][] }
  exec(text: string): void
  /** Where several worktrees share the database: the documents of this one. `documents` is then a view of them. */
  worktree: WorktreeDocuments | null
}

/** A write transaction. */
export interface Writing extends Connection {
  /** Registers an undo function for a side effect outside the database. It runs if the transaction fails. */
  orElse(undo: () => void): void
}

export interface Database {
  readonly folder: string
  /** Runs synchronously on one snapshot: keep it short. */
  read<T>(work: (db: Connection) => T): T
  /** Runs one transaction at a time, all or nothing. Long work calls `yieldIfDue` so that the process stays responsive. */
  write<T>(work: (db: Writing, yieldIfDue: YieldIfDue) => Promise<T> | T, options?: WriteOptions): Promise<T>
  /** Moves the write-ahead log into the file and truncates the log. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}

export interface WriteOptions {
  /** Syncs to disk before it returns, so that a power failure loses nothing. For data that has no other source. */
  lasting?: boolean
}

/** A log beside the database. A new database replays all of it, and one that lost its last changes replays the rest. */
export interface Followed {
  isBehind(db: Connection): boolean
  /** Inside a transaction. */
  replay(db: Connection): void
}

export { fileName }

/** Bytes. Moving a log this short takes less time than starting a thread. */
const shortLog = 2_000_000

const fileCheckMs = 200

/** A worktree that shares the database with others. */
export interface Worktree {
  /** The id of the worktree's data folder. */
  id: string
  /** The data folder. */
  place: string
}

export interface Opening {
  /** Opens a database that worktrees share, as this one sees it. */
  worktree?: Worktree
  /** Statements for a new file. */
  settings?: string
}

/** Documents of worktrees that are gone leave empty pages, which go back to the disk. */
export const sharedSettings = 'PRAGMA auto_vacuum = INCREMENTAL'
/** Beside a shared database: two dozen tables with hardly anything in them. */
export const smallSettings = 'PRAGMA page_size = 1024'

/** Opens the database, read-only if the user has no write permission. */
export function openDatabase(
  folder: string,
  followed?: Followed,
  { worktree, settings = '' }: Opening = {},
): Database {
  try {
    return openForWriting(folder, followed, worktree, settings)
  } catch (error) {
    const readable = isForbidden(error) && openForReading(folder, worktree)
    if (readable) return readable
    throw error
  }
}

function isForbidden(error: unknown): boolean {
  const { code, cause } = error as Problem
  if (['store_readonly', 'store_unopenable'].includes(code)) return true
  const system = (cause as NodeJS.ErrnoException | undefined)?.code ?? ''
  return code === 'data_folder' && ['EACCES', 'EPERM', 'EROFS'].includes(system)
}

/** Null if the database cannot be read either. */
function openForReading(folder: string, worktree: Worktree | undefined): Database | null {
  const file = join(folder, fileName)
  try {
    requirePlainDatabase(folder)
    // SQLite needs a writable folder even to read, unless the caller promises that the file is immutable. If the log has
    // changes, we open the file normally, which works while the shared-memory file exists.
    const immutable = logBytes(file) === 0
    const place = immutable ? `${pathToFileURL(file).href}?immutable=1` : file
    const reader = equip(new DatabaseSync(place, { readOnly: true }))
    if (versionOf(reader) !== migrations.length) {
      reader.close()
      return null
    }
    if (worktree) showDocumentsOf(worktree, reader)
    return readOnlyDatabase(folder, file, reader)
  } catch {
    return null
  }
}

function readOnlyDatabase(folder: string, file: string, reader: Connection & { close(): void }): Database {
  let closed = false
  return {
    folder,
    read(work) {
      if (closed) throw new Problem('closed', 'The index was closed.')
      return guard(file, () => inSnapshot(reader, work))
    },
    write: async () => {
      throw new Problem(
        'store_readonly',
        `The index ${file} cannot be written: it is read-only.`,
        'Make it writable, or choose another data folder with --data DIR.',
      )
    },
    checkpoint: async () => {},
    async close() {
      if (!closed) reader.close()
      closed = true
    },
  }
}

/** A new database replays the log in the transaction that creates it, before any other process can read it. */
function openForWriting(
  folder: string,
  followed: Followed | undefined,
  worktree: Worktree | undefined,
  settings: string,
): Database {
  const file = join(folder, fileName)
  prepareFolder(folder)
  const writer = guard(file, () => connect(file, 0, settings))
  const stillThere = watchFile(file)
  const reader = guard(file, () => {
    migrate(writer, followed)
    if (followed?.isBehind(writer)) catchUp(writer, followed)
    return connect(file, 10_000)
  })
  if (worktree) for (const connection of [writer, reader]) showDocumentsOf(worktree, connection)
  stillThere()
  const log = checkpointer(file)
  let last: Promise<unknown> = Promise.resolve()
  let closed = false
  let looked = performance.now()

  // Checked at most every 200 ms: one question may read a thousand times, and a check that is a little late does no harm.
  function look() {
    const now = performance.now()
    if (now - looked < fileCheckMs) return
    stillThere()
    looked = now
  }

  function read<T>(work: (db: Connection) => T): T {
    if (closed) throw new Problem('closed', 'The index was closed.')
    return guard(file, () => {
      look()
      return inSnapshot(reader, work)
    })
  }

  function write<T>(
    work: (db: Writing, yieldIfDue: YieldIfDue) => Promise<T> | T,
    options: WriteOptions = {},
  ): Promise<T> {
    if (closed) return Promise.reject(new Problem('closed', 'The index was closed.'))
    const turn = last.then(() => {
      // SQLite does not allow this change inside a transaction.
      guard(file, () => writer.exec(`PRAGMA synchronous = ${options.lasting ? 'FULL' : 'NORMAL'}`))
      return transaction(file, writer, stillThere, work)
    })
    // The next write waits for the checkpoint, or the log would grow without end. The next write reports a failure.
    last = turn.then(() => (logBytes(file) > longLog ? log.move() : undefined)).catch(() => {})
    return turn
  }

  async function checkpoint() {
    const turn = last.then(() => (logBytes(file) > shortLog ? log.move() : moveAtOnce()))
    last = turn.catch(() => {})
    const { error } = await turn
    // If another process is reading, the log stays until the next checkpoint.
    if (error && codeOf(error) !== busy) throw asProblem(file, Object.assign(new Error(error.message), error))
  }

  function moveAtOnce(): Checkpointed {
    try {
      writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      return { error: null }
    } catch (error) {
      return { error: error as Error & { errcode?: number } }
    }
  }

  async function close() {
    if (closed) return
    closed = true
    await last
    await log.close()
    reader.close()
    writer.close()
  }

  return { folder, read, write, checkpoint, close }
}

function inSnapshot<T>(reader: Connection, work: (db: Connection) => T): T {
  reader.exec('BEGIN')
  try {
    reader.worktree?.load(reader)
    return work(reader)
  } finally {
    reader.exec('COMMIT')
  }
}

async function transaction<T>(
  file: string,
  db: Connection,
  stillThere: () => void,
  work: (db: Writing, yieldIfDue: YieldIfDue) => Promise<T> | T,
): Promise<T> {
  await begin(file, db)
  const undoings: (() => void)[] = []
  try {
    stillThere()
    db.worktree?.load(db)
    const result = await work({ ...db, orElse: (undo) => undoings.push(undo) }, createYielder())
    db.worktree?.save(db, () => nextVersion(db))
    guard(file, () => db.exec('COMMIT'))
    // Fail if the file was moved away during the transaction. The process that moved it reads the journal afterwards, so
    // either it finds our line or our caller learns that the change was not stored.
    stillThere()
    return result
  } catch (error) {
    // Before the next transaction starts.
    undoAll(undoings)
    rollBack(db)
    db.worktree?.drop()
    throw asProblem(file, error)
  }
}

function undoAll(undoings: (() => void)[]) {
  for (const undo of undoings.reverse())
    try {
      undo()
    } catch {
      // The caller gets the first error.
    }
}

const longestWait = 60_000

// Retries with back-off. SQLite's own busy handler sleeps inside the call and would block the whole process.
export async function begin(file: string, db: Pick<Connection, 'exec'>) {
  const start = performance.now()
  for (let pause = 2; ; pause = Math.min(pause * 1.6, 60)) {
    try {
      db.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (codeOf(error) !== busy) throw asProblem(file, error)
      if (performance.now() - start > longestWait) throw asProblem(file, error)
      await sleep(pause * (0.5 + Math.random()))
    }
  }
}

function rollBack(db: Connection) {
  try {
    db.exec('ROLLBACK')
  } catch {
    // SQLite has already rolled back, for example because the disk is full.
  }
}

// A reader waits inside SQLite only while another process recovers the log of a killed one, which is rare.
/** `settings` only have an effect when the database is created. */
export function connect(file: string, patience: number, settings = ''): Connection & { close(): void } {
  const db = new DatabaseSync(file)
  db.exec(settings)
  db.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  // No mmap: if a mapped file is truncated, reading it kills the process (SIGBUS) instead of returning an error. A search
  // took the same time with mmap.
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; PRAGMA mmap_size = 0')
  // The checkpointer does this.
  db.exec('PRAGMA wal_autocheckpoint = 0')
  db.exec(`PRAGMA busy_timeout = ${patience}`)
  return equip(db)
}

/** After this, `documents` has only the worktree's. Statements about all documents use `main.documents`. */
function showDocumentsOf({ id, place }: Worktree, db: Connection) {
  db.worktree = new WorktreeDocuments(id, place)
  db.exec('CREATE TEMP VIEW documents AS SELECT * FROM main.documents WHERE carrel_sees(id)')
}

/** Higher than any before it: every change of a worktree's documents advances the layout. */
function nextVersion(db: Connection): number {
  advance(db, 'layout')
  return stateOf(db).layout
}

function equip(db: InstanceType<typeof DatabaseSync>): Connection & { close(): void } {
  // SQLite's lower() handles only ASCII letters.
  db.function('carrel_same_name', { deterministic: true }, (text: unknown) => sameName(String(text)))
  db.function('carrel_in_module', { deterministic: true }, (path: unknown, module: unknown) =>
    isInModule(String(path), String(module)) ? 1 : 0,
  )
  db.function('carrel_sum', { deterministic: true, varargs: true }, carrelSum)
  db.function('carrel_intact', { varargs: true }, carrelIntact)
  db.function('carrel_pack_text', { deterministic: true }, repackText)
  db.function('carrel_pack_sections', { deterministic: true }, (list: unknown) =>
    sectionList.repack(String(list)),
  )
  db.function('carrel_pack_links', { deterministic: true }, (list: unknown) => linkList.repack(String(list)))
  db.function('carrel_sees', (document: unknown) => (connection.worktree?.has(Number(document)) ? 1 : 0))
  const prepared = new Map<string, Statement>()
  const preparedLists = new Map<string, Statement>()
  const connection: Connection & { close(): void } = {
    worktree: null,
    sql(text) {
      let statement = prepared.get(text)
      if (!statement) {
        statement = withNul(db.prepare(text))
        prepared.set(text, statement)
      }
      return statement
    },
    lists(text) {
      let statement = preparedLists.get(text)
      if (!statement) {
        const raw = db.prepare(text)
        raw.setReturnArrays(true)
        statement = withNul(raw)
        preparedLists.set(text, statement)
      }
      return statement as { all(...values: Value[]): unknown[][] }
    },
    exec: (text) => db.exec(text),
    close() {
      prepared.clear()
      preparedLists.clear()
      db.close()
    },
  }
  return connection
}

function withNul(statement: ReturnType<InstanceType<typeof DatabaseSync>['prepare']>): Statement {
  const safe = (values: Value[]) =>
    values.some((value) => typeof value === 'string' && toDatabase(value) !== value)
      ? values.map((value) => (typeof value === 'string' ? toDatabase(value) : value))
      : values
  return {
    run: (...values) => statement.run(...safe(values)),
    get: (...values) => statement.get(...safe(values)),
    all: (...values) => statement.all(...safe(values)),
  }
}

/** The driver returns null for an empty blob. */
export function textOf(body: Uint8Array | null): string {
  if (!body) return ''
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
}

function migrate(db: Connection, followed: Followed | undefined) {
  if (versionOf(db) === migrations.length) return
  db.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE')
  try {
    const from = versionOf(db)
    if (from > migrations.length)
      throw new Problem(
        'store_newer',
        'This index was made by a newer Carrel.',
        'Update Carrel, or choose another data folder with --data DIR.',
      )
    for (const step of migrations.slice(from)) db.exec(step)
    if (from === 0) followed?.replay(db)
    db.exec(`PRAGMA user_version = ${migrations.length}; COMMIT; PRAGMA busy_timeout = 0`)
    if (from > 0) giveBackSpace(db)
  } catch (error) {
    rollBack(db)
    throw error
  }
}

/** A migration may leave half of the file unused. */
function giveBackSpace(db: Connection) {
  try {
    db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Another process uses the index, or the disk is full. New documents fill the space.
  }
}

function catchUp(db: Connection, followed: Followed) {
  try {
    db.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE')
    // Check again inside the transaction: another process may have been writing.
    if (followed.isBehind(db)) followed.replay(db)
    db.exec('COMMIT')
  } catch {
    // Readers need not wait for this, and the next writer tries again.
    rollBack(db)
  } finally {
    db.exec('PRAGMA busy_timeout = 0')
  }
}

function versionOf(db: Connection): number {
  return (db.sql('PRAGMA user_version').get() as { user_version: number }).user_version
}
