// Reads one file of a folder, safely: inside the root, no link followed, no pipe or device, not larger than allowed.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { join, sep } from 'node:path'
import type { Stamp } from '../model/document.js'

export type FileBytes = { bytes: Uint8Array; stamp: Stamp; readAt: number }
export type Refusal = { state: 'skipped' | 'failed'; reason: string; passing?: true } | { state: 'gone' }

export function readFile(root: string, path: string, maxBytes: number): FileBytes | Refusal {
  try {
    return readStable(root, path, maxBytes)
  } catch (error) {
    return refusalOf(error as NodeJS.ErrnoException)
  }
}

// A file that changes while it is read is read once more; after that, the next run will see it.
function readStable(root: string, path: string, maxBytes: number): FileBytes | Refusal {
  const first = readOnce(root, path, maxBytes)
  return 'changed' in first && first.changed ? readOnce(root, path, maxBytes) : first
}

function readOnce(
  root: string,
  path: string,
  maxBytes: number,
): (FileBytes & { changed: boolean }) | Refusal {
  const file = join(root, path)
  const real = realpathSync.native(file)
  if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
    return { state: 'skipped', reason: 'It leads out of the folder through a link.' }
  const readAt = Date.now()
  const handle = openSync(
    file,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  )
  try {
    const before = fstatSync(handle)
    if (!before.isFile()) return { state: 'skipped', reason: 'It is not a regular file.' }
    if (before.size > maxBytes) return { state: 'skipped', reason: tooLarge(before.size, maxBytes) }
    const bytes = readAll(handle, before.size)
    const after = fstatSync(handle)
    return {
      bytes,
      stamp: stampOf(after),
      readAt,
      changed: after.size !== before.size || after.mtimeMs !== before.mtimeMs,
    }
  } finally {
    closeSync(handle)
  }
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

export function tooLarge(size: number, limit: number): string {
  return `It is larger than the limit (${megabytes(size)} of ${megabytes(limit)}).`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
}

function stampOf(stat: Stats): Stamp {
  return { size: stat.size, mtimeMs: stat.mtimeMs }
}

function refusalOf(error: NodeJS.ErrnoException): Refusal {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return { state: 'gone' }
  if (error.code === 'ELOOP') return { state: 'skipped', reason: 'It is a link.' }
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return { state: 'failed', reason: `No permission to read it (${error.code}).`, passing: true }
  return { state: 'failed', reason: `It could not be read (${error.code ?? error.message}).`, passing: true }
}
