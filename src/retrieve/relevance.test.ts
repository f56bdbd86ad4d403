import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactness } from './exact.js'
import { byPromise, relevance, unite } from './relevance.js'

const ranks = [
  { chunk: 1, score: 4, parts: [4] },
  { chunk: 2, score: 2, parts: [2] },
]
const near = [{ chunk: 3, cosine: 0.5 }]

test('the words of a chunk that only meaning listed are measured', () => {
  const of = (chunks: readonly number[]) => chunks.map((chunk) => ({ chunk, score: 1, parts: [1] }))
  const shares = (measure: typeof of) =>
    unite({ ranks, maxTermScores: [6, 2], of: measure }, near, new Map()).map(({ share }) => share)
  assert.deepEqual(shares(of), [0.5, 0.25, 0.125])
  assert.deepEqual(
    shares(() => []),
    [0.5, 0.25, 0],
  )
})

test('passages that may contain the question literally come before passages that are only near', () => {
  const candidates = unite({ ranks, maxTermScores: [40], of: () => [] }, near, new Map([[2, 0.2]]))
  const order = (promised: number) =>
    byPromise(candidates, ({ chunk }) => (chunk === 2 ? promised : 0)).map(({ chunk }) => chunk)
  assert.ok(order(0).indexOf(2) > order(0).indexOf(3))
  assert.ok(order(0.7).indexOf(2) < order(0.7).indexOf(3))
})

test('a passage with every word is better than none, and better matches are still better', () => {
  const far = (share: number) => relevance({ cosine: 0, share, exact: exactness.complete })
  const shares = [0, 0.05, 0.2, 0.4, 0.6, 0.8, 1].map(far)
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  )
  assert.ok(shares[0]! >= 0.05 && shares[0]! < 0.1, String(shares[0]))
  assert.ok(relevance({ cosine: 0, share: 0.05, exact: exactness.complete - 0.01 }) < 0.05)
})
