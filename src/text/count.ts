import type { ChunkTerms } from '../model/document.js'
import { eachTerm } from './terms.js'

/** Counts the terms of a chunk's four fields, ready for a store. */
export function countTerms(texts: {
  title: string
  headings: string
  names: string
  body: string
}): ChunkTerms {
  const places = new Map<string, number>()
  const words: string[] = []
  const counts: number[] = []
  const lengths: [number, number, number, number] = [0, 0, 0, 0]
  const all = [texts.title, texts.headings, texts.names, texts.body]
  for (let field = 0; field < 4; field++) {
    eachTerm(all[field]!, (term, _start, _end, whole) => {
      let place = places.get(term)
      if (place === undefined) {
        place = words.length
        places.set(term, place)
        words.push(term)
        counts.push(0, 0, 0, 0)
      }
      counts[place * 4 + field]!++
      // Length is in positions: wholes are extra, and must not make a chunk of identifiers look longer than it is.
      if (!whole) lengths[field]!++
    })
  }
  return { words, counts: Uint16Array.from(counts, (n) => Math.min(n, 65535)), lengths }
}
