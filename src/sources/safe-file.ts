// All files of a source folder are opened through this module: inside the root by their real path, never a pipe or
// device, and not larger than allowed. After opening, it verifies that the open file is the one that was checked, so
// that a link swapped in between has no effect.

import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { join, sep } from 'node:path'
import type { Stamp } from '../model/document.js'

export interface SafeFile {
  bytes: Uint8Array
  stamp: Stamp
  readAt: number
  /** The real path relative to the root, `/`-separated. */
  path: string
}

export type Unread =
  | { why: 'gone' | 'outside' | 'link' | 'folder' | 'irregular' | 'unstable' }
  | { why: 'denied'; rule: string }
  | { why: 'large'; size: number }
  | { why: 'error'; code: string }

export interface ReadRules {
  maxBytes: number
  /** Whether a link that stays inside the root may be followed. */
  followLinks: boolean
  /** The rule that forbids a real path, if there is one. */
  forbids?(path: string): string | null
}

/** Reads a file below a root (a real path). Accepts any path; returns a file inside the root, or the reason why not. */
export function readInside(root: string, path: string, rules: ReadRules): SafeFile | Unread {
  try {
    return readStable(root, path, rules)
  } catch (error) {
    return unreadOf(error as NodeJS.ErrnoException)
  }
}

/** The real path relative to the root, `/`-separated; null if it is outside. Throws if nothing is there. */
export function realInside(root: string, path: string): string | null {
  const real = realpathSync.native(join(root, path))
  return isInside(root, real) ? insideOf(root, real) : null
}

const tries = 3

// If a file is saved while it is read, it is read once more; one that keeps changing is left for the next run.
function readStable(root: string, path: string, rules: ReadRules): SafeFile | Unread {
  let last: SafeFile | Unread = { why: 'unstable' }
  for (let attempt = 0; attempt < tries; attempt++) {
    const read = readOnce(root, path, rules)
    last = 'file' in read ? read.file : read
    const settled = 'file' in read ? !read.changed : read.why !== 'unstable'
    if (settled || ('file' in read && attempt > 0)) return last
  }
  return last
}

function readOnce(
  root: string,
  path: string,
  rules: ReadRules,
): { file: SafeFile; changed: boolean } | Unread {
  const opened = openOnce(root, path, rules)
  if ('why' in opened) return opened
  const { handle, stat: before, readAt } = opened
  try {
    const bytes = readAll(handle, before.size)
    const after = fstatSync(handle)
    const stamp = stampOf(after)
    const changed = !looksSame(stamp, stampOf(before))
    return { file: { bytes, stamp, readAt, path: opened.path }, changed }
  } finally {
    closeSync(handle)
  }
}

/** An open file of the root. The caller closes it. */
export interface OpenFile {
  handle: number
  stat: Stats
  readAt: number
  /** The real path relative to the root, `/`-separated. */
  path: string
}

/** Opens a file below a root by the same rules, for reading piece by piece. */
export function openInside(root: string, path: string, rules: ReadRules): OpenFile | Unread {
  try {
    let opened: OpenFile | Unread = { why: 'unstable' }
    for (let attempt = 0; attempt < tries && 'why' in opened && opened.why === 'unstable'; attempt++)
      opened = openOnce(root, path, rules)
    return opened
  } catch (error) {
    return unreadOf(error as NodeJS.ErrnoException)
  }
}

function openOnce(root: string, path: string, rules: ReadRules): OpenFile | Unread {
  const named = join(root, path)
  const plain = canAskKernel ? openPlain(root, named, rules) : null
  if (plain) return plain
  const real = realpathSync.native(named)
  if (!isInside(root, real)) return { why: 'outside' }
  const inside = insideOf(root, real)
  const rule = rules.forbids?.(inside) ?? null
  if (rule !== null) return { why: 'denied', rule }
  if (!rules.followLinks && real !== named && lstatSync(named).isSymbolicLink()) return { why: 'link' }
  const seen = kindOf(lstatSync(real))
  return seen ?? openReal(real, inside, rules)
}

/** Opens a file without links on its path, the usual case; null if there are links, or it may not be read. */
function openPlain(root: string, named: string, rules: ReadRules): OpenFile | Unread | null {
  if (!isInside(root, named) || !lstatSync(named).isFile()) return null
  const inside = insideOf(root, named)
  if (rules.forbids?.(inside)) return null
  const opened = openReal(named, inside, rules)
  return 'why' in opened && opened.why === 'unstable' ? null : opened
}

