import { dirname } from 'node:path'
import { isRepository } from './tracked-files.js'

/**
 * What has ripgrep obey ignore files as git does: those of the repository that a folder lies in, and none above it. Left
 * alone it stops at a repository only where it requires one; so it requires one wherever there is one.
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
