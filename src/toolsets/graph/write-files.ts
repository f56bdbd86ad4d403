// Writes files of a vault atomically and without losing edits of others. The new bytes of all files are safe on the disk,
// beside the old files, before the first is swapped in: a full disk or a missing permission fails before anything changes.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { link, lstat, mkdir, open, readdir, readFile, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Stamp } from '../../model/document.js'
import { Problem } from '../../model/problem.js'
import { forEachLimit } from '../../runtime/for-each-limit.js'
import { createYielder } from '../../runtime/yield.js'
import { type Folder, lists } from '../../sources/folder.js'
import { type OpenedFolder, openFolder, readEntry, withFolder } from '../../sources/opened-folder.js'
import { renameFile } from '../../sources/rename-file.js'
import { hashOf } from '../../text/hash.js'
import { mostBytes, present, type Rights, refusal } from './files.js'

/** Makes a file that is not there yet. False when something is. */
export async function createFile(
  root: string,
  path: string,
  bytes: Uint8Array,
  { rights = null, mark = newMark() }: { rights?: Replacement['rights']; mark?: string } = {},
): Promise<boolean> {
  await makeFolder(root, path)
  return inFolderOf(root, path, async (folder, name) => {
    const temporary = temporaryName(mark)
    const { handle } = writeNew(path, folder.entry(temporary), bytes, rights)
    try {
      await settle(handle).finally(() => closeSync(handle))
      // Only a link fails if the name exists; a rename would replace the file. Without links there is a short race.
      await link(folder.entry(temporary), folder.entry(name)).catch(async (error: NodeJS.ErrnoException) => {
        if (!noLinks.includes(error.code ?? '')) throw error
        if (await present(folder.entry(name))) throw Object.assign(new Error('taken'), { code: 'EEXIST' })
        await renameFile(folder.entry(temporary), folder.entry(name))
      })
      rmSync(folder.entry(temporary), { force: true })
      await settleFolder(folder.entry('.'))
      return true
    } catch (error) {
      rmSync(folder.entry(temporary), { force: true })
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  })
}

/** Runs work in the opened folder of a file, and turns system errors into a Problem about the file. */
async function inFolderOf<T>(
  root: string,
  path: string,
  work: (folder: OpenedFolder, name: string) => Promise<T>,
  what = path,
): Promise<T> {
  try {
    return await withFolder(root, dirname(path), (folder) => work(folder, basename(path)), what)
  } catch (error) {
    throw refusal(what, error)
  }
}

// Windows says of exFAT that the function is incorrect, which Node takes for EISDIR.
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']

/**
 * The same for a file that must be indexed: if a rule excludes it (an ignore file, a glob), it is removed again and a
 * Problem says so. The rules can only be checked once the file exists.
 */
export async function createNote(
  folder: Folder,
  path: string,
  bytes: Uint8Array,
  options: { rights?: Replacement['rights']; mark?: string } = {},
): Promise<boolean> {
  const made = foldersMissing(folder.path, path)
  if (!(await createFile(folder.path, path, bytes, options))) return false
  if (await lists(folder, path)) return true
  await removeFile(folder.path, path, hashOf(bytes))
  for (const one of made)
    await inFolderOf(folder.path, one, (at, name) => rmdir(at.entry(name))).catch(() => {})
  throw new Problem(
    'invalid_params',
    `A note at ${path} would not be indexed: an ignore file, the globs in carrel.json or the name of a folder (build output) leave it out.`,
    'Choose another directory or title, or change the rule. Nothing was changed.',
  )
}

/** The folders above a file that are not there yet, the deepest first, relative to the root. */
function foldersMissing(root: string, path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  const folders = parts.map((_, i) => parts.slice(0, parts.length - i).join('/'))
  return folders.filter((folder) => !existsSync(join(root, folder)))
}

/** Replaces one file's bytes if they are still those of `before`; returns false if they are not. */
export async function replaceFile(
  root: string,
  replacement: Replacement,
  mark = newMark(),
): Promise<boolean> {
  const staged = await stage(root, [replacement], mark)
  try {
    return await swapIn(root, staged[0]!)
  } finally {
    discard(root, staged)
  }
}

/** Removes a file if its bytes are still those of `before`. */
export async function removeFile(root: string, path: string, before: string): Promise<boolean> {
  return inFolderOf(root, path, async (folder, name) => {
    if (hashIn(folder, name) !== before) return false
    await unlink(folder.entry(name))
    await settleFolder(folder.entry('.'))
    return true
  })
}

/** Removes a file of our own, whatever is in it. */
export async function removeOwn(root: string, path: string): Promise<void> {
  await inFolderOf(root, path, (folder, name) => rm(folder.entry(name), { force: true }))
}

export interface Replacement {
  path: string
  /** Of the bytes that are to be replaced. */
  before: string
  bytes: Uint8Array
  /** The owner and permissions that the file gets; null for those of any new file. */
  rights: (Pick<Rights, 'mode'> & Partial<Rights>) | null
}

export interface Staged {
  path: string
  before: string
  /** The name of the new file, in the folder of the old one. */
  temporary: string
  /** How the file will look; null when it will be written over, since it could not be given to whose the file is. */
  stamp: Stamp | null
}

/** All of them, or a Problem and none. */
export async function stage(
  root: string,
  replacements: readonly Replacement[],
  mark = newMark(),
): Promise<Staged[]> {
  const staged: Staged[] = []
  try {
    for (let i = 0; i < replacements.length; i += atOnce)
      await stageGroup(root, replacements.slice(i, i + atOnce), mark, staged)
    return staged
  } catch (error) {
    discard(root, staged)
    throw error
  }
}

// Few enough that their handles fit under any system's limit.
const atOnce = 200
const settle = promisify(fsync)

// All files are written before the first is flushed: a file system commits all pending writes together, so only the first
// flush of a group waits for the disk. Writing is synchronous, since each call through the thread pool costs more.
async function stageGroup(
  root: string,
  group: readonly Replacement[],
  mark: string,
  staged: Staged[],
): Promise<void> {
  const handles: number[] = []
  const folders = new Map<string, OpenedFolder>()
  const yieldIfDue = createYielder()
  try {
    for (const { path, before, bytes, rights } of group) {
      const folder = folders.get(dirname(path)) ?? openFolderOf(root, path)
      folders.set(dirname(path), folder)
      const temporary = temporaryName(mark)
      const { handle, given } = writeNew(path, folder.entry(temporary), bytes, rights)
      handles.push(handle)
      const { size, mtimeMs, ino } = fstatSync(handle)
      // Swapping the file in changes its ctime, to a time that is not known yet.
      const stamp = given ? { size, mtimeMs, ctimeMs: null, ino } : null
      staged.push({ path, before, temporary, stamp })
      await yieldIfDue()
    }
    await Promise.all(handles.map((handle) => settle(handle)))
  } finally {
    for (const handle of handles) closeSync(handle)
    for (const folder of folders.values()) folder.close()
  }
}

function openFolderOf(root: string, path: string): OpenedFolder {
  try {
    return openFolder(root, dirname(path), path)
  } catch (error) {
    throw refusal(path, error)
  }
}

/** `given`: it is whose it should be. */
function writeNew(path: string, temporary: string, bytes: Uint8Array, rights: Replacement['rights']) {
  let given = true
  try {
    const handle = openSync(temporary, 'wx', rights?.mode ?? 0o666)
    try {
      if (rights) given = giveTo(handle, rights)
      // The umask of the process would remove permissions that the old file had.
      if (rights) fchmodSync(handle, rights.mode & 0o777)
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    } catch (error) {
      closeSync(handle)
      rmSync(temporary, { force: true })
      throw error
    }
    return { handle, given }
  } catch (error) {
    throw refusal(path, error)
  }
}

/** Gives a file the owner and group of another. A process without that right can still set a group that it is in. */
function giveTo(handle: number, { uid, gid }: Partial<Rights>): boolean {
  const now = fstatSync(handle)
  const [user, group] = [uid ?? now.uid, gid ?? now.gid]
  if (user === now.uid && group === now.gid) return true
  return owned(handle, user, group) || (owned(handle, now.uid, group) && user === now.uid)
}

function owned(handle: number, uid: number, gid: number): boolean {
  try {
    fchownSync(handle, uid, gid)
    return true
  } catch {
    return false
  }
}

/** Swaps the new bytes in if the file is still as it was; otherwise changes nothing and returns false. */
export async function swapIn(root: string, { path, before, temporary, stamp }: Staged): Promise<boolean> {
  return inFolderOf(root, path, async (folder, name) => {
    if (hashIn(folder, name) !== before) return false
    if (stamp) await renameFile(folder.entry(temporary), folder.entry(name))
    else await writeOver(folder, name, temporary)
    return true
  })
}

// Writes into the existing file, so that it keeps its owner. This is the one write that is not atomic; the new bytes stay
// beside the file until all of them are on the disk.
async function writeOver(folder: OpenedFolder, name: string, temporary: string) {
  const bytes = await readFile(folder.entry(temporary))
  const handle = openSync(folder.entry(name), constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, undefined, at)
    ftruncateSync(handle, bytes.length)
    await settle(handle)
  } finally {
    closeSync(handle)
  }
  await rm(folder.entry(temporary), { force: true })
}

