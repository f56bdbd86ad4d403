// Writes files of a vault so that each is whole at every moment, old or new, and no edit of anybody else is lost. New bytes
// lie beside the old ones, safe on the disk, before the first is swapped in: what can fail (no space, no permission) fails
// before anything changed.
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
      // Only a link fails when the name is taken; a rename would replace it. Where there are no links, the gap is small.
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

/** Work in the opened folder of a file. What the system refuses becomes a Problem about the file. */
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
 * The same for a file that has to be one of the folder's: where some rule keeps it out (an ignore file, a glob), nothing
 * is left of it, and a Problem says so. The rules are asked when it is there, since only then can they be.
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

/** Swaps one file's bytes, unless they are not what they were. False when they are not. */
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

/** Removes a file, unless its bytes are not what they were. */
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
  /** Whose it is to be, and for whom; null for what a new file gets. */
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

// All are written before the first is made safe: a file system commits what has been written as a whole, so that only
// the first of a group waits for the disk. Writing is synchronous, since each call through the thread pool costs more.
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
      // Swapping it in is a change of its own, at a time that is not known yet.
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
      // The process's mask would take away from what an older file had.
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

/** Gives a file the owner and group of another. Who may not do that can still give it a group they are in. */
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

/** Swaps the bytes in, unless the file is not what it was: then nothing, and false. */
export async function swapIn(root: string, { path, before, temporary, stamp }: Staged): Promise<boolean> {
  return inFolderOf(root, path, async (folder, name) => {
    if (hashIn(folder, name) !== before) return false
    if (stamp) await renameFile(folder.entry(temporary), folder.entry(name))
    else await writeOver(folder, name, temporary)
    return true
  })
}

// The one case in which a file is not whole at every moment: it would be taken from whose it is otherwise. The bytes lie beside
// it until all of them are on the disk.
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

/** Removes new files that were not swapped in. In a folder that is not there any more they wait to be swept. */
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
      // Nobody can do anything about it now.
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

/** Removes what a killed process left in a folder below a root: of one mark at once, of any after a while. */
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
