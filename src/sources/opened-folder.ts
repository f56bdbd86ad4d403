// Files in a user's folder are created, replaced and removed only through this module, with an open handle of their
// folder. If only the path were checked before a write, another process could replace the folder by a link in between.
// On Linux, `/proc/self/fd/N/name` is a name in the open folder, even if the folder was moved; Node has no other form
// of openat, renameat and unlinkat. On other systems the folder's identity is compared before each use of a name and
// once more at the end. That is best effort: a swap between the comparison and the call goes unnoticed.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { Problem } from '../model/problem.js'
import { sameName } from '../text/normal-forms.js'
import { isInside } from './safe-file.js'

export interface OpenedFolder {
  /** A path to the entry of this name, or with `.` to the folder itself. Valid until the folder is closed. */
  entry(name: string): string
  /** Throws if the folder was replaced. */
  check(): void
  close(): void
}

interface Place {
  root: string
  what: string
  path: string
}

/**
 * Opens a folder below a root (a real path), and verifies that there is no link on the path. Throws a Problem if there
 * is, and the system's error if the folder does not exist. The Problem names `what`.
 */
export function openFolder(
  root: string,
  folder: string,
  what = folder,
  platform = process.platform,
): OpenedFolder {
  const place = { root, what, path: join(root, folder) }
  return (platform === 'linux' ? openByHandle(place) : null) ?? openByComparing(place)
}

/** Opens a folder, calls `work`, and closes the folder. */
export async function withFolder<T>(
  root: string,
  folder: string,
  work: (opened: OpenedFolder) => T | Promise<T>,
  what = folder,
): Promise<T> {
  const opened = openFolder(root, folder, what)
  try {
    const done = await work(opened)
    opened.check()
    return done
  } finally {
    opened.close()
  }
}

/** The bytes of a regular file in an open folder; null if there is none, or it is larger than allowed. */
export function readEntry(folder: OpenedFolder, name: string, maxBytes: number): Uint8Array | null {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  try {
    const handle = openSync(folder.entry(name), flags)
    try {
      const stat = fstatSync(handle)
      return stat.isFile() && stat.size <= maxBytes ? readFileSync(handle) : null
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    return null
  }
}

/** Null if the kernel does not report open files: /proc is not mounted everywhere. */
function openByHandle(place: Place): OpenedFolder | null {
  // This follows a link; the check of the real path then refuses it.
  const handle = openSync(place.path, constants.O_RDONLY | constants.O_DIRECTORY)
  const own = `/proc/self/fd/${handle}`
  try {
    requireSame(place, readlinkSync(own))
  } catch (error) {
    closeSync(handle)
    if (error instanceof Problem) throw error
    return null
  }
  return {
    entry: (name) => `${own}/${plainName(name)}`,
    check() {},
    close: () => closeSync(handle),
  }
}

function openByComparing(place: Place): OpenedFolder {
  const first = look(place)
  const check = () => {
    const now = look(place)
    if (now.ino !== first.ino || now.dev !== first.dev) throw replaced(place)
  }
  return {
    entry(name) {
      check()
      return join(place.path, plainName(name))
    },
    check,
    close() {},
  }
}

function look(place: Place): BigIntStats {
  requireSame(place, realpathSync.native(place.path))
  const stat = lstatSync(place.path, { bigint: true })
  if (!stat.isDirectory()) throw replaced(place)
  return stat
}

// File systems may ignore case and the normalisation of accents, so a path may be spelled differently on disk.
function requireSame({ root, what, path }: Place, real: string) {
  const isBelow = isInside(root, path)
  if (isBelow && sameName(withoutEnd(real)) === sameName(withoutEnd(path))) return
  throw new Problem(
    'provider_error',
    isBelow && isInside(root, real)
      ? `${what} is reached through a link, and links are not followed.`
      : `${what} leads out of the vault${isBelow ? ' through a link' : ''}.`,
    'Use a folder that is no link. Nothing was changed.',
  )
}

function withoutEnd(path: string): string {
  return path.endsWith(sep) ? path.slice(0, -1) : path
}

function replaced({ what }: Place): Problem {
  return new Problem(
    'provider_error',
    `The folder of ${what} was replaced while it was written to.`,
    'Look at what took its place, and repeat.',
  )
}

function plainName(name: string): string {
  if (name === '' || name === '..' || /[/\0]/.test(name) || name.includes(sep))
    throw new Error(`"${name}" is no name of a file.`)
  return name
}
