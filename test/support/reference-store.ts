// The slow, obviously right store: plain maps, copies on the way in and out, and a scan for every question.
// Other stores are checked against it. It has no index, no cache and no file, and it shall stay that way.
import type {
  DocumentSummary,
  IndexedDocument,
  NotedDocument,
  StoredChunk,
  StoredDocument,
} from '../../src/model/document.js'
import type { Ref, Source } from '../../src/model/source.js'
import { byRef, byText, readLater } from '../../src/store/order.js'
import type { Fingerprint, Store, StoreCounts } from '../../src/store/port.js'
import { validateDocuments } from '../../src/store/sqlite/store.js'
import { lineCount } from '../../src/text/lines.js'
import { documentInScope } from '../contract/scope-fields.js'
import { referenceLeases, referenceRecords } from './reference-store/records.js'
import {
  emptyState,
  type HeldDocument,
  held,
  keyOf,
  type LiveChunk,
  liveChunks,
  type StoreState,
} from './reference-store/state.js'
import { referenceVectors } from './reference-store/vectors.js'
import { rankByFormula, termsOf } from './reference-store/words.js'

export function referenceStore(options: { now?: () => number } = {}): Store {
  const state = emptyState()
  const now = options.now ?? Date.now
  const store: Store = {
    async putSource(source) {
      state.sources.set(source.id, structuredClone(source))
      state.version++
    },
    async sources() {
      return structuredClone([...state.sources.values()].sort((a, b) => byText(a.id, b.id)))
    },
    async forgetSource(id) {
      return forgetSource(state, id)
    },
    async replace(documents) {
      validateDocuments(documents, (id) => state.sources.has(id))
      const firstNew = state.nextId
      for (const document of documents) replaceOne(state, structuredClone(document), now())
      copyVectors(state, firstNew)
    },
    async forget(refs, asOf = Number.POSITIVE_INFINITY) {
      return refs.filter((ref) => forgetOne(state, ref, { asOf, now: now() })).length
    },
    async restamp(stamps) {
      for (const { ref, stamp, readAt } of stamps) {
        const document = held(state, ref)?.document
        if (document && !readLater(document.readAt, readAt, now()))
          Object.assign(document, { stamp: { ...stamp }, readAt })
      }
    },
    async document(ref) {
      const found = held(state, ref)
      return found ? storedDocument(found.document) : null
    },
    async documents(scope, { offset, limit }) {
      const matching = [...state.documents.values()]
        .map(({ document }) => document)
        .filter((document) => documentInScope(document, document.chunks, scope))
        .sort((a, b) => byRef(a.ref, b.ref))
      const start = Math.max(0, offset)
      const page = matching.slice(start, start + Math.max(0, limit))
      return { documents: page.map(summary), total: matching.length }
    },
    async fingerprints(source) {
      const documents = [...state.documents.values()].map(({ document }) => document)
      return new Map(
        documents.filter(({ ref }) => ref.source === source).map((d) => [d.ref.path, fingerprint(d)]),
      )
    },
    async noted(source, paths) {
      return [...state.documents.values()]
        .map(({ document }) => document)
        .filter(({ ref, format }) => ref.source === source && format === 'markdown')
        .filter(({ ref }) => !paths || paths.includes(ref.path))
        .sort((a, b) => byRef(a.ref, b.ref))
        .map(noted)
    },
    async chunks(ids) {
      const live = liveChunks(state)
      return ids.flatMap((id) => live.filter((chunk) => chunk.id === id)).map(storedChunk)
    },
    async chunksOf(ref) {
      return liveChunks(state)
        .filter(({ document }) => keyOf(document.ref) === keyOf(ref))
        .map(storedChunk)
    },
    async rank(query) {
      return rankByFormula(liveChunks(state), query)
    },
    async terms({ prefix, matches }) {
      return termsOf(liveChunks(state)).filter(({ term }) => term.startsWith(prefix) && matches(term))
    },
    withReadCache: () => store,
    vectors: referenceVectors(state),
    records: referenceRecords(),
    leases: referenceLeases(now),
    async counts() {
      return counts(state)
    },
    async diskUse() {
      return { texts: 0, postings: 0, vectors: 0, rest: 0 }
    },
    async version() {
      return String(state.version)
    },
    async settle() {},
    async close() {},
  }
  return store
}