/** Removes new files that were not swapped in. `sweep` removes those in a folder that cannot be opened now. */
export function discard(root: string, staged: readonly Staged[]) {
  for (const { path, temporary } of staged)
    try {
      const folder = openFolder(root, dirname(path))
      try {
        rmSync(folder.entry(temporary), { force: true })
      } finally {
        folder.close()
      }
    } catch {
      // `sweep` removes it later.
    }
}

export function newMark(): string {
  return randomBytes(6).toString('hex')
}

function temporaryName(mark: string): string {
  return `.carrel-${mark}-${randomBytes(4).toString('hex')}.tmp`
}

const leftOver = /^\.carrel-([\da-f]{12})-[\da-f]{8}\.tmp$/
const leftOverMs = 60_000

/** Removes temporary files of killed processes from a folder: those of one mark at once, any others after a while. */
export async function sweep(root: string, folder: string, mark?: string) {
  await withFolder(root, folder, async (opened) => {
    const names = (await readdir(opened.entry('.'))).filter((name) => leftOver.test(name))
    await forEachLimit(names, async (name) => {
      const file = opened.entry(name)
      if (leftOver.exec(name)![1] === mark || (await ageOf(file)) > leftOverMs)
        await rm(file, { force: true }).catch(() => {})
    })
  }).catch(() => {})
}

async function ageOf(file: string): Promise<number> {
  const there = await lstat(file).catch(() => null)
  return there ? Date.now() - there.mtimeMs : 0
}

/** The hash of a file's bytes, read in the opened folder; null when there is no file to read. */
function hashIn(folder: OpenedFolder, name: string): string | null {
  const bytes = readEntry(folder, name, mostBytes)
  return bytes && hashOf(bytes)
}

/** Makes names in a folder last through a power cut. */
export async function settleFolder(folder: string) {
  const handle = await open(folder, constants.O_RDONLY).catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

// Each folder is made in an opened one, so that a link out of the vault is never followed.
async function makeFolder(root: string, path: string) {
  const parts = path.split('/').slice(0, -1)
  for (let depth = 1; depth <= parts.length; depth++) {
    const folder = parts.slice(0, depth).join('/')
    await inFolderOf(root, folder, (at, name) => makeOrFind(at.entry(name), folder), path)
  }
}

async function makeOrFind(entry: string, folder: string) {
  await mkdir(entry).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (!(await stat(entry)).isDirectory())
    throw new Problem('provider_error', `${folder} is not a folder.`, 'Choose another folder.')
}
