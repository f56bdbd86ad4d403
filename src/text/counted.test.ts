import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thousands } from './counted.js'

test('integers have commas as in English text', () => {
  for (const value of [0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 9_007_199_254_740_991, -1_234])
    assert.equal(thousands(value), value.toLocaleString('en-US'))
})
