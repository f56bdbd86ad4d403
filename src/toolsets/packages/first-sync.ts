import { configuredPackages, type PackagePlaces, packagePlaces } from '../../answer/configured-packages.js'
import type { Library } from '../../answer/library.js'
import { reasonOf } from '../../model/problem.js'
import { type PackageReport, type SyncOptions, syncPackages } from './sync.js'

export interface FirstSync {
  reports: PackageReport[]
  /** Notes on packages that could not be read, or on an invalid context.json. */
  notes: string[]
}

/** Syncs the packages that are configured but were never synced. A failure is a note: the rest still works. */
export async function syncNewPackages(
  library: Library,
  { offline = false, ...options }: Pick<SyncOptions, 'signal' | 'onPackage'> & { offline?: boolean } = {},
): Promise<FirstSync> {
  const places = { ...packagePlaces(library), offline }
  try {
    const aliases = await neverTakenIn(library, places)
    const reports = aliases.length === 0 ? [] : await syncPackages(library, places, { ...options, aliases })
    return { reports, notes: reports.flatMap(noteOf) }
  } catch (error) {
    options.signal?.throwIfAborted()
    return { reports: [], notes: [`The packages could not be taken in. ${reasonOf(error)}`] }
  }
}

async function neverTakenIn({ store }: Library, places: PackagePlaces): Promise<string[]> {
  const known = new Set(
    (await store.sources()).flatMap(({ kind, name }) => (kind === 'package' ? [name] : [])),
  )
  return configuredPackages(places)
    .map(({ alias }) => alias)
    .filter((alias) => !known.has(alias))
}

function noteOf({ alias, error, failed }: PackageReport): string[] {
  if (error !== null) return [`The package "${alias}" was not taken in. ${error}`]
  const [first] = failed
  if (!first) return []
  const others = failed.length > 1 ? ` and ${failed.length - 1} more` : ''
  return [`Of the package "${alias}", ${first.path}${others} could not be taken in. ${first.reason}`]
}
