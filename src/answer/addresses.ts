// A document's one address is a source and a path in it. Tools write it in several ways (below the root, as an id, as an
// `architecture://` uri), and what each of them means is said here for all.
import type { Ref } from '../model/source.js'
import { refOfUri } from './architecture/documents.js'
import { documentIdOf, refOfId } from './document-ids.js'
import type { Library } from './library.js'

/** The document of an id or a uri; null when the name is neither, or leads nowhere. */
export async function refOfAddress(library: Library, written: string): Promise<Ref | null> {
  return isUri(written) ? refOfUri(library, written) : refOfId(library, written)
}

export function isUri(written: string): boolean {
  return /^architecture:\/\//i.test(written)
}

/** A uri as the id of its document, for whoever takes ids; any other name as it stands. */
export async function withoutUri(library: Library, written: string): Promise<string> {
  const ref = isUri(written) ? await refOfUri(library, written) : null
  return ref ? documentIdOf(ref) : written
}

/** What of a path below the root lies inside the place of a source; null when it leads elsewhere. */
export function pathInside(place: string | null, path: string): string | null {
  if (place === null) return null
  if (place === '') return path
  const depth = place.split('/').length
  const segments = path.split('/')
  const isHere = segments.slice(0, depth).join('/').normalize('NFC') === place.normalize('NFC')
  return isHere && segments.length > depth ? segments.slice(depth).join('/') : null
}
