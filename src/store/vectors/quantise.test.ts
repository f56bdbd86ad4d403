import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { clusteredVectors } from '../../../test/clustered-vectors.js'
import { cosineTo, dequantise, paddedDimensions, quantise, signsOf, signsOfRow } from './quantise.js'

const floats = (length: number) =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length })
    .map((values) => Float32Array.from(values))
const anyVector = fc.integer({ min: 1, max: 200 }).chain(floats)

describe('int8 rows', () => {
  test('come back within half a step of every value', () => {
    fc.assert(
      fc.property(anyVector, (vector) => {
        const row = quantise(vector)
        const back = dequantise(row, vector.length)
        const step = row.scale * 0.5001
        for (const [i, value] of vector.entries()) assert.ok(Math.abs(value - back[i]!) <= step + 1e-9)
      }),
      { seed: 1 },
    )
  })

  test('are padded with zeros to a multiple of 8', () => {
    const row = quantise(Float32Array.from({ length: 10 }, () => -0.3))
    assert.deepEqual([...row.data], [...Array(10).fill(-127), ...Array(6).fill(0)])
  })

  test('keep a scale that fits into 32 bits', () => {
    const { scale } = quantise(Float32Array.of(0.1, 0.7))
    assert.equal(scale, Math.fround(scale))
  })

  test('hold all zeros for a vector of zeros, and for one too small to matter', () => {
    assert.deepEqual(quantise(new Float32Array(8)), { scale: 0, data: new Int8Array(8) })
    const tiny = quantise(new Float32Array(8).fill(1e-45))
    assert.ok(tiny.data.every(Number.isInteger))
  })

  test('refuse values that are not numbers, and no or too many dimensions', () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      assert.throws(() => quantise(Float32Array.of(1, wrong)), /not a finite number/)
    for (const dimensions of [0, 4097])
      assert.throws(() => quantise(new Float32Array(dimensions)), RangeError)
    assert.throws(() => paddedDimensions(1.5), RangeError)
  })
})

describe('cosine', () => {
  const { chunk, query } = clusteredVectors({ dimensions: 384, chunks: 200, growth: 'subjects' })
  const vectors = Array.from({ length: 200 }, (_, i) => chunk(i, new Float32Array(384)))

  test('of rows is that of their vectors, to the third digit', () => {
    const rows = vectors.map(quantise)
    const asked = query(0)
    const cosineOf = cosineTo(asked)
    for (const [i, row] of rows.entries()) {
      assert.ok(Math.abs(cosineOf(row) - dot(vectors[i]!, asked)) < 2e-3)
    }
  })

  test('does not depend on length, stays within -1 and 1, and is 0 for zeros', () => {
    fc.assert(
      fc.property(anyVector, (vector) => {
        const row = quantise(vector)
        const zero = row.data.every((value) => value === 0)
        const cosineOf = cosineTo(dequantise(row, vector.length))
        const opposite = { ...row, data: row.data.map((value) => -value) }
        assert.ok(Math.abs(cosineOf(row) - (zero ? 0 : 1)) < 1e-6)
        assert.ok(Math.abs(cosineOf(opposite) + (zero ? 0 : 1)) < 1e-6)
        assert.equal(cosineOf({ ...row, scale: row.scale * 3 }), cosineOf(row))
        assert.ok(Math.abs(cosineTo(vector)(row)) <= 1)
      }),
      { seed: 2 },
    )
    assert.equal(cosineTo(new Float32Array(8))(quantise(new Float32Array(8).fill(1))), 0)
  })

  test('refuses vectors of another length and queries that are no numbers', () => {
    const row = quantise(new Float32Array(16).fill(1))
    assert.throws(() => cosineTo(new Float32Array(8))(row), RangeError)
    assert.throws(() => cosineTo(Float32Array.of(Number.NaN)), /not a finite number/)
  })
})

describe('sign bits', () => {
  test('are set where a value is above zero', () => {
    const vector = Float32Array.of(0.5, -0.5, 0, 0.1, 0.2, -0.1, 0.3, 0.9, 0.4, -1)
    assert.deepEqual([...signsOf(vector)], [0b11011001, 0b01])
  })

  test('of a row are those of its vector', () => {
    fc.assert(
      fc.property(anyVector, (vector) => {
        const row = quantise(vector)
        assert.deepEqual(signsOfRow(row), signsOf(dequantise(row)))
      }),
      { seed: 3 },
    )
  })
})

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
