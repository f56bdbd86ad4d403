// The data folder, which holds the index.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Problem } from '../../model/problem.js'
import { closeToOthers, listDataFolder, readDataFile, statDataFile, withDataFile } from '../data-files.js'

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

// A file that is deleted or renamed while it is open stays open, and everything written to it is lost.

/** Returns a check that throws if the path no longer leads to the file that is there now. */
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
