import type { ChunkTerms, NumberedWords } from '../model/document.js'
import { eachKnown, type Known, makeRoom, vocabulary } from './terms.js'

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
  document++
  words = []
  numbers = []
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
  return { words, numbered: { numbers: Uint32Array.from(numbers), vocabulary: vocabulary() }, chunks }
}

export interface Counted {
  words: string[]
  numbered: NumberedWords
  chunks: ChunkTerms[]
}

// One document is counted at a time, into room that is used again for the next.
let document = 0
let words: string[] = []
let numbers: number[] = []
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
  length = 0
  eachKnown(body, addToBody)
  return { from, to: size, lengths: [...shared, length] }
}

// Length is in positions: wholes are extra, and must not make a chunk of identifiers look longer than it is.
let length = 0

function addToBody(known: Known, whole: boolean) {
  add(known, 3)
  if (!whole) length++
}

/** What a text says, for the chunks that follow: neighbours share title, headings and path. */
const read = new Map<string, { terms: Known[]; length: number }>()

function countAgain(text: string, field: number): number {
  let known = read.get(text)
  if (!known) {
    known = termsOf(text)
    read.set(text, known)
  }
  for (const term of known.terms) add(term, field)
  return known.length
}

function termsOf(text: string) {
  const found = { terms: [] as Known[], length: 0 }
  eachKnown(text, (known, whole) => {
    found.terms.push(known)
    if (!whole) found.length++
  })
  return found
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
    numbers.push(known.number)
  }
  known.chunk = chunk
  known.place = size
  if (size === places.length) grow()
  places[size] = known.word
  const at = size * 4
  counts[at] = counts[at + 1] = counts[at + 2] = counts[at + 3] = 0
  size++
}

function grow() {
  const [morePlaces, moreCounts] = [new Uint32Array(places.length * 2), new Uint16Array(counts.length * 2)]
  morePlaces.set(places)
  moreCounts.set(counts)
  places = morePlaces
  counts = moreCounts
}
