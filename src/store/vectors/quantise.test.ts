import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { clusteredVectors } from '../../../test/clustered-vectors.js'
import {
  cosine,
  cosineTo,
  dequantise,
  meanOf,
  paddedDimensions,
  quantise,
  signsOf,
  signsOfRow,
} from './quantise.js'

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

  test('are not made of what is no number, nor of no or too many dimensions', () => {
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
      assert.ok(Math.abs(cosine(row, rows[0]!) - dot(vectors[i]!, vectors[0]!)) < 2e-3)
      assert.ok(Math.abs(cosineOf(row) - dot(vectors[i]!, asked)) < 2e-3)
    }
  })

  test('does not depend on length, stays within -1 and 1, and is 0 for zeros', () => {
    fc.assert(
      fc.property(anyVector, (vector) => {
        const row = quantise(vector)
        const opposite = { ...row, data: row.data.map((value) => -value) }
        const zero = row.data.every((value) => value === 0)
        assert.ok(Math.abs(cosine(row, row) - (zero ? 0 : 1)) < 1e-12)
        assert.ok(Math.abs(cosine(row, opposite) + (zero ? 0 : 1)) < 1e-12)
        assert.equal(cosine(row, { ...row, scale: row.scale * 3 }), cosine(row, row))
        assert.ok(Math.abs(cosineTo(vector)(row)) <= 1)
      }),
      { seed: 2 },
    )
    assert.equal(cosineTo(new Float32Array(8))(quantise(new Float32Array(8).fill(1))), 0)
  })

  test('refuses vectors of another length and queries that are no numbers', () => {
    const row = quantise(new Float32Array(16).fill(1))
    assert.throws(() => cosineTo(new Float32Array(8))(row), RangeError)
    assert.throws(() => cosine(row, quantise(new Float32Array(8))), RangeError)
    assert.throws(() => cosineTo(Float32Array.of(Number.NaN)), /not a finite number/)
  })
})

test('the mean of rows is that of their vectors', () => {
  const rows = [Float32Array.of(1, 0, -1), Float32Array.of(0, 1, -1)].map(quantise)
  const mean = meanOf(rows, 3)
  for (const [i, value] of [0.5, 0.5, -1].entries()) assert.ok(Math.abs(mean[i]! - value) < 1e-6)
  assert.deepEqual(meanOf([], 2), new Float32Array(2))
})

describe('sign bits', () => {
  test('are set where a value lies above the mean', () => {
    const vector = Float32Array.of(0.5, -0.5, 0, 0.1, 0.2, -0.1, 0.3, 0.9, 0.4, -1)
    assert.deepEqual([...signsOf(vector)], [0b11011001, 0b01])
    assert.deepEqual([...signsOf(vector, new Float32Array(10).fill(0.25))], [0b11000001, 0b01])
  })

  test('of a row are those of the vector it stands for', () => {
    fc.assert(
      fc.property(anyVector, fc.boolean(), (vector, centred) => {
        const row = quantise(vector)
        const mean = centred ? Float32Array.from(vector, (_, i) => Math.sin(i) / 10) : undefined
        const back = dequantise(row)
        const padded = mean && Float32Array.from(back, (_, i) => mean[i] ?? 0)
        assert.deepEqual(signsOfRow(row, mean), signsOf(back, padded))
      }),
      { seed: 3 },
    )
  })
})

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
