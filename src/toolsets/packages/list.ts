import { listCollections } from '../../answer/browse.js'
import { configuredPackages, type PackagePlaces } from '../../answer/configured-packages.js'
import type { Library } from '../../answer/library.js'
import { shownUrl } from '../../sources/package/location.js'
import { twinOf } from './configured.js'

export interface ListedCollection {
  collection: string
  /** Null: a package that is configured but not taken in. */
  id: string | null
  kind: string
  location: string
  version: string | null
  documents: number
  /** Of a package that is not taken in: the alias that it has already. */
  sameAs?: string | null
}

/** Every collection, and packages that are configured but not taken in yet. */
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
