// Brings packages into the index: adds new files, replaces changed ones, and removes those that a manifest no longer lists.
// A file that fails is reported and keeps its stored text; a package that fails changes nothing.
import { rmSync } from 'node:fs'
import {
  type Configured,
  configuredPackages,
  type PackagePlaces,
  rememberError,
} from '../../answer/configured-packages.js'
import type { Library } from '../../answer/library.js'
import { lockSources } from '../../answer/source-records.js'
import { ingestListing } from '../../ingest/ingest.js'
import { beginReading, noteReader } from '../../ingest/reader-version.js'
import { Problem, reasonOf } from '../../model/problem.js'
import type { Source } from '../../model/source.js'
import { indexingLease, underLease } from '../../runtime/lease.js'
import { outOfSight } from '../../sources/folder.js'
import { type LockEntry, readLock, writeLock } from '../../sources/package/context-file.js'
import { type Location, packageId, shownUrl } from '../../sources/package/location.js'
import { type OpenedPackage, openPackage } from '../../sources/package/open-package.js'
import { permittedLocation, requireFreeAlias, webFor } from './configured.js'
import {
  forgetAlias,
  homeOf,
  keepFetched,
  lockContext,
  namedHere,
  newFolder,
  releasePackage,
  tidyFetched,
} from './projects.js'

export interface SyncOptions {
  /** Only these. Default: all. */
  aliases?: readonly string[]
  /** Use exactly the commits and bytes of context.lock. */
  locked?: boolean
  signal?: AbortSignal
  onPackage?: (alias: string) => void
}

export interface PackageReport {
  alias: string
  url: string
  state: 'synced' | 'failed'
  version: string | null
  commit: string | null
  added: number
  updated: number
  unchanged: number
  removed: number
  skipped: { path: string; reason: string }[]
  failed: { path: string; reason: string }[]
  /** Why the whole package could not be synced. */
  error: string | null
}

export async function syncPackages(
  library: Library,
  places: PackagePlaces,
  options: SyncOptions = {},
): Promise<PackageReport[]> {
  const wanted = () => named(places, options.aliases)
  // An unknown name is an error at once. Changes of others while we wait are read after that.
  wanted()
  const lease = options.signal ? { signal: options.signal } : {}
  return underLease(library.store.leases, indexingLease, lease, async (signal) => {
    const reports: PackageReport[] = []
    for (const one of wanted()) {
      options.onPackage?.(one.alias)
      const report = await syncOne(library, places, one, { ...options, signal })
      rememberError(library, report)
      reports.push(report)
    }
    if (!options.aliases) await forgetOthers(library, configuredPackages(places))
    await tidyFetched(library)
    await library.store.settle(signal)
    return reports
  })
}

function named(places: PackagePlaces, aliases?: readonly string[]): Configured[] {
  const all = configuredPackages(places)
  const strange = aliases?.find((alias) => !all.some((one) => one.alias === alias))
  if (strange !== undefined)
    throw new Problem(
      'unknown_collection',
      `There is no package "${strange}".`,
      'Add it with "carrel add URL --as NAME".',
    )
  return aliases ? all.filter(({ alias }) => aliases.includes(alias)) : all
}

