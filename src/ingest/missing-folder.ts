// A folder that is suddenly missing or empty is most often on an unmounted disk or share, or is being moved: its thousand
// files were not deleted. The index keeps its documents until the folder is back or a user runs the indexer.
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
 * By source, the folder (`placeOf`) in which this process last saw files. If that same folder is empty now, its files were
 * deleted; another empty folder may be a mount point whose disk is missing.
 */
export type FoldersSeen = Map<string, string>

/** Explains why it is unknown now which files of a source were deleted; null if it is known. */
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
