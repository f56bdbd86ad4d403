// An embedder without a model, for tests: texts that share words get vectors that are near each other.

import { toUnit } from '../../src/embed/arithmetic.js'
import type { Embedder } from '../../src/embed/port.js'
import { hashOf } from '../../src/text/hash.js'

/** Deterministic and immediate. A text without words gets a vector of its own that is far from all others. */
export function fakeEmbedder({ dimensions = 64, model = 'fake' } = {}): Embedder {
  return {
    model: `${model}/${dimensions}`,
    dimensions,
    async embed(texts, { signal }) {
      signal?.throwIfAborted()
      return texts.map((text) => bagOfWords(text, dimensions))
    },
    async close() {},
  }
}

function bagOfWords(text: string, dimensions: number): Float32Array {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['(nothing)']
  const vector = new Float32Array(dimensions)
  for (const word of new Set(words.map(stem))) {
    const places = Buffer.from(hashOf(word), 'hex')
    // Three places a word, with signs: a collision in one of them does little.
    for (let i = 0; i < 9; i += 3) {
      const place = places.readUInt16LE(i) % dimensions
      vector[place]! += places[i + 2]! & 1 ? 1 : -1
    }
  }
  return toUnit(vector) ?? Float32Array.from({ length: dimensions }, (_, i) => (i === 0 ? 1 : 0))
}

// Enough for a test to find "deploying" by "deploy".
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(ing|ed|es|s)$/, '') : word
}
