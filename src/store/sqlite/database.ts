// One file, two connections: readers see the last commit while a transaction is being written in small steps.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Breathe, breather } from '../../model/breather.js'
import { Problem } from '../../model/problem.js'
import { moduleOf } from '../../text/module.js'
import { type Checkpointed, checkpointer, logBytes, longLog } from './checkpoint.js'
import { prepareFolder } from './data-folder.js'
import { migrations } from './schema.js'

export type Value = string | number | null | Uint8Array

export interface Statement {
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: Value[]): unknown
  all(...values: Value[]): unknown[]
}

export interface Connection {
  /** Prepared once, kept. */
  sql(text: string): Statement
  exec(text: string): void
}

export interface Database {
  readonly folder: string
  /** Runs on one snapshot, without giving way: keep it short. */
  read<T>(work: (db: Connection) => T): T
  /** One transaction at a time, all or nothing. Long work calls `breathe` so that the process stays responsive. */
  write<T>(work: (db: Connection, breathe: Breathe) => Promise<T> | T): Promise<T>
  /** Moves the log into the file and gives its space back. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}

export const fileName = 'index.sqlite'

/** Moved in a moment, quicker than a thread starts. */
const shortLog = 2_000_000

/** `onNew` runs in the transaction that makes a new database, before anybody sees it. */
export function openDatabase(folder: string, onNew?: (db: Connection) => void): Database {
  const file = join(folder, fileName)
  prepareFolder(folder)
  const writer = guard(file, () => connect(file, 0))
  const reader = guard(file, () => {
    migrate(writer, onNew)
    return connect(file, 10_000)
  })
  const log = checkpointer(file)
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  function read<T>(work: (db: Connection) => T): T {
    if (closed) throw new Problem('closed', 'The index was closed.')
    return guard(file, () => {
      reader.exec('BEGIN')
      try {
        return work(reader)
      } finally {
        reader.exec('COMMIT')
      }
    })
  }

  function write<T>(work: (db: Connection, breathe: Breathe) => Promise<T> | T): Promise<T> {
    if (closed) return Promise.reject(new Problem('closed', 'The index was closed.'))
    const turn = last.then(() => transaction(file, writer, work))
    // The next one waits, so that a log that is always written to comes to an end. A failure is met by the next that writes.
    last = turn.then(() => (logBytes(file) > longLog ? log.move() : undefined)).catch(() => {})
    return turn
  }

  async function checkpoint() {
    const turn = last.then(() => (logBytes(file) > shortLog ? log.move() : moveAtOnce()))
    last = turn.catch(() => {})
    const { error } = await turn
    // Another process may be reading; the log then simply stays longer.
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

async function transaction<T>(
  file: string,
  db: Connection,
  work: (db: Connection, breathe: Breathe) => Promise<T> | T,
): Promise<T> {
  await begin(file, db)
  try {
    const result = await work(db, breather())
    guard(file, () => db.exec('COMMIT'))
    return result
  } catch (error) {
    rollBack(db)
    throw asProblem(file, error)
  }
}

const longestWait = 60_000

// SQLite's own busy handler sleeps inside the call and would stop the whole process; waiting here does not.
async function begin(file: string, db: Connection) {
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
    // SQLite has rolled back by itself (a full disk does that).
  }
}

// A reader waits inside SQLite only in the rare moment when another process mends the log of one that was killed.
function connect(file: string, patience: number): Connection & { close(): void } {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; PRAGMA mmap_size = 134217728')
  // The log is moved by the checkpointer.
  db.exec('PRAGMA wal_autocheckpoint = 0')
  db.exec(`PRAGMA busy_timeout = ${patience}`)
  // SQLite's own lower() knows only the letters of ASCII.
  db.function('carrel_lower', { deterministic: true }, (text: unknown) => String(text).toLowerCase())
  db.function(
    'carrel_module',
    { deterministic: true },
    (path: unknown) => moduleOf(String(path))?.toLowerCase() ?? null,
  )
  const prepared = new Map<string, Statement>()
  return {
    sql(text) {
      let statement = prepared.get(text)
      if (!statement) {
        statement = withNul(db.prepare(text))
        prepared.set(text, statement)
      }
      return statement
    },
    exec: (text) => db.exec(text),
    close() {
      prepared.clear()
      db.close()
    },
  }
}

// The driver ends a string at its first NUL. A rare sign stands for it in the database; `fromDatabase` puts it back.
const stand = '\u{10ffff}'

function withNul(statement: ReturnType<InstanceType<typeof DatabaseSync>['prepare']>): Statement {
  const safe = (values: Value[]) =>
    values.some((value) => typeof value === 'string' && (value.includes('\0') || value.includes(stand)))
      ? values.map(toDatabase)
      : values
  return {
    run: (...values) => statement.run(...safe(values)),
    get: (...values) => statement.get(...safe(values)),
    all: (...values) => statement.all(...safe(values)),
  }
}

function toDatabase(value: Value): Value {
  if (typeof value !== 'string') return value
  return value.replaceAll(stand, `${stand}1`).replaceAll('\0', `${stand}0`)
}

/** A string that may have had NUL in it, as it was. */
export function fromDatabase(text: string): string {
  return text.includes(stand) ? text.replaceAll(`${stand}0`, '\0').replaceAll(`${stand}1`, stand) : text
}

/** The driver gives null for no bytes at all. */
export function textOf(body: Uint8Array | null): string {
  if (!body) return ''
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
}

function migrate(db: Connection, onNew: ((db: Connection) => void) | undefined) {
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
    if (from === 0) onNew?.(db)
    db.exec(`PRAGMA user_version = ${migrations.length}; COMMIT; PRAGMA busy_timeout = 0`)
  } catch (error) {
    rollBack(db)
    throw error
  }
}

function versionOf(db: Connection): number {
  return (db.sql('PRAGMA user_version').get() as { user_version: number }).user_version
}

function guard<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asProblem(file, error)
  }
}

const busy = 5

function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

function asProblem(file: string, error: unknown): unknown {
  const code = codeOf(error)
  const say = code === undefined ? undefined : sentences[code]
  return say ? new Problem(say.code, say.message(file), say.hint, { cause: error }) : error
}

const sentences: Record<number, { code: string; message: (file: string) => string; hint: string }> = {
  [busy]: {
    code: 'store_busy',
    message: (file) => `Another process has been writing ${file} for a long time.`,
    hint: 'Try again; "carrel doctor" shows who is indexing.',
  },
  8: {
    code: 'store_readonly',
    message: (file) => `The index ${file} cannot be written: it is read-only.`,
    hint: 'Make it writable, or choose another data folder with --data DIR.',
  },
  10: {
    code: 'store_io',
    message: (file) => `Reading or writing ${file} failed: the disk or its mount reported an error.`,
    hint: 'Check the disk, then run "carrel doctor".',
  },
  11: {
    code: 'store_damaged',
    message: (file) => `The index ${file} is damaged.`,
    hint: 'Run "carrel doctor --repair": it saves your own records and rebuilds the rest from the sources.',
  },
  13: {
    code: 'disk_full',
    message: (file) => `The disk that holds ${file} is full. Nothing was half-written.`,
    hint: 'Free some space and run the command again: it goes on where it stopped.',
  },
  14: {
    code: 'store_unopenable',
    message: (file) => `The index ${file} cannot be opened.`,
    hint: 'Check the folder and its permissions, or choose another one with --data DIR.',
  },
  26: {
    code: 'store_damaged',
    message: (file) => `The file ${file} is not a Carrel index, or it is damaged.`,
    hint: 'Run "carrel doctor --repair": it keeps the old file and rebuilds from the sources.',
  },
}
