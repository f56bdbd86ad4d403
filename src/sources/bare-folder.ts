import { opendirSync } from 'node:fs'

const ownFiles = new Set(['carrel.json', 'context.json', 'context.lock'])

/**
 * Whether a folder has nothing that a person put there to be read: hidden files and our own configuration at most. Such a
 * project holds only what was crawled or uploaded, and need not be indexed.
 */
export function isBareFolder(path: string): boolean {
  try {
    const folder = opendirSync(path)
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
        if (!entry.name.startsWith('.') && !ownFiles.has(entry.name)) return false
      return true
    } finally {
      folder.closeSync()
    }
  } catch {
    return false
  }
}
