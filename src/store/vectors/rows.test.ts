import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { clusteredVectors } from '../../../test/clustered-vectors.js'
import {
  cosinesTo,
  cosineTo,
  dequantise,
  type ExactQuery,
  type FetchRows,
  type Match,
  nearestExact,
  paddedDimensions,
  quantise,
  type Row,
  shortlistSizes,
  signsOf,
  signsOfRow,
} from './rows.js'
import { SignIndex } from './sign-index.js'

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
    const vector = query(0)
    const cosineOf = cosineTo(vector)
    for (const [i, row] of rows.entries()) {
      assert.ok(Math.abs(cosineOf(row) - dot(vectors[i]!, vector)) < 2e-3)
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

describe('the search by meaning', () => {
  const large = collection(384, 5000)

  test('finds at least 0.98 of the exact ten nearest, and 0.95 of the hundred', async () => {
    for (const [limit, least] of [
      [10, 0.98],
      [100, 0.95],
    ] as const) {
      const shares: number[] = []
      for (let i = 0; i < 40; i++) {
        const query = { vector: large.query(i), limit }
        const nearest = await nearestExact(large.index, large.fetchRows, query)
        const found = new Set(nearest.map(({ id }) => id))
        shares.push(exactly(large.rows, query).filter(({ id }) => found.has(id)).length / limit)
      }
      const recall = shares.reduce((sum, share) => sum + share) / shares.length
      assert.ok(recall >= least, `recall@${limit} is ${recall}`)
    }
  })

  test('reads few rows, and each once', async () => {
    const fetched: number[] = []
    const fetchRows: FetchRows = (ids) => {
      fetched.push(...ids)
      return large.fetchRows(ids)
    }
    await nearestExact(large.index, fetchRows, { vector: large.query(1), limit: 10 })
    assert.equal(fetched.length, shortlistSizes(5000, 10).rescored)
    assert.equal(new Set(fetched).size, fetched.length)
    assert.deepEqual(
      fetched,
      fetched.toSorted((a, b) => a - b),
    )
  })

  test('is exact where the scope is small, whatever the scope', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 500 }),
        fc.nat(50),
        fc.integer({ min: 1, max: 30 }),
        async (allow, seed, limit) => {
          const query = { vector: large.query(seed), limit, allow }
          assert.deepEqual(
            await nearestExact(large.index, large.fetchRows, query),
            exactly(large.rows, query),
          )
        },
      ),
      { seed: 8, numRuns: 40 },
    )
  })

  test('returns the full limit when a large scope has enough rows', async () => {
    for (const limit of [1, 10, 100, 1000]) {
      const query = { vector: large.query(3), limit, allow: (id: number) => id % 4 === 0 }
      const found = await nearestExact(large.index, large.fetchRows, query)
      assert.equal(found.length, limit)
      assert.ok(found.every(({ id }) => id % 4 === 0))
    }
  })

  test('returns all rows when the limit is larger', async () => {
    const small = collection(24, 30)
    const query = { vector: small.query(0), limit: 1000 }
    assert.deepEqual(await nearestExact(small.index, small.fetchRows, query), exactly(small.rows, query))
    const empty = new SignIndex(24)
    assert.deepEqual(await nearestExact(empty, () => [], query), [])
  })

  test('answers the same with the kernel and without', async () => {
    const plain = new SignIndex(384, { plain: true })
    for (const [id, row] of large.rows) plain.load([id], signsOfRow(row))
    for (let i = 0; i < 10; i++) {
      const query = { vector: large.query(i), limit: 20 }
      const [a, b] = await Promise.all(
        [large.index, plain].map((index) => nearestExact(index, large.fetchRows, query)),
      )
      assert.deepEqual(a, b)
    }
  })

  test('orders equal cosines by id, or as the caller says', async () => {
    const index = new SignIndex(8)
    const row = quantise(Float32Array.of(1, 1, 0, 0, 0, 0, 0, 0))
    for (const id of [5, 2, 9]) index.load([id], signsOfRow(row))
    const fetchRows: FetchRows = (ids) => Array.from(ids, () => row)
    const query = { vector: Float32Array.of(1, 1, 0, 0, 0, 0, 0, 0), limit: 2 }
    const ids = async (more: Partial<ExactQuery>) =>
      (await nearestExact(index, fetchRows, { ...query, ...more })).map((m) => m.id)
    assert.deepEqual(await ids({}), [2, 5])
    assert.deepEqual(await ids({ placesOf: (tied) => new Map(tied.map((id) => [id, -id])) }), [9, 5])
  })

  test('leaves out rows that are gone by the time they are read', async () => {
    const small = collection(64, 50)
    const found = await nearestExact(
      small.index,
      (ids) => small.fetchRows(ids).map((row, i) => (i % 2 ? row : null)),
      {
        vector: small.query(0),
        limit: 50,
      },
    )
    assert.equal(found.length, 25)
  })

  test('refuses a query of other dimensions or without numbers', async () => {
    const ask = (vector: Float32Array, allow?: number[]) =>
      nearestExact(large.index, large.fetchRows, { vector, limit: 10, allow })
    await assert.rejects(ask(new Float32Array(383)), /383 dimensions/)
    await assert.rejects(ask(new Float32Array(384).fill(Number.NaN)), /not a finite number/)
    await assert.rejects(ask(new Float32Array(384).fill(Number.NaN), [1, 2]), /not a finite number/)
  })

  test('looks at more rows as the collection grows, and never at more than a few thousand', async () => {
    let before = { candidates: 0, rescored: 0 }
    for (const rows of [0, 1000, 10_000, 50_000, 100_000, 1_000_000]) {
      const sizes = shortlistSizes(rows, 10)
      assert.ok(sizes.rescored >= before.rescored && sizes.candidates >= before.candidates)
      assert.ok(sizes.rescored >= 100 && sizes.rescored < 1000 && sizes.candidates <= 5000)
      before = sizes
    }
  })
})

/** Ids count from 1. */
function collection(dimensions: number, count: number) {
  const { chunk, query } = clusteredVectors({ dimensions, chunks: count, growth: 'documents' })
  const rows = new Map<number, Row>()
  for (let i = 0; i < count; i++) rows.set(i + 1, quantise(chunk(i, new Float32Array(dimensions))))
  const index = new SignIndex(dimensions)
  for (const [id, row] of rows) index.load([id], signsOfRow(row))
  const fetchRows: FetchRows = (ids) => Array.from(ids, (id) => rows.get(id))
  return { index, rows, fetchRows, query }
}

function exactly(rows: Map<number, Row>, { vector, limit, allow }: ExactQuery): Match[] {
  const cosineOf = cosineTo(vector)
  const allowed = Array.isArray(allow) ? new Set(allow) : null
  return [...rows]
    .filter(([id]) => !allowed || allowed.has(id))
    .map(([id, row]) => ({ id, cosine: cosineOf(row) }))
    .sort((a, b) => b.cosine - a.cosine || a.id - b.id)
    .slice(0, limit)
}
