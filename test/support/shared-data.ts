// Public data beside the project: read where it is, never committed. Tests that need it say so when it is absent.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data')

/** For a test's `skip`: the reason, or false when the data is there. */
export const noSharedData = existsSync(folder) ? false : 'needs ../shared/data'

/** Files of some folders with an ending, in order. */
export function sharedFiles(folders: readonly string[], ending: string): { path: string; text: string }[] {
  return folders.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => ({ path: path.slice(folder.length + 1), text: readFileSync(path, 'utf8') })),
  )
}
