import type { ChunkTerms } from '../model/document.js'
import { eachKnown, type Known, makeRoom } from './terms.js'

/** What of a chunk is indexed, field by field. */
export interface Passage {
  title: string
  headings: string
  names: string
  body: string
}

/** Counts the terms of a document's chunks, ready for a store. */
export function countTerms(passages: readonly Passage[]): { words: string[]; chunks: ChunkTerms[] } {
  makeRoom()
  document++
  words = []
  read.clear()
  return { chunks: passages.map(countChunk), words }
}

// One document is counted at a time, into room that is used again for the next.
let document = 0
let words: string[] = []
let chunk = 0
let distinct = 0
let places = new Uint32Array(1024)
let counts = new Uint16Array(4096)

function countChunk({ title, headings, names, body }: Passage): ChunkTerms {
  chunk++
  distinct = 0
  const lengths: [number, number, number, number] = [
    countAgain(title, 0),
    countAgain(headings, 1),
    countAgain(names, 2),
    0,
  ]
  // Length is in positions: wholes are extra, and must not make a chunk of identifiers look longer than it is.
  eachKnown(body, (known, whole) => {
    add(known, 3)
    if (!whole) lengths[3]++
  })
  return { places: places.slice(0, distinct), counts: counts.slice(0, distinct * 4), lengths }
}

/** What a text says, for the chunk after the next: neighbours share title, headings and path. */
const read = new Map<string, { terms: Known[]; length: number }>()

function countAgain(text: string, field: number): number {
  let known = read.get(text)
  if (!known) {
    known = { terms: [], length: 0 }
    readInto(known, text)
    read.set(text, known)
  }
  for (const term of known.terms) add(term, field)
  return known.length
}

function readInto(into: { terms: Known[]; length: number }, text: string) {
  eachKnown(text, (known, whole) => {
    into.terms.push(known)
    if (!whole) into.length++
  })
}

function add(known: Known, field: number) {
  if (known.chunk !== chunk) open(known)
  const at = known.place * 4 + field
  if (counts[at]! < 65535) counts[at]!++
}

function open(known: Known) {
  if (known.document !== document) {
    known.document = document
    known.word = words.length
    words.push(known.term)
  }
  known.chunk = chunk
  known.place = distinct
  if (distinct === places.length) grow()
  places[distinct] = known.word
  counts.fill(0, distinct * 4, distinct * 4 + 4)
  distinct++
}

function grow() {
  const [morePlaces, moreCounts] = [new Uint32Array(places.length * 2), new Uint16Array(counts.length * 2)]
  morePlaces.set(places)
  moreCounts.set(counts)
  places = morePlaces
  counts = moreCounts
}
