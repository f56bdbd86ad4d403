// The cosines of many rows to one query. The SIMD kernel is three times as fast as plain code and gives the same
// bits.
import { type Kernel, type Memory, PAGE, startKernel } from './kernel/kernel.js'
import { cosineTo, MAX_DIMENSIONS, preparedQuery, type Row, ratio, requireLength } from './quantise.js'

/** The cosine of each row, as `cosineTo` has it; NaN where there is no row. */
export type CosinesOf = (rows: readonly (Row | null | undefined)[]) => Float64Array

export function cosinesTo(query: Float32Array, options: { plain?: boolean } = {}): CosinesOf {
  const started = options.plain ? null : kernel()
  if (started) return bySimd(started, query)
  const cosineOf = cosineTo(query)
  return (rows) => Float64Array.from(rows, (row) => (row ? cosineOf(row) : Number.NaN))
}

// Linear memory: the query's values, the kernel's output, and a batch of rows.
const rowsAtOnce = 64
const QUERY = 0
const SUMS = QUERY + MAX_DIMENSIONS * Float64Array.BYTES_PER_ELEMENT
const SQUARES = SUMS + rowsAtOnce * Float64Array.BYTES_PER_ELEMENT
const ROWS = PAGE
const pages = 1 + (rowsAtOnce * MAX_DIMENSIONS) / PAGE

interface Started {
  kernel: Kernel
  memory: Memory
}

let running: Started | null | undefined

function kernel(): Started | null {
  if (running === undefined) running = startKernel({ initial: pages, maximum: pages })
  return running
}

function bySimd({ kernel, memory }: Started, query: Float32Array): CosinesOf {
  const { values, length } = preparedQuery(query)
  const width = values.length
  const sums = new Float64Array(memory.buffer, SUMS, rowsAtOnce)
  const squares = new Int32Array(memory.buffer, SQUARES, rowsAtOnce)
  const space = new Int8Array(memory.buffer, ROWS)
  return (rows) => {
    const cosines = new Float64Array(rows.length).fill(Number.NaN)
    // Another query may have used the memory since.
    new Float64Array(memory.buffer, QUERY, width).set(values)
    for (let next = 0; next < rows.length; ) {
      const places: number[] = []
      for (; next < rows.length && places.length < rowsAtOnce; next++) {
        const row = rows[next]
        if (!row) continue
        requireLength(row.data, width)
        space.set(row.data, places.length * width)
        places.push(next)
      }
      kernel.multiply(ROWS, width, places.length, QUERY, SUMS, SQUARES)
      for (const [i, place] of places.entries()) cosines[place] = ratio(sums[i]!, squares[i]! * length)
    }
    return cosines
  }
}
