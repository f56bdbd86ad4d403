// Which part of a project a file belongs to, by its path alone, and what somebody calls one.
import { withoutControls } from './controls.js'
import { redact } from './redact.js'

/** Folders that hold parts and are none themselves: `src/auth/token.ts` is of `auth`. */
const shelves = new Set([
  ...['src', 'source', 'sources', 'lib', 'libs', 'packages', 'apps', 'app', 'modules', 'services'],
  ...['crates', 'internal', 'cmd', 'pkg', 'projects', 'plugins', 'code'],
])

/** The topmost folder that is no shelf, or else the shelf the file lies on; null for a file at the root. */
export function moduleOf(path: string): string | null {
  const folders = path.split('/').slice(0, -1).filter(named)
  return folders.find((folder) => !shelves.has(folder.toLowerCase())) ?? folders.at(-1) ?? null
}

function named(folder: string): boolean {
  return folder !== '' && folder !== '.'
}

/** A module as it was named by somebody: `auth/` is `auth`. Null for what names none, and so the whole project. */
export function moduleName(given: string | null | undefined): string | null {
  const name = redact(withoutControls(given ?? ''))
    .trim()
    .replace(/^\/+|(?<!\/)\/+$/g, '')
  return name === '' ? null : name
}
