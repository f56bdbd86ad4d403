import type { ChunkTerms } from '../model/document.js'
import { found, makeRoom, scan, vocabulary } from './terms.js'

/** The indexed fields of a chunk. */
interface ChunkFields {
  title: string
  headings: string
  names: string
  body: string
}

/** Counts the terms of a document's chunks, ready for a store. */
export function countTerms(fields: readonly ChunkFields[]): Counted {
  makeRoom()
  size = 0
  read.clear()
  const spans = fields.map(countChunk)
  // All chunks share one array and get a view each: allocating an array per chunk costs more than filling it.
  const [allPlaces, allCounts] = [places.slice(0, size), counts.slice(0, size * 4)]
  const chunks = spans.map(({ from, to, lengths }) => ({
    places: allPlaces.subarray(from, to),
    counts: allCounts.subarray(from * 4, to * 4),
    lengths,
  }))
  return { words: vocabulary(), chunks }
}

interface Counted {
  words: readonly string[]
  chunks: ChunkTerms[]
}

// Buffers are reused from one document to the next.
let chunk = 0
let size = 0
let places = new Uint32Array(4096)
let counts = new Uint16Array(4096 * 4)

interface Span {
  from: number
  to: number
  lengths: ChunkTerms['lengths']
}

function countChunk({ title, headings, names, body }: ChunkFields): Span {
  chunk++
  const from = size
  const shared = [countAgain(title, 0), countAgain(headings, 1), countAgain(names, 2)] as const
  scan(body)
  const lengths: ChunkTerms['lengths'] = [...shared, countCodes(found.codes, found.size, 3)]
  return { from, to: size, lengths }
}

/** A cache of scanned texts: neighbouring chunks share title, headings and path. */
const read = new Map<string, Uint32Array>()

function countAgain(text: string, field: number): number {
  let codes = read.get(text)
  if (!codes) {
    scan(text)
    codes = found.codes.slice(0, found.size)
    read.set(text, codes)
  }
  return countCodes(codes, codes.length, field)
}

// The length counts positions. Whole identifiers are indexed besides their parts and must not lengthen a chunk.
function countCodes(codes: Uint32Array, many: number, field: number): number {
  let length = 0
  for (let i = 0; i < many; i++) {
    const code = codes[i]!
    const term = code & ~1
    if (term >= seen.length) seenMore(term)
    if (seen[term + ofChunk] !== chunk) open(term)
    const at = seen[term + place]! * 4 + field
    if (counts[at]! < 65535) counts[at]!++
    length += 1 - (code & 1)
  }
  return length
}

// For each term: the last chunk with it, and the place of its count in that chunk.
let seen = new Int32Array(4096 * 2)
const [ofChunk, place] = [0, 1] as const

function open(term: number) {
  seen[term + ofChunk] = chunk
  seen[term + place] = size
  if (size === places.length) grow()
  places[size] = term >>> 1
  const at = size * 4
  counts[at] = counts[at + 1] = counts[at + 2] = counts[at + 3] = 0
  size++
}

function seenMore(term: number) {
  const more = new Int32Array(Math.max(seen.length * 2, term + 2))
  more.set(seen)
  seen = more
}

function grow() {
  const [morePlaces, moreCounts] = [new Uint32Array(places.length * 2), new Uint16Array(counts.length * 2)]
  morePlaces.set(places)
  moreCounts.set(counts)
  places = morePlaces
  counts = moreCounts
}
