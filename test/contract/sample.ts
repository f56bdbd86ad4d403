// Small documents for the contract, and what a store should give back for them.
import assert from 'node:assert/strict'
import type {
  ChunkTerms,
  DocumentSummary,
  IndexedChunk,
  IndexedDocument,
  StoredChunk,
  StoredDocument,
} from '../../src/model/document.js'
import type { ChunkKind, Ref, Source } from '../../src/model/source.js'
import type { Store, WordQuery, WordRank } from '../../src/store/port.js'
import { hashOf } from '../../src/text/hash.js'
import { lineAt, lineCount, lineStarts } from '../../src/text/lines.js'

/** A chunk to be: what its four fields say, in words parted by blanks. A bare string is a body. */
export interface Passage {
  body: string
  title?: string
  headings?: string
  names?: string
  kind?: ChunkKind
  language?: string | null
}

export function sourceOf(id: string, more: Partial<Source> = {}): Source {
  return {
    id,
    name: `the ${id}`,
    kind: 'folder',
    location: `/library/${id}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
    details: { etag: 'W/"1"', nested: { list: [1, null, 'two'] } },
    ...more,
  }
}

export function documentOf(
  path: string,
  passages: readonly (string | Passage)[],
  { source = 'notes', ...more }: Partial<IndexedDocument> & { source?: string } = {},
): IndexedDocument {
  const whole = passages.map((passage) => (typeof passage === 'string' ? { body: passage } : passage))
  const text = whole.map(({ body }) => body).join('\n\n')
  const words = [...new Set(whole.flatMap((passage) => textsOf(passage).flatMap(split)))]
  return {
    ref: { source, path },
    title: `On ${path}`,
    format: 'markdown',
    language: null,
    text,
    hash: hashOf(text),
    stamp: { size: text.length, mtimeMs: 1_700_000_000_000.25, ctimeMs: 1_700_000_000_001.5, ino: 2 ** 63 },
    readAt: 1000,
    sections: [{ level: 1, text: 'Opening', line: 1, endLine: 1, start: 0, end: text.length }],
    links: [{ kind: 'wiki', target: 'a', label: null, heading: 'B', block: null, start: 0, end: 0, line: 1 }],
    tags: ['sample'],
    aliases: ['Also known'],
    metadata: { author: 'Ada', year: 1843, nested: { list: [1, null, true] } },
    notes: [{ code: 'odd', message: 'Something was odd.' }],
    chunks: chunksOf(text, whole, words),
    words,
    ...more,
  }
}

function chunksOf(text: string, passages: readonly Passage[], words: string[]): IndexedChunk[] {
  const starts = lineStarts(text)
  let offset = 0
  return passages.map((passage) => {
    const [start, end] = [offset, offset + passage.body.length]
    offset = end + 2
    const { kind = 'prose', language = null, title = '', headings = '', names = '', body } = passage
    return {
      kind,
      language,
      start,
      end,
      line: lineAt(starts, start),
      endLine: lineAt(starts, end),
      headings: split(headings),
      symbols: split(names),
      context: `${title} › ${headings}`,
      hash: hashOf(title, headings, names, body, kind),
      terms: termsOf(textsOf(passage), words),
    }
  })
}

function textsOf({ title = '', headings = '', names = '', body }: Passage): string[] {
  return [title, headings, names, body]
}

function termsOf(texts: readonly string[], words: string[]): ChunkTerms {
  const fieldsOf = texts.map(split)
  const own = [...new Set(fieldsOf.flat())]
  const counts = own.flatMap((word) => fieldsOf.map((field) => field.filter((w) => w === word).length))
  const lengths = fieldsOf.map(({ length }) => length) as [number, number, number, number]
  const places = Uint32Array.from(own, (word) => words.indexOf(word))
  return { places, counts: Uint16Array.from(counts), lengths }
}

function split(text: string): string[] {
  return text.split(/[\s\p{Surrogate}]+/u).filter(Boolean)
}

/** The documents given, stored, under sources made for them. */
export async function stock(store: Store, documents: readonly IndexedDocument[]): Promise<void> {
  for (const id of new Set(documents.map(({ ref }) => ref.source))) await store.putSource(sourceOf(id))
  await store.replace(documents)
}

export function wordsOf(terms: string, more: Partial<WordQuery> = {}): WordQuery {
  return {
    terms: split(terms).map((term) => ({ term, weight: 1 })),
    weights: { title: 1, headings: 1, names: 1, body: 1 },
    scope: {},
    limit: 1000,
    ...more,
  }
}

/** Where ranked chunks stand, as `source:path#index`. */
export async function placesOf(store: Store, ranks: readonly { chunk: number }[]): Promise<string[]> {
  const chunks = await store.chunks(ranks.map(({ chunk }) => chunk))
  assert.equal(chunks.length, ranks.length, 'every ranked chunk is there')
  return chunks.map(placeOf)
}

export function placeOf({ ref, index }: { ref: Ref; index: number }): string {
  return `${ref.source}:${ref.path}#${index}`
}

export async function ranksOf(store: Store, query: WordQuery): Promise<WordRank[]> {
  return (await store.rank(query)).ranks
}

export async function foundBy(store: Store, query: WordQuery): Promise<string[]> {
  return placesOf(store, await ranksOf(store, query))
}

export async function idsOf(store: Store, ref: Ref): Promise<number[]> {
  return (await store.chunksOf(ref)).map(({ id }) => id)
}

export async function firstChunk(store: Store, ref: Ref): Promise<StoredChunk> {
  const [chunk] = await store.chunksOf(ref)
  assert.ok(chunk, `${ref.path} has a chunk`)
  return chunk
}

/** What was given, as `document` should return it. */
export function storedOf(document: IndexedDocument): StoredDocument {
  const { chunks, words: _, ...rest } = document
  return { ...rest, chunkCount: chunks.length }
}

export function summaryOf(document: IndexedDocument): DocumentSummary {
  const { text, sections, links, ...rest } = storedOf(document)
  return { ...rest, chars: text.length, lines: lineCount(text) }
}

/** What was given, as `chunksOf` should return it, apart from the ids. */
export function storedChunksOf(document: IndexedDocument): Omit<StoredChunk, 'id'>[] {
  const { ref, title, format, text, chunks } = document
  return chunks.map(({ terms, ...chunk }, index) => ({
    ...chunk,
    ref,
    title,
    format,
    index,
    count: chunks.length,
    text: text.slice(chunk.start, chunk.end),
  }))
}

export function withoutId({ id, ...chunk }: StoredChunk): Omit<StoredChunk, 'id'> {
  return chunk
}

/** A direction that depends on the name alone. The same name gives the same vector, of unit length. */
export function vectorOf(name: string, length = 48): Float32Array {
  const values = Float32Array.from(
    { length },
    (_, i) => Number.parseInt(hashOf(name, `${i}`).slice(0, 8), 16) - 2 ** 31,
  )
  return unit(values)
}

export function unit(values: Float32Array): Float32Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return values.map((value) => value / length)
}

export function cosineOf(a: Float32Array, b: Float32Array): number {
  const [one, other] = [unit(a), unit(b)]
  return one.reduce((sum, value, i) => sum + value * other[i]!, 0)
}

/** Gives every chunk that waits for one its vector. */
export async function embedAll(store: Store, model = 'model', length = 48): Promise<void> {
  const pending = await store.vectors.pending(model, 1_000_000)
  const vectors = pending.map(({ chunk, hash }) => ({ chunk, hash, vector: vectorOf(hash, length) }))
  assert.equal(await store.vectors.put(model, vectors), vectors.length)
}

/** Equal as JSON, where NUL and half a surrogate pair may have become U+FFFD: few databases keep them in text. */
export function same(actual: unknown, expected: unknown, message?: string): void {
  assert.deepEqual(plain(actual), plain(expected), message)
}

function plain(value: unknown): unknown {
  const text = JSON.stringify(value)
  if (!/\\u(0000|d[89a-f])/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, inner) =>
    typeof inner === 'string' ? inner.replace(/[\p{Surrogate}\0]/gu, '\ufffd') : inner,
  )
}

/** Everything a store says about its documents, chunks and vectors, apart from ids and in one fixed order. */
export async function contentOf(store: Store): Promise<string> {
  const { documents } = await store.documents({}, { offset: 0, limit: 1_000_000 })
  const whole = []
  for (const { ref } of documents) {
    const chunks = await store.chunksOf(ref)
    whole.push([await store.document(ref), chunks.map(withoutId)])
  }
  return JSON.stringify([await store.sources(), whole, await store.counts(), await store.vectors.counts()])
}
