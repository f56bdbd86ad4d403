// Reads which files git tracks from git's index file. Git need not be installed, and is never run in an untrusted
// folder.
import { constants, existsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Stamp } from '../model/document.js'
import { lru } from '../runtime/lru.js'
import { createYielder } from '../runtime/yield.js'
import { looksSame, readSmallFile, stampOf } from './safe-file.js'

/** The files in a folder that git tracks, including submodules; none if there is no readable repository. */
export async function trackedFiles(folder: string, signal?: AbortSignal): Promise<string[]> {
  return collected(folder, async (repository) => {
    const read = await readIndex(indexOf(repository), signal)
    return { paths: read.files, submodules: read.submodules }
  })
}

/** The folders of such a name, at any depth, in which git tracks files. */
export async function trackedFolders(
  folder: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  return new Set(await collected(folder, (repository) => foldersIn(repository, names, signal)))
}

interface Found {
  paths: readonly string[]
  submodules: readonly string[]
}

/** The entries of the folder's repository and its submodules that are in the folder. */
async function collected(folder: string, find: (repository: string) => Promise<Found>): Promise<string[]> {
  const start = folder.endsWith(sep) ? folder : folder + sep
  const around = repositoryAround(folder)
  const waiting = around === null ? [] : [around]
  const seen = new Set<string>()
  const all: string[] = []
  for (let repository = waiting.pop(); repository !== undefined; repository = waiting.pop()) {
    const { paths, submodules } = await find(repository)
    const within = (repository.endsWith(sep) ? repository : repository + sep).slice(start.length)
    const above = slashed(start.slice(repository.length + 1))
    for (const path of paths)
      if (within !== '') all.push(slashed(within) + path)
      else if (path.startsWith(above)) all.push(path.slice(above.length))
    for (const at of submodules.map((path) => join(repository!, path)))
      if (at.startsWith(start) && !seen.has(at) && isRepository(at)) {
        seen.add(at)
        waiting.push(at)
      }
  }
  return all
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** The top folder of the working tree around a folder; null if there is none. */
export function topOf(folder: string): string | null {
  return repositoryAround(folder)
}

function repositoryAround(folder: string): string | null {
  if (isRepository(folder)) return folder
  const above = dirname(folder)
  return above === folder ? null : repositoryAround(above)
}

/** In a linked working tree and in a submodule, `.git` is a file. */
export function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'))
}

/** The git directory of the working tree that contains the folder; null if there is none. */
export function gitFoldersOf(folder: string): { own: string; info: string } | null {
  const repository = repositoryAround(folder)
  if (repository === null) return null
  const own = gitFolderOf(repository)
  // Linked working trees share everything except the state of their files.
  const shared = named(join(own, 'commondir'), /^(.+)$/m)
  return { own, info: join(shared === null ? own : resolve(own, shared), 'info') }
}

function gitFolderOf(repository: string): string {
  const at = join(repository, '.git')
  const elsewhere = named(at, /^gitdir: (.+)$/m)
  return elsewhere === null ? at : resolve(repository, elsewhere)
}

/** The path that a small file contains; null if it contains none. */
function named(file: string, form: RegExp): string | null {
  try {
    const read = readSmallFile(file, 10_000)
    return 'text' in read ? (form.exec(read.text)?.[1]?.trim() ?? null) : null
  } catch {
    return null
  }
}

function indexOf(repository: string): string {
  return join(gitFolderOf(repository), 'index')
}

interface Known extends Found {
  stamp: Stamp
}

/** By index file and names. Every search of a folder asks, and the index changes seldom. */
const known = lru<string, Known>(50)

async function foldersIn(repository: string, names: readonly string[], signal?: AbortSignal): Promise<Found> {
  const index = indexOf(repository)
  const key = [index, ...names].join('\0')
  const before = known.get(key)
  const stamp = stampAt(index)
  if (stamp === null) return none
  if (before && looksSame(before.stamp, stamp)) return before
  const { files, submodules } = await readIndex(index, signal)
  const found = { stamp, paths: [...foldersOf(files, new Set(names))], submodules }
  known.set(key, found)
  return found
}

