import { dirname } from 'node:path'
import { isRepository } from './tracked-files.js'

/**
 * The options that make ripgrep honour ignore files as git does: those of the folder's repository, and none above it.
 * By default ripgrep stops at a repository only if it requires one, so we require one wherever there is one.
 */
export function ignoreFilesOf(folder: string): string[] {
  const always = ['--no-ignore-global']
  if (isRepository(folder)) return [...always, '--no-ignore-parent']
  return isInRepository(folder) ? always : [...always, '--no-ignore-parent', '--no-require-git']
}

function isInRepository(folder: string): boolean {
  const above = dirname(folder)
  return above !== folder && (isRepository(above) || isInRepository(above))
}
