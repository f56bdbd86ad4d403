// What passes between the main thread and the parsing threads. A document travels as two strings and a few
// arrays of numbers: cloning its thousands of small objects one by one took longer than parsing it.
import type { ChunkTerms, IndexedChunk, IndexedDocument, NumberedWords, Stamp } from '../model/document.js'
import type { RawDocument } from './prepare.js'

export interface Task {
  /** The folder's real path and the file's path in it. */
  root: string
  path: string
  source: string
  maxBytes: number
  /** Of the stored version: when the bytes are the same, nothing else is done. */
  knownHash: string | null
  /** What the file is about to say: nothing is read then. */
  bytes?: Uint8Array
  /** How the document goes, when its file has no name of its own: bytes that we keep. */
  as?: KnownAs
}

export interface KnownAs {
  /** The document's path in its source. */
  path: string
  /** A file name whose ending tells the format. */
  name: string
  /** In place of the one that the text has. */
  title?: string
}

/** What a document is called, apart from what is in it. */
export function knownAs({ source, path, as }: Task): Pick<RawDocument, 'ref' | 'name' | 'title'> {
  if (!as) return { ref: { source, path } }
  const title = as.title === undefined ? {} : { title: as.title }
  return { ref: { source, path: as.path }, name: as.name, ...title }
}

export type Reading =
  | { state: 'same'; stamp: Stamp; readAt: number; bytes: number }
  | { state: 'read'; document: PackedDocument; bytes: number }
  /** `passing`: another try may succeed without the file changing (permissions, disk errors). */
  | { state: 'skipped' | 'failed'; reason: string; passing?: true }
  /** The file went away between listing and reading. */
  | { state: 'gone' }

export interface PackedDocument {
  /** All but text and terms, as JSON. */
  facts: string
  text: string
  words: string[]
  /** Between threads; another process has no use for them. */
  numbered?: NumberedWords
  /** The words of all chunks in order, by their place in `words`. */
  places: Uint32Array
  counts: Uint16Array
  /** For each chunk: how many words, then the four lengths. */
  shape: Uint32Array
}

type Facts = Omit<IndexedDocument, 'text' | 'words' | 'numbered' | 'chunks'> & {
  chunks: Omit<IndexedChunk, 'terms'>[]
}

export function pack({ text, words, numbered: _, chunks, ...rest }: IndexedDocument): PackedDocument {
  const facts: Facts = { ...rest, chunks: chunks.map(({ terms: __, ...chunk }) => chunk) }
  const size = chunks.reduce((sum, { terms }) => sum + terms.places.length, 0)
  const places = new Uint32Array(size)
  const counts = new Uint16Array(size * 4)
  const shape = new Uint32Array(chunks.length * 5)
  let at = 0
  for (const [i, { terms }] of chunks.entries()) {
    places.set(terms.places, at)
    counts.set(terms.counts, at * 4)
    shape[i * 5] = terms.places.length
    shape.set(terms.lengths, i * 5 + 1)
    at += terms.places.length
  }
  return { facts: JSON.stringify(facts), text, words, places, counts, shape }
}

export function unpack(packed: PackedDocument): IndexedDocument {
  const { facts, text, words, numbered, places, counts, shape } = packed
  const { chunks, ...rest } = JSON.parse(facts) as Facts
  let at = 0
  const termsOf = (chunk: number): ChunkTerms => {
    const from = at
    at += shape[chunk * 5]!
    const length = (field: number) => shape[chunk * 5 + 1 + field]!
    return {
      places: places.subarray(from, at),
      counts: counts.subarray(from * 4, at * 4),
      lengths: [length(0), length(1), length(2), length(3)],
    }
  }
  const indexed = chunks.map((chunk, i) => ({ ...chunk, terms: termsOf(i) }))
  return { ...rest, text, words, ...(numbered && { numbered }), chunks: indexed }
}