const none: Found = { paths: [], submodules: [] }

function stampAt(file: string): Stamp | null {
  try {
    return stampOf(statSync(file))
  } catch {
    return null
  }
}

function foldersOf(files: readonly string[], names: ReadonlySet<string>): Set<string> {
  const folders = new Set<string>()
  for (const file of files)
    for (let from = 0, end = file.indexOf('/'); end >= 0; from = end + 1, end = file.indexOf('/', from))
      if (names.has(file.slice(from, end))) folders.add(file.slice(0, end))
  return folders
}

interface Index {
  files: string[]
  submodules: string[]
}

const mostBytes = 200_000_000

/** Empty if the index is damaged or has an unknown format. */
async function readIndex(file: string, signal?: AbortSignal): Promise<Index> {
  const bytes = await bytesOf(file)
  for (const hashBytes of [20, 32]) {
    const read = bytes && (await entriesIn(bytes, hashBytes, signal))
    if (read) return read
  }
  return { files: [], submodules: [] }
}

async function bytesOf(file: string): Promise<Buffer | null> {
  // Without this flag, opening a pipe would wait for a writer for ever.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => null)
  if (!handle) return null
  try {
    const stat = await handle.stat()
    return stat.isFile() && stat.size <= mostBytes ? await handle.readFile() : null
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

const [headBytes, modeAt, statBytes] = [12, 24, 40]
const longestCounted = 0xfff
const extended = 0x4000
const [kinds, folderKind, submoduleKind] = [0o170000, 0o040000, 0o160000]

/** Null if this cannot be an index with hashes of that length. */
async function entriesIn(bytes: Buffer, hashBytes: number, signal?: AbortSignal): Promise<Index | null> {
  if (bytes.length < headBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)]
  if (version < 2 || version > 4) return null
  const read: Index = { files: [], submodules: [] }
  const yieldIfDue = createYielder(signal)
  let at = headBytes
  let name: Buffer = Buffer.alloc(0)
  for (let i = 0; i < count; i++) {
    const flagsAt = at + statBytes + hashBytes
    if (flagsAt + 2 > bytes.length) return null
    const kind = bytes.readUInt32BE(at + modeAt) & kinds
    const flags = bytes.readUInt16BE(flagsAt)
    const nameAt = flagsAt + (version > 2 && flags & extended ? 4 : 2)
    const one = version === 4 ? shortName(bytes, nameAt, name) : wholeName(bytes, nameAt, flags)
    if (one === null || !entryKinds.has(kind)) return null
    name = one.name
    // Names are padded with zeros to a multiple of eight bytes, at least one.
    at = version === 4 ? one.end + 1 : at + Math.ceil((one.end + 1 - at) / 8) * 8
    // In a sparse checkout a folder stands for all its files. An empty name refers to an entry of another index.
    if (kind !== folderKind && name.length > 0)
      (kind === submoduleKind ? read.submodules : read.files).push(name.toString('utf8'))
    if (i % 1_000 === 0) await yieldIfDue()
  }
  return read
}

const entryKinds = new Set([0o100000, 0o120000, folderKind, submoduleKind])

interface Name {
  name: Buffer
  /** Where its last byte has been. */
  end: number
}

function wholeName(bytes: Buffer, at: number, flags: number): Name | null {
  const length = flags & longestCounted
  const end = length < longestCounted ? at + length : bytes.indexOf(0, at)
  return end < 0 || bytes[end] !== 0 ? null : { name: bytes.subarray(at, end), end }
}

/** How many bytes to remove from the end of the previous name, and the bytes to append. */
function shortName(bytes: Buffer, at: number, before: Buffer): Name | null {
  let [next, off] = [at, 0]
  for (let more = true; more; next++) {
    const byte = bytes[next]
    if (byte === undefined || next - at > 4) return null
    more = (byte & 0x80) !== 0
    off = (next === at ? 0 : (off + 1) * 128) + (byte & 0x7f)
  }
  const end = bytes.indexOf(0, next)
  if (end < 0 || off > before.length) return null
  return {
    name: Buffer.concat([before.subarray(0, before.length - off), bytes.subarray(next, end)]),
    end,
  }
}
