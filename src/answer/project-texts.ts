// The project's files as lookups need them: their text, their symbols, their role. Symbols are cached until a file changes.
import { realpathSync } from 'node:fs'
import type { Stamp } from '../model/document.js'
import { Problem } from '../model/problem.js'
import { decode } from '../parse/decode.js'
import type { FileSymbols } from '../parse/file-symbols.js'
import { formatOf } from '../parse/formats.js'
import { pooledSymbols } from '../parse/symbol-pool.js'
import { lru } from '../runtime/lru.js'
import { revalidated } from '../runtime/revalidated.js'
import { listPaths } from '../sources/grep.js'
import { neverRead } from '../sources/path-rules.js'
import { looksSame, readInside } from '../sources/safe-file.js'
import { type FileRole, fileRole, type ProjectLayout, projectLayout } from '../text/file-role.js'
import { maskPrivateKeys } from '../text/mask-private-keys.js'
import { type Library, libraryState } from './library.js'
import { type ProjectFile, readNamed } from './project-files.js'

export interface TextFile {
  /** As every tool names it. */
  path: string
  text: string
  stamp: Stamp
}

/** Larger files are data: `grep` finds lines in them. */
const largestRead = {
  bytes: 20 * 1_048_576,
  searchTool: 'grep',
  otherwise: 'outline lists what is there; find searches by meaning.',
}

/** The root's real path; the configured one if the folder is gone, so that reading in it fails as "not found". */
export function rootOf({ settings }: Library): string {
  try {
    return realpathSync.native(settings.root)
  } catch {
    return settings.root
  }
}

/** A file by a user's name for it. Throws a Problem if the name is wrong. */
export async function namedFile(
  library: Library,
  written: string,
): Promise<TextFile & { bytes: Uint8Array }> {
  const file = await readNamed(library, written, largestRead)
  return { ...textFile(file, file.address), bytes: file.bytes }
}

/** A file that a listing or the index named; null when it cannot be read now. */
export function knownFile(root: string, path: string): TextFile | null {
  const read = readInside(root, path, { maxBytes: largestRead.bytes, followLinks: false, forbids: neverRead })
  if ('why' in read) return null
  try {
    return textFile(read, path)
  } catch (error) {
    // Not text after all.
    if (error instanceof Problem) return null
    throw error
  }
}

function textFile({ bytes, stamp }: Pick<ProjectFile, 'bytes' | 'stamp'>, path: string): TextFile {
  const { text } = decode(bytes)
  return { path, text: maskPrivateKeys(text), stamp }
}

const cachedFiles = 3_000
const symbolCache = libraryState('symbols of files', () =>
  lru<string, { stamp: Stamp; symbols: Promise<FileSymbols> }>(cachedFiles),
)

export function symbolsOf(library: Library, { path, text, stamp }: TextFile): Promise<FileSymbols> {
  const cache = symbolCache(library)
  const known = cache.get(path)
  if (known && looksSame(known.stamp, stamp)) return known.symbols
  const symbols = pooledSymbols(path, text)
  cache.set(path, { stamp, symbols })
  symbols.catch(() => cache.delete(path))
  return symbols
}

export interface ProjectListing {
  paths: readonly string[]
  layout: ProjectLayout
}

const listingOf = libraryState('listing of the project', (library) =>
  revalidated(
    async (): Promise<ProjectListing> => {
      const paths = await listPaths(rootOf(library))
      return { paths, layout: projectLayout(paths) }
    },
    { freshMs: 10_000 },
  ),
)

export function projectListing(library: Library): Promise<ProjectListing> {
  return listingOf(library).fresh()
}

/** The last listing, of whatever age, for callers that only need roles: they follow from the layout, which hardly changes. */
export async function knownListing(library: Library): Promise<ProjectListing> {
  return listingOf(library).known() ?? projectListing(library)
}

export function roleIn({ layout }: ProjectListing, path: string, text = ''): FileRole {
  return fileRole(path, layout, text.slice(0, 600))
}

/** Text files that were too large to search. A picture or a model has no lines to miss. */
export function largeTexts(paths: readonly string[]): string[] {
  return paths.filter(
    (path) => formatOf(path) !== null && !/\.(?:safetensors|onnx|gguf|pt|bin|wasm|db|sqlite)$/.test(path),
  )
}
