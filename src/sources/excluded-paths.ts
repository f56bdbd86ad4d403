// What is passed over because of its name, whatever the configuration says.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { trackedFolders } from './tracked-files.js'

/** Stores of version control, whatever they are, and our own. */
export const ownStores: readonly string[] = ['.git', '.hg', '.svn', '.carrel', '.context']

/** What others wrote. */
export const installedFolders: readonly string[] = [
  ...['node_modules', 'bower_components', '.venv', 'venv', '.tox'],
]

/** Other tools' stores and caches. */
const toolFolders = [
  ...['.obsidian', '.trash', '.idea', '.vs', '__pycache__', '.mypy_cache', '.pytest_cache', '.ruff_cache'],
  ...['.next', '.nuxt', '.svelte-kit', '.turbo', '.cache', '.parcel-cache', '.gradle'],
]

/** Where builds put what they make, by the name alone. Some projects have source in such a folder. */
const builtFolders: readonly string[] = ['dist', 'build', 'target', 'coverage']

const [stores, always, built] = [ownStores, [...installedFolders, ...toolFolders], builtFolders].map(
  (names): ReadonlySet<string> => new Set(names),
) as [ReadonlySet<string>, ReadonlySet<string>, ReadonlySet<string>]

/** Whether a folder of that name is passed over whatever git tracks. */
export function neverEntered(name: string): boolean {
  return stores.has(name.toLowerCase()) || always.has(name)
}

/** Locks and other files that nobody reads. */
export const unreadFiles: readonly string[] = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lockb', 'Cargo.lock'],
  ...['poetry.lock', 'uv.lock', 'Pipfile.lock', 'composer.lock', 'Gemfile.lock', 'go.sum', 'context.lock'],
  ...['*.min.js', '*.min.css', '*.map', '*.tsbuildinfo'],
  ...['.gitignore', '.gitattributes', '.gitmodules', '.DS_Store'],
]

export interface ExcludedPaths {
  /** For ripgrep, that it need not look into these at all. */
  globs: string[]
  /** Whether the globs say all there is to say. */
  byName: boolean
  /** Whether a path leads through nothing that is passed over. A folder's path ends with `/`. */
  keeps(path: string): boolean
}

/** In a folder that git may have its own view of: what has the name of build output is source where git tracks it. */
export async function excludedPaths(folder: string, signal?: AbortSignal): Promise<ExcludedPaths> {
  return passedOverBut(await sourceFolders(folder, signal))
}

/**
 * Folders by the name of build output that are source, since git tracks files in them. At the top of a project or a package is
 * where builds put what they make, and some people commit it: that stays build output.
 */
export async function sourceFolders(folder: string, signal?: AbortSignal): Promise<Set<string>> {
  const tracked = await trackedFolders(folder, builtFolders, signal)
  return new Set(
    [...tracked].filter((path) => !isTopOfPackage(folder, path.slice(0, path.lastIndexOf('/') + 1))),
  )
}

function isTopOfPackage(folder: string, around: string): boolean {
  return marks.some((name) => existsSync(join(folder, around, name)))
}

const marks = [
  ...['.git', 'package.json', 'deno.json', 'Cargo.toml', 'pyproject.toml', 'setup.py', 'go.mod', 'pom.xml'],
  ...['build.gradle', 'build.gradle.kts', 'CMakeLists.txt', 'composer.json', 'pubspec.yaml', 'mix.exs'],
]

/** By names alone. */
export const excludedByName: ExcludedPaths = passedOverBut(new Set())

function passedOverBut(sources: ReadonlySet<string>): ExcludedPaths {
  const names = new Set([...sources].map((path) => path.slice(path.lastIndexOf('/') + 1)))
  const folders = [...always, ...builtFolders.filter((name) => !names.has(name))]
  return {
    // A linked working tree has a file called `.git`. A file by the name of another folder is a file like any other.
    globs: [`!{${ownStores.join(',')}}`, `!{${folders.join(',')}}/`],
    byName: sources.size === 0,
    keeps: (path) => aside(path, sources) === null,
  }
}

/** The folder, or the store, on the way to a path that is passed over. */
function aside(path: string, sources: ReadonlySet<string>): string | null {
  let from = 0
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', from)) {
    const name = path.slice(from, end)
    if (neverEntered(name)) return path.slice(0, end)
    if (built.has(name) && !sources.has(path.slice(0, end))) return path.slice(0, end)
    from = end + 1
  }
  return stores.has(path.slice(from).toLowerCase()) ? path : null
}
