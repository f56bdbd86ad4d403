import type { Field } from '../model/document.js'
import { fields } from '../model/document.js'

// BM25 over weighted fields (BM25F): counts are normalised by each field's own length, weighted and added before
// saturation, so that a word in the title and the body counts once, only more. The constants are the textbook ones:
// short fields are hardly normalised, since a long title is not a diluted one.
const k1 = 1.2
const b: Readonly<Record<Field, number>> = { title: 0.3, headings: 0.3, names: 0.3, body: 0.75 }

/** What the formula needs to know about all chunks there are. */
export interface Collection {
  chunks: number
  /** The mean length of each field, in the order of `fields`. */
  averages: readonly number[]
}

/** How telling a term is that stands in so many of the chunks. */
export function idf(chunks: number, withTerm: number): number {
  return Math.log(1 + (chunks - withTerm + 0.5) / (withTerm + 0.5))
}

/** From a weighted count to a share of the term's idf: rises fast at first, then saturates. */
export function saturate(count: number): number {
  return (count * (k1 + 1)) / (count + k1)
}

/** The share that no count exceeds. */
export const saturation = k1 + 1

/** How much one occurrence in a field of this length counts. */
export function occurrence(field: number, weight: number, length: number, average: number): number {
  const share = b[fields[field]!]
  return weight / (1 - share + share * (average > 0 ? length / average : 1))
}

/** A term's weighted count in a chunk: the four fields' counts made comparable and added. */
export function weightedCount(
  collection: Collection,
  weights: readonly number[],
  counts: ArrayLike<number>,
  lengths: ArrayLike<number>,
): number {
  let sum = 0
  for (let f = 0; f < fields.length; f++) {
    if (counts[f]! > 0) sum += counts[f]! * occurrence(f, weights[f]!, lengths[f]!, collection.averages[f]!)
  }
  return sum
}
