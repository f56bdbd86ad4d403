// One short name for every document of the index, whatever source it comes from: `doc_` and a hash of its address, so
// that the same document has the same name in every process and after the index was built anew.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ref } from '../model/source.js'
import { hashOf } from '../text/hash.js'
import type { Library } from './library.js'
import { cachedPerIndexVersion } from './library-state.js'

export function documentIdOf({ source, path }: Ref): string {
  return `doc_${hashOf(source, path).slice(0, 16)}`
}

export function isDocumentId(written: string): boolean {
  return /^doc_[0-9a-f]{16}$/.test(written)
}

/** The document that goes by an id; null when there is none. */
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