async function syncOne(
  library: Library,
  places: PackagePlaces,
  one: Configured,
  options: SyncOptions & { signal: AbortSignal },
): Promise<PackageReport> {
  const report = noReport(one)
  const folder = newFolder(library)
  try {
    await requireFreeAlias(library, one.alias)
    const location = permittedLocation(library, places, one)
    const locked = options.locked ? lockOf(one) : null
    const before = readLock(one.file)[one.alias]
    const opened = await openPackage(location, {
      folder,
      before: homeOf(library, location),
      web: webFor(library, places, one),
      signal: options.signal,
      // Every manifest has a version, and nothing else has.
      hadManifest: before?.url === one.url && before.version !== undefined,
      ...(locked
        ? {
            commit: locked.commit,
            locked: hashesOf(locked),
            lockedHash: locked.hash?.replace(/^sha256:/, ''),
          }
        : {}),
    })
    await indexDocument(
      library,
      one,
      keepFetched(library, location, opened, folder),
      location,
      report,
      options.signal,
    )
    await requireNamed(library, places, one)
    if (!options.locked) await lockContext(library, one.file, () => rememberLock(one, opened))
    return { ...report, version: opened.version, commit: opened.commit }
  } catch (error) {
    options.signal.throwIfAborted()
    return { ...report, state: 'failed', error: reasonOf(error) }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Throws if the package was removed while it was being read: that removal found nothing in the index to remove. */
async function requireNamed(library: Library, places: PackagePlaces, { alias, url }: Configured) {
  if (configuredPackages(places).some((now) => now.alias === alias && now.url === url)) return
  await forgetAlias(library, alias)
  throw new Problem('unknown_collection', `"${alias}" was removed from context.json meanwhile.`)
}

function noReport({ alias, url }: Configured): PackageReport {
  const none = { added: 0, updated: 0, unchanged: 0, removed: 0, skipped: [], failed: [], error: null }
  return { alias, url: shownUrl(url), state: 'synced', version: null, commit: null, ...none }
}

async function indexDocument(
  library: Library,
  one: Configured,
  opened: OpenedPackage,
  location: Location,
  report: PackageReport,
  signal: AbortSignal,
) {
  const { store, settings } = library
  const startedAt = Date.now()
  const source = await lockSources(library, () => putSource(library, one, opened, location))
  const known = await store.fingerprints(source.id)
  const { mustReread: force } = await beginReading(store, source.id)
  const run = { source: source.id, folder: { path: opened.root }, limits: settings.limits, force, signal }
  for await (const outcome of ingestListing(library, run, opened.listing, startedAt))
    if (outcome.state === 'stored') report[known.has(outcome.path) ? 'updated' : 'added']++
    else if (outcome.state === 'unchanged') report.unchanged++
    else if (outcome.state === 'forgotten') report.removed++
    else report[outcome.state].push({ path: outcome.path, reason: outcome.reason })
  await noteReader(store, source.id)
  // An alias that led elsewhere before leads here now.
  for (const other of await store.sources())
    if (other.kind === 'package' && other.name === one.alias && other.id !== source.id)
      await releasePackage(library, other.id)
}

/** For callers that hold the lock of the sources. */
async function putSource(
  library: Library,
  { alias }: Configured,
  opened: OpenedPackage,
  location: Location,
): Promise<Source> {
  // Somebody may have made a collection of this name while the package was fetched.
  await requireFreeAlias(library, alias)
  const id = packageId(location)
  const now = new Date().toISOString()
  const before = (await library.whole.sources()).find((source) => source.id === id)
  const source: Source = {
    id,
    name: alias,
    kind: 'package',
    location: location.canonical,
    ...(opened.description === null ? {} : { description: opened.description }),
    ...(opened.version === null ? {} : { version: opened.version }),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    details: {
      name: opened.name,
      aliases: namedHere(library, before, alias),
      ...(opened.commit === null ? {} : { commit: opened.commit }),
      ...whereItLies(location, opened),
    },
  }
  await library.store.putSource(source)
  return source
}

/**
 * Where its files are, for the check whether they changed. Files elsewhere cannot be checked, and pinned ones must not
 * change.
 */
function whereItLies({ kind }: Location, { root, pinned, elsewhere }: OpenedPackage) {
  return kind === 'folder' || kind === 'manifest' ? { folder: root, pinned, elsewhere } : {}
}

/** Removes packages that this project no longer names, if no other project does. */
async function forgetOthers(library: Library, all: readonly Configured[]) {
  const names = new Set(all.map(({ alias }) => alias))
  const own = (await library.store.sources()).filter(({ name }) => names.has(name))
  const used = new Set(own.map(({ id }) => id))
  for (const { kind, id } of await library.whole.sources())
    if (kind === 'package' && !used.has(id)) await releasePackage(library, id)
}

function lockOf({ alias, url, file }: Configured): LockEntry {
  const entry = readLock(file)[alias]
  if (entry && entry.url === url) return entry
  throw new Problem(
    'not_locked',
    `"${alias}" is not in context.lock with this url.`,
    'Run "carrel sync" without --locked.',
  )
}

function hashesOf({ files }: LockEntry): Map<string, string> {
  return new Map(Object.entries(files).map(([path, hash]) => [path, hash.replace(/^sha256:/, '')]))
}

function rememberLock({ alias, url, file }: Configured, opened: OpenedPackage) {
  const { version, commit, hashes, fetched, listing } = opened
  const before = readLock(file)[alias]
  const found = [...hashes].map(([path, hash]) => [path, `sha256:${hash}`] as const)
  // A file that failed keeps its stored text and its hash.
  const failed = outOfSight(listing)
  const unreadable = before?.url === url ? Object.entries(before.files).filter(([path]) => failed(path)) : []
  const files = Object.fromEntries([...found, ...unreadable].sort(([a], [b]) => (a < b ? -1 : 1)))
  const entry: LockEntry = {
    url,
    ...(version ? { version } : {}),
    ...(commit ? { commit } : {}),
    ...(fetched?.etag ? { etag: fetched.etag } : {}),
    ...(fetched ? { hash: `sha256:${fetched.hash}` } : {}),
    files,
  }
  writeLock(file, { ...readLock(file), [alias]: entry })
}
