// Explains system errors about missing folders and full or read-only disks in a sentence with the next step.
import { sep } from 'node:path'
import { Problem } from '../model/problem.js'
import type { Settings } from '../model/settings.js'
import { isFolder, noFolder } from '../sources/require-folder.js'

type Places = Pick<Settings, 'root' | 'data'> & { sources: readonly { path: string }[] }

/** A Problem for an error of the disk; any other error unchanged. */
export function explainDisk(places: Places, error: unknown): unknown {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException
  // With its folder, the index is away; it is the same when that is back.
  if (error instanceof Problem) return code === 'store_replaced' ? gone(places, error) : error
  if (typeof code !== 'string') return error
  if (code === 'ENOSPC' || code === 'EDQUOT') return full(path ?? places.data, error)
  // If the working folder is gone, the system reports that the started program is missing.
  if (code === 'ENOENT' || code === 'ENOTDIR') return gone(places, error)
  const ours = path !== undefined && [places.data, ...foldersOf(places)].some((folder) => isIn(folder, path))
  return ours && ['EROFS', 'EACCES', 'EPERM'].includes(code) ? closed(path, code, error) : error
}

function full(path: string, cause: unknown): Problem {
  const hint = 'Free some space and repeat.'
  return new Problem('disk_full', `The disk that holds ${path} is full.`, hint, { cause })
}

function gone(places: Places, cause: unknown): unknown {
  const missing = foldersOf(places).find((folder) => !isFolder(folder))
  if (missing !== undefined) return noFolder(missing, cause)
  if (isFolder(places.data)) return cause
  return new Problem(
    'no_data_folder',
    `The data folder ${places.data} is gone.`,
    'Put it back if it was moved, or start Carrel again: it makes a new one.',
    { cause },
  )
}

function closed(path: string, code: string, cause: unknown): Problem {
  const hint = 'Make it writable, or choose another data folder with --data DIR.'
  return new Problem('store_readonly', `The file ${path} cannot be opened (${code}).`, hint, { cause })
}

function foldersOf({ root, sources }: Places): string[] {
  return [root, ...sources.map(({ path }) => path)]
}

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
