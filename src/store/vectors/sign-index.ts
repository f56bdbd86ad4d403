// The vectors of one model as sign bits in memory, searched by Hamming distance. Answers depend on the contents of
// the index and never on its history: equal distances are ordered by id, and slots stay private.

import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Bank,
  heaviest,
  MAX_ID,
  merge,
  type Neighbours,
  NOBODY,
  nearestOf,
  nearestSlots,
  pick,
  plainBank,
  type Slice,
  simdBank,
  strideOf,
} from './bank.js'
import { paddedDimensions } from './rows.js'

/** The ids that may be found: a list (unknown ids are ignored), or a test. */
export type Allow = ArrayLike<number> | ((id: number) => boolean)

/** A scope as slots of the index. It can be reused: after a change of the index it is computed again. */
export interface Allowed {
  readonly allow: Allow
  /** How many rows of the index are allowed. */
  readonly size: number
  /** One bit for each slot. */
  readonly slots: Uint8Array
  readonly version: number
}

export interface NearestOptions {
  limit: number
  allow?: Allow | Allowed
}

/** A query by its sign bits and by its values, rounded to int8. */
export interface WeighedQuery {
  signs: Uint8Array
  weights: Int8Array
}

export interface LikeliestOptions extends NearestOptions {
  candidates: number
}

export class SignIndex {
  readonly dimensions: number
  readonly #rowBytes: number
  readonly #bank: Bank
  readonly #sliceRows: number
  readonly #seats = new SlotTable()
  #capacity = 0
  #version = 0