function replaceOne(state: StoreState, document: IndexedDocument, now: number): void {
  const before = held(state, document.ref)
  if (before && readLater(before.document.readAt, document.readAt, now)) return
  const ids = idsFor(state, before, document)
  for (const id of before?.ids ?? []) if (!ids.includes(id)) dropVectors(state, id)
  state.documents.set(keyOf(document.ref), { document, ids })
  state.version++
}

/** A chunk takes over the id of one with the same hash, the first not yet taken; others get ids never used before. */
function idsFor(state: StoreState, before: HeldDocument | undefined, document: IndexedDocument): number[] {
  const free = (before?.document.chunks ?? []).map(({ hash }, index) => ({ hash, id: before!.ids[index]! }))
  return document.chunks.map(({ hash }) => {
    const at = free.findIndex((chunk) => chunk.hash === hash)
    return at >= 0 ? free.splice(at, 1)[0]!.id : state.nextId++
  })
}

/** The same hash means the same vector: a chunk that is new takes it from any chunk of that hash still there. */
function copyVectors(state: StoreState, firstNew: number): void {
  const live = liveChunks(state)
  for (const vectors of state.vectors.values()) {
    for (const { id, chunk } of live.filter((fresh) => fresh.id >= firstNew)) {
      const twin = live.find((other) => other.chunk.hash === chunk.hash && vectors.has(other.id))
      if (twin) vectors.set(id, vectors.get(twin.id)!)
    }
  }
}

function dropVectors(state: StoreState, id: number): void {
  for (const vectors of state.vectors.values()) vectors.delete(id)
}

function forgetOne(state: StoreState, ref: Ref, { asOf, now }: { asOf: number; now: number }): boolean {
  const found = held(state, ref)
  if (!found || readLater(found.document.readAt, asOf, now)) return false
  drop(state, found)
  return true
}

function drop(state: StoreState, found: HeldDocument): void {
  for (const id of found.ids) dropVectors(state, id)
  state.documents.delete(keyOf(found.document.ref))
  state.version++
}

function forgetSource(state: StoreState, id: string): boolean {
  if (!state.sources.delete(id)) return false
  for (const found of [...state.documents.values()]) if (found.document.ref.source === id) drop(state, found)
  state.version++
  return true
}

function storedDocument(document: IndexedDocument): StoredDocument {
  const { chunks, words: _, ...rest } = document
  return { ...structuredClone(rest), chunkCount: chunks.length }
}

function summary(document: IndexedDocument): DocumentSummary {
  const { text, sections, links, ...rest } = storedDocument(document)
  return { ...rest, chars: text.length, lines: lineCount(text) }
}

function noted(document: IndexedDocument): NotedDocument {
  const { ref, title, hash, stamp, readAt, tags, aliases, links, notes } = document
  return structuredClone({ path: ref.path, title, hash, stamp, readAt, tags, aliases, links, notes })
}

function fingerprint({ stamp, hash, readAt }: IndexedDocument): Fingerprint {
  return structuredClone({ stamp, hash, readAt })
}

function storedChunk({ id, index, chunk, document }: LiveChunk): StoredChunk {
  const { terms, ...rest } = chunk
  const { ref, title, format, chunks, text } = document
  return {
    ...structuredClone(rest),
    id,
    ref: { ...ref },
    title,
    format,
    index,
    count: chunks.length,
    text: text.slice(chunk.start, chunk.end),
  }
}

function counts(state: StoreState): StoreCounts {
  const documents = [...state.documents.values()].map(({ document }) => document)
  const chunksIn = (list: IndexedDocument[]) => list.reduce((sum, { chunks }) => sum + chunks.length, 0)
  const bySource = [...state.sources.values()].map(({ id }: Source) => {
    const own = documents.filter(({ ref }) => ref.source === id)
    return [id, { documents: own.length, chunks: chunksIn(own) }] as const
  })
  return {
    sources: state.sources.size,
    documents: documents.length,
    chunks: chunksIn(documents),
    chars: documents.reduce((sum, { text }) => sum + text.length, 0),
    bySource: Object.fromEntries(bySource),
  }
}
