import type { StoredChunk } from '../../../src/model/document.js'
import type { Store } from '../../../src/store/port.js'
import { referenceStore } from '../../support/reference-store.js'
import { sourceOf } from '../sample.js'
import { sourceIds } from '../scope-fields.js'
import type { OpenedStore } from '../store.js'
import { type Draft, documentFrom } from './steps.js'

/** A store, the reference beside it, and what must be remembered from one step to the next. */
export interface World {
  opened: OpenedStore
  store: Store
  reference: Store
  /** From every id the reference ever gave to the store's id of the same chunk. */
  twins: Map<number, number>
  /** The document and hash of each of the store's ids that was live after the step before. */
  live: Map<number, string>
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

export async function beginWorld(opened: OpenedStore, stock: Draft[]): Promise<World> {
  const { store } = opened
  const reference = referenceStore()
  for (const side of [store, reference]) {
    for (const id of sourceIds) await side.putSource(sourceOf(id))
    await side.replace(stock.map(documentFrom))
  }
  return {
    opened,
    store,
    reference,
    twins: new Map(),
    live: new Map(),
    embedded: new Map(),
    content: '',
    version: '',
  }
}
