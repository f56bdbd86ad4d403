// Picks the nearest rows of a scan. The tally gives the largest distance needed, so farther rows are never examined.
import type { Scan } from './bank.js'
import { MAX_DIMENSIONS } from './quantise.js'

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
  const kept = new Uint32Array(limit)
  let count = 0
  for (let i = 0; i < slots.length; i++)
    if (distances[slots[i]!]! < bound || ids[slots[i]!]! <= lastId) kept[count++] = slots[i]!
  return kept
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
