import type { Importer, Resolver } from './resolve.js'
import { joined, type Tree, upwards } from './tree.js'

/**
 * Imports of Java. A source folder is what is left of a file's path without its package; others are looked for in the
 * modules around, where Maven and Gradle keep them.
 */
export function javaResolver({ tree, folder, imports }: Importer): Resolver {
  const own = sourceFolder(folder, imports.package ?? '')
  let places: string[] | null = null
  return ({ specifier, form }) => {
    const near = own === null ? [] : typeFiles(tree, own, specifier, form === 'static')
    if (near.length > 0) return near
    places ??= sourceFolders(tree, folder).filter((place) => place !== own)
    for (const place of places) {
      const found = typeFiles(tree, place, specifier, form === 'static')
      if (found.length > 0) return found
    }
    return []
  }
}

function sourceFolder(folder: string, name: string): string | null {
  const below = name.replaceAll('.', '/')
  if (below === '') return folder
  if (folder === below) return '.'
  return folder.endsWith(`/${below}`) ? folder.slice(0, -below.length - 1) : null
}

const sets = [
  'src/main/java',
  'src/test/java',
  'src/testFixtures/java',
  'src/integrationTest/java',
  'src',
  'java',
]
const mostFolders = 2_000

/** Those of the module around the file first, then of every module up to three folders below the root. */
function sourceFolders(tree: Tree, folder: string): string[] {
  const modules = [...upwards(folder)]
  let level = ['.']
  for (let depth = 0; depth < 3 && modules.length < mostFolders; depth++) {
    level = level
      .flatMap((one) =>
        tree
          .names(one)
          .filter(couldHoldModules)
          .map((name) => joined(one, name)!),
      )
      .filter((one) => tree.folder(one))
      .slice(0, mostFolders)
    modules.push(...level)
  }
  const all = modules.flatMap((one) => sets.map((set) => joined(one, set)!))
  return [...new Set(all)].filter((place) => tree.folder(place))
}

function couldHoldModules(name: string): boolean {
  return !/^\.|\.|^(?:src|build|target|out|bin|node_modules|docs?)$/.test(name)
}

/** `a.b.C`, a class within (`a.b.C.D`), a member of it (`static a.b.C.m`), or all of a package or class (`a.b.*`). */
function typeFiles(tree: Tree, place: string, specifier: string, isStatic: boolean): string[] {
  const parts = specifier.split('.')
  const all = parts.at(-1) === '*'
  if (all) parts.pop()
  else if (isStatic) parts.pop()
  if (all && !isStatic) {
    const folder = joined(place, ...parts)!
    const files = tree.names(folder).filter((name) => name.endsWith('.java') && name !== 'package-info.java')
    if (files.length > 0) return files.flatMap((name) => tree.file(joined(folder, name)!) ?? [])
  }
  for (let length = parts.length; length > 0; length--) {
    const file = tree.file(`${joined(place, ...parts.slice(0, length))}.java`)
    if (file !== null) return [file]
  }
  return []
}
