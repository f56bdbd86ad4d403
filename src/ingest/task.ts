// What passes between the main thread and the parsing threads. A document travels as two strings and its
// numbers: cloning its thousands of small objects one by one took longer than parsing it.
import type { ChunkTerms, IndexedChunk, IndexedDocument, Stamp } from '../model/document.js'
import type { RawDocument } from './prepare.js'
import { readerVersion } from './reader-version.js'

export interface Task {
  /** The folder's real path and the file's path in it. */
  root: string
  path: string
  source: string
  maxBytes: number
  /** Of the stored version: when the bytes are the same, nothing else is done. */
  knownHash: string | null
  /** Hashes of versions that other worktrees read: such a one is taken over, and not parsed again. */
  sharedHashes?: readonly string[]
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

export function isKnown({ knownHash, sharedHashes }: Task, hash: string): boolean {
  return hash === knownHash || sharedHashes?.includes(hash) === true
}

export type Reading =
  | { state: 'same'; stamp: Stamp; readAt: number; bytes: number; hash: string }
  | { state: 'read'; document: PackedDocument; bytes: number }
  | Refused
  /** The file went away between listing and reading. */
  | { state: 'gone' }

export interface Refused {
  state: 'skipped' | 'failed'
  reason: string
  /** Another try may succeed without the file changing (permissions, disk errors, being stopped). */
  passing?: true
  /** It took longer than this, and may succeed with more. */
  givenMs?: number
}

export interface PackedDocument {
  /** All but text, terms and places, as JSON. */
  facts: string
  text: string
  words: readonly string[]
  /** Of all chunks, one after the other: `shape`, then places, then counts. In one piece, since each piece costs. */
  numbers: ArrayBuffer
}

type Facts = Omit<IndexedDocument, 'text' | 'words' | 'chunks'> & { chunks: ChunkFacts[] }

type ChunkFacts = [
  kind: IndexedChunk['kind'],
  language: string | null,
  headings: string[],
  symbols: string[],
  context: string,
  hash: string,
]

/** Of a chunk: how many words, the four lengths, start, end, line, end line. */
const shape = 9

/** With the words it has itself and no others, as another process knows none. */
export function pack(document: IndexedDocument): PackedDocument {
  const packed = packShared(document)
  const { places } = viewsOf(packed.numbers, document.chunks.length)
  const own = new Map<number, number>()
  for (let i = 0; i < places.length; i++) {
    const known = own.get(places[i]!) ?? own.size
    own.set(places[i]!, known)
    places[i] = known
  }
  return { ...packed, words: Array.from(own.keys(), (place) => document.words[place]!) }
}

/** With the words as they are, which others share. */
export function packShared({ text, words, chunks, ...rest }: IndexedDocument): PackedDocument {
  const facts: Facts = { ...rest, chunks: chunks.map(factsOf) }
  let size = 0
  for (const { terms } of chunks) size += terms.places.length
  const numbers = new ArrayBuffer(chunks.length * shape * 4 + size * 4 + size * 8)
  const { shapes, places, counts } = viewsOf(numbers, chunks.length)
  let [next, at] = [0, 0]
  for (const { terms, start, end, line, endLine } of chunks) {
    shapes[next++] = terms.places.length
    for (const length of terms.lengths) shapes[next++] = length
    shapes[next++] = start
    shapes[next++] = end
    shapes[next++] = line
    shapes[next++] = endLine
    places.set(terms.places, at)
    counts.set(terms.counts, at * 4)
    at += terms.places.length
  }
  return { facts: JSON.stringify(facts), text, words, numbers }
}

function factsOf({ kind, language, headings, symbols, context, hash }: IndexedChunk): ChunkFacts {
  return [kind, language, headings, symbols, context, hash]
}

function viewsOf(numbers: ArrayBuffer, chunks: number) {
  const behind = chunks * shape * 4
  const size = (numbers.byteLength - behind) / 12
  return {
    shapes: new Uint32Array(numbers, 0, chunks * shape),
    places: new Uint32Array(numbers, behind, size),
    counts: new Uint16Array(numbers, behind + size * 4, size * 4),
  }
}

/** A document that was made from a file alone: worktrees with the same file may share it. */
export function unpackFile(packed: PackedDocument): IndexedDocument {
  return { ...unpack(packed), reader: readerVersion }
}

export function unpack({ facts, text, words, numbers }: PackedDocument): IndexedDocument {
  const rest = JSON.parse(facts) as Facts
  const { shapes, places, counts } = viewsOf(numbers, rest.chunks.length)
  let at = 0
  const chunks = rest.chunks.map(([kind, language, headings, symbols, context, hash], i): IndexedChunk => {
    const from = at
    const number = (place: number) => shapes[i * shape + place]!
    at += number(0)
    const terms: ChunkTerms = {
      places: places.subarray(from, at),
      counts: counts.subarray(from * 4, at * 4),
      lengths: [number(1), number(2), number(3), number(4)],
    }
    const [start, end, line, endLine] = [number(5), number(6), number(7), number(8)]
    return { kind, language, start, end, line, endLine, headings, symbols, context, hash, terms }
  })
  return Object.assign(rest, { text, words, chunks })
}
