// What Cargo.toml says that resolution needs: the crate's name and root file, its edition, and crates beside it.
import { joined, type Tree, upwards } from './tree.js'

export interface Crate {
  /** The folder of Cargo.toml. */
  folder: string
  /** As code calls it. */
  name: string | null
  /** The library's root file, whether it is there or not. */
  library: string
  edition: string
  /** Crates of this project by the name code calls them, with their folders. */
  beside: Map<string, string>
}

export function crateAround(tree: Tree, folder: string): Crate | null {
  const place = upwards(folder).find((one) => tree.text(joined(one, 'Cargo.toml')!) !== null)
  return place === undefined ? null : crateAt(tree, place)
}

export function crateAt(tree: Tree, folder: string): Crate | null {
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
    beside: beside(tree, folder, rows),
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

function beside(tree: Tree, folder: string, rows: readonly Row[]): Map<string, string> {
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
    return beside(
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
