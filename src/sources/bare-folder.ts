import { opendirSync } from 'node:fs'

const ownFiles = new Set(['carrel.json', 'context.json', 'context.lock'])

/**
 * Whether a folder has nothing to index: at most hidden files and our own configuration. Such a project holds only
 * crawled pages or uploads, and need not be indexed.
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
