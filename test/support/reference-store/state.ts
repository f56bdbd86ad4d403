import type { IndexedChunk, IndexedDocument } from '../../../src/model/document.js'
import type { Ref, Source } from '../../../src/model/source.js'
import { byPlace } from '../../../src/store/order.js'

/** Everything the reference holds about documents. */
export interface StoreState {
  sources: Map<string, Source>
  documents: Map<string, HeldDocument>
  /** By model, then by chunk id. */
  vectors: Map<string, Map<number, Float32Array>>
  nextId: number
  version: number
}

export interface HeldDocument {
  document: IndexedDocument
  /** The chunks' ids, by position. */
  ids: number[]
}

export interface LiveChunk {
  id: number
  index: number
  chunk: IndexedChunk
  document: IndexedDocument
}

export function emptyState(): StoreState {
  return { sources: new Map(), documents: new Map(), vectors: new Map(), nextId: 1, version: 0 }
}

export function held(state: StoreState, ref: Ref): HeldDocument | undefined {
  return state.documents.get(keyOf(ref))
}

export function keyOf({ source, path }: Ref): string {
  return JSON.stringify([source, path])
}

/** Every chunk there is, by source, path and position: a stable sort of these breaks ties as documented. */
export function liveChunks(state: StoreState): LiveChunk[] {
  return [...state.documents.values()]
    .flatMap(({ document, ids }) =>
      document.chunks.map((chunk, index) => ({ id: ids[index]!, index, chunk, document })),
    )
    .sort((a, b) => byPlace({ ref: a.document.ref, index: a.index }, { ref: b.document.ref, index: b.index }))
}
