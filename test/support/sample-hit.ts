import type { SearchHit } from '../../src/answer/search.js'

/** A hit as `carrel search` prints it, for tests of what is printed. */
export function sampleHit(given: Partial<SearchHit> = {}): SearchHit {
  return {
    collection: 'library',
    document: 'guides/retries.md',
    title: 'Retries',
    heading: null,
    lines: [1, 9],
    text: '',
    score: 0.5,
    distance: null,
    kind: 'prose',
    language: null,
    symbols: [],
    by: 'words',
    chunk: 1,
    chunks: 1,
    ...given,
  }
}