function openReal(real: string, path: string, rules: ReadRules): OpenFile | Unread {
  const readAt = Date.now()
  const handle = openSync(real, openFlags)
  let judged: Stats | Unread
  try {
    judged = judgeOpened(handle, real, rules)
  } catch (error) {
    closeSync(handle)
    throw error
  }
  if (!('why' in judged)) return { handle, stat: judged, readAt, path }
  closeSync(handle)
  return judged
}

function judgeOpened(handle: number, real: string, { maxBytes }: ReadRules): Stats | Unread {
  const stat = fstatSync(handle)
  const kind = kindOf(stat)
  if (kind) return kind
  if (!proven(handle, real)) return { why: 'unstable' }
  return stat.size > maxBytes ? { why: 'large', size: stat.size } : stat
}

// On macOS, this flag refuses a link anywhere in the path; Node has no name for it.
const noLinkAnywhere = process.platform === 'darwin' ? 0x20000000 : 0
const openFlags =
  constants.O_RDONLY |
  (noLinkAnywhere || (constants.O_NOFOLLOW ?? 0)) |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0)

function kindOf(stat: Stats): Unread | null {
  if (stat.isFile()) return null
  return { why: stat.isDirectory() ? 'folder' : 'irregular' }
}

/** Whether the open file is the one at the path that was checked. Exported for its test. */
export function proven(handle: number, real: string, ask = openedPath): boolean {
  if (noLinkAnywhere !== 0) return true
  const opened = ask(handle)
  return opened === null ? sameFile(handle, real) : opened === real
}

const canAskKernel = process.platform === 'linux'

/** The path of an open file as the kernel reports it; null if it does not. */
function openedPath(handle: number): string | null {
  if (!canAskKernel) return null
  try {
    return readlinkSync(`/proc/self/fd/${handle}`)
  } catch {
    return null
  }
}

// If the kernel cannot be asked: the real path must still be real and lead to the same file, several times in a row. An
// attacker who swaps links as fast as possible would have to be lucky every time.
const looks = 8

function sameFile(handle: number, real: string): boolean {
  const opened = fstatSync(handle, { bigint: true })
  for (let look = 0; look < looks; look++) {
    if (realpathSync.native(real) !== real) return false
    const now = lstatSync(real, { bigint: true })
    if (now.ino !== opened.ino || volume(now) !== volume(opened)) return false
  }
  return true
}

// On some versions of Node, Windows reports 32 bits of the number for an open file and all 64 for a path.
function volume({ dev }: BigIntStats): bigint {
  return BigInt.asUintN(32, dev)
}

function readAll(handle: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const read = readSync(handle, bytes, length, size - length, length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

/** Whether a real path is the folder or lies below it. */
export function isInside(base: string, real: string): boolean {
  return real === base || real.startsWith(base.endsWith(sep) ? base : base + sep)
}

function insideOf(root: string, real: string): string {
  const path = real.slice(root.endsWith(sep) ? root.length : root.length + 1)
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

function unreadOf(error: NodeJS.ErrnoException): Unread {
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return { why: 'gone' }
    case 'ELOOP':
      return { why: 'link' }
    default:
      return { why: 'error', code: error.code ?? error.message }
  }
}

// Reads configuration files that a project brings along. Reading always ends, whatever is at the path.

/** The text of a file that should be small, or why it is not read. Throws when there is none or it cannot be opened. */
export function readSmallFile(
  path: string,
  mostBytes: number,
): { text: string } | { why: 'irregular' | 'large' } {
  // Without this flag, opening a pipe would wait for a writer for ever.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(handle)
    if (!stat.isFile()) return { why: 'irregular' }
    if (stat.size > mostBytes) return { why: 'large' }
    return { text: readFileSync(handle, 'utf8') }
  } finally {
    closeSync(handle)
  }
}

/** A file's current stamp; null if it is not a regular file or is gone; or the reason why it cannot be read. */
export function look(file: string): Stamp | null | string {
  try {
    const stat = lstatSync(file)
    return stat.isFile() ? stampOf(stat) : null
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    return `It cannot be looked at (${code}).`
  }
}

export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): Stamp {
  return { size, mtimeMs, ctimeMs, ino }
}

/** False if the change time is unknown: the caller must compare the bytes. */
export function looksSame(one: Stamp, other: Stamp): boolean {
  return (
    one.ctimeMs !== null &&
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.ino === other.ino
  )
}
