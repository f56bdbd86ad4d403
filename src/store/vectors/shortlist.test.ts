import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { clusteredVectors } from '../../../test/clustered-vectors.js'
import { cosineTo, meanOf, quantise, type Row, signsOfRow } from './quantise.js'
import {
  type ExactQuery,
  type FetchRows,
  type Match,
  nearestExact,
  nearestExactInSlices,
  shortlistSizes,
} from './shortlist.js'
import { SignIndex } from './sign-index.js'

describe('the search by meaning', () => {
  const large = collection(384, 5000)

  test('finds at least 0.98 of the exact ten nearest, and 0.95 of the hundred', () => {
    for (const [limit, least] of [
      [10, 0.98],
      [100, 0.95],
    ] as const) {
      const shares = Array.from({ length: 40 }, (_, i) => {
        const query = { vector: large.query(i), limit }
        const found = new Set(nearestExact(large.index, large.fetchRows, query).map(({ id }) => id))
        return exactly(large.rows, query).filter(({ id }) => found.has(id)).length / limit
      })
      const recall = shares.reduce((sum, share) => sum + share) / shares.length
      assert.ok(recall >= least, `recall@${limit} is ${recall}`)
    }
  })

  test('reads few rows, and each once', () => {
    const asked: number[] = []
    const fetchRows: FetchRows = (ids) => {
      asked.push(...ids)
      return large.fetchRows(ids)
    }
    nearestExact(large.index, fetchRows, { vector: large.query(1), limit: 10 })
    assert.equal(asked.length, shortlistSizes(5000, 10).rescored)
    assert.equal(new Set(asked).size, asked.length)
    assert.deepEqual(
      asked,
      asked.toSorted((a, b) => a - b),
    )
  })

  test('is exact where the scope is small, whatever the scope', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 500 }),
        fc.nat(50),
        fc.integer({ min: 1, max: 30 }),
        (allow, asked, limit) => {
          const query = { vector: large.query(asked), limit, allow }
          assert.deepEqual(nearestExact(large.index, large.fetchRows, query), exactly(large.rows, query))
        },
      ),
      { seed: 8, numRuns: 40 },
    )
  })

  test('never gives fewer than asked for when a large scope holds as many', () => {
    for (const limit of [1, 10, 100, 1000]) {
      const query = { vector: large.query(3), limit, allow: (id: number) => id % 4 === 0 }
      const found = nearestExact(large.index, large.fetchRows, query)
      assert.equal(found.length, limit)
      assert.ok(found.every(({ id }) => id % 4 === 0))
    }
  })

  test('gives all there is when more is asked for', () => {
    const small = collection(24, 30)
    const query = { vector: small.query(0), limit: 1000 }
    assert.deepEqual(nearestExact(small.index, small.fetchRows, query), exactly(small.rows, query))
    const empty = new SignIndex(24)
    assert.deepEqual(
      nearestExact(empty, () => [], query),
      [],
    )
  })

  test('answers the same with pauses as without', async () => {
    for (const limit of [10, 100]) {
      const query = { vector: large.query(5), limit }
      assert.deepEqual(
        await nearestExactInSlices(large.index, large.fetchRows, query),
        nearestExact(large.index, large.fetchRows, query),
      )
    }
  })

  test('answers the same with the kernel and without', () => {
    const plain = new SignIndex(384, { plain: true })
    for (const [id, row] of large.rows) plain.insert(id, signsOfRow(row))
    for (let i = 0; i < 10; i++) {
      const query = { vector: large.query(i), limit: 20 }
      const [a, b] = [large.index, plain].map((index) => nearestExact(index, large.fetchRows, query))
      assert.deepEqual(a, b)
    }
  })

  test('finds as well when all vectors point much the same way, once their mean is subtracted', () => {
    const leaning = collection(384, 1200, 2)
    assert.ok(Math.hypot(...leaning.mean!) > 0.85)
    let share = 0
    for (let i = 0; i < 20; i++) {
      const query = { vector: leaning.query(i), limit: 10, mean: leaning.mean }
      const found = new Set(nearestExact(leaning.index, leaning.fetchRows, query).map(({ id }) => id))
      share += exactly(leaning.rows, query).filter(({ id }) => found.has(id)).length / 200
    }
    assert.ok(share >= 0.98, `recall@10 is ${share}`)
  })

  test('orders equal cosines by id, or as the caller says', () => {
    const index = new SignIndex(8)
    const row = quantise(Float32Array.of(1, 1, 0, 0, 0, 0, 0, 0))
    for (const id of [5, 2, 9]) index.insert(id, signsOfRow(row))
    const fetchRows: FetchRows = (ids) => Array.from(ids, () => row)
    const query = { vector: Float32Array.of(1, 1, 0, 0, 0, 0, 0, 0), limit: 2 }
    const ids = (more: Partial<ExactQuery>) =>
      nearestExact(index, fetchRows, { ...query, ...more }).map((m) => m.id)
    assert.deepEqual(ids({}), [2, 5])
    assert.deepEqual(ids({ placesOf: (tied) => new Map(tied.map((id) => [id, -id])) }), [9, 5])
  })

  test('leaves out rows that are gone by the time they are read', () => {
    const small = collection(64, 50)
    const found = nearestExact(
      small.index,
      (ids) => small.fetchRows(ids).map((row, i) => (i % 2 ? row : null)),
      {
        vector: small.query(0),
        limit: 50,
      },
    )
    assert.equal(found.length, 25)
  })

  test('refuses a query of other dimensions or without numbers', () => {
    const ask = (vector: Float32Array, allow?: number[]) =>
      nearestExact(large.index, large.fetchRows, { vector, limit: 10, allow })
    assert.throws(() => ask(new Float32Array(383)), /383 dimensions/)
    assert.throws(() => ask(new Float32Array(384).fill(Number.NaN)), /not a finite number/)
    assert.throws(() => ask(new Float32Array(384).fill(Number.NaN), [1, 2]), /not a finite number/)
  })

  test('looks at more rows as the collection grows, and never at more than a few thousand', () => {
    let before = { candidates: 0, rescored: 0 }
    for (const rows of [0, 1000, 10_000, 50_000, 100_000, 1_000_000]) {
      const sizes = shortlistSizes(rows, 10)
      assert.ok(sizes.rescored >= before.rescored && sizes.candidates >= before.candidates)
      assert.ok(sizes.rescored >= 100 && sizes.rescored < 1000 && sizes.candidates <= 5000)
      before = sizes
    }
  })
})

/** Ids count from 1. With a lean, so much of one direction is added to every vector, and the mean subtracted. */
function collection(dimensions: number, count: number, lean = 0) {
  const { chunk, query } = clusteredVectors({ dimensions, chunks: count, growth: 'documents' })
  const leaned = (vector: Float32Array) => {
    const sum = vector.map((value, i) => value + lean * Math.SQRT2 * Math.sin(i * i) * dimensions ** -0.5)
    const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0))
    return sum.map((value) => value / length)
  }
  const rows = new Map<number, Row>()
  for (let i = 0; i < count; i++) rows.set(i + 1, quantise(leaned(chunk(i, new Float32Array(dimensions)))))
  const mean = lean > 0 ? meanOf(rows.values(), dimensions) : undefined
  const index = new SignIndex(dimensions)
  for (const [id, row] of rows) index.insert(id, signsOfRow(row, mean))
  const fetchRows: FetchRows = (ids) => Array.from(ids, (id) => rows.get(id))
  return { index, rows, fetchRows, mean, query: (i: number) => leaned(query(i)) }
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
