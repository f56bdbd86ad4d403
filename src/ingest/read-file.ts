// One file of a folder on the road in: read safely, with a refusal that says whether another try may help.
import { officeFormatOf } from '../parse/formats.js'
import { neverRead } from '../sources/path-rules.js'
import type { SafeFile, Unread } from '../sources/safe-file.js'
import { readInside } from '../sources/safe-file.js'
import type { Refused } from './task.js'

export type FileBytes = Pick<SafeFile, 'bytes' | 'stamp' | 'readAt'>
export type Refusal = Refused | { state: 'gone' }

export function readFile(root: string, path: string, maxBytes: number): FileBytes | Refusal {
  // A listing leaves out what is never read; a link on the way may lead there all the same.
  const forbids = (real: string) => (real === path ? null : neverRead(real))
  const read = readInside(root, path, { maxBytes, followLinks: false, forbids })
  return 'why' in read ? refusalOf(read, maxBytes, path) : read
}

/** Names the setting that has to be raised. */
export function tooLarge(size: number, limit: number, path: string): string {
  const setting = officeFormatOf(path) === null ? 'limits.fileSize' : 'limits.documentSize'
  return `It is larger than the limit of ${megabytes(limit)} that ${setting} sets (${megabytes(size)}).`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
}

function refusalOf(unread: Unread, maxBytes: number, path: string): Refusal {
  switch (unread.why) {
    case 'gone':
      return { state: 'gone' }
    case 'outside':
      return { state: 'skipped', reason: 'It leads out of the folder through a link.' }
    case 'link':
      return { state: 'skipped', reason: 'It is a link.' }
    case 'folder':
    case 'irregular':
      return { state: 'skipped', reason: 'It is not a regular file.' }
    case 'large':
      return { state: 'skipped', reason: tooLarge(unread.size, maxBytes, path) }
    case 'denied':
      return { state: 'skipped', reason: `It lies in "${unread.rule}".` }
    case 'unstable':
      return { state: 'failed', reason: 'It was replaced each time it was opened.', passing: true }
    case 'error':
      return { state: 'failed', reason: reasonOf(unread.code), passing: true }
  }
}

function reasonOf(code: string): string {
  return code === 'EACCES' || code === 'EPERM'
    ? `No permission to read it (${code}).`
    : `It could not be read (${code}).`
}
