// What passes between the main thread and the parsing threads. Terms travel packed: one string and one array a document
// instead of a string a word.
import type { ChunkTerms, IndexedChunk, IndexedDocument, Stamp } from '../model/document.js'

export interface Task {
  /** The folder's real path and the file's path in it. */
  root: string
  path: string
  source: string
  maxBytes: number
  /** Of the stored version: when the bytes are the same, nothing else is done. */
  knownHash: string | null
}

export type Reading =
  | { state: 'same'; stamp: Stamp; readAt: number; bytes: number }
  | { state: 'read'; document: PackedDocument; bytes: number }
  /** `passing`: another try may succeed without the file changing (permissions, disk errors). */
  | { state: 'skipped' | 'failed'; reason: string; passing?: true }
  /** The file went away between listing and reading. */
  | { state: 'gone' }

export type PackedDocument = Omit<IndexedDocument, 'chunks'> & {
  chunks: Omit<IndexedChunk, 'terms'>[]
  words: string
  /** For each chunk: how many words, then the four lengths. */
  shape: Uint32Array
  counts: Uint16Array
}

export function pack(document: IndexedDocument): PackedDocument {
  const all = document.chunks.map((chunk) => chunk.terms)
  const counts = new Uint16Array(all.reduce((sum, terms) => sum + terms.counts.length, 0))
  let at = 0
  for (const terms of all) {
    counts.set(terms.counts, at)
    at += terms.counts.length
  }
  return {
    ...document,
    chunks: document.chunks.map(({ terms: _, ...chunk }) => chunk),
    words: all.flatMap((terms) => terms.words).join('\n'),
    shape: Uint32Array.from(all.flatMap((terms) => [terms.words.length, ...terms.lengths])),
    counts,
  }
}

export function unpack({ words, shape, counts, chunks, ...document }: PackedDocument): IndexedDocument {
  const all = words.split('\n')
  let word = 0
  return {
    ...document,
    chunks: chunks.map((chunk, i) => {
      const [size, title, headings, names, body] = shape.subarray(i * 5, i * 5 + 5) as unknown as [
        number,
        number,
        number,
        number,
        number,
      ]
      const terms: ChunkTerms = {
        words: all.slice(word, word + size),
        counts: counts.subarray(word * 4, (word + size) * 4),
        lengths: [title, headings, names, body],
      }
      word += size
      return { ...chunk, terms }
    }),
  }
}
