import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quantiseRows, quantiseTransposed } from './quantise.js'

const width = 4
const matrix = fc
  .array(fc.float({ noNaN: true, min: -8, max: 8 }), { minLength: width, maxLength: width * 6 })
  .map((values) => Float32Array.from(values.slice(0, values.length - (values.length % width))))

test('every value comes back within half a step of its row', () => {
  const check = (data: Float32Array) => {
    const { values, scales } = quantiseRows(data, width, 127)
    for (let i = 0; i < data.length; i++) {
      const scale = scales[Math.floor(i / width)]!
      assert.ok(Math.abs(values[i]! * scale - data[i]!) <= scale * 0.5001)
    }
  }
  fc.assert(fc.property(matrix, check), { seed: 3, numRuns: 200 })
})

test('the transposed form holds the same numbers in columns', () => {
  const check = (data: Float32Array) => {
    const rows = data.length / width
    const [plain, turned] = [quantiseRows(data, width, 63), quantiseTransposed(data, width, 63)]
    assert.deepEqual(plain.scales, turned.scales)
    for (let row = 0; row < rows; row++)
      for (let i = 0; i < width; i++)
        assert.equal(turned.values[i * rows + row], plain.values[row * width + i])
  }
  fc.assert(fc.property(matrix, check), { seed: 3, numRuns: 200 })
})

test('uses the range up to its end, and a row of zeros stays one', () => {
  const { values, scales } = quantiseRows(Float32Array.of(1, -2, 0, 2, 0, 0, 0, 0), 4, 63)
  assert.deepEqual([...values], [32, -63, 0, 63, 0, 0, 0, 0])
  assert.deepEqual([...scales], [Math.fround(2 / 63), 1])
})
