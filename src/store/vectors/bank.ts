// Holds and scans the sign bits: in WebAssembly memory with the SIMD kernel, or, where it cannot run, in
// a plain array with plain code. Both give the same answers.

import { PAGE, startKernel } from './kernel/kernel.js'
import { MAX_DIMENSIONS } from './rows.js'

/** Rows of packed bits, one after the other. A slot is a row's place; the bank does not know which id it belongs to. */
export interface Bank {
  readonly kind: 'simd' | 'plain'
  /** Bytes from one row to the next: a multiple of 16, of which the last may be padding. */
  readonly stride: number
  /** Bytes of memory in use, including room to grow. */
  readonly bytes: number
  /** Makes room for `rows` rows, a multiple of 64, and keeps the present ones. */
  reserve(rows: number): void
  /** All rows, zeros where none was written. Call it again after `reserve`. */
  rows(): Uint8Array
  /** Measures the slice's rows against the query. The next scan overwrites the result. */
  scan(query: Uint8Array, slice: Slice): Scan
  /** For each slot, the sum of the weights (one a bit) at its row's set bits. Overwritten by the next call. */
  weigh(slots: Uint32Array, weights: Int8Array): Int32Array
}

export interface Slice {
  /** A multiple of 64. */
  from: number
  to: number
  /** One bit for each slot of the bank; only rows whose bit is set are measured. */
  allowed?: Uint8Array | null
}

export interface Scan {
  /** The number of rows at each distance. */
  tally: Uint32Array
  /** By slot, counted from the slice's start. */
  distances: Uint16Array
  /** The slots no further away than `bound`, counted from the slice's start, in their order. */
  gather(bound: number): Uint32Array
}

/** Bytes from one row to the next, for rows of `rowBytes` bytes. */
export function strideOf(rowBytes: number): number {
  return (rowBytes + 15) & ~15
}

const OUT_OF_SCOPE = 0xffff

/** The kernel in plain code: the fallback without SIMD, and the oracle in the kernel's tests. */
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

// Linear memory, from the bottom: the query's bits and weights, the tally, the rows, the output of a scan. New rows may
// overwrite that output, so growing never moves a row.
const QUERY = 0
const WEIGHTS = QUERY + MAX_DIMENSIONS / 8
const TALLY = WEIGHTS + MAX_DIMENSIONS
const ROWS = PAGE

// Per row: a distance, a place in the list of the nearest (all rows, when all are equally near), a bit of scope.
const DISTANCE_BYTES = 2
const SLOT_BYTES = 4

/** Rows in WebAssembly memory, scanned by the SIMD kernel. Null where the runtime cannot run it. */
export function simdBank(stride: number): Bank | null {
  const started = startKernel({ initial: 1, maximum: PAGE })
  if (!started) return null
  const { kernel, memory } = started
  let capacity = 0
  const distancesAt = () => ROWS + capacity * stride
  const slotsAt = () => distancesAt() + capacity * DISTANCE_BYTES
  const allowedAt = () => slotsAt() + capacity * SLOT_BYTES

  return {
    kind: 'simd',
    stride,
    get bytes() {
      return memory.buffer.byteLength
    },
    rows: () => new Uint8Array(memory.buffer, ROWS, capacity * stride),
    reserve(needed) {
      if (needed <= capacity) return
      const end = ROWS + needed * (stride + DISTANCE_BYTES + SLOT_BYTES) + needed / 8
      const pages = Math.ceil((end - memory.buffer.byteLength) / PAGE)
      // A scan may have written where the new rows begin; added memory is zero already.
      new Uint8Array(memory.buffer, distancesAt()).fill(0)
      if (pages > 0) memory.grow(pages)
      capacity = needed
    },
    scan(query, { from, to, allowed }) {
      const count = to - from
      const rows = ROWS + from * stride
      new Uint8Array(memory.buffer, QUERY, stride).fill(0).set(query)
      const tally = new Uint32Array(memory.buffer, TALLY, stride * 8 + 1).fill(0)
      if (allowed) {
        const part = allowed.subarray(from >> 3, (to + 7) >> 3)
        new Uint8Array(memory.buffer, allowedAt(), (count + 63) >> 3).fill(0).set(part)
        kernel.scanAllowed(rows, stride, count, QUERY, distancesAt(), TALLY, allowedAt())
      } else kernel.scan(rows, stride, count, QUERY, distancesAt(), TALLY)
      return {
        tally,
        distances: new Uint16Array(memory.buffer, distancesAt(), count),
        gather(bound) {
          const found = kernel.gather(distancesAt(), count, bound, slotsAt())
          return new Uint32Array(memory.buffer, slotsAt(), found >>> 0)
        },
      }
    },
    weigh(slots, weights) {
      new Int8Array(memory.buffer, WEIGHTS, stride * 8).fill(0).set(weights)
      new Uint32Array(memory.buffer, slotsAt(), slots.length).set(slots)
      kernel.weigh(ROWS, stride, slotsAt(), slots.length, WEIGHTS, slotsAt())
      return new Int32Array(memory.buffer, slotsAt(), slots.length)
    },
  } satisfies Bank
}

// --- Picking the nearest rows of a scan. The tally gives the largest distance needed, so farther rows are never examined.

export const MAX_ID = 2 ** 31 - 1
const GREATEST_SUM = 127 * MAX_DIMENSIONS

