import { opendirSync, statSync } from 'node:fs'
import { Problem } from '../model/problem.js'

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Throws if a folder of the project does not exist. */
export function requireFolder(path: string) {
  if (!isFolder(path)) throw noFolder(path)
}

export function noFolder(path: string, cause?: unknown): Problem {
  const hint = 'Put it back if it was moved, mount it, or check --root and the sources in carrel.json.'
  return new Problem('no_folder', `There is no folder at ${path}.`, hint, { cause })
}

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
