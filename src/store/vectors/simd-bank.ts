import type { Bank } from './bank.js'
import { PAGE, startKernel } from './kernel/kernel.js'
import { MAX_DIMENSIONS } from './quantise.js'

// Linear memory, from the bottom: the query's bits and weights, the tally, the rows; after the rows what a scan writes, which nobody
// misses when the rows grow over it. So growing never moves a row.
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
      // A scan may have written where rows will now lie; what is added is zeros already.
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