/** Nearest first; equal distances by id. */
export interface Neighbours {
  ids: Int32Array
  distances: Uint16Array
}

export const NOBODY: Neighbours = { ids: new Int32Array(0), distances: new Uint16Array(0) }

/** The `limit` nearest rows of a scan, or all when they are fewer. `ids` are those of the scanned slots. */
export function nearestOf(scan: Scan, ids: Int32Array, limit: number): Neighbours {
  const slots = nearestSlots(scan, ids, limit)
  const keys = new Float64Array(slots.length)
  for (let i = 0; i < slots.length; i++) keys[i] = keyOf(scan.distances[slots[i]!]!, ids[slots[i]!]!)
  return inOrder(keys)
}

/** The same rows as slots, in no order of meaning. */
export function nearestSlots(
  { tally, distances, gather }: Scan,
  ids: Int32Array,
  limit: number,
): Uint32Array {
  const { bound, nearer } = reach(tally, limit)
  const slots = gather(bound)
  if (slots.length <= limit) return slots
  const lastId = valueAtRank(tiesAt(bound, slots, distances, ids), limit - nearer)
  const nearest = new Uint32Array(limit)
  let count = 0
  for (let i = 0; i < slots.length; i++)
    if (distances[slots[i]!]! < bound || ids[slots[i]!]! <= lastId) nearest[count++] = slots[i]!
  return nearest
}

/** The `limit` ids of the greatest sums, ascending; between equal sums the lower id wins. */
export function heaviest(sums: Int32Array, ids: Int32Array, limit: number): Int32Array {
  if (ids.length <= limit) return ids.slice().sort()
  const lacks = new Int32Array(sums.length)
  for (let i = 0; i < sums.length; i++) lacks[i] = GREATEST_SUM - sums[i]!
  const bound = valueAtRank(lacks, limit)
  const found = new Int32Array(limit)
  const ties: number[] = []
  let count = 0
  for (let i = 0; i < ids.length; i++) {
    if (lacks[i]! < bound) found[count++] = ids[i]!
    else if (lacks[i] === bound) ties.push(ids[i]!)
  }
  found.set(ties.sort((a, b) => a - b).slice(0, limit - count), count)
  return found.sort()
}

/** The `limit` nearest of two answers about different rows. */
export function merge(a: Neighbours, b: Neighbours, limit: number): Neighbours {
  const size = Math.min(limit, a.ids.length + b.ids.length)
  const found = { ids: new Int32Array(size), distances: new Uint16Array(size) }
  let [i, j] = [0, 0]
  for (let at = 0; at < size; at++) {
    const first = j === b.ids.length || (i < a.ids.length && isBefore(a, i, b, j))
    const [from, place] = first ? [a, i++] : [b, j++]
    found.ids[at] = from.ids[place]!
    found.distances[at] = from.distances[place]!
  }
  return found
}

function isBefore(a: Neighbours, i: number, b: Neighbours, j: number): boolean {
  const [near, far] = [a.distances[i]!, b.distances[j]!]
  return near < far || (near === far && a.ids[i]! < b.ids[j]!)
}

/** The values at these places. A loop: the typed arrays' own `from` with a function takes thirty times as long. */
export function pick(values: Int32Array, places: Uint32Array): Int32Array {
  const picked = new Int32Array(places.length)
  for (let i = 0; i < places.length; i++) picked[i] = values[places[i]!]!
  return picked
}

/** The distance that includes `limit` rows, and the number of rows nearer than that. */
function reach(tally: Uint32Array, limit: number): { bound: number; nearer: number } {
  let nearer = 0
  let bound = 0
  while (bound < tally.length - 1 && nearer + tally[bound]! < limit) nearer += tally[bound++]!
  return { bound, nearer }
}

function tiesAt(bound: number, slots: Uint32Array, distances: Uint16Array, ids: Int32Array): Int32Array {
  const ties = new Int32Array(slots.length)
  let count = 0
  for (let i = 0; i < slots.length; i++) if (distances[slots[i]!] === bound) ties[count++] = ids[slots[i]!]!
  return ties.subarray(0, count)
}

// The value with `rank` values at or below it. Values are not negative. A radix count: sorting a million equally
// near rows would block the event loop, and sorting a few thousand would take longer than weighing them.
function valueAtRank(values: Int32Array, rank: number): number {
  let low = 0
  let span = 2 ** 31
  for (const shift of [22, 11, 0]) {
    const counts = new Uint32Array(2048)
    for (let i = 0; i < values.length; i++) {
      const offset = values[i]! - low
      if (offset >= 0 && offset < span) counts[offset >>> shift]!++
    }
    let digit = 0
    while (counts[digit]! < rank) rank -= counts[digit++]!
    low += digit << shift
    span = 1 << shift
  }
  return low
}

// Distance and id in one number: a typed array sorts it without a comparison function.
const ID_SPAN = MAX_ID + 1

function keyOf(distance: number, id: number): number {
  return distance * ID_SPAN + id
}

function inOrder(keys: Float64Array): Neighbours {
  keys.sort()
  const found = { ids: new Int32Array(keys.length), distances: new Uint16Array(keys.length) }
  for (let i = 0; i < keys.length; i++) {
    const distance = Math.floor(keys[i]! / ID_SPAN)
    found.distances[i] = distance
    found.ids[i] = keys[i]! - distance * ID_SPAN
  }
  return found
}
