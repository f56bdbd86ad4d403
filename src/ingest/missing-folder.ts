// A folder that is suddenly not there, or bare, is most often a disk or a share that is away, or a folder that is being
// moved: not a thousand deleted files. What the index has of it is kept until the folder is back or somebody asks.
import { type BigIntStats, opendirSync, statSync } from 'node:fs'

/** Which folder stands at the path: another one, or the one below a mount, is not the same. Null where none is. */
export function placeOf(path: string): string | null {
  try {
    const stat = statSync(path, { bigint: true })
    return stat.isDirectory() ? placeIn(stat) : null
  } catch {
    return null
  }
}

/** Numbers of removed folders are used again. Where no birth is known it is nought, or the time of the last change. */
export function placeIn({ dev, ino, birthtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs === ctimeNs ? '' : birthtimeNs}`
}

/**
 * By source, the folder (`placeOf`) in which this process last saw files. If that same folder is empty now, somebody
 * emptied it; another empty folder may be a mount point whose disk is missing.
 */
export type FoldersSeen = Map<string, string>

/** Explains why nobody can tell now which files of a source are gone; null if that can be told. */
export function whyAway(foldersSeen: FoldersSeen, source: string, path: string): string | null {
  const place = placeOf(path)
  if (place === null) return `There is no folder at ${path}.`
  if (!isBare(path) || foldersSeen.get(source) === place) return null
  return `The folder ${path} is empty, as if its disk were away, so what the index has of it is kept. If it is meant to be empty, run "carrel index".`
}

function isBare(path: string): boolean {
  try {
    const folder = opendirSync(path)
    try {
      return folder.readSync() === null
    } finally {
      folder.closeSync()
    }
  } catch {
    return false
  }
}
