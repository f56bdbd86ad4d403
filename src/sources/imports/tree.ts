// A project's files as resolution sees them: paths relative to the root, nothing outside of it and nothing denied.
import { readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { deniedSegment, refusalOfPath } from '../path-rules.js'
import { readInside, realInside } from '../safe-file.js'

export interface Tree {
  /** A real path. */
  root: string
  /** The file at a path, by its real path; null when there is none that may be read. */
  file(path: string): string | null
  folder(path: string): boolean
  /** Names in a folder, in order. */
  names(path: string): string[]
  /** The text of a small file: a manifest or a setting. */
  text(path: string): string | null
}

const mostNames = 5_000
const mostBytes = 1_000_000

/** A view of the folder that remembers what it has read. Each file whose imports are resolved gets a new one. */
export function treeOf(root: string): Tree {
  const kinds = new Map<string, 'file' | 'folder' | null>()
  const kind = (path: string) => remembered(kinds, path, () => kindAt(root, path))
  const real = new Map<string, string | null>()
  const listed = new Map<string, string[]>()
  const texts = new Map<string, string | null>()
  return {
    root,
    file: (path) => (kind(path) === 'file' ? remembered(real, path, () => realPath(root, path)) : null),
    folder: (path) => kind(path) === 'folder',
    names: (path) =>
      remembered(listed, path, () => (kind(path) === 'folder' ? namesIn(join(root, path)) : [])),
    text: (path) => remembered(texts, path, () => textAt(root, path)),
  }
}

/** A path from a folder, cleaned; null when it leaves the root. */
export function joined(...parts: string[]): string | null {
  const path = posix.normalize(parts.filter(Boolean).join('/') || '.').replace(/\/$/, '')
  return path === '..' || path.startsWith('../') || path.startsWith('/') ? null : path
}

/** The folders from one up to the root, which is `.`. */
export function upwards(folder: string): string[] {
  const all = [folder || '.']
  for (let at = folder; at && at !== '.'; all.push(at)) at = posix.dirname(at)
  return all
}

/** The first of some paths that is a file. */
export function firstFile(tree: Tree, paths: readonly (string | null)[]): string | null {
  for (const path of paths) {
    const found = path === null ? null : tree.file(path)
    if (found !== null) return found
  }
  return null
}

function remembered<K, V>(known: Map<K, V>, key: K, find: () => V): V {
  let value = known.get(key)
  if (value === undefined) {
    value = find()
    known.set(key, value)
  }
  return value
}

function kindAt(root: string, path: string): 'file' | 'folder' | null {
  if (joined(path) === null || refusalOfPath(path) !== null) return null
  try {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    return stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : null
  } catch {
    return null
  }
}

function realPath(root: string, path: string): string | null {
  try {
    const real = realInside(root, path)
    return real !== null && refusalOfPath(real) === null ? real : null
  } catch {
    return null
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort().slice(0, mostNames)
  } catch {
    return []
  }
}

function textAt(root: string, path: string): string | null {
  const read = readInside(root, path, { maxBytes: mostBytes, followLinks: true, forbids: deniedSegment })
  return 'bytes' in read ? Buffer.from(read.bytes).toString('utf8') : null
}
