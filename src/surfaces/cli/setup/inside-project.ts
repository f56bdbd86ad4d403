import { lstatSync, realpathSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { Problem } from '../../../model/problem.js'

/**
 * Throws when a file of a project, or the nearest folder above it that exists, leads out of the project through a link.
 * A repository may bring such a link along; links in the user's own folders are the user's.
 */
export function requireInsideProject(file: string, project: string) {
  const root = realpathSync.native(project)
  let place = file
  while (!lstatSync(place, { throwIfNoEntry: false }) && dirname(place) !== place) place = dirname(place)
  const real = realOrNull(place)
  if (real === root || real?.startsWith(root.endsWith(sep) ? root : root + sep)) return
  throw new Problem(
    'outside',
    `${file} leads out of the project through a link.`,
    'Remove the link, or use --scope user. Nothing was changed.',
  )
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}
