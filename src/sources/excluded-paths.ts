// Files and folders that are always excluded because of their name, regardless of the configuration.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { trackedFolders } from './tracked-files.js'

/** The folders of version control systems, and our own. */
export const ownStores: readonly string[] = ['.git', '.hg', '.svn', '.carrel', '.context']

/** Installed packages. */
export const installedFolders: readonly string[] = [
  ...['node_modules', 'bower_components', '.venv', 'venv', '.tox'],
]

/** Folders and caches of other tools. */
const toolFolders = [
  ...['.obsidian', '.trash', '.idea', '.vs', '__pycache__', '.mypy_cache', '.pytest_cache', '.ruff_cache'],
  ...['.next', '.nuxt', '.svelte-kit', '.turbo', '.cache', '.parcel-cache', '.gradle'],
]

/** Folders that are usually build output. Some projects have source code in such a folder. */
const builtFolders: readonly string[] = ['dist', 'build', 'target', 'coverage']

const [stores, always, built] = [ownStores, [...installedFolders, ...toolFolders], builtFolders].map(
  (names): ReadonlySet<string> => new Set(names),
) as [ReadonlySet<string>, ReadonlySet<string>, ReadonlySet<string>]

/** Whether a folder of that name is excluded even if git tracks it. */
export function neverEntered(name: string): boolean {
  return stores.has(name.toLowerCase()) || always.has(name)
}

/** Lock files and other files that nobody reads. */
export const unreadFiles: readonly string[] = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lockb', 'Cargo.lock'],
  ...['poetry.lock', 'uv.lock', 'Pipfile.lock', 'composer.lock', 'Gemfile.lock', 'go.sum', 'context.lock'],
  ...['*.min.js', '*.min.css', '*.map', '*.tsbuildinfo'],
  ...['.gitignore', '.gitattributes', '.gitmodules', '.DS_Store'],
]

export interface ExcludedPaths {
  /** Globs that keep ripgrep out of these folders. */
  globs: string[]
  /** Whether the globs alone are enough. */
  byName: boolean
  /** Whether no part of a path is excluded. A folder's path ends with `/`. */
  keeps(path: string): boolean
}

/**
 * The exclusions of a folder that may be in a git repository: a folder named like build output counts as source if git
 * tracks it.
 */
export async function excludedPaths(folder: string, signal?: AbortSignal): Promise<ExcludedPaths> {
  return passedOverBut(await sourceFolders(folder, signal))
}

/**
 * Folders that are named like build output but are source, because git tracks files in them. At the top of a project or
 * package they stay build output: builds write there, and some people commit the result.
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

/** Excludes by name alone. */
export const excludedByName: ExcludedPaths = passedOverBut(new Set())

function passedOverBut(sources: ReadonlySet<string>): ExcludedPaths {
  const names = new Set([...sources].map((path) => path.slice(path.lastIndexOf('/') + 1)))
  const folders = [...always, ...builtFolders.filter((name) => !names.has(name))]
  return {
    // In a linked working tree, `.git` is a file. A file with the name of another excluded folder is an ordinary file.
    globs: [`!{${ownStores.join(',')}}`, `!{${folders.join(',')}}/`],
    byName: sources.size === 0,
    keeps: (path) => aside(path, sources) === null,
  }
}

/** The excluded folder on a path. */
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
