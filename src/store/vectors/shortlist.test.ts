import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { clusteredVectors } from '../../../test/clustered-vectors.js'
import { cosineTo, quantise, type Row, signsOfRow } from './quantise.js'
import { type ExactQuery, type FetchRows, type Match, nearestExact, shortlistSizes } from './shortlist.js'
import { SignIndex } from './sign-index.js'

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
    const asked: number[] = []
    const fetchRows: FetchRows = (ids) => {
      asked.push(...ids)
      return large.fetchRows(ids)
    }
    await nearestExact(large.index, fetchRows, { vector: large.query(1), limit: 10 })
    assert.equal(asked.length, shortlistSizes(5000, 10).rescored)
    assert.equal(new Set(asked).size, asked.length)
    assert.deepEqual(
      asked,
      asked.toSorted((a, b) => a - b),
    )
  })

  test('is exact where the scope is small, whatever the scope', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 500 }),
        fc.nat(50),
        fc.integer({ min: 1, max: 30 }),
        async (allow, asked, limit) => {
          const query = { vector: large.query(asked), limit, allow }
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
