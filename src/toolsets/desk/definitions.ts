// Where a name is defined: the lines that have it as a whole word, and the syntax trees of their files.
import type { Library } from '../../answer/library.js'
import {
  knownFile,
  knownListing,
  roleIn,
  rootOf,
  symbolsOf,
  type TextFile,
} from '../../answer/project-texts.js'
import type { FileSymbol } from '../../parse/file-symbols.js'
import { grepLines } from '../../sources/grep-lines.js'
import { isSideRole } from '../../text/file-role.js'

export interface Definition {
  file: TextFile
  symbol: FileSymbol
}

/** A name in more files than this is too common to look up. */
const mostFiles = 60

/** `clipboard.copy` is the function `copy` of a file or folder called `clipboard`. */
export function isInModule(path: string, owner: string): boolean {
  return path.split(/[/.]/).includes(owner)
}

/**
 * Definitions of a name in the project, product code before tests, in the order of paths. `Class.method` is understood, and
 * `module.function` where nothing is declared so.
 */
export async function definitionsOf(library: Library, written: string): Promise<Definition[]> {
  const qualified = written.replaceAll('::', '.')
  const name = qualified.slice(qualified.lastIndexOf('.') + 1)
  const root = rootOf(library)
  const [{ lines }, listing] = await Promise.all([
    grepLines({ root, pattern: name, isName: true, caseSensitive: true }),
    knownListing(library),
  ])
  const paths = [...new Set(lines.map(({ path }) => path))]
  const first = paths.filter((path) => !isSideRole(roleIn(listing, path)))
  const ordered = [...first, ...paths.filter((path) => !first.includes(path))].slice(0, mostFiles)
  const owner = qualified.split('.').at(-2) ?? ''
  const found: Definition[] = []
  const ofModule: Definition[] = []
  for (const path of ordered) {
    const file = knownFile(root, path)
    if (!file) continue
    const { symbols } = await symbolsOf(library, file)
    for (const symbol of symbols) {
      if (symbol.kind === 'heading' || symbol.name !== name) continue
      if (name === qualified || `.${symbol.qualified}`.endsWith(`.${qualified}`)) found.push({ file, symbol })
      else if (isInModule(path, owner)) ofModule.push({ file, symbol })
    }
  }
  return found.length > 0 ? found : ofModule
}
