// What passes between the main thread and the parsing threads. A document travels as one string and two arrays: cloning
// its thousands of small objects and words one by one took longer than parsing it.
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

export interface PackedDocument {
  /** All but text and terms, as JSON. */
  facts: string
  text: string
  /** The document's words, each once, a line each. */
  words: string
  /** The words of all chunks in order, by their place in `words`. */
  places: Uint32Array
  /** For each chunk: how many words, then the four lengths. */
  shape: Uint32Array
  counts: Uint16Array
}

type Facts = Omit<IndexedDocument, 'text' | 'chunks'> & { chunks: Omit<IndexedChunk, 'terms'>[] }

export function pack({ text, chunks, ...rest }: IndexedDocument): PackedDocument {
  const facts: Facts = { ...rest, chunks: chunks.map(({ terms: _, ...chunk }) => chunk) }
  const size = chunks.reduce((sum, { terms }) => sum + terms.words.length, 0)
  const counts = new Uint16Array(size * 4)
  const places = new Uint32Array(size)
  const known = new Map<string, number>()
  let at = 0
  for (const { terms } of chunks) {
    counts.set(terms.counts, at * 4)
    for (const word of terms.words) {
      let place = known.get(word)
      if (place === undefined) {
        place = known.size
        known.set(word, place)
      }
      places[at++] = place
    }
  }
  const shape = Uint32Array.from(chunks.flatMap(({ terms }) => [terms.words.length, ...terms.lengths]))
  return { facts: JSON.stringify(facts), text, words: [...known.keys()].join('\n'), places, shape, counts }
}

export function unpack({ facts, text, words, places, shape, counts }: PackedDocument): IndexedDocument {
  const { chunks, ...rest } = JSON.parse(facts) as Facts
  const known = words.split('\n')
  let word = 0
  const wordsOf = (from: number, to: number): string[] => {
    const list: string[] = new Array(to - from)
    for (let i = from; i < to; i++) list[i - from] = known[places[i]!]!
    return list
  }
  const termsOf = (chunk: number): ChunkTerms => {
    const [size, title, headings, names, body] = shape.subarray(chunk * 5, chunk * 5 + 5)
    const from = word
    word += size!
    return {
      words: wordsOf(from, word),
      counts: counts.subarray(from * 4, word * 4),
      lengths: [title!, headings!, names!, body!],
    }
  }
  return { ...rest, text, chunks: chunks.map((chunk, i) => ({ ...chunk, terms: termsOf(i) })) }
}
