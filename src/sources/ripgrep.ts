// The ripgrep binary that comes with the install, or the one on the PATH. It lists files and searches them.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Problem } from '../model/problem.js'

let found: Promise<string> | undefined

export function ripgrep(): Promise<string> {
  found ??= locate()
  return found
}

// Imported when needed: the package throws on platforms it has no binary for.
async function locate(): Promise<string> {
  try {
    const { rgPath } = (await import('@vscode/ripgrep')) as { rgPath: string }
    accessSync(rgPath, constants.X_OK)
    return rgPath
  } catch {
    const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const file = join(folder, name)
      try {
        accessSync(file, constants.X_OK)
        return file
      } catch {
        // Not in this folder.
      }
    }
    throw new Problem(
      'no_ripgrep',
      'The ripgrep program is missing: Carrel lists and searches files with it.',
      'Install the packages again (npm ci), or put "rg" on the PATH.',
    )
  }
}
