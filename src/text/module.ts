// Which module of a project a file belongs to, by its path alone, and what somebody calls one.

import { sameName } from './normal-forms.js'
import { withoutControls } from './one-line.js'
import { redact } from './redact.js'

/** Folders at the top of a project that hold modules: `src/auth/token.ts` is of `auth`. */
const sourceRoots = new Set([
  ...['src', 'source', 'sources', 'lib', 'libs', 'packages', 'apps', 'app', 'modules', 'services'],
  ...['crates', 'internal', 'cmd', 'pkg', 'projects', 'plugins', 'code'],
])

/** The first folder below the source root, or the root itself for a file that lies in it; null at the project's root. */
export function moduleOf(path: string): string | null {
  return foldersBelowRoot(foldersOf(path))[0] ?? null
}

/** Whether a file belongs to a module, or to a part of one that is named by its path: `services/context`. */
export function isInModule(path: string, module: string): boolean {
  const folders = foldersOf(path).map(sameName)
  const wanted = sameName(module).split('/').filter(isNamed)
  if (wanted.length === 0) return false
  return startsWith(foldersBelowRoot(folders), wanted) || (wanted.length > 1 && startsWith(folders, wanted))
}

function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1).filter(isNamed)
}

function foldersBelowRoot(folders: string[]): string[] {
  const [first, ...below] = folders
  return first !== undefined && below.length > 0 && sourceRoots.has(first.toLowerCase()) ? below : folders
}

function startsWith(folders: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((folder, i) => folder === folders[i])
}

function isNamed(folder: string): boolean {
  return folder !== '' && folder !== '.'
}

/** A module as it was named by somebody: `auth/` is `auth`. Null for what names none, and so the whole project. */
export function moduleName(given: string | null | undefined): string | null {
  const name = redact(withoutControls(given ?? ''))
    .trim()
    .replace(/^\/+|(?<!\/)\/+$/g, '')
  return name === '' ? null : name
}
