// The one way files in a user's folder are created, replaced and removed: through an open handle of the folder they lie
// in. A check of the path before the write can be outrun by a process that swaps the folder with a link in between.
//
// On Linux `/proc/self/fd/N/name` is a name in the open folder, wherever its path leads by now. Node has no other way to
// say openat, renameat and unlinkat. Elsewhere the folder is compared before each use of a name and once more at the
// end: best effort, since a swap between the comparison and the call is not seen.
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
import { sameName } from '../text/same-name.js'
import { isInside } from './safe-file.js'

export interface OpenedFolder {
  /** A path to the entry of this name, or with `.` to the folder itself. Good until the folder is closed. */
  entry(name: string): string
  /** Throws when the folder is known to have been replaced meanwhile. */
  check(): void
  close(): void
}

interface Place {
  root: string
  what: string
  path: string
}

/**
 * Opens a folder below a root (a real path), and proves that it lies there with no link on the way. Throws a Problem
 * when it does not, and the system's error when there is no such folder. `what` is named in the Problem.
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

/** Opens a folder for the time of some work. */
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

/** The bytes of a regular file in an open folder; null when there is none, or it is larger than allowed. */
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

/** Null where the kernel does not say what is open: /proc is not mounted everywhere. */
function openByHandle(place: Place): OpenedFolder | null {
  // A link is followed here, and refused by where it led.
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

// Case and the form of accents are the file system's choice: a path may be written in another way than on disk.
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
