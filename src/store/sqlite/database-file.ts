// The file of the database: the data folder that holds it, whether it is still there, and its errors as Problems.

import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Problem } from '../../model/problem.js'
import { closeToOthers, listDataFolder, readDataFile, statDataFile, withDataFile } from '../data-files.js'
import { repairHint } from './stored-values.js'

export const fileName = 'index.sqlite'

/** The names of all files that SQLite opens. */
const databaseFiles = [fileName, `${fileName}-wal`, `${fileName}-shm`, `${fileName}-journal`]

const idName = 'id'

/** Makes the folder, and the files that SQLite would otherwise create readable for all users. */
export function prepareFolder(folder: string) {
  try {
    // Uploads and records are for this user only.
    makeFolder(folder, 0o700)
    requirePlainDatabase(folder)
    // The folder should not be committed or indexed, unless users keep files of their own there.
    const ours = basename(folder) === '.carrel' || listDataFolder(folder).length === 0
    if (ours) closeFolder(folder)
    if (ours && !statDataFile(folder, '.gitignore')) createOnce(folder, '.gitignore', '*\n')
    if (!statDataFile(folder, fileName)) createOnce(folder, fileName, '')
    closeToOthers(folder, [...databaseFiles, 'records.jsonl'])
  } catch (error) {
    if (error instanceof Problem) throw error
    const { code } = error as NodeJS.ErrnoException
    const hint = 'Choose another one with --data DIR or CARREL_DATA.'
    throw new Problem('data_folder', `The data folder ${folder} cannot be written (${code}).`, hint, {
      cause: error,
    })
  }
}

/** SQLite follows links, so none of its files may be a link. */
export function requirePlainDatabase(folder: string) {
  for (const name of databaseFiles) statDataFile(folder, name)
}

/** A random id of the data folder, made with it. It stays with the folder when that is moved. */
export function dataFolderId(folder: string): string | null {
  const id = readDataFile(folder, idName)?.toString('latin1').trim()
  return id !== undefined && /^[0-9a-f]{32}$/.test(id) ? id : null
}

/** Gives the folder a new id if it has none. With `renew`, replaces an existing one. */
export function ensureDataFolderId(folder: string, { renew = false } = {}): string {
  const before = renew ? null : dataFolderId(folder)
  if (before) return before
  const id = randomBytes(16).toString('hex')
  if (renew || statDataFile(folder, idName))
    withDataFile(folder, idName, 'open', (descriptor) => writeFileSync(descriptor, `${id}\n`))
  else createOnce(folder, idName, `${id}\n`)
  return dataFolderId(folder) ?? id
}

function createOnce(folder: string, name: string, text: string) {
  try {
    withDataFile(folder, name, 'create', (descriptor) => writeFileSync(descriptor, text))
  } catch (error) {
    // Another process may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function closeFolder(folder: string) {
  const { mode, uid } = lstatSync(folder)
  if (process.platform === 'win32' || (mode & 0o077) === 0 || uid !== process.geteuid?.()) return
  chmodSync(folder, 0o700)
}

// One level at a time: where nobody can create folders (/proc), node's recursive mkdir retries for ever.
export function makeFolder(folder: string, mode?: number) {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Returns a check that throws if the path no longer leads to the file that is there now: a file that is deleted or renamed
 * while it is open stays open, and everything written to it is lost.
 */
export function watchFile(file: string): () => void {
  const opened = identityOf(file)
  return () => {
    if (opened === null || identityOf(file) !== opened) throw replaced(file)
  }
}

/** Device and inode of a file; null if there is none. */
export function identityOf(file: string): string | null {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev} ${found.ino}` : null
}

function replaced(file: string): Problem {
  return new Problem(
    'store_replaced',
    `The index ${file} is not the one that this process has open: it was deleted, moved or made anew since. Nothing was written.`,
    'Start this server or command again.',
  )
}

// --- Errors of SQLite and its disk

/** Runs work on the database in `file` and converts SQLite's errors to Problems. */
export function guard<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asProblem(file, error)
  }
}

export const busy = 5

/** SQLite's error code; undefined for other errors. */
export function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

export function asProblem(file: string, error: unknown): unknown {
  if (isForbidden(error)) {
    const message = `The file ${error.path} cannot be opened (${error.code}).`
    return new Problem('store_readonly', message, readonlyHint, { cause: error })
  }
  if (isHeld(error)) {
    const message = `The file ${error.path} is open in another process, and nobody may take it away meanwhile.`
    return new Problem('store_in_use', message, inUseHint, { cause: error })
  }
  if (isUnexpectedContent(error))
    return new Problem('store_damaged', `The index ${file} is damaged.`, repairHint, { cause: error })
  const code = isForWantOfSpace(file, error) ? full : codeOf(error)
  const say = code === undefined ? undefined : sentences[code]
  return say ? new Problem(say.code, say.message(file), say.hint, { cause: error }) : error
}

// The journal of records is not one of SQLite's files.
function isForbidden(error: unknown): error is NodeJS.ErrnoException {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException
  return path !== undefined && ['EACCES', 'EPERM', 'EROFS', 'EISDIR'].includes(code ?? '')
}

// A table disappeared from an open connection (the file was truncated), a definition changed, or a number is larger
// than any we write.
function isUnexpectedContent(error: unknown): boolean {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException
  if (codeOf(error) === 1)
    return /^no such (table|column|index)|has no column named|duplicate column name/.test(message ?? '')
  return code === 'ERR_OUT_OF_RANGE' && /too large|too big/i.test(message ?? '')
}

// Windows' code for the same.
function isHeld(error: unknown): error is NodeJS.ErrnoException {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException
  return path !== undefined && code === 'EBUSY'
}

// On a completely full disk SQLite reports an I/O error, because it cannot grow its shared memory.
function isForWantOfSpace(file: string, error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return true
  return codeOf(error) === failedAccess && freeBytes(dirname(file)) < leastSpace
}

/** Bytes. SQLite's shared memory grows by more than this. */
const leastSpace = 65_536

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

const readonlyHint = 'Make it writable, or choose another data folder with --data DIR.'
const inUseHint = 'Stop every server that works on it, then run the command again.'
const failedAccess = 10
const full = 13

const sentences: Record<number, { code: string; message: (file: string) => string; hint: string }> = {
  [busy]: {
    code: 'store_busy',
    message: (file) => `Another process has been writing ${file} for a long time.`,
    hint: 'Try again; "carrel doctor" shows who is indexing.',
  },
  8: {
    code: 'store_readonly',
    message: (file) => `The index ${file} cannot be written: it is read-only.`,
    hint: readonlyHint,
  },
  [failedAccess]: {
    code: 'store_io',
    message: (file) => `Reading or writing ${file} failed: the disk or its mount reported an error.`,
    hint: 'Check the disk, then run "carrel doctor".',
  },
  11: {
    code: 'store_damaged',
    message: (file) => `The index ${file} is damaged.`,
    hint: repairHint,
  },
  [full]: {
    code: 'disk_full',
    message: (file) => `The disk that holds ${file} is full. The index itself is whole.`,
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
