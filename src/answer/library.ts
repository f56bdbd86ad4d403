import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import type { Embedder, Entailment, Reranker } from '../embed/port.js'
import type { FoldersSeen } from '../ingest/missing-folder.js'
import type { Readers } from '../ingest/readers.js'
import type { Settings } from '../model/settings.js'
import type { Source } from '../model/source.js'
import type { Mutex } from '../runtime/mutex.js'
import type { Tasks } from '../runtime/tasks.js'
import type { Fetcher } from '../sources/web/fetch.js'
import type { Renderer } from '../sources/web/render.js'
import type { Store } from '../store/port.js'
import { moduleOf } from '../text/module.js'

/** Everything that a use-case needs, opened by `app`. */
export interface Library {
  readonly settings: Settings
  /** Names the program's build, where what it derived from the index may be kept for the next process. */
  readonly build?: string
  /** The id of the data folder, by which jobs that were begun in it are known; null where it has none. */
  readonly origin: string | null
  /** Folders and packages that the configuration does not name are not seen through it. */
  readonly store: Store
  /** The same store with all sources, also those that the configuration no longer names. */
  readonly whole: Store
  /** The configured sources, with their ids and aliases, in the order of the configuration. */
  readonly sources: readonly Source[]
  readonly readers: Readers
  /** Null: search is by words alone. */
  readonly embedder: Embedder | null
  /** For a second look at the best hits; null when none is set up. */
  readonly reranker: Reranker | null
  /** Tells whether a proposal goes against a decision; null where no model is wanted. */
  readonly entailment: Entailment | null
  /** An embedder for one of these models, if this machine can run it without configuration: for a change of model. */
  earlier(models: readonly string[]): Embedder | null
  /** The only way to the web. Loaded at its first use. */
  readonly fetcher: Fetcher
  /** Renders pages that scripts build, if a browser is installed. The browser starts at the first use. */
  readonly renderer: Renderer
  /** Chunks that were shown but had no vector yet. */
  readonly wanted: Set<number>
  /** One change at a time under each name, among all processes that share the data folder. */
  readonly mutex: Mutex
  /** Background work, such as crawls. */
  readonly tasks: Tasks
  /** In which folders this process saw files. */
  readonly foldersSeen: FoldersSeen
  /** The state of modules while the library is open; each declares its part with `libraryState`. */
  readonly state: LibraryState
  /** The time (ms); the real one unless a test brings its own. */
  readonly now?: () => number
  close(): Promise<void>
}

// State in memory that belongs to one open library: loaded graphs, sessions that go on, cached lists. The library owns it
// (`library.state`), so two libraries in one process share none, and it is dropped with the library. Each module declares
// its own piece here, because `Library` lies below the toolsets and must not know them.

/** By the key of each declaration. `openLibrary` creates it empty. */
export type LibraryState = Map<symbol, unknown>

/**
 * Declares a piece of state and returns its accessor. The first access creates the state of a library, later ones return the
 * same object. Declare it once, at the top level of the module that owns it; the name is for debuggers.
 */
export function libraryState<T>(name: string, create: (library: Library) => T): (library: Library) => T {
  const key = Symbol(name)
  return (library) => {
    if (!library.state.has(key)) library.state.set(key, create(library))
    return library.state.get(key) as T
  }
}

/**
 * Declares a cached value that is computed once for each version of the index, also for calls at the same time. A failed
 * computation is not cached.
 */
export function cachedPerIndexVersion<T>(
  name: string,
  compute: (library: Library) => Promise<T>,
): (library: Library) => Promise<T> {
  const cacheOf = libraryState(name, () => ({}) as { version?: string; value?: Promise<T> })
  return async (library) => {
    const version = await library.store.version()
    const cache = cacheOf(library)
    if (cache.version === version) return cache.value!
    const value = compute(library)
    Object.assign(cache, { version, value })
    value.catch(() => {
      if (cache.value === value) cache.version = undefined
    })
    return value
  }
}

// --- Where documents lie in the project, whichever of its folders their source is.

/** A source's path below the root: empty for the root itself, null for a source elsewhere. */
export function placeOf({ settings }: Pick<Library, 'settings'>, { kind, location }: Source): string | null {
  if (kind !== 'folder' || !isAbsolute(location)) return null
  const path = relative(settings.root, location).split(sep).join('/')
  return path.split('/')[0] === '..' || isAbsolute(path) ? null : path
}

/** A file's path below the project's root, as read_file takes it; elsewhere, its path with the collection in front. */
export function fileOf(library: Pick<Library, 'settings'>, source: Source, path: string): string {
  const place = placeOf(library, source)
  return place === null ? `${source.name}:${path}` : below(place, path)
}

/** The module of the project that a document belongs to; elsewhere, the module of its source. */
export function moduleIn(library: Pick<Library, 'settings'>, source: Source, path: string): string | null {
  return moduleOf(below(placeOf(library, source) ?? '', path))
}

/** The places of those that do not begin at the root, by id. */
export function placesWithin(
  library: Pick<Library, 'settings'>,
  sources: readonly Source[],
): Record<string, string> {
  return Object.fromEntries(
    sources.flatMap((source) => {
      const place = placeOf(library, source)
      return place ? [[source.id, place]] : []
    }),
  )
}

function below(place: string, path: string): string {
  return place === '' ? path : `${place}/${path}`
}

/** The data folder's real path, to be compared with others: it may be named by way of a link. */
export function realData(data: string): Promise<string> {
  return realpath(data).catch(() => data)
}
