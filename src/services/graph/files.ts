// Files of a vault, written so that each is whole at every moment, old or new, and no edit of anybody else is lost.
import { randomBytes } from 'node:crypto'
import { constants, lstatSync, realpathSync, type Stats } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { readFile } from '../../ingest/read-file.js'
import { Problem } from '../../model/problem.js'
import { hashOf } from '../../text/hash.js'

/** A path that may be written: relative, plain, without tricks. Throws for everything else. */
export function requirePlainPath(path: string): string {
  const shown = JSON.stringify(path.slice(0, 80))
  const parts = path.split('/')
  if (path.includes('\0') || /^[\\/]|^[a-z]:[\\/]/i.test(path) || parts.includes('..'))
    throw invalid(`The path ${shown} does not lie inside the vault.`, 'Give a path relative to the vault.')
  if (path.length > 1000 || parts.some((part) => Buffer.byteLength(part) > 255))
    throw invalid(`The path ${shown} is too long.`, 'Use shorter names.')
  if (parts.some((part) => /[\p{Cc}\\]/u.test(part)))
    throw invalid(
      `The path ${shown} has signs that no path can have.`,
      'Use letters, digits, spaces and dashes.',
    )
  if (parts.some((part) => hidden.test(part)))
    throw invalid(`The path ${shown} lies in a folder that is never indexed.`, 'Choose another folder.')
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

const hidden = /^(?:\..+|node_modules|bower_components|venv|__pycache__|dist|build|target|coverage)$/i

export function invalid(message: string, hint: string): Problem {
  return new Problem('invalid_params', message, hint)
}

export interface NoteFile {
  bytes: Uint8Array
  hash: string
  /** Without the byte order mark. */
  text: string
  mark: boolean
  mode: number
}

/** A note's file for changing. Null when there is none; a Problem when it is not one that can be changed. */
export function openNote(root: string, path: string): NoteFile | null {
  const read = readFile(root, path, mostBytes)
  if ('state' in read) {
    if (read.state === 'gone') return null
    throw new Problem('provider_error', `${path} cannot be read. ${read.reason}`, 'Nothing was changed.')
  }
  const { mode } = lstatSync(join(root, path))
  if ((mode & 0o222) === 0)
    throw new Problem(
      'provider_error',
      `${path} is read-only.`,
      'Make it writable first. Nothing was changed.',
    )
  return { bytes: read.bytes, hash: hashOf(read.bytes), mode, ...decoded(path, read.bytes) }
}

const mostBytes = 50_000_000

function decoded(path: string, bytes: Uint8Array): { text: string; mark: boolean } {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), mark }
  } catch {
    throw new Problem(
      'provider_error',
      `${path} is not UTF-8, so it is not changed.`,
      'Convert it to UTF-8 first.',
    )
  }
}

export function encodeNote(text: string, mark: boolean): Uint8Array {
  return Buffer.from(mark ? `\ufeff${text}` : text)
}

/** Makes a file that is not there yet. False when something is. */
export async function createFile(
  root: string,
  path: string,
  bytes: Uint8Array,
  mode = 0o644,
): Promise<boolean> {
  await makeFolder(root, path)
  const target = join(root, path)
  const temporary = await writeBeside(target, bytes, mode)
  try {
    // Only a link fails when the name is taken; a rename would replace it. Where there are no links, the gap is small.
    await link(temporary, target).catch(async (error: NodeJS.ErrnoException) => {
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(error.code ?? '')) throw error
      if (await present(target)) throw Object.assign(new Error('taken'), { code: 'EEXIST' })
      await rename(temporary, target)
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

/** Swaps a file's bytes, unless they are not what they were. False when they are not. */
export async function replaceFile(
  root: string,
  path: string,
  before: string,
  bytes: Uint8Array,
  mode: number,
): Promise<boolean> {
  const target = join(root, path)
  requireInside(root, path)
  const temporary = await writeBeside(target, bytes, mode).catch((error) => {
    throw refusal(path, error)
  })
  try {
    if (hashNow(root, path) === before) {
      await rename(temporary, target)
      return true
    }
  } catch (error) {
    await rm(temporary, { force: true })
    throw refusal(path, error)
  }
  await rm(temporary, { force: true })
  return false
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

/** The hash of a file's bytes now; null when there is no file to read. */
export function hashNow(root: string, path: string): string | null {
  const read = readFile(root, path, mostBytes)
  return 'bytes' in read ? hashOf(read.bytes) : null
}

export async function present(file: string): Promise<Stats | null> {
  return lstat(file).catch(() => null)
}

/** Makes names in a folder last through a power cut. */
export async function settleFolder(folder: string) {
  const handle = await open(folder, constants.O_RDONLY).catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

const temporaryName = /^\.carrel-[\da-f]{12}\.tmp$/
const leftOverMs = 60_000

async function writeBeside(target: string, bytes: Uint8Array, mode: number): Promise<string> {
  const temporary = join(dirname(target), `.carrel-${randomBytes(6).toString('hex')}.tmp`)
  const handle = await open(temporary, 'wx', mode & 0o777)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return temporary
}

/** Removes what a killed process left beside the notes of a folder. */
export async function sweep(folder: string) {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    if (!temporaryName.test(name)) continue
    const file = join(folder, name)
    const age = Date.now() - ((await stat(file).catch(() => null))?.mtimeMs ?? Date.now())
    if (age > leftOverMs) await rm(file, { force: true })
  }
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
    requireInside(root, `${parts.slice(0, depth).join('/')}/x`)
  }
}

// Synchronous, since a call through the thread pool costs ten times as much and a rename makes thousands.
function requireInside(root: string, path: string) {
  const base = realpathSync(root)
  let parent = base
  try {
    parent = realpathSync(dirname(join(root, path)))
  } catch (error) {
    throw refusal(path, error)
  }
  if (parent !== base && !parent.startsWith(base.endsWith(sep) ? base : base + sep))
    throw new Problem(
      'provider_error',
      `${path} leads out of the vault through a link.`,
      'Nothing was changed.',
    )
}

function refusal(path: string, error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, message } = error as NodeJS.ErrnoException
  return new Problem(
    'provider_error',
    `${path} could not be written (${code ?? message}).`,
    'Nothing was changed.',
    { cause: error },
  )
}
