// Turns errors of SQLite and its disk into Problems that name the next step.
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../../model/problem.js'
import { repairHint } from './checksums.js'

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
