import type { Bank, Scan, Slice } from './bank.js'

const OUT_OF_SCOPE = 0xffff

/** The kernel's work in plain code: the fallback where SIMD is missing, and what the kernel is tested against. */
export function plainBank(stride: number): Bank {
  let capacity = 0
  let rows = new Uint8Array(0)
  let distances = new Uint16Array(0)
  const tally = new Uint32Array(stride * 8 + 1)

  return {
    kind: 'plain',
    stride,
    get bytes() {
      return rows.byteLength + distances.byteLength + tally.byteLength
    },
    rows: () => rows,
    reserve(needed) {
      if (needed <= capacity) return
      capacity = needed
      const larger = new Uint8Array(capacity * stride)
      larger.set(rows)
      rows = larger
      distances = new Uint16Array(capacity)
    },
    scan(query, slice) {
      measure(wordsOf(rows), wordsOf(padded(query, stride)), slice, distances, tally.fill(0))
      const found = distances.subarray(0, slice.to - slice.from)
      return { tally, distances: found, gather: (bound) => gather(found, bound) }
    },
    weigh: (slots, weights) => Int32Array.from(slots, (slot) => weightOf(rows, slot * stride, weights)),
  } satisfies Bank
}

function measure(
  rows: Int32Array,
  query: Int32Array,
  { from, to, allowed }: Slice,
  distances: Scan['distances'],
  tally: Scan['tally'],
): void {
  for (let slot = from; slot < to; slot++) {
    if (allowed && !(allowed[slot >> 3]! & (1 << (slot & 7)))) {
      distances[slot - from] = OUT_OF_SCOPE
      continue
    }
    const distance = differing(rows, slot * query.length, query)
    distances[slot - from] = distance
    tally[distance]!++
  }
}

function differing(rows: Int32Array, start: number, query: Int32Array): number {
  let count = 0
  for (let i = 0; i < query.length; i++) count += setBits(rows[start + i]! ^ query[i]!)
  return count
}

// Adds up in pairs, then fours, then bytes; the multiplication sums the four bytes into the highest.
function setBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function gather(distances: Uint16Array, bound: number): Uint32Array {
  const near: number[] = []
  for (let i = 0; i < distances.length; i++) if (distances[i]! <= bound) near.push(i)
  return Uint32Array.from(near)
}

function weightOf(rows: Uint8Array, start: number, weights: Int8Array): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) if (rows[start + (i >> 3)]! & (1 << (i & 7))) sum += weights[i]!
  return sum
}

function padded(query: Uint8Array, stride: number): Uint8Array {
  const bytes = new Uint8Array(stride)
  bytes.set(query)
  return bytes
}

function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
}
