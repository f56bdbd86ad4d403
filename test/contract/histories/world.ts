import type { IndexedDocument, StoredChunk } from '../../../src/model/document.js'
import type { Store } from '../../../src/store/port.js'
import { referenceStore } from '../../../src/store/reference.js'
import { sourceOf } from '../sample.js'
import type { OpenedStore } from '../store.js'
import { sourceIds } from './steps.js'

/** A store, the reference beside it, and what must be remembered from one step to the next. */
export interface World {
  opened: OpenedStore
  store: Store
  reference: Store
  /** From every id the reference ever gave to the store's id of the same chunk. */
  twins: Map<number, number>
  /** Hashes that had a vector after the step before, by model. */
  embedded: Map<string, Set<string>>
  /** What both held after the step before, and the store's version then. */
  content: string
  version: string
}

/** One chunk, as the store and the reference show it. */
export interface Pair {
  own: StoredChunk
  right: StoredChunk
}

export async function beginWorld(opened: OpenedStore, documents: IndexedDocument[]): Promise<World> {
  const { store } = opened
  const reference = referenceStore()
  for (const side of [store, reference]) {
    for (const id of sourceIds) await side.putSource(sourceOf(id))
    await side.replace(documents)
  }
  return { opened, store, reference, twins: new Map(), embedded: new Map(), content: '', version: '' }
}
