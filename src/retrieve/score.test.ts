import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moved } from './relevance.js'
import { lengthFactor, lifted } from './score.js'

test('the same relevance means more for a longer question, up to a length, and keeps the order of its passages', () => {
  for (const isByMeaning of [true, false]) {
    const factors = [1, 2, 5, 10, 20].map((terms) => lengthFactor(terms, isByMeaning))
    assert.deepEqual(
      factors,
      [...factors].sort((a, b) => a - b),
    )
    assert.equal(lengthFactor(20, isByMeaning), lengthFactor(200, isByMeaning))
    assert.equal(lengthFactor(0, isByMeaning), lengthFactor(1, isByMeaning))
  }
  const scores = [0.01, 0.2, 0.5, 0.9].map((relevance) => moved(relevance, lengthFactor(2, true)))
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => a - b),
  )
})

test('what moves a relevance moves its score as far', () => {
  const factor = lengthFactor(3, true)
  const hit = lifted({ relevance: 0.4, score: moved(0.4, factor) }, 0.5)
  assert.ok(Math.abs(hit.score - moved(hit.relevance, factor)) < 1e-12)
})
