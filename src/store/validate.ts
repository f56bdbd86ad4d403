// What no store takes in. Every store asks here before it writes anything, so that all refuse the same things.
import { fields, type IndexedChunk, type IndexedDocument } from '../model/document.js'
import { Problem } from '../model/problem.js'

/** Throws a Problem about the first document that cannot be stored. */
export function validateDocuments(
  documents: readonly IndexedDocument[],
  knowsSource: (id: string) => boolean,
): void {
  for (const document of documents) {
    const fault = faultOf(document, knowsSource)
    if (fault === null) continue
    const { source, path } = document.ref
    throw new Problem(
      'invalid_document',
      `${JSON.stringify(path)} of source ${JSON.stringify(source)} cannot be stored: ${fault}.`,
    )
  }
}

function faultOf(document: IndexedDocument, knowsSource: (id: string) => boolean): string | null {
  const { ref, text, chunks, words, readAt } = document
  if (ref.path === '') return 'its path is empty'
  if (ref.path.includes('\0')) return 'its path has a NUL character'
  // No database keeps half a surrogate pair in a key: two such paths would become one.
  if (/\p{Surrogate}/u.test(ref.path)) return 'its path has half a surrogate pair'
  if (!knowsSource(ref.source)) return 'there is no such source'
  if (!Number.isFinite(readAt)) return 'it is not said when it was read'
  for (const [index, chunk] of chunks.entries()) {
    const fault = chunkFault(chunk, text.length, words.length)
    if (fault !== null) return `chunk ${index} ${fault}`
  }
  return null
}

function chunkFault(chunk: IndexedChunk, textLength: number, words: number): string | null {
  const { start, end, line, endLine, hash, terms } = chunk
  if (!isCount(start) || !isCount(end)) return `lies at ${start} to ${end}`
  if (end < start) return `ends at ${end}, before its start at ${start}`
  if (end > textLength) return `ends at ${end}, beyond the text (${textLength} characters)`
  if (!isCount(line) || line < 1 || !isCount(endLine) || endLine < line)
    return `has lines ${line} to ${endLine}`
  if (hash === '') return 'has no hash'
  if (terms.counts.length !== fields.length * terms.places.length)
    return `has ${terms.counts.length} counts for ${terms.places.length} words`
  if (beyond(terms.places, words)) return `has a word beyond the document's ${words}`
  if (terms.lengths.length !== fields.length || !terms.lengths.every(isCount)) {
    return `has field lengths ${terms.lengths.join(', ')}`
  }
  return null
}

function beyond(places: Uint32Array, words: number): boolean {
  for (let i = 0; i < places.length; i++) if (places[i]! >= words) return true
  return false
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
