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
import { link, mkdir, open, readdir, readFile, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { breather } from '../../model/breather.js'
import type { Stamp } from '../../model/document.js'
import { Problem } from '../../model/problem.js'
import { type Folder, lists } from '../../sources/folder.js'
import { renameFile } from '../../sources/rename-file.js'
import { hashOf } from '../../text/hash.js'
import { hashNow, present, type Rights, refusal, requireInside } from './files.js'
import { inTurns } from './hands.js'

/** Makes a file that is not there yet. False when something is. */
export async function createFile(
  root: string,
  path: string,
  bytes: Uint8Array,
  { rights = null, mark = newMark() }: { rights?: Replacement['rights']; mark?: string } = {},
): Promise<boolean> {
  await makeFolder(root, path)
  const target = join(root, path)
  const [{ temporary }] = (await stage(root, [{ path, before: '', bytes, rights }], mark)) as [Staged]
  try {
    // Only a link fails when the name is taken; a rename would replace it. Where there are no links, the gap is small.
    await link(temporary, target).catch(async (error: NodeJS.ErrnoException) => {
      if (!noLinks.includes(error.code ?? '')) throw error
      if (await present(target)) throw Object.assign(new Error('taken'), { code: 'EEXIST' })
      await renameFile(temporary, target)
    })
    await rm(temporary, { force: true })
    await settleFolder(dirname(target))
    return true
  } catch (error) {
    await rm(temporary, { force: true })
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw refusal(path, error)
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
  for (const one of made) await rmdir(one).catch(() => {})
  throw new Problem(
    'invalid_params',
    `A note at ${path} would not be indexed: an ignore file, the globs in carrel.json or the name of a folder (build output) leave it out.`,
    'Choose another directory or title, or change the rule. Nothing was changed.',
  )
}

/** The folders above a file that are not there yet, the deepest first. */
function foldersMissing(root: string, path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  const folders = parts.map((_, i) => join(root, ...parts.slice(0, parts.length - i)))
  return folders.filter((folder) => !existsSync(folder))
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
    discard(staged)
  }
}

/** Removes a file, unless its bytes are not what they were. */
export async function removeFile(root: string, path: string, before: string): Promise<boolean> {
  requireInside(root, path)
  if (hashNow(root, path) !== before) return false
  await unlink(join(root, path)).catch((error) => {
    throw refusal(path, error)
  })
  await settleFolder(dirname(join(root, path)))
  return true
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
    discard(staged)
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
  const checked = new Set<string>()
  const breathe = breather()
  try {
    for (const { path, before, bytes, rights } of group) {
      const target = join(root, path)
      if (!checked.has(dirname(target))) requireInside(root, path)
      checked.add(dirname(target))
      const temporary = temporaryBeside(target, mark)
      const { handle, given } = writeNew(path, temporary, bytes, rights)
      handles.push(handle)
      const { size, mtimeMs, ino } = fstatSync(handle)
      // Swapping it in is a change of its own, at a time that is not known yet.
      const stamp = given ? { size, mtimeMs, ctimeMs: null, ino } : null
      staged.push({ path, before, temporary, stamp })
      await breathe()
    }
    await Promise.all(handles.map((handle) => settle(handle)))
  } finally {
    for (const handle of handles) closeSync(handle)
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
  try {
    if (hashNow(root, path) !== before) return false
    if (stamp) await renameFile(temporary, join(root, path))
    else await writeOver(join(root, path), temporary)
    return true
  } catch (error) {
    throw refusal(path, error)
  }
}

// The one case in which a file is not whole at every moment: it would be taken from whose it is otherwise. The bytes lie beside
// it until all of them are on the disk.
async function writeOver(target: string, temporary: string) {
  const bytes = await readFile(temporary)
  const handle = openSync(target, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, undefined, at)
    ftruncateSync(handle, bytes.length)
    await settle(handle)
  } finally {
    closeSync(handle)
  }
  await rm(temporary, { force: true })
}

export function discard(staged: readonly Staged[]) {
  for (const { temporary } of staged) rmSync(temporary, { force: true })
}

export function newMark(): string {
  return randomBytes(6).toString('hex')
}

function temporaryBeside(target: string, mark: string): string {
  return join(dirname(target), `.carrel-${mark}-${randomBytes(4).toString('hex')}.tmp`)
}

const leftOver = /^\.carrel-([\da-f]{12})-[\da-f]{8}\.tmp$/
const leftOverMs = 60_000

/** Removes what a killed process left beside the notes of a folder: of one mark at once, of any after a while. */
export async function sweep(folder: string, mark?: string) {
  const names = await readdir(folder).catch(() => [])
  await inTurns(
    names.filter((name) => leftOver.test(name)),
    async (name) => {
      const file = join(folder, name)
      if (leftOver.exec(name)![1] === mark || (await ageOf(file)) > leftOverMs)
        await rm(file, { force: true })
    },
  )
}

async function ageOf(file: string): Promise<number> {
  const there = await stat(file).catch(() => null)
  return there ? Date.now() - there.mtimeMs : 0
}

/** Makes names in a folder last through a power cut. */
export async function settleFolder(folder: string) {
  const handle = await open(folder, constants.O_RDONLY).catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

// Each folder on the way is looked at before the next is made: a link out of the vault is never followed.
async function makeFolder(root: string, path: string) {
  const parts = path.split('/').slice(0, -1)
  for (let depth = 1; depth <= parts.length; depth++) {
    const folder = join(root, ...parts.slice(0, depth))
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw refusal(path, error)
    })
    const there = await stat(folder).catch(() => null)
    if (!there?.isDirectory())
      throw new Problem(
        'provider_error',
        `${parts.slice(0, depth).join('/')} is not a folder.`,
        'Choose another folder.',
      )
    requireInside(root, path, parts.slice(0, depth).join('/'))
  }
}
