// Where documents lie in the project, whichever of its folders their source is.

import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import type { Source } from '../model/source.js'
import { moduleOf } from '../text/module.js'
import type { Library } from './library.js'

/** Where a source lies below the root: empty for the root itself, null for what lies elsewhere. */
export function placeOf({ settings }: Pick<Library, 'settings'>, { kind, location }: Source): string | null {
  if (kind !== 'folder' || !isAbsolute(location)) return null
  const path = relative(settings.root, location).split(sep).join('/')
  return path.split('/')[0] === '..' || isAbsolute(path) ? null : path
}

/** By its path below the project's root, as read_file takes it; what lies elsewhere has its collection in front. */
export function fileOf(library: Pick<Library, 'settings'>, source: Source, path: string): string {
  const place = placeOf(library, source)
  return place === null ? `${source.name}:${path}` : below(place, path)
}

/** The part of the project that a document belongs to; of what lies elsewhere, the part of its source. */
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
