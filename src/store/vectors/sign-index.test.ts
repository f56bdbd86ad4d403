import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { random } from '../../../test/clustered-vectors.js'
import { type Allow, SignIndex } from './sign-index.js'

interface Step {
  do: 'insert' | 'remove' | 'load'
  id: number
  /** Picks the bits. Few different ones, so that distances tie. */
  bits: number
}

// Ids that collide in every way: close together, far apart, and the largest there is.
const id = fc.oneof(
  fc.integer({ min: 0, max: 60 }),
  fc.integer({ min: 0, max: 60 }).map((n) => n * 65536),
  fc.constant(2 ** 31 - 1),
)
const history = fc.array(
  fc.record<Step>({
    do: fc.constantFrom('insert', 'remove', 'load'),
    id,
    bits: fc.integer({ min: 0, max: 9 }),
  }),
  { maxLength: 200 },
)
const dimensions = fc.oneof(fc.constantFrom(8, 16, 128, 384, 768, 1024), fc.integer({ min: 1, max: 1024 }))
const limit = fc.integer({ min: 0, max: 80 })
const scope = fc.option(fc.array(id, { maxLength: 60 }), { nil: undefined })

describe('a sign index', () => {
  for (const plain of [false, true])
    test(`answers like a list that is sorted by distance and id (${plain ? 'plain' : 'SIMD'})`, () => {
      fc.assert(
        fc.property(dimensions, history, limit, scope, (dims, steps, limit, allow) => {
          const { index, rows } = played(dims, steps, plain)
          const query = bitsFor(dims, 99)
          const found = index.nearest(query, { limit, allow })
          assert.deepEqual(pairs(found), sorted(rows, query, allow).slice(0, limit))
          assert.equal(index.size, rows.size)
          assert.deepEqual(
            [...index.ids()],
            [...rows.keys()].sort((a, b) => a - b),
          )
        }),
        { seed: 5, numRuns: 150 },
      )
    })

  test('answers the same whatever order its rows came in', () => {
    fc.assert(
      fc.property(dimensions, history, limit, fc.nat(), (dims, steps, limit, seed) => {
        const { index, rows } = played(dims, steps, false)
        const again = new SignIndex(dims)
        for (const id of shuffled([...rows.keys()], seed)) again.load([id], rows.get(id)!)
        const query = bitsFor(dims, 99)
        assert.deepEqual(again.nearest(query, { limit }), index.nearest(query, { limit }))
        const weighed = { signs: query, weights: Int8Array.from({ length: dims }, (_, i) => (i * 37) % 127) }
        const options = { candidates: limit + 5, limit }
        assert.deepEqual(again.likeliest(weighed, options), index.likeliest(weighed, options))
      }),
      { seed: 6, numRuns: 100 },
    )
  })

  test('answers the same with pauses as without', async () => {
    await fc.assert(
      fc.asyncProperty(history, limit, scope, async (steps, limit, allow) => {
        const { index } = played(64, steps, false)
        index.load(
          Int32Array.from({ length: 500 }, (_, i) => 100 + i),
          manyBits(64, 500),
        )
        const options = { limit, allow: allow && [...allow, 101, 300, 480] }
        const query = bitsFor(64, 99)
        assert.deepEqual(await index.nearestInSlices(query, options), index.nearest(query, options))
        const weighed = { signs: query, weights: new Int8Array(64).fill(3) }
        const likely = { ...options, candidates: limit + 10 }
        assert.deepEqual(await index.likeliestInSlices(weighed, likely), index.likeliest(weighed, likely))
      }),
      { seed: 7, numRuns: 40 },
    )
  })

  test('starts over when rows change in a pause, and in the end answers without pausing', async () => {
    const index = new SignIndex(64, { sliceBytes: 1024 })
    index.load(
      Int32Array.from({ length: 1000 }, (_, i) => i),
      manyBits(64, 1000),
    )
    const query = bitsFor(64, 99)
    let asking = true
    const disturb = () => {
      index.remove(index.ids()[0]!)
      if (asking) setImmediate(disturb)
    }
    setImmediate(disturb)
    const found = await index.nearestInSlices(query, { limit: 50 })
    asking = false
    assert.deepEqual(found, index.nearest(query, { limit: 50 }))
  })

  test('keeps the lowest ids when too many rows are equally near', () => {
    for (const plain of [false, true]) {
      const index = new SignIndex(384, { plain })
      const ids = shuffled(
        Array.from({ length: 70_000 }, (_, i) => i * 30_000),
        3,
      )
      index.load(ids, new Uint8Array(ids.length * 48))
      const { ids: found } = index.nearest(new Uint8Array(48), { limit: 1000 })
      assert.deepEqual(
        [...found],
        Array.from({ length: 1000 }, (_, i) => i * 30_000),
      )
    }
  })

  test('scopes before it ranks: returns the full limit, or all allowed rows', () => {
    const index = new SignIndex(128)
    index.load(
      Int32Array.from({ length: 5000 }, (_, i) => i),
      manyBits(128, 5000),
    )
    const query = bitsFor(128, 99)
    const scopes: [Allow, number][] = [
      [[4999], 1],
      [[], 0],
      [[7, 7, 8, 90_000, -1], 2],
      [(id) => id % 3 === 0, 1667],
      [() => true, 5000],
      [() => false, 0],
    ]
    for (const [allow, size] of scopes) {
      assert.equal(index.allowing(allow).size, size)
      assert.equal(index.ids(index.allowing(allow)).length, size)
      for (const limit of [1, 100, 10_000])
        assert.equal(index.nearest(query, { limit, allow }).ids.length, Math.min(limit, size))
    }
  })

  test('keeps the rows that pass and no others', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 5 }), (steps, divisor) => {
        const { index, rows } = played(64, steps, false)
        const passing = [...rows].filter(([id]) => id % divisor === 0)
        assert.equal(
          index.keep((id) => id % divisor === 0),
          rows.size - passing.length,
        )
        const query = bitsFor(64, 99)
        assert.deepEqual(pairs(index.nearest(query, { limit: 500 })), sorted(new Map(passing), query))
      }),
      { seed: 9, numRuns: 50 },
    )
  })

  test('renews a kept scope when the index has changed', () => {
    const index = new SignIndex(8)
    index.load([1, 2, 3, 4], Uint8Array.of(1, 2, 4, 8))
    const even = index.allowing((id) => id % 2 === 0)
    const listed = index.allowing([1, 6])
    index.remove(1)
    index.load([6], Uint8Array.of(0))
    assert.deepEqual([...index.nearest(Uint8Array.of(0), { limit: 9, allow: even }).ids], [6, 2, 4])
    assert.deepEqual([...index.nearest(Uint8Array.of(0), { limit: 9, allow: listed }).ids], [6])
  })

  test('refuses ids and bits it cannot hold, and stays as it was', () => {
    const index = new SignIndex(16)
    index.load([1], Uint8Array.of(1, 2))
    for (const id of [-1, 1.5, 2 ** 31, Number.NaN])
      assert.throws(() => index.load([2, id], new Uint8Array(4)), RangeError)
    assert.throws(() => index.load([2], new Uint8Array(3)), RangeError)
    assert.throws(() => index.nearest(new Uint8Array(1), { limit: 1 }), RangeError)
    assert.deepEqual([...index.ids()], [1])
    assert.throws(() => new SignIndex(0), RangeError)
    assert.throws(() => new SignIndex(4104), RangeError)
  })

  test('finds nothing while empty, and nothing for a limit of 0', () => {
    const index = new SignIndex(384)
    const weighed = { signs: new Uint8Array(48), weights: new Int8Array(384) }
    assert.equal(index.nearest(new Uint8Array(48), { limit: 10 }).ids.length, 0)
    assert.equal(index.likeliest(weighed, { candidates: 10, limit: 10 }).length, 0)
    index.load([1], new Uint8Array(48))
    assert.equal(index.nearest(new Uint8Array(48), { limit: 0 }).ids.length, 0)
    assert.equal(index.remove(1), true)
    assert.equal(index.remove(1), false)
    assert.equal(index.nearest(new Uint8Array(48), { limit: 10 }).ids.length, 0)
  })

  test('uses little more memory than its bits, in whatever steps it grew', () => {
    const index = new SignIndex(384)
    const page = manyBits(384, 2000)
    for (let at = 0; at < 100_000; at += 2000)
      index.load(
        Int32Array.from({ length: 2000 }, (_, i) => at + i),
        page,
      )
    assert.ok(index.bytes < 100_000 * 85, `${index.bytes} bytes`)
  })
})

