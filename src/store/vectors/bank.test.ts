import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { random } from '../../../test/clustered-vectors.js'
import type { Bank, Slice } from './bank.js'
import { plainBank, simdBank } from './bank.js'

// One value from few, so that distances tie and whole bytes agree.
const content = fc.constantFrom('random', 'few', 'same', 'opposite')

const cases = fc.record({
  stride: fc.integer({ min: 1, max: 32 }).map((blocks) => blocks * 16),
  rows: fc.integer({ min: 1, max: 300 }),
  from: fc.integer({ min: 0, max: 4 }).map((words) => words * 64),
  content,
  scope: fc.constantFrom('all', 'none', 'half', 'few'),
  bound: fc.integer({ min: 0, max: 4096 }),
  seed: fc.nat(),
})

describe('the SIMD kernel', () => {
  test('measures, counts, gathers and weighs as the plain code does', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const [simd, plain] = [filled(simdBank(one.stride)!, one), filled(plainBank(one.stride), one)]
        const slice = sliceOf(one)
        const [a, b] = [simd.scan(queryOf(one), slice), plain.scan(queryOf(one), slice)]
        assert.deepEqual([...a.distances], [...b.distances])
        assert.deepEqual([...a.tally], [...b.tally])
        assert.deepEqual([...a.gather(one.bound)], [...b.gather(one.bound)])
        const slots = Uint32Array.from(a.gather(one.bound), (slot) => slot + slice.from)
        const weights = weightsOf(one)
        assert.deepEqual([...simd.weigh(slots, weights)], [...plain.weigh(slots, weights)])
      }),
      { seed: 4, numRuns: 150 },
    )
  })

  for (const open of [simdBank, plainBank])
    test(`counts up to 4096 differing bits and weighs all of them (${open.name})`, () => {
      const bank = open(512)!
      bank.reserve(64)
      bank.rows().fill(0xff, 0, 512 * 5)
      const { distances, tally } = bank.scan(new Uint8Array(512), { from: 0, to: 6 })
      assert.deepEqual([...distances], [4096, 4096, 4096, 4096, 4096, 0])
      assert.deepEqual([tally[4096], tally[0]], [5, 1])
      const slots = Uint32Array.of(0, 5)
      assert.deepEqual([...bank.weigh(slots, new Int8Array(4096).fill(127))], [127 * 4096, 0])
      assert.deepEqual([...bank.weigh(slots, new Int8Array(4096).fill(-127))], [-127 * 4096, 0])
    })

  for (const open of [simdBank, plainBank])
    test(`keeps its rows while it grows over what a scan wrote (${open.name})`, () => {
      const bank = open(16)!
      bank.reserve(64)
      bank.rows().fill(7)
      for (let rows = 128; rows < 40_000; rows *= 2) {
        const before = bank.rows().length
        bank.scan(new Uint8Array(16), { from: 0, to: before / 16, allowed: new Uint8Array(before / 128) })
        bank.reserve(rows)
        assert.ok(
          bank
            .rows()
            .subarray(0, before)
            .every((byte) => byte === 7),
        )
        assert.ok(
          bank
            .rows()
            .subarray(before)
            .every((byte) => byte === 0),
        )
        bank.rows().fill(7)
      }
    })
})

interface Case {
  stride: number
  rows: number
  from: number
  content: string
  scope: string
  seed: number
}

function filled(bank: Bank, { stride, rows, from, content, seed }: Case): Bank {
  const next = random(seed)
  bank.reserve((from + rows + 63) & ~63)
  const bytes = bank.rows()
  for (let i = 0; i < (from + rows) * stride; i++) bytes[i] = byteOf(content, next())
  return bank
}

function byteOf(content: string, value: number): number {
  if (content === 'same') return 0x5a
  if (content === 'opposite') return 0xa5
  return content === 'few' ? (value < 0.5 ? 0x5a : 0x5b) : value * 256
}

function queryOf({ stride, content }: Case): Uint8Array {
  return new Uint8Array(stride).fill(content === 'random' ? 0x3c : 0x5a)
}

function weightsOf({ stride, seed }: Case): Int8Array {
  const next = random(seed + 1)
  return Int8Array.from({ length: stride * 8 }, () => Math.floor(next() * 255) - 127)
}

function sliceOf({ rows, from, scope, seed }: Case): Slice {
  const to = from + rows
  if (scope === 'all') return { from, to }
  const next = random(seed + 2)
  const share = { none: 0, half: 0.5, few: 0.02 }[scope] ?? 1
  const allowed = new Uint8Array((to + 7) >> 3)
  for (let slot = 0; slot < to; slot++)
    if (next() < share) allowed[slot >> 3] = allowed[slot >> 3]! | (1 << (slot & 7))
  return { from, to, allowed }
}
