import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cosinesTo } from './cosines.js'
import { cosineTo, quantise, type Row } from './quantise.js'

const value = fc.float({ noNaN: true, min: -4, max: 4 })

const anyRows = fc.integer({ min: 1, max: 40 }).chain((dimensions) => {
  const vector = fc.array(value, { minLength: dimensions, maxLength: dimensions })
  return fc.record({
    query: vector.map((values) => Float32Array.from(values)),
    rows: fc.array(fc.option(vector.map((values) => quantise(Float32Array.from(values)))), {
      maxLength: 200,
    }),
  })
})

describe('cosines of many rows', () => {
  test('are bit-identical to single cosines, with the kernel and in plain code', () => {
    fc.assert(
      fc.property(anyRows, ({ query, rows }) => {
        const expected = rows.map((row) => (row ? cosineTo(query)(row) : Number.NaN))
        for (const plain of [true, false]) assert.deepEqual([...cosinesTo(query, { plain })(rows)], expected)
      }),
      { seed: 5, numRuns: 200 },
    )
  })

  test('hold for the largest vectors and values there are', () => {
    for (const dimensions of [384, 4096]) {
      const query = Float32Array.from({ length: dimensions }, (_, i) => Math.sin(i * 7.3) * 1e6)
      const rows: Row[] = Array.from({ length: 130 }, (_, r) => ({
        scale: 1,
        data: Int8Array.from({ length: dimensions }, (_, i) =>
          r === 0 ? 127 : Math.round(Math.cos(i * r) * 127),
        ),
      }))
      assert.deepEqual([...cosinesTo(query)(rows)], rows.map(cosineTo(query)))
    }
  })

  test('of two interleaved queries are not mixed up', () => {
    const rows = [quantise(Float32Array.of(1, 2, 3)), quantise(Float32Array.of(-3, 0, 1))]
    const [one, other] = [Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 1)]
    const [first, second] = [cosinesTo(one), cosinesTo(other)]
    for (const [cosines, query] of [
      [first, one],
      [second, other],
      [first, one],
    ] as const)
      assert.deepEqual([...cosines(rows)], rows.map(cosineTo(query)))
  })

  test('refuse rows of another length and queries that are no numbers', () => {
    const row = quantise(new Float32Array(16).fill(1))
    for (const plain of [true, false]) {
      assert.throws(() => cosinesTo(new Float32Array(8), { plain })([row]), RangeError)
      assert.throws(() => cosinesTo(Float32Array.of(Number.NaN), { plain }), /not a finite number/)
    }
  })
})