function played(dims: number, steps: readonly Step[], plain: boolean) {
  const index = new SignIndex(dims, { plain, sliceBytes: 1024 })
  const rows = new Map<number, Uint8Array>()
  for (const step of steps) {
    if (step.do === 'remove') assert.equal(index.remove(step.id), rows.delete(step.id))
    else if (step.do === 'insert') put(index, rows, [step.id], [bitsFor(dims, step.bits)])
    else {
      const ids = [step.id, step.id % 50, (step.id % 50) + 1, step.id]
      put(
        index,
        rows,
        ids,
        ids.map((_, i) => bitsFor(dims, step.bits + i)),
      )
    }
    assert.equal(index.ids().includes(step.id), rows.has(step.id))
  }
  return { index, rows }
}

function put(index: SignIndex, rows: Map<number, Uint8Array>, ids: number[], bits: Uint8Array[]): void {
  index.load(ids, Uint8Array.from(bits.flatMap((row) => [...row])))
  for (const [i, id] of ids.entries()) rows.set(id, bits[i]!)
}

function bitsFor(dims: number, seed: number): Uint8Array {
  const next = random(seed * 1000)
  return Uint8Array.from({ length: (dims + 7) >> 3 }, () => next() * 256)
}

function manyBits(dims: number, rows: number): Uint8Array {
  const next = random(rows)
  return Uint8Array.from({ length: (dims * rows) / 8 }, () => next() * 256)
}

function sorted(
  rows: Map<number, Uint8Array>,
  query: Uint8Array,
  allow?: readonly number[],
): [number, number][] {
  return [...rows]
    .filter(([id]) => !allow || allow.includes(id))
    .map(([id, bits]): [number, number] => [id, differing(bits, query)])
    .sort((a, b) => a[1] - b[1] || a[0] - b[0])
}

function differing(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll('0', '').length, 0)
}

function pairs({ ids, distances }: { ids: Int32Array; distances: Uint16Array }): [number, number][] {
  return [...ids].map((id, i) => [id, distances[i]!])
}

function shuffled<T>(items: T[], seed: number): T[] {
  const next = random(seed)
  return items
    .map((item) => ({ item, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
