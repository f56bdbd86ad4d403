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

/** What one occurrence counts, field by field: weight / (base + slope × length of the field). */
export interface Norms {
  weight: Float64Array
  base: Float64Array
  slope: Float64Array
}

export function norms(collection: Collection, weights: readonly number[]): Norms {
  const share = fields.map((field) => b[field])
  return {
    weight: Float64Array.from(weights),
    // A field that is empty everywhere has no average; then every length is the usual one.
    base: Float64Array.from(share, (s, f) => (collection.averages[f]! > 0 ? 1 - s : 1)),
    slope: Float64Array.from(share, (s, f) =>
      collection.averages[f]! > 0 ? s / collection.averages[f]! : 0,
    ),
  }
}
