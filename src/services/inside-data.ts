import { existsSync, mkdirSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** The data folder's real path, to be compared with others: it may be named by way of a link. */
export function realData(data: string): Promise<string> {
  return realpath(data).catch(() => data)
}

/**
 * A folder inside the data folder, made where it is not there. The data folder itself is never made here: a project that
 * was moved away for a moment must find its place free when it comes back.
 */
export function folderInData(data: string, ...names: string[]): string {
  let folder = data
  for (const name of names) {
    folder = join(folder, name)
    if (!existsSync(folder)) make(folder)
  }
  return folder
}

function make(folder: string) {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may be quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
