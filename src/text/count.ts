import type { ChunkTerms } from '../model/document.js'
import { eachKnown, makeRoom } from './terms.js'

let serial = 0

/** Counts the terms of a chunk's four fields, ready for a store. */
export function countTerms(texts: {
  title: string
  headings: string
  names: string
  body: string
}): ChunkTerms {
  const words: string[] = []
  const counts: number[] = []
  const lengths: [number, number, number, number] = [0, 0, 0, 0]
  const all = [texts.title, texts.headings, texts.names, texts.body]
  serial++
  makeRoom()
  for (let field = 0; field < 4; field++) {
    eachKnown(all[field]!, (known, whole) => {
      if (known.serial !== serial) {
        known.serial = serial
        known.place = words.length
        words.push(known.term)
        counts.push(0, 0, 0, 0)
      }
      counts[known.place * 4 + field]!++
      // Length is in positions: wholes are extra, and must not make a chunk of identifiers look longer than it is.
      if (!whole) lengths[field]!++
    })
  }
  return { words, counts: Uint16Array.from(counts, (n) => Math.min(n, 65535)), lengths }
}