  constructor(dimensions: number, options: { plain?: boolean; sliceBytes?: number } = {}) {
    this.dimensions = dimensions
    this.#rowBytes = paddedDimensions(dimensions) / 8
    const stride = strideOf(this.#rowBytes)
    this.#bank = (options.plain ? null : simdBank(stride)) ?? plainBank(stride)
    this.#sliceRows = Math.max(64, ((options.sliceBytes ?? SLICE_BYTES[this.kind]) / stride) & ~63)
  }

  get size(): number {
    return this.#seats.size
  }

  /** The scanner: the SIMD kernel, or plain code where it cannot run. */
  get kind(): Bank['kind'] {
    return this.#bank.kind
  }

  /** Bytes of memory in use, including room to grow. */
  get bytes(): number {
    return this.#bank.bytes + this.#seats.bytes
  }

  /** Adds rows; `bits` has them one after the other. A row with a known id replaces the old one. */
  load(ids: ArrayLike<number>, bits: Uint8Array): void {
    if (bits.length !== ids.length * this.#rowBytes)
      throw new RangeError(
        `${ids.length} rows take ${ids.length * this.#rowBytes} bytes, not ${bits.length}.`,
      )
    for (let i = 0; i < ids.length; i++) requireId(ids[i]!)
    this.reserve(this.size + ids.length)
    this.#version++
    this.#copy(ids, bits)
  }

  /** Makes room for `rows` rows at once. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return
    const capacity = roomFor(rows, this.#capacity)
    this.#bank.reserve(capacity)
    this.#seats.reserve(capacity)
    this.#capacity = capacity
  }

  /** False if the row does not exist. */
  remove(id: number): boolean {
    const last = this.size - 1
    const slot = this.#seats.unseat(id)
    if (slot < 0) return false
    const { stride } = this.#bank
    if (slot < last) this.#bank.rows().copyWithin(slot * stride, last * stride, (last + 1) * stride)
    this.#version++
    return true
  }

  /** Removes every row whose id fails the test, and returns their number. */
  keep(test: (id: number) => boolean): number {
    const { ids } = this.#seats
    // From the end: the row that moves into a freed slot has been tested already.
    for (let slot = ids.length - 1; slot >= 0; slot--) if (!test(ids[slot]!)) this.remove(ids[slot]!)
    return ids.length - this.size
  }

  /** The ids of all rows, or of those allowed, ascending. */
  ids(allowed?: Allowed): Int32Array {
    const all = this.#seats.ids
    if (!allowed) return all.slice().sort()
    const { slots, size } = this.allowing(allowed)
    const found = new Int32Array(size)
    let count = 0
    for (let at = 0; at < slots.length; at++)
      for (let byte = slots[at]!; byte !== 0; byte &= byte - 1)
        found[count++] = all[at * 8 + 31 - Math.clz32(byte & -byte)]!
    return found.sort()
  }

  allowing(allow: Allow | Allowed): Allowed {
    if (isAllowed(allow)) return allow.version === this.#version ? allow : this.allowing(allow.allow)
    const slots = new Uint8Array((this.size + 7) >> 3)
    const size = typeof allow === 'function' ? this.#markTested(slots, allow) : this.#markListed(slots, allow)
    return { allow, size, slots, version: this.#version }
  }

  /** The rows nearest to the query's sign bits: `limit` of them, or all that are allowed when those are fewer. */
  nearest(query: Uint8Array, { limit, allow }: NearestOptions): Neighbours {
    this.#requireBits(query)
    return this.#search(query, limit, { from: 0, to: this.size, allowed: this.#mask(allow) })
  }

  /**
   * The same answer with pauses for other work, for collections so large that one scan would hold up the event
   * loop. If rows change in a pause, it starts over; after the third time it no longer pauses.
   */
  async nearestInSlices(query: Uint8Array, options: NearestOptions): Promise<Neighbours> {
    this.#requireBits(query)
    for (let attempt = 0; attempt < 3; attempt++) {
      const found = await this.#searchSlices(query, options)
      if (found) return found
    }
    return this.nearest(query, options)
  }

  /**
   * Of the `candidates` rows nearest by sign bits, the ids of the `limit` rows likeliest to be near by value,
   * ascending. `weights` are the query's values as int8: where one is large, a differing bit tells more.
   */
  likeliest(query: WeighedQuery, { candidates, limit, allow }: LikeliestOptions): Int32Array {
    this.#requireBits(query.signs)
    if (this.size === 0) return NOBODY.ids
    const scan = this.#bank.scan(query.signs, { from: 0, to: this.size, allowed: this.#mask(allow) })
    return this.#weigh(nearestSlots(scan, this.#seats.ids, candidates), query.weights, limit)
  }

  /** The same answer with pauses, like `nearestInSlices`. */
  async likeliestInSlices(query: WeighedQuery, options: LikeliestOptions): Promise<Int32Array> {
    if (this.size <= this.#sliceRows) return this.likeliest(query, options)
    const { candidates, limit, allow } = options
    const { ids } = await this.nearestInSlices(query.signs, { limit: candidates, allow })
    // A row may have been removed since the scan.
    const slots = ids.map((id) => this.#seats.slotOf(id)).filter((slot) => slot >= 0)
    return this.#weigh(Uint32Array.from(slots), query.weights, limit)
  }

  #weigh(slots: Uint32Array, weights: Int8Array, limit: number): Int32Array {
    const ids = pick(this.#seats.ids, slots)
    return heaviest(this.#bank.weigh(slots, weights), ids, limit)
  }

  // New ids get slots in a row, so whole runs of rows are copied at once; padded rows go one by one.
  #copy(ids: ArrayLike<number>, bits: Uint8Array): void {
    const { stride } = this.#bank
    const rows = this.#bank.rows()
    const run = { start: 0, slot: 0 }
    const flush = (end: number) =>
      rows.set(bits.subarray(run.start * this.#rowBytes, end * this.#rowBytes), run.slot * stride)
    for (let i = 0; i < ids.length; i++) {
      const slot = this.#seats.seat(ids[i]!)
      if (stride === this.#rowBytes && slot === run.slot + i - run.start) continue
      flush(i)
      run.start = i
      run.slot = slot
    }
    flush(ids.length)
  }

  #markTested(slots: Uint8Array, test: (id: number) => boolean): number {
    const ids = this.#seats.ids
    let size = 0
    for (let slot = 0; slot < ids.length; slot++) {
      if (!test(ids[slot]!)) continue
      slots[slot >> 3] = slots[slot >> 3]! | (1 << (slot & 7))
      size++
    }
    return size
  }

  #markListed(slots: Uint8Array, ids: ArrayLike<number>): number {
    let size = 0
    for (let i = 0; i < ids.length; i++) {
      const slot = this.#seats.slotOf(ids[i]!)
      if (slot < 0 || slots[slot >> 3]! & (1 << (slot & 7))) continue
      slots[slot >> 3] = slots[slot >> 3]! | (1 << (slot & 7))
      size++
    }
    return size
  }

  #mask(allow: NearestOptions['allow']): Uint8Array | null {
    if (!allow) return null
    const { size, slots } = this.allowing(allow)
    return size === this.size ? null : slots
  }

  #search(query: Uint8Array, limit: number, slice: Slice): Neighbours {
    if (!(limit > 0) || slice.to <= slice.from) return NOBODY
    return nearestOf(this.#bank.scan(query, slice), this.#seats.ids.subarray(slice.from), limit)
  }

  async #searchSlices(query: Uint8Array, { limit, allow }: NearestOptions): Promise<Neighbours | null> {
    const version = this.#version
    const allowed = this.#mask(allow)
    let best = NOBODY
    for (let from = 0; from < this.size; from += this.#sliceRows) {
      if (from > 0) await nextTurn()
      if (this.#version !== version) return null
      const to = Math.min(this.size, from + this.#sliceRows)
      best = merge(best, this.#search(query, limit, { from, to, allowed }), limit)
    }
    return best
  }

  #requireBits(query: Uint8Array): void {
    if (query.length !== this.#rowBytes)
      throw new RangeError(
        `The query has ${query.length} bytes of sign bits, the rows have ${this.#rowBytes}.`,
      )
  }
}

// 2 to 3 ms of work each.
const SLICE_BYTES = { simd: 16 << 20, plain: 2 << 20 }

// Grows by an eighth: doubling would leave half of the memory empty, and growing copies no row.
function roomFor(rows: number, capacity: number): number {
  return (Math.max(rows, capacity + (capacity >> 3), 1024) + 63) & ~63
}

function requireId(id: number): void {
  if ((id | 0) !== id || id < 0)
    throw new RangeError(`An id is a whole number from 0 to ${MAX_ID}, not ${id}.`)
}

function isAllowed(allow: Allow | Allowed): allow is Allowed {
  return typeof allow !== 'function' && 'version' in allow
}

/**
 * Maps slots to ids and ids to slots. The slots in use are always 0 to size - 1. A hash
 * table in typed arrays: a Map of a million ids takes 30 MB (and twice that one id later) and many times as
 * long to fill; this takes 12 MB.
 */
class SlotTable {
  #size = 0
  #ids = new Int32Array(0)
  /** Slot + 1 at the id's hash or the next free place after it; 0 is free. At most two thirds are in use. */
  #places = new Int32Array(16)

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#ids.byteLength + this.#places.byteLength
  }

  /** The ids by slot. */
  get ids(): Int32Array {
    return this.#ids.subarray(0, this.#size)
  }

  reserve(capacity: number): void {
    if (capacity > this.#ids.length) this.#ids = longer(this.#ids, capacity)
    if (capacity * 3 > this.#places.length * 2) this.#spread(2 ** Math.ceil(Math.log2(capacity * 1.5)))
  }

  /** The slot of an id, or -1. */
  slotOf(id: number): number {
    return this.#places[this.#placeOf(id)]! - 1
  }

  /** Gives an id the next slot, or returns its present one. There must be room for one more. */
  seat(id: number): number {
    const place = this.#placeOf(id)
    const known = this.#places[place]!
    if (known > 0) return known - 1
    this.#ids[this.#size++] = id
    this.#places[place] = this.#size
    return this.#size - 1
  }

  /** Removes an id and moves the last slot's id into its slot. Returns the slot, or -1 for an unknown id. */
  unseat(id: number): number {
    const place = this.#placeOf(id)
    const slot = this.#places[place]! - 1
    if (slot < 0) return -1
    const last = this.#ids[this.#size - 1]!
    this.#places[this.#placeOf(last)] = slot + 1
    this.#ids[slot] = last
    this.#size--
    this.#free(place)
    return slot
  }

  /** The place of the id, or the free place where it belongs. */
  #placeOf(id: number): number {
    const mask = this.#places.length - 1
    let place = home(id, mask)
    while (this.#places[place] !== 0 && this.#ids[this.#places[place]! - 1] !== id) place = (place + 1) & mask
    return place
  }

  // Moves back every entry up to the next gap that would be unreachable across the freed place.
  #free(place: number): void {
    const mask = this.#places.length - 1
    let gap = place
    for (let next = (gap + 1) & mask; this.#places[next] !== 0; next = (next + 1) & mask) {
      const wanted = home(this.#ids[this.#places[next]! - 1]!, mask)
      if (((next - wanted) & mask) < ((next - gap) & mask)) continue
      this.#places[gap] = this.#places[next]!
      gap = next
    }
    this.#places[gap] = 0
  }

  #spread(places: number): void {
    this.#places = new Int32Array(Math.max(16, places))
    const mask = this.#places.length - 1
    for (let slot = 0; slot < this.#size; slot++) {
      let place = home(this.#ids[slot]!, mask)
      while (this.#places[place] !== 0) place = (place + 1) & mask
      this.#places[place] = slot + 1
    }
  }
}

// Sixteen ids that follow each other share a line of the processor's cache; where the line lies is well mixed by the
// high bits of a multiplication with the golden ratio.
function home(id: number, mask: number): number {
  return ((Math.imul(id >>> 4, 0x9e3779b1) >>> Math.clz32(mask)) & ~15) | (id & 15)
}

function longer(ids: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length)
  larger.set(ids)
  return larger
}
