import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../store/port.js'
import { nearness } from './rerank.js'

const store = (vectors: Record<number, number[]>) =>
  ({
    vectors: {
      of: async (_model: string, chunks: readonly number[]) =>
        new Map(
          chunks.flatMap((chunk) => (vectors[chunk] ? [[chunk, Float32Array.from(vectors[chunk])]] : [])),
        ),
    },
  }) as unknown as Store

const ranked = [1, 2, 3, 4].map((chunk, i) => ({ chunk, score: 0.5 - i / 10 }))

test('passages near the best two gain, far ones lose, and those without a vector stay', async () => {
  const vectors = { 1: [1, 0], 2: [0.8, 0.6], 4: [0, 1] }
  const [first, second, third, fourth] = (await nearness(store(vectors), 'model', ranked))!
  assert.ok(first! > 0 && second! > 0 && fourth! < 0, `${first} ${second} ${fourth}`)
  assert.equal(third, 0)
  assert.ok(Math.abs(first! + second! + fourth!) < 1e-6)
})

test('the better of the two counts for more', async () => {
  const vectors = { 1: [1, 0], 2: [0, 1], 3: [1, 0], 4: [0, 1] }
  const [, , third, fourth] = (await nearness(store(vectors), 'model', ranked))!
  assert.ok(third! > fourth!)
})

test('nothing changes if the best passages have no vectors', async () => {
  assert.equal(await nearness(store({ 3: [1, 0], 4: [0, 1] }), 'model', ranked), null)
  assert.equal(await nearness(store({ 1: [1, 0] }), 'model', ranked), null)
})
