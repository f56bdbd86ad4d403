import type { ChunkTerms } from '../model/document.js'
import { found, makeRoom, scan, vocabulary } from './terms.js'

/** What of a chunk is indexed, field by field. */
export interface Passage {
  title: string
  headings: string
  names: string
  body: string
}

/** Counts the terms of a document's chunks, ready for a store. */
export function countTerms(passages: readonly Passage[]): Counted {
  makeRoom()
  size = 0
  read.clear()
  const spans = passages.map(countChunk)
  // One array for all chunks, and a view of it for each: an array a chunk costs more than filling it.
  const [allPlaces, allCounts] = [places.slice(0, size), counts.slice(0, size * 4)]
  const chunks = spans.map(({ from, to, lengths }) => ({
    places: allPlaces.subarray(from, to),
    counts: allCounts.subarray(from * 4, to * 4),
    lengths,
  }))
  return { words: vocabulary(), chunks }
}

export interface Counted {
  words: readonly string[]
  chunks: ChunkTerms[]
}

// One document is counted at a time, into room that is used again for the next.
let chunk = 0
let size = 0
let places = new Uint32Array(4096)
let counts = new Uint16Array(4096 * 4)

interface Span {
  from: number
  to: number
  lengths: ChunkTerms['lengths']
}

function countChunk({ title, headings, names, body }: Passage): Span {
  chunk++
  const from = size
  const shared = [countAgain(title, 0), countAgain(headings, 1), countAgain(names, 2)] as const
  scan(body)
  const lengths: ChunkTerms['lengths'] = [...shared, countCodes(found.codes, found.size, 3)]
  return { from, to: size, lengths }
}

/** What a text says, for the chunks that follow: neighbours share title, headings and path. */
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

// Length is in positions: wholes are extra, and must not make a chunk of identifiers look longer than it is.
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

// Of each term: the chunk that had it last, and where it is counted there.
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
