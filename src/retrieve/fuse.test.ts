import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byPromise, unite } from './fuse.js'

const ranks = [
  { chunk: 1, score: 4, parts: [4] },
  { chunk: 2, score: 2, parts: [2] },
]
const near = [{ chunk: 3, cosine: 0.5 }]

test('what words did not list has nothing of them where the list is whole, and half of the last where it goes on', () => {
  const shares = (more: boolean) =>
    unite({ ranks, ceilings: [6, 2], more }, near, new Map()).map(({ share }) => share)
  assert.deepEqual(shares(false), [0.5, 0.25, 0])
  assert.deepEqual(shares(true), [0.5, 0.25, 0.125])
})

test('what may have the question literally is looked at before what is only near', () => {
  const candidates = unite({ ranks, ceilings: [40], more: false }, near, new Map([[2, 0.2]]))
  const order = (promised: number) =>
    byPromise(candidates, ({ chunk }) => (chunk === 2 ? promised : 0)).map(({ chunk }) => chunk)
  assert.ok(order(0).indexOf(2) > order(0).indexOf(3))
  assert.ok(order(0.7).indexOf(2) < order(0.7).indexOf(3))
})
