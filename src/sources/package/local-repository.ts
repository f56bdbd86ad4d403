// A git repository on this machine that a package names. Git follows links, `gitdir` files and alternates, so a folder in
// the project may hand out what another repository keeps.
import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GitLocation } from './location.js'

/** The real path of a `git+file://` repository; null where there is none. */
export function repositoryPath({ url }: GitLocation): string | null {
  try {
    return realpathSync.native(fileURLToPath(url))
  } catch {
    return null
  }
}

const mostEntries = 100_000

/** Whether everything that git would read lies in this folder: no link, no alternates, no git folder elsewhere. */
export function isSelfContained(repository: string): boolean {
  try {
    const folder = gitFolder(repository)
    return folder !== null && holdsPlainFilesOnly(folder)
  } catch {
    return false
  }
}

/** The folder with the objects; null where `.git` is a file or a link, which names a folder elsewhere. */
function gitFolder(repository: string): string | null {
  const inside = join(repository, '.git')
  const found = lstatSync(inside, { throwIfNoEntry: false })
  if (!found) return repository
  return found.isDirectory() ? inside : null
}

const pointers = new Set(['alternates', 'http-alternates', 'commondir'])

function holdsPlainFilesOnly(folder: string): boolean {
  const folders = [folder]
  let entries = 0
  for (let next = folders.pop(); next !== undefined; next = folders.pop())
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (++entries > mostEntries || pointers.has(entry.name.toLowerCase())) return false
      if (entry.isDirectory()) folders.push(join(next, entry.name))
      else if (!entry.isFile()) return false
    }
  return true
}
