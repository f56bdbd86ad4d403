import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { listCollections } from '../../answer/collections.js'
import { configuredPackages, type PackagePlaces } from '../../answer/configured-packages.js'
import type { Library } from '../../answer/library.js'
import { changeContext, readContext } from '../../sources/package/context-file.js'
import { readLocation, shownUrl } from '../../sources/package/location.js'
import {
  addPackage,
  giveConsent,
  liesOutside,
  type PackageRequest,
  twinOf,
  withdrawConsent,
} from './configured.js'
import { forgetAlias, lockContext } from './projects.js'
import { type PackageReport, syncPackages } from './sync.js'

/** Adds a package and syncs it. If it cannot be read at all, the former state is restored. */
export async function addAndSync(
  library: Library,
  places: PackagePlaces,
  request: PackageRequest & {
    signal?: AbortSignal
    /** A person typed the address on the command line, so it may lie outside the project, now and at every later sync. */
    typed?: boolean
  },
): Promise<PackageReport> {
  const { url, global = false, from, typed = false } = request
  if (!typed || global) return addConsented(library, places, request)
  const location = readLocation(url, from ?? dirname(places.project))
  if (!liesOutside(library, location)) return addConsented(library, places, request)
  // Written before context.json names the package: a kill in between leaves an unused consent, not a package without
  // consent.
  const isNew = await giveConsent(library, places, location)
  let synced = false
  try {
    const report = await addConsented(library, places, request)
    synced = report.state === 'synced'
    return report
  } finally {
    if (isNew && !synced) await withdrawConsent(library, places, location)
  }
}

async function addConsented(
  library: Library,
  places: PackagePlaces,
  request: PackageRequest & { signal?: AbortSignal },
): Promise<PackageReport> {
  const { alias, global = false, signal } = request
  const file = global ? places.global : places.project
  const wasThere = existsSync(file)
  const before = readContext(file)[alias]
  const { url } = await addPackage(library, places, request)
  const undo = async () => {
    await lockContext(library, file, () => {
      changeContext(file, (now) => {
        const { [alias]: ours, ...others } = now
        // Somebody else may have changed it since.
        if (ours?.url !== url) return now
        return before ? { ...others, [alias]: before } : others
      })
      // A context.json marks the root of a project: one that names nothing is not left where there was none.
      if (!wasThere && Object.keys(readContext(file)).length === 0) rmSync(file)
    })
    // The other file may have the same alias, for a package that is here.
    if (!configuredPackages(places).some((one) => one.alias === alias)) await forgetAlias(library, alias)
  }
  try {
    const [report] = await syncPackages(library, places, { aliases: [alias], ...(signal ? { signal } : {}) })
    if (report!.state === 'failed') await undo()
    return report!
  } catch (error) {
    await undo()
    throw error
  }
}

export interface ListedCollection {
  collection: string
  /** Null for a package that is configured but not synced. */
  id: string | null
  kind: string
  location: string
  version: string | null
  documents: number
  /** For a package that is not synced because it has another alias: that alias. */
  sameAs?: string | null
}

/** Every collection, and packages that are configured but not synced yet. */
export async function listAll(library: Library, places: PackagePlaces): Promise<ListedCollection[]> {
  const indexed = (await listCollections(library)).map(({ source, documents }) => ({
    ...{ collection: source.name, id: source.id, kind: source.kind as string, location: source.location },
    ...{ version: source.version ?? null, documents },
  }))
  const packages = configuredPackages(places)
  const missing = packages.filter(({ alias }) => !indexed.some(({ collection }) => collection === alias))
  return [
    ...indexed,
    ...missing.map((one) => ({
      ...{ collection: one.alias, id: null, kind: 'package', location: shownUrl(one.url) },
      ...{ version: null, documents: 0, sameAs: twinOf(packages, one)?.alias ?? null },
    })),
  ]
}
