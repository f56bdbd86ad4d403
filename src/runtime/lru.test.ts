import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lru } from './lru.js'

test('keeps the entries that were used last', () => {
  const cache = lru<string, number | null>(2)
  cache.set('a', 1)
  cache.set('b', null)
  assert.equal(cache.get('a'), 1)
  cache.set('c', 3)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c'), cache.size], [1, undefined, 3, 2])
  cache.set('a', 4)
  cache.delete('c')
  assert.deepEqual([cache.get('a'), cache.get('c'), cache.size], [4, undefined, 1])
})

test('of size zero keeps nothing', () => {
  const cache = lru<string, number>(0)
  cache.set('a', 1)
  assert.deepEqual([cache.get('a'), cache.size], [undefined, 0])
})
