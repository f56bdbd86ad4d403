// One short name for every document of the index, whatever source it comes from: `doc_` and a hash of its address, so
// that the same document has the same name in every process and after the index was built anew.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ref } from '../model/source.js'
import type { Store } from '../store/port.js'
import { hashOf } from '../text/hash.js'

export function documentIdOf({ source, path }: Ref): string {
  return `doc_${hashOf(source, path).slice(0, 16)}`
}

export function isDocumentId(written: string): boolean {
  return /^doc_[0-9a-f]{16}$/.test(written)
}

/** The document that goes by an id; null when there is none. */
export async function refOfId(store: Store, id: string): Promise<Ref | null> {
  return isDocumentId(id) ? ((await idsOf(store)).get(id) ?? null) : null
}

interface Ids {
  version: string
  refs: Promise<Map<string, Ref>>
}

const known = new WeakMap<Store, Ids>()

/** All ids, worked out once a version of the index. */
async function idsOf(store: Store): Promise<Map<string, Ref>> {
  const version = await store.version()
  const before = known.get(store)
  if (before?.version === version) return before.refs
  const fresh = { version, refs: collect(store) }
  known.set(store, fresh)
  fresh.refs.catch(() => known.delete(store))
  return fresh.refs
}

const atOnce = 4_000

async function collect(store: Store): Promise<Map<string, Ref>> {
  const refs = new Map<string, Ref>()
  for (const { id: source } of await store.sources())
    for (const path of (await store.fingerprints(source)).keys()) {
      refs.set(documentIdOf({ source, path }), { source, path })
      if (refs.size % atOnce === 0) await nextTurn()
    }
  return refs
}
