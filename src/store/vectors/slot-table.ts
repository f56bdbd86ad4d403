/**
 * Maps slots to ids and ids to slots. The slots in use are always 0 to size - 1. A hash
 * table in typed arrays: a Map of a million ids takes 30 MB (and twice that one id later) and many times as
 * long to fill; this takes 12 MB.
 */
export class SlotTable {
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
    const taken = this.#places[place]!
    if (taken > 0) return taken - 1
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
