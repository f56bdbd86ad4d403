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
  type HeldDocument,
  held,
  keyOf,
  type LiveChunk,
  liveChunks,
  newShelf,
  type Shelf,
} from './reference-store/shelf.js'
import { referenceVectors } from './reference-store/vectors.js'
import { rankByFormula, termsOf } from './reference-store/words.js'

export function referenceStore(options: { now?: () => number } = {}): Store {
  const shelf = newShelf()
  const now = options.now ?? Date.now
  const store: Store = {
    async putSource(source) {
      shelf.sources.set(source.id, structuredClone(source))
      shelf.version++
    },
    async sources() {
      return structuredClone([...shelf.sources.values()].sort((a, b) => byText(a.id, b.id)))
    },
    async forgetSource(id) {
      return forgetSource(shelf, id)
    },
    async replace(documents) {
      validateDocuments(documents, (id) => shelf.sources.has(id))
      const firstNew = shelf.nextId
      for (const document of documents) replaceOne(shelf, structuredClone(document), now())
      copyVectors(shelf, firstNew)
    },
    async forget(refs, asOf = Number.POSITIVE_INFINITY) {
      return refs.filter((ref) => forgetOne(shelf, ref, { asOf, now: now() })).length
    },
    async restamp(stamps) {
      for (const { ref, stamp, readAt } of stamps) {
        const document = held(shelf, ref)?.document
        if (document && !readLater(document.readAt, readAt, now()))
          Object.assign(document, { stamp: { ...stamp }, readAt })
      }
    },
    async document(ref) {
      const found = held(shelf, ref)
      return found ? storedDocument(found.document) : null
    },
    async documents(scope, { offset, limit }) {
      const matching = [...shelf.documents.values()]
        .map(({ document }) => document)
        .filter((document) => documentInScope(document, document.chunks, scope))
        .sort((a, b) => byRef(a.ref, b.ref))
      const start = Math.max(0, offset)
      const page = matching.slice(start, start + Math.max(0, limit))
      return { documents: page.map(summary), total: matching.length }
    },
    async fingerprints(source) {
      const documents = [...shelf.documents.values()].map(({ document }) => document)
      return new Map(
        documents.filter(({ ref }) => ref.source === source).map((d) => [d.ref.path, fingerprint(d)]),
      )
    },
    async noted(source, paths) {
      return [...shelf.documents.values()]
        .map(({ document }) => document)
        .filter(({ ref, format }) => ref.source === source && format === 'markdown')
        .filter(({ ref }) => !paths || paths.includes(ref.path))
        .sort((a, b) => byRef(a.ref, b.ref))
        .map(noted)
    },
    async chunks(ids) {
      const live = liveChunks(shelf)
      return ids.flatMap((id) => live.filter((chunk) => chunk.id === id)).map(storedChunk)
    },
    async chunksOf(ref) {
      return liveChunks(shelf)
        .filter(({ document }) => keyOf(document.ref) === keyOf(ref))
        .map(storedChunk)
    },
    async rank(query) {
      return rankByFormula(liveChunks(shelf), query)
    },
    async terms({ prefix, matches }) {
      return termsOf(liveChunks(shelf)).filter(({ term }) => term.startsWith(prefix) && matches(term))
    },
    withReadCache: () => store,
    vectors: referenceVectors(shelf),
    records: referenceRecords(),
    leases: referenceLeases(now),
    async counts() {
      return counts(shelf)
    },
    async diskUse() {
      return { texts: 0, postings: 0, vectors: 0, rest: 0 }
    },
    async version() {
      return String(shelf.version)
    },
    async settle() {},
    async close() {},
  }
  return store
}

function replaceOne(shelf: Shelf, document: IndexedDocument, now: number): void {
  const before = held(shelf, document.ref)
  if (before && readLater(before.document.readAt, document.readAt, now)) return
  const ids = idsFor(shelf, before, document)
  for (const id of before?.ids ?? []) if (!ids.includes(id)) dropVectors(shelf, id)
  shelf.documents.set(keyOf(document.ref), { document, ids })
  shelf.version++
}

/** A chunk takes over the id of one with the same hash, the first not yet taken; others get ids never used before. */
function idsFor(shelf: Shelf, before: HeldDocument | undefined, document: IndexedDocument): number[] {
  const free = (before?.document.chunks ?? []).map(({ hash }, index) => ({ hash, id: before!.ids[index]! }))
  return document.chunks.map(({ hash }) => {
    const at = free.findIndex((chunk) => chunk.hash === hash)
    return at >= 0 ? free.splice(at, 1)[0]!.id : shelf.nextId++
  })
}

/** The same hash means the same vector: a chunk that is new takes it from any chunk of that hash still there. */
function copyVectors(shelf: Shelf, firstNew: number): void {
  const live = liveChunks(shelf)
  for (const vectors of shelf.vectors.values()) {
    for (const { id, chunk } of live.filter((fresh) => fresh.id >= firstNew)) {
      const twin = live.find((other) => other.chunk.hash === chunk.hash && vectors.has(other.id))
      if (twin) vectors.set(id, vectors.get(twin.id)!)
    }
  }
}

function dropVectors(shelf: Shelf, id: number): void {
  for (const vectors of shelf.vectors.values()) vectors.delete(id)
}

function forgetOne(shelf: Shelf, ref: Ref, { asOf, now }: { asOf: number; now: number }): boolean {
  const found = held(shelf, ref)
  if (!found || readLater(found.document.readAt, asOf, now)) return false
  drop(shelf, found)
  return true
}

function drop(shelf: Shelf, found: HeldDocument): void {
  for (const id of found.ids) dropVectors(shelf, id)
  shelf.documents.delete(keyOf(found.document.ref))
  shelf.version++
}

function forgetSource(shelf: Shelf, id: string): boolean {
  if (!shelf.sources.delete(id)) return false
  for (const found of [...shelf.documents.values()]) if (found.document.ref.source === id) drop(shelf, found)
  shelf.version++
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

function counts(shelf: Shelf): StoreCounts {
  const documents = [...shelf.documents.values()].map(({ document }) => document)
  const chunksIn = (list: IndexedDocument[]) => list.reduce((sum, { chunks }) => sum + chunks.length, 0)
  const bySource = [...shelf.sources.values()].map(({ id }: Source) => {
    const own = documents.filter(({ ref }) => ref.source === id)
    return [id, { documents: own.length, chunks: chunksIn(own) }] as const
  })
  return {
    sources: shelf.sources.size,
    documents: documents.length,
    chunks: chunksIn(documents),
    chars: documents.reduce((sum, { text }) => sum + text.length, 0),
    bySource: Object.fromEntries(bySource),
  }
}
