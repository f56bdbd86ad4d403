// All files in the data folder are opened through this module. A project may come with a data folder that contains links
// to other places. So no link is followed, at any depth, and every opened file is verified to be a plain file in the folder.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { Problem } from '../model/problem.js'

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants

/** `append` and `open` create the file if there is none; `create` fails with EEXIST if there is one. */
const modes = {
  read: O_RDONLY,
  change: O_RDWR,
  append: O_RDWR | O_APPEND | O_CREAT,
  open: O_RDWR | O_CREAT,
  create: O_RDWR | O_CREAT | O_EXCL,
}
export type OpenMode = keyof typeof modes

// Windows has neither flag. Without O_NONBLOCK, opening a pipe would wait for its other end.
const noLinks = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

// Another process may replace the file while it is being opened.
const tries = 5

/** Opens a plain file in the data folder. The path is relative to the folder. The caller closes the descriptor. */
export function openDataFile(folder: string, path: string, mode: OpenMode): number {
  for (let attempt = 1; ; attempt++) {
    statDataFile(folder, path)
    const descriptor = open(join(folder, path), modes[mode] | noLinks)
    try {
      if (isProven(descriptor, folder, path)) return descriptor
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
    closeSync(descriptor)
    if (attempt === tries) throw notPlain(join(folder, path))
  }
}

function open(file: string, flags: number): number {
  try {
    return openSync(file, flags, 0o600)
  } catch (error) {
    // ELOOP: a link took the file's place after it was looked at. ENXIO: a socket or a pipe did.
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ELOOP' || code === 'ENXIO' ? notPlain(file) : error
  }
}

function isProven(descriptor: number, folder: string, path: string): boolean {
  const opened = fstatSync(descriptor, { bigint: true })
  if (!opened.isFile()) return false
  const expected = join(realpathSync.native(folder), path)
  const actual = process.platform === 'linux' ? readlink(`/proc/self/fd/${descriptor}`) : null
  if (actual !== null) return actual === expected
  // Windows reports 32 bits of the volume's number for a descriptor and all 64 for a path.
  const now = lstatSync(expected, { bigint: true })
  return now.ino === opened.ino && BigInt.asUintN(32, now.dev) === BigInt.asUintN(32, opened.dev)
}

function readlink(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

/** Opens a file, calls `work`, and closes the file. */
export function withDataFile<T>(
  folder: string,
  path: string,
  mode: OpenMode,
  work: (descriptor: number) => T,
): T {
  const descriptor = openDataFile(folder, path, mode)
  try {
    return work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The bytes of a plain file in the data folder; null if there is none. */
export function readDataFile(folder: string, path: string): Buffer | null {
  try {
    return withDataFile(folder, path, 'read', (descriptor) => readFileSync(descriptor))
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** Replaces a file atomically: the old one stays until the new one is on disk. Calls `mayReplace` right before that. */
export function replaceDataFile(
  folder: string,
  path: string,
  bytes: string | Uint8Array,
  mayReplace = () => true,
) {
  statDataFile(folder, path)
  const fresh = `${path}.new-${randomBytes(6).toString('hex')}`
  try {
    withDataFile(folder, fresh, 'create', (descriptor) => {
      writeFileSync(descriptor, bytes)
      fsyncSync(descriptor)
    })
    if (mayReplace()) renameSync(join(folder, fresh), join(folder, path))
    else rmSync(join(folder, fresh))
    syncFolder(folder)
  } catch (error) {
    rmSync(join(folder, fresh), { force: true })
    throw error
  }
}

/** Removes the temporary files of a killed process that was replacing a file. No other process may replace it meanwhile. */
export function sweepReplacements(folder: string, path: string) {
  const form = /^\.new(?:-[0-9a-f]{12})?$/
  for (const name of listDataFolder(folder))
    if (name.startsWith(path) && form.test(name.slice(path.length)))
      rmSync(join(folder, name), { force: true })
}

// Syncs the folder. Without this, the old file may be back after a power failure. Not every system supports it.
function syncFolder(folder: string) {
  try {
    const descriptor = openSync(folder, O_RDONLY)
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {}
}

/** The stats of a plain file in the data folder; null if there is none. Throws a Problem for a link or a device. */
export function statDataFile(folder: string, path: string): Stats | null {
  const found = lookAt(folder, path)
  if (found?.isDirectory()) throw folderInPlaceOf(join(folder, path))
  if (found && !found.isFile()) throw notPlain(join(folder, path))
  return found
}

// Has the system's code, because callers turn it into advice for the user.
function folderInPlaceOf(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`EISDIR: ${path} is a folder.`), { code: 'EISDIR', path })
}

/** The names in the data folder, or in a folder of it; none if there is no such folder. */
export function listDataFolder(folder: string, path = ''): string[] {
  const found = path === '' ? null : lookAt(folder, path)
  if (path !== '' && !found) return []
  if (found && !found.isDirectory()) throw notPlain(join(folder, path), found)
  try {
    return readdirSync(join(folder, path))
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/**
 * Makes a folder inside the data folder if it does not exist. Never makes the data folder itself: if a project is moved
 * away for a moment, its path must still be free when it is moved back.
 */
export function makeDataFolder(folder: string, ...names: string[]): string {
  let made = folder
  for (const [i, name] of names.entries()) {
    made = join(made, name)
    const found = lookAt(folder, names.slice(0, i + 1).join(sep))
    if (!found) make(made)
    else if (!found.isDirectory()) throw notPlain(made, found)
  }
  return made
}

function make(folder: string) {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may be quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !lstatSync(folder).isDirectory()) throw error
  }
}

/** Removes a file or folder from the data folder. Removes a link itself, never its target. */
export function removeFromData(folder: string, path: string) {
  const found = lookAt(folder, path)
  if (found) rmSync(join(folder, path), { recursive: true, force: true, maxRetries: 3 })
}

/** The stats of a path. Throws a Problem if a folder on the path is a link or not a folder. */
function lookAt(folder: string, path: string): Stats | null {
  const steps = path.split(/[/\\]/)
  if (steps.some((step) => step === '' || step === '.' || step === '..'))
    throw new Error(`Not a path inside the data folder: ${path}`)
  let at = folder
  for (const [i, step] of steps.entries()) {
    at = join(at, step)
    const found = lstat(at)
    if (found === null || i === steps.length - 1) return found
    if (!found.isDirectory()) throw notPlain(at, found)
  }
  return null
}

function lstat(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** Removes other users' permissions from files. Ignores files whose mode cannot be changed. */
export function closeToOthers(folder: string, paths: readonly string[]) {
  if (process.platform === 'win32') return
  for (const path of paths) {
    const found = statDataFile(folder, path)
    if (found && (found.mode & 0o077) !== 0)
      try {
        withDataFile(folder, path, 'read', (descriptor) => fchmodSync(descriptor, found.mode & 0o700))
      } catch {}
  }
}

export function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function notPlain(path: string, found?: Stats): Problem {
  const what = found?.isFile() ? 'a file' : 'a link or a device'
  return new Problem(
    'data_folder',
    `${path} is ${what}, which Carrel did not put there. It is neither read nor written.`,
    'Remove it, then run the command again; or choose another data folder with --data DIR.',
  )
}
