import type { Field } from '../model/document.js'

/** What a word counts in each field. Titles and headings name what a passage is about; names are paths and symbols. */
export const fieldWeights: Readonly<Record<Field, number>> = { title: 2, headings: 1.5, names: 1.5, body: 1 }
