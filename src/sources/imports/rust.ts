// Modules and uses of Rust, in the layout of either edition (`a/mod.rs`, or `a.rs` beside `a/`).
import { posix } from 'node:path'
import type { Import } from '../../model/imports.js'
import type { Importer, Resolver } from './resolve.js'
import { firstFile, joined, type Tree, upwards } from './tree.js'

export function rustResolver({ tree, path, folder }: Importer): Resolver {
  const crate = crateAround(tree, folder)
  const root = rootFile(tree, path, crate)
  const own = childFolder(path, root)
  return (one) => {
    if (one.kind === 'include') return list(tree.file(joined(folder, one.specifier) ?? ''))
    if (one.kind === 'module')
      return list(moduleFile(tree, { folder, own, isRoot: ownsFolder(path, root) }, one))
    return list(used(tree, { crate, root, own }, one))
  }
}

interface Here {
  crate: Crate | null
  /** The crate's root file. */
  root: string | null
  /** Where the modules of this file are. */
  own: string
}

function list(file: string | null): string[] {
  return file === null ? [] : [file]
}

/** A file that is a module's root keeps its children beside it; another keeps them in a folder of its name. */
function childFolder(path: string, root: string | null): string {
  const folder = posix.dirname(path)
  return ownsFolder(path, root) ? folder : joined(folder, posix.basename(path, '.rs'))!
}

function ownsFolder(path: string, root: string | null): boolean {
  return path === root || /(?:^|\/)(?:mod|lib|main|build)\.rs$/.test(path)
}

function rootFile(tree: Tree, path: string, crate: Crate | null): string | null {
  if (!crate) {
    const near = upwards(posix.dirname(path)).flatMap((one) => [
      joined(one, 'lib.rs'),
      joined(one, 'main.rs'),
    ])
    return firstFile(tree, near)
  }
  const below = crate.folder === '.' ? path : path.slice(crate.folder.length + 1)
  if (/^(?:(?:src\/bin|tests|examples|benches)\/[^/]+\.rs|build\.rs|src\/main\.rs)$/.test(below)) return path
  const inFolder = /^((?:src\/bin|tests|examples|benches)\/[^/]+)\//.exec(below)
  const main = inFolder && tree.file(joined(crate.folder, inFolder[1]!, 'main.rs')!)
  return main || firstFile(tree, [crate.library, joined(crate.folder, 'src/main.rs')])
}

function moduleFile(
  tree: Tree,
  { folder, own, isRoot }: { folder: string; own: string; isRoot: boolean },
  { specifier, within, path }: Import,
): string | null {
  if (path !== undefined) {
    const start = within && within.length > 0 ? [isRoot ? folder : own, ...within] : [folder]
    return tree.file(joined(...start, path) ?? '')
  }
  const base = joined(own, ...(within ?? []), specifier)
  return firstFile(tree, [`${base}.rs`, joined(base!, 'mod.rs')])
}

function used(tree: Tree, here: Here, { specifier, within }: Import): string | null {
  const parts = specifier.split('::').filter((part) => part !== '*')
  const top = here.root === null ? null : posix.dirname(here.root)
  const first = parts[0]!
  if (first === 'crate') return top === null ? null : deepest(tree, top, parts.slice(1), here.root)
  if (first === 'self' || first === 'super') return fromHere(tree, here, within ?? [], parts)
  if (first === '') return otherCrate(tree, here, parts.slice(1))
  const child = deepest(tree, joined(here.own, ...(within ?? []))!, parts, null)
  if (child !== null) return child
  if (here.crate?.edition === '2015' && top !== null) {
    const old = deepest(tree, top, parts, null)
    if (old !== null) return old
  }
  return otherCrate(tree, here, parts)
}

function fromHere(
  tree: Tree,
  { own, root }: Here,
  within: readonly string[],
  parts: readonly string[],
): string | null {
  let at = [...own.split('/'), ...within]
  let rest = 0
  for (; parts[rest] === 'self' || parts[rest] === 'super'; rest++)
    if (parts[rest] === 'super') at = at.slice(0, -1)
  const folder = at.join('/') || '.'
  // Within the file itself there is nothing to depend on.
  const inFile = folder === own || folder.startsWith(`${own}/`)
  return deepest(tree, folder, parts.slice(rest), inFile ? null : ownerOf(tree, folder, root))
}

/** The file whose modules are in a folder. */
function ownerOf(tree: Tree, folder: string, root: string | null): string | null {
  if (root !== null && posix.dirname(root) === folder) return root
  return firstFile(tree, [`${folder}.rs`, joined(folder, 'mod.rs')])
}

