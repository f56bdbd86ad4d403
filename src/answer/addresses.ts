// A document's one address is a source and a path in it. Tools write it in several ways (below the root, as an id, as an
// `architecture://` uri). This module resolves them all.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ref } from '../model/source.js'
import { hashOf } from '../text/hash.js'
import { refOfUri } from './architecture/documents.js'
import { cachedPerIndexVersion, type Library } from './library.js'

/** The document of an id or a uri; null when the name is neither, or leads nowhere. */
export async function refOfAddress(library: Library, written: string): Promise<Ref | null> {
  return isUri(written) ? refOfUri(library, written) : refOfId(library, written)
}

export function isUri(written: string): boolean {
  return /^architecture:\/\//i.test(written)
}

/** The document id for a uri; any other name unchanged. */
export async function withoutUri(library: Library, written: string): Promise<string> {
  const ref = isUri(written) ? await refOfUri(library, written) : null
  return ref ? documentIdOf(ref) : written
}

/** The part of a path below the root that lies in a source's place; null if it leads elsewhere. */
export function pathInside(place: string | null, path: string): string | null {
  if (place === null) return null
  if (place === '') return path
  const depth = place.split('/').length
  const segments = path.split('/')
  const isHere = segments.slice(0, depth).join('/').normalize('NFC') === place.normalize('NFC')
  return isHere && segments.length > depth ? segments.slice(depth).join('/') : null
}

/** `doc_` and a hash of the address: the same in every process, and after the index was built anew. */
export function documentIdOf({ source, path }: Ref): string {
  return `doc_${hashOf(source, path).slice(0, 16)}`
}

export function isDocumentId(written: string): boolean {
  return /^doc_[0-9a-f]{16}$/.test(written)
}

/** The document with an id; null if there is none. */
export async function refOfId(library: Library, id: string): Promise<Ref | null> {
  return isDocumentId(id) ? ((await refsById(library)).get(id) ?? null) : null
}

const atOnce = 4_000

const refsById = cachedPerIndexVersion('refs by document id', async ({ store }) => {
  const refs = new Map<string, Ref>()
  for (const { id: source } of await store.sources())
    for (const path of (await store.fingerprints(source)).keys()) {
      refs.set(documentIdOf({ source, path }), { source, path })
      if (refs.size % atOnce === 0) await nextTurn()
    }
  return refs
})
