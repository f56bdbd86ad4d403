import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Library } from '../answer/library.js'
import { readerKind, readerVersion } from '../ingest/reader-version.js'
import { openReaders } from '../ingest/readers.js'
import type { Settings, SharedStore } from '../model/settings.js'
import type { Source } from '../model/source.js'
import { createMutex } from '../runtime/mutex.js'
import { openTasks } from '../runtime/tasks.js'
import { folderId, sharedFolderId } from '../sources/folder.js'
import { noFolder } from '../sources/require-folder.js'
import { openFetcher } from '../sources/web/fetch.js'
import { openRenderer } from '../sources/web/render.js'
import { asConfigured } from '../store/configured.js'
import { ensureDataFolderId } from '../store/sqlite/database-file.js'
import type { Seed } from '../store/sqlite/seed.js'
import { openSqliteStore } from '../store/sqlite/store.js'
import type { OpenOptions } from '../surfaces/cli/context.js'
import { closeEach } from './closing.js'
import { isWithin } from './config/place.js'
import { rememberDataFolder } from './data-trust.js'
import { earlierEmbedder, openComparison, openEmbedder, openReranker } from './embedder.js'
import { build } from './engine/build.js'
import { isValid, isWhole } from './record-schemas.js'
import { version } from './version.js'

/** Opens the library of the settings. Nothing slow happens here: threads and models start when they are first needed. */
export async function openLibrary(given: Settings, options: OpenOptions = {}): Promise<Library> {
  const settings = {
    ...given,
    sources: given.sources.map((source) => ({ ...source, path: realFolder(source.path) })),
  }
  const sources = settings.sources.map((source) => toSource(source, settings.shared))
  const place = placeOfStore(settings, options)
  const shared = settings.shared && placeOfShared(settings.shared, settings, options)
  const whole = await openSqliteStore({
    folder: place.folder,
    ...(shared && { shared }),
    ...(shared && seedOf(settings.shared!)),
    isWhole,
    isValid,
  })
  const store = asConfigured(whole, { root: settings.root, folders: new Set(sources.map(({ id }) => id)) })
  const readers = openReaders(settings.limits)
  const embedder = openEmbedder(settings.embedding)
  if (options.asking && existsSync(settings.data)) embedder?.load?.()
  const reranker = openReranker(settings.rerank)
  const entailment = openComparison(settings.embedding)
  const { privateNetwork: allowPrivateNetwork } = settings.allow
  const fetcher = openFetcher({ version: version(), allowPrivateNetwork })
  const { chromium } = settings
  const renderer = openRenderer({ chromium, searchPath: process.env.PATH ?? '', allowPrivateNetwork })
  const tasks = openTasks()
  return {
    settings,
    build: build(),
    origin: ensureOrigin(place.folder),
    store,
    whole,
    sources,
    readers,
    embedder,
    reranker,
    entailment,
    earlier: earlierEmbedder(),
    fetcher,
    renderer,
    wanted: new Set(),
    mutex: createMutex(store.leases),
    tasks,
    foldersSeen: new Map(),
    state: new Map(),
    close: () =>
      closeEach(
        () => tasks.close(),
        () => renderer.close(),
        () => fetcher.close(),
        () => readers.close(),
        () => embedder?.close(),
        () => reranker?.close(),
        () => entailment?.close(),
        () => store.close(),
        () => place.remove(),
      ),
  }
}

/** The same for a command that runs once: a rename that a killed process left half done is finished first. */
export async function openForCommand(given: Settings, options: OpenOptions = {}): Promise<Library> {
  const library = await openLibrary(given, options)
  if (!existsSync(join(given.data, 'renames'))) return library
  const { finishRenames } = await import('../toolsets/graph/current.js')
  // A rename that cannot be finished now must not stop a command; "carrel doctor" reports it.
  await finishRenames(library).catch(() => {})
  return library
}

/** The data folder; a temporary one if a command only reads and there is none. */
function placeOfStore({ data, dataTrust }: Settings, { reading = false, onNote = () => {} }: OpenOptions) {
  if (reading && !existsSync(data)) {
    const folder = mkdtempSync(join(tmpdir(), 'carrel-empty-'))
    return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) }
  }
  if (dataTrust) for (const note of rememberDataFolder(data, dataTrust)) onNote(note)
  return { folder: data, remove: async () => {} }
}

/** Gives the data folder an id unless it has one; null if it cannot be given one. */
function ensureOrigin(folder: string): string | null {
  try {
    return ensureDataFolderId(folder)
  } catch {
    return null
  }
}

/** The folder of the shared store; none if a command only reads and there is nothing to read. */
function placeOfShared(
  { folder }: SharedStore,
  { data, dataTrust }: Settings,
  { reading = false, onNote = () => {} }: OpenOptions,
): string | undefined {
  if (reading && !existsSync(data)) return undefined
  if (dataTrust) for (const note of rememberDataFolder(folder, dataTrust)) onNote(note)
  return folder
}

/** The main worktree's index, from which a new shared store starts. */
function seedOf({ folder, main }: SharedStore): { seed?: Seed } {
  if (!main) return {}
  const idOf = ({ kind, location }: Source) =>
    kind === 'folder' && isWithin(main.top, location) && existsSync(location)
      ? sharedFolderId(location, { folder, top: main.top })
      : null
  return { seed: { folder: main.data, idOf, reader: { kind: readerKind, version: readerVersion } } }
}

function toSource(
  { name, path, description }: Settings['sources'][number],
  shared: SharedStore | undefined,
): Source {
  const now = new Date().toISOString()
  const location = realpathSync.native(path)
  return {
    id: shared ? sharedFolderId(location, shared) : folderId(location),
    name,
    kind: 'folder',
    location,
    description,
    createdAt: now,
    updatedAt: now,
    details: {},
  }
}

/** The folder's real path: files are read only if their real path lies in it. */
function realFolder(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    throw noFolder(path, error)
  }
}