/** The file of the longest beginning of a path that is a module: the rest are names in it. */
function deepest(
  tree: Tree,
  folder: string,
  parts: readonly string[],
  fallback: string | null,
): string | null {
  for (let length = parts.length; length > 0; length--) {
    const base = joined(folder, ...parts.slice(0, length).map((part) => part.replace(/^r#/, '')))
    const file = base === null ? null : firstFile(tree, [`${base}.rs`, joined(base, 'mod.rs')])
    if (file !== null) return file
  }
  return fallback
}

function otherCrate(tree: Tree, { crate }: Here, parts: readonly string[]): string | null {
  const [name, ...rest] = parts
  if (!crate || name === undefined) return null
  const place = crate.dependencies.get(name)
  const other = place === undefined ? (name === crate.name ? crate : null) : crateAt(tree, place)
  const root = other && tree.file(other.library)
  return root ? deepest(tree, posix.dirname(root), rest, root) : null
}

// What Cargo.toml says that resolution needs: the crate's name and root file, its edition, and crates beside it.

export interface Crate {
  /** The folder of Cargo.toml. */
  folder: string
  /** As code calls it. */
  name: string | null
  /** The library's root file, whether it is there or not. */
  library: string
  edition: string
  /** Crates of this project by the name code calls them, with their folders. */
  dependencies: Map<string, string>
}

function crateAround(tree: Tree, folder: string): Crate | null {
  const place = upwards(folder).find((one) => tree.text(joined(one, 'Cargo.toml')!) !== null)
  return place === undefined ? null : crateAt(tree, place)
}

function crateAt(tree: Tree, folder: string): Crate | null {
  const text = tree.text(joined(folder, 'Cargo.toml')!)
  if (text === null) return null
  const rows = rowsOf(text)
  const value = (section: string, key: string) =>
    rows.find((row) => row.section === section && row.key === key)?.value
  const name = unquoted(value('lib', 'name')) ?? unquoted(value('package', 'name'))
  return {
    folder,
    name: name === null ? null : called(name),
    library: joined(folder, unquoted(value('lib', 'path')) ?? 'src/lib.rs') ?? 'src/lib.rs',
    edition:
      unquoted(value('package', 'edition')) ?? (value('package', 'edition.workspace') ? '2021' : '2015'),
    dependencies: pathDependencies(tree, folder, rows),
  }
}

interface Row {
  section: string
  key: string
  value: string
}

/** Tables and keys, a line each: enough for the few that matter here, and for nothing else. */
function rowsOf(text: string): Row[] {
  const rows: Row[] = []
  let section = ''
  for (const line of text.split('\n', 5_000)) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/.exec(line)
    const row = /^\s*("[^"]*"|[\w.-]+)\s*=\s*(.*?)\s*$/.exec(line)
    if (header) section = header[1]!
    else if (row) rows.push({ section, key: row[1]!.replaceAll('"', ''), value: row[2]! })
  }
  return rows
}

const inDependencies = /(?:^|\.)(?:dev-|build-)?dependencies(?:\.(?<name>[\w-]+))?$/

function pathDependencies(tree: Tree, folder: string, rows: readonly Row[]): Map<string, string> {
  const found = new Map<string, string>()
  let shared: Map<string, string> | null = null
  for (const { section, key, value } of rows) {
    const match = inDependencies.exec(section)
    if (!match) continue
    const table = match.groups?.name
    const [name, field] = table ? [table, key] : key.split('.', 2)
    const path = field === 'path' ? unquoted(value) : /(?:^|[{,\s])path\s*=\s*"([^"]*)"/.exec(value)?.[1]
    const place = path === null || path === undefined ? null : joined(folder, path)
    if (place !== null) found.set(called(name!), place)
    else if (field === 'workspace' || /\bworkspace\s*=\s*true/.test(value)) {
      shared ??= sharedCrates(tree, folder)
      const known = shared.get(called(name!))
      if (known !== undefined) found.set(called(name!), known)
    }
  }
  return found
}

function sharedCrates(tree: Tree, folder: string): Map<string, string> {
  for (const place of upwards(folder)) {
    const text = tree.text(joined(place, 'Cargo.toml')!)
    if (text === null || !/^[ \t]*\[workspace/m.test(text)) continue
    const rows = rowsOf(text).filter(({ section }) => section.startsWith('workspace.dependencies'))
    return pathDependencies(
      tree,
      place,
      rows.filter(({ key, value }) => !/workspace/.test(key + value)),
    )
  }
  return new Map()
}

function called(name: string): string {
  return name.replaceAll('-', '_')
}

function unquoted(value: string | undefined): string | null {
  return /^["']([^"']*)["']/.exec(value ?? '')?.[1] ?? null
}
