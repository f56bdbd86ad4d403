import type { ChunkTerms } from '../model/document.js'
import { eachKnown, type Known, makeRoom } from './terms.js'

let serial = 0

let counts = new Uint16Array(4096)

/** Counts the terms of a chunk's four fields, ready for a store. */
export function countTerms(texts: {
  title: string
  headings: string
  names: string
  body: string
}): ChunkTerms {
  const words: string[] = []
  const lengths: [number, number, number, number] = [0, 0, 0, 0]
  const all = [texts.title, texts.headings, texts.names, texts.body]
  serial++
  makeRoom()
  for (let field = 0; field < 4; field++) {
    eachKnown(all[field]!, (known, whole) => {
      if (known.serial !== serial) open(known, words)
      const at = known.place * 4 + field
      if (counts[at]! < 65535) counts[at]!++
      // Length is in positions: wholes are extra, and must not make a chunk of identifiers look longer than it is.
      if (!whole) lengths[field]!++
    })
  }
  return { words, counts: counts.slice(0, words.length * 4), lengths }
}

function open(known: Known, words: string[]) {
  known.serial = serial
  known.place = words.length
  words.push(known.term)
  if (words.length * 4 > counts.length) {
    const grown = new Uint16Array(counts.length * 2)
    grown.set(counts)
    counts = grown
  }
  counts.fill(0, known.place * 4, known.place * 4 + 4)
}
