// From imports as they are written to files of the project. What lies outside of it, or among installed packages, is
// not the project's own and no dependency here.

import { posix } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dependency, Import, ImportLanguage, Imports } from '../../model/imports.js'
import { goResolver } from './go.js'
import { javaResolver } from './java.js'
import { pythonResolver } from './python.js'
import { rustResolver } from './rust.js'
import { scriptResolver } from './script.js'
import { firstFile, joined, type Tree, treeOf, upwards } from './tree.js'

/** The file whose imports are resolved. */
export interface Importer {
  tree: Tree
  /** Relative to the root, `/`-separated. */
  path: string
  folder: string
  imports: Imports
}

/** Finds the files an import leads to, relative to the root. */
export type Resolver = (one: Import) => readonly string[]

export interface Resolved {
  dependencies: Dependency[]
  /** What kept some from being found. */
  error?: string
}

interface LanguageResolver {
  find: Resolver
  /** Where an import leads though no file is there: one that was not built, generated or written yet. */
  absent?: Resolver
  error?: () => string | undefined
}

const resolvers: Record<ImportLanguage, (importer: Importer) => LanguageResolver> = {
  script: scriptResolver,
  python: pythonResolver,
  go: (importer) => ({ find: goResolver(importer) }),
  rust: (importer) => ({ find: rustResolver(importer) }),
  java: (importer) => ({ find: javaResolver(importer) }),
  c: (importer) => ({ find: cResolver(importer) }),
}

// The resolver of scripts dies of a specifier with tens of thousands of segments, and no file has so long a name.
const longestSpecifier = 1_024
const mostImports = 5_000

/**
 * The project's files that a file imports, each once, in the order they are first named. Nothing is remembered between
 * calls, so nothing goes stale: a fresh look at the disk was measured to take a fraction of a millisecond.
 */
export async function resolveImports(root: string, path: string, imports: Imports): Promise<Resolved> {
  const folder = posix.dirname(path)
  const importer: Importer = { tree: treeOf(root), path, folder, imports }
  const { find, error } = resolvers[imports.language](importer)
  const found = new Map<string, Dependency>()
  for (const [i, one] of imports.imports.slice(0, mostImports).entries()) {
    if (i % 200 === 199) await nextTurn()
    if (!isSane(one)) continue
    for (const file of find(one)) if (file !== path) add(found, { path: file, type: one.kind })
  }
  const problem = error?.()
  return { dependencies: [...found.values()], ...(problem !== undefined && { error: problem }) }
}

/**
 * Where a file's imports lead in the project, be there a file or not (yet): what is built or generated is imported
 * before the build as after it.
 */
export async function placesOf(root: string, path: string, imports: Imports): Promise<string[]> {
  const { dependencies } = await resolveImports(root, path, imports)
  const importer: Importer = { tree: treeOf(root), path, folder: posix.dirname(path), imports }
  const { absent } = resolvers[imports.language](importer)
  const missing = absent ? imports.imports.filter(isSane).flatMap(absent) : []
  return [...dependencies.map((dependency) => dependency.path), ...missing]
}

// A file imported for its types and for its values is imported.
function add(found: Map<string, Dependency>, dependency: Dependency) {
  const known = found.get(dependency.path)
  if (!known) found.set(dependency.path, dependency)
  else if (known.type === 'type-import') known.type = dependency.type
}

function isSane({ specifier }: Import): boolean {
  return specifier.length <= longestSpecifier && !specifier.includes('\0')
}

/**
 * Includes of C and C++: next to the file, then in the usual include folders, from the nearest folder up to
 * the root, and in the folders that `compile_flags.txt` names. `<x.h>` is not looked for next to the file.
 */
function cResolver({ tree, folder }: Importer): Resolver {
  const folders = upwards(folder)
  const fromFlags = folders.flatMap((one) => flags(tree.text(joined(one, 'compile_flags.txt')!), one))
  const usual = folders.flatMap((one) =>
    ['include', 'inc', 'src', '', 'lib'].map((name) => joined(one, name)),
  )
  const places = [...fromFlags, ...usual]
  return ({ specifier, form }) => {
    const where = form === 'system' ? places.filter((place) => place !== folder) : [folder, ...places]
    const found = firstFile(
      tree,
      where.map((place) => (place === null ? null : joined(place, specifier))),
    )
    return found === null ? [] : [found]
  }
}

function flags(text: string | null, folder: string): (string | null)[] {
  if (text === null) return []
  return [...text.matchAll(/^(?:-I|-iquote|-isystem)\s*(\S.*)$/gm)]
    .slice(0, 100)
    .map(([, place]) => (place!.startsWith('/') ? null : joined(folder, place!.trim())))
}
