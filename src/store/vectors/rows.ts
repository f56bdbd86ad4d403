// Stored vectors: their rows, their cosines to a query, and the search for the nearest.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kernel, type Memory, PAGE, startKernel } from './kernel/kernel.js'
import type { Allow, Allowed, LikeliestOptions, SignIndex, WeighedQuery } from './sign-index.js'

// --- A vector in three sizes: floats from the model, an int8 row with one scale for storage, and one sign
// bit for each dimension for the search. Measured on the default model, int8 loses nothing; signs alone lose much, and
// find the few hundred rows worth an exact comparison.

export const MAX_DIMENSIONS = 4096

/** A stored vector: `data[i] * scale` is the i-th value. Padded with zeros to a multiple of 8. */
export interface Row {
  scale: number
  data: Int8Array
}

/** The number of values in a row: `dimensions`, rounded up to a multiple of 8. */
export function paddedDimensions(dimensions: number): number {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS)
    throw new RangeError(`A vector has 1 to ${MAX_DIMENSIONS} dimensions, not ${dimensions}.`)
  return (dimensions + 7) & ~7
}

export function quantise(vector: Float32Array): Row {
  const data = new Int8Array(paddedDimensions(vector.length))
  const scale = scaleOf(vector)
  if (scale > 0)
    for (let i = 0; i < vector.length; i++)
      data[i] = Math.max(-127, Math.min(127, Math.round(vector[i]! / scale)))
  return { scale, data }
}

export function dequantise(row: Row, dimensions = row.data.length): Float32Array {
  const vector = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) vector[i] = row.data[i]! * row.scale
  return vector
}

/** The sign bits of a query: bit i is set where value i is above zero. */
export function signsOf(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(paddedDimensions(vector.length) / 8)
  for (let i = 0; i < vector.length; i++) if (vector[i]! > 0) bits[i >> 3] = bits[i >> 3]! | (1 << (i & 7))
  return bits
}

/**
 * The sign bits of a stored vector. They come from the row and never from the original floats, so that
 * the process that embedded a chunk and a later reader hold the same bits.
 */
export function signsOfRow(row: Row): Uint8Array {
  const bits = new Uint8Array(row.data.length / 8)
  for (let i = 0; i < row.data.length; i++)
    if (row.data[i]! > 0) bits[i >> 3] = bits[i >> 3]! | (1 << (i & 7))
  return bits
}

/** Measures stored vectors against one query. The query's own figures are computed once. */
export function cosineTo(query: Float32Array): (row: Row) => number {
  const { values, length } = preparedQuery(query)
  return ({ data }) => {
    requireLength(data, values.length)
    // Two sums side by side, as each addition waits for the one before it.
    let even = 0
    let odd = 0
    let squares = 0
    for (let i = 0; i < values.length; i += 2) {
      const x = data[i]!
      const y = data[i + 1]!
      even += values[i]! * x
      odd += values[i + 1]! * y
      squares = (squares + x * x + y * y) | 0
    }
    return ratio(even + odd, squares * length)
  }
}

/** A query's values, padded like a row, and the square of its length. */
function preparedQuery(query: Float32Array): { values: Float64Array; length: number } {
  const values = new Float64Array(paddedDimensions(query.length))
  values.set(query)
  let length = 0
  for (const value of values) length += value * value
  if (!Number.isFinite(length)) throw new RangeError(NOT_FINITE)
  return { values, length }
}

const NOT_FINITE = 'A vector holds a value that is not a finite number.'

function requireLength(data: Int8Array, length: number): void {
  if (data.length !== length)
    throw new RangeError(`Vectors of ${data.length} and ${length} values cannot be compared.`)
}

// 32 bits, so that every store returns the same scale.
function scaleOf(vector: Float32Array): number {
  let largest = 0
  for (const value of vector) {
    if (!Number.isFinite(value)) throw new RangeError(NOT_FINITE)
    largest = Math.max(largest, Math.abs(value))
  }
  return Math.fround(largest / 127)
}

/** A cosine from a product and the product of both squares. */
export function ratio(dot: number, squares: number): number {
  if (!(squares > 0)) return 0
  return Math.max(-1, Math.min(1, dot / Math.sqrt(squares)))
}

// --- The cosines of many rows to one query. The SIMD kernel is three times as fast as plain code and gives the same bits.

/** The cosine of each row, as `cosineTo` has it; NaN where there is no row. */
export type CosinesOf = (rows: readonly (Row | null | undefined)[]) => Float64Array

export function cosinesTo(query: Float32Array, options: { plain?: boolean } = {}): CosinesOf {
  const started = options.plain ? null : kernel()
  if (started) return bySimd(started, query)
  const cosineOf = cosineTo(query)
  return (rows) => Float64Array.from(rows, (row) => (row ? cosineOf(row) : Number.NaN))
}

// Linear memory: the query's values, the kernel's output, and a batch of rows.
const batchRows = 64
const QUERY = 0
const SUMS = QUERY + MAX_DIMENSIONS * Float64Array.BYTES_PER_ELEMENT
const SQUARES = SUMS + batchRows * Float64Array.BYTES_PER_ELEMENT
const ROWS = PAGE
const pages = 1 + (batchRows * MAX_DIMENSIONS) / PAGE

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
  const sums = new Float64Array(memory.buffer, SUMS, batchRows)
  const squares = new Int32Array(memory.buffer, SQUARES, batchRows)
  const space = new Int8Array(memory.buffer, ROWS)
  return (rows) => {
    const cosines = new Float64Array(rows.length).fill(Number.NaN)
    // Another query may have used the memory since.
    new Float64Array(memory.buffer, QUERY, width).set(values)
    for (let next = 0; next < rows.length; ) {
      const places: number[] = []
      for (; next < rows.length && places.length < batchRows; next++) {
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

// --- The search by meaning in three passes, each more expensive and over fewer rows: sign bits against sign bits over all rows,
// the query's values against sign bits over the best few thousand, and the stored vectors of the best few hundred.

/** The rows of these ids, in their order; null for a removed one. */
export type FetchRows = (ids: Int32Array) => Rows

type Rows = readonly (Row | null | undefined)[]

export interface ExactQuery {
  /** Only its direction matters, not its length. */
  vector: Float32Array
  limit: number
  allow?: Allow | Allowed
  /** The places of ids of equal cosine among each other; ascending when left out. */
  placesOf?: (ids: number[]) => ReadonlyMap<number, number>
}

export interface Match {
  id: number
  cosine: number
}

/**
 * The vectors nearest to the query by exact cosine, best first. A small scope is read whole. It pauses for other work while
 * it scans and reads rows.
 */
export async function nearestExact(
  index: SignIndex,
  fetchRows: FetchRows,
  query: ExactQuery,
): Promise<Match[]> {
  const { whole, options } = plan(index, query)
  const ids = whole ?? (await index.likeliestInSlices(weighed(query), options))
  return rescore(ids, await fetchInSlices(ids, fetchRows), query)
}

// A batch of this size is read in a few milliseconds, even from a file larger than memory.
const rowsAtOnce = 512

async function fetchInSlices(ids: Int32Array, fetchRows: FetchRows): Promise<Rows> {
  const rows: (Row | null | undefined)[] = []
  for (let i = 0; i < ids.length; i += rowsAtOnce) {
    if (i > 0) await nextTurn()
    for (const row of fetchRows(ids.subarray(i, i + rowsAtOnce))) rows.push(row)
  }
  return rows
}

/**
 * How many rows each pass keeps. Fitted so that at least 0.98 of the exact ten nearest survive from ten
 * thousand to a million rows shaped like real embeddings (bench/runs/kernel.md).
 */
export function shortlistSizes(rows: number, limit: number): { candidates: number; rescored: number } {
  const growth = Math.max(1, rows / 10_000) ** (1 / 3)
  const rescored = Math.ceil((80 + 2 * limit) * growth)
  const candidates = Math.ceil(Math.max(5 * rescored, 5 * Math.sqrt(rows)))
  return { candidates, rescored }
}

// This many rows are read within a millisecond or two.
const SMALL = 500

interface Plan {
  /** All allowed rows, if they are so few that reading them costs no more than choosing. */
  whole?: Int32Array
  options: LikeliestOptions
}

function plan(index: SignIndex, { vector, limit, allow }: ExactQuery): Plan {
  if (vector.length !== index.dimensions)
    throw new RangeError(`The query has ${vector.length} dimensions, the index ${index.dimensions}.`)
  const allowed = allow && index.allowing(allow)
  const rows = allowed?.size ?? index.size
  const { candidates, rescored } = shortlistSizes(rows, limit)
  const options = { candidates, limit: rescored, allow: allowed }
  return rows <= Math.max(rescored, SMALL) ? { whole: index.ids(allowed), options } : { options }
}

function weighed({ vector }: ExactQuery): WeighedQuery {
  return { signs: signsOf(vector), weights: quantise(vector).data }
}

function rescore(ids: Int32Array, rows: Rows, { vector, limit, placesOf }: ExactQuery): Match[] {
  const cosines = cosinesTo(vector)(rows)
  const least = lowestOf(cosines, limit)
  const matches: Match[] = []
  for (let i = 0; i < ids.length; i++)
    if (cosines[i]! >= least) matches.push({ id: ids[i]!, cosine: cosines[i]! })
  matches.sort((a, b) => b.cosine - a.cosine || a.id - b.id)
  const equal = placesOf ? tied(matches) : []
  if (placesOf && equal.length > 0) {
    const places = placesOf(equal)
    matches.sort((a, b) => b.cosine - a.cosine || (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
  }
  return matches.slice(0, Math.max(0, limit))
}

/** The cosine of the last row in the list. Rows that tie with it are kept: places decide. */
function lowestOf(cosines: Float64Array, limit: number): number {
  const sorted = cosines.filter((cosine) => !Number.isNaN(cosine)).sort()
  return sorted[sorted.length - Math.max(1, limit)] ?? Number.NEGATIVE_INFINITY
}

/** The ids whose cosine equals a neighbour's. */
function tied(matches: readonly Match[]): number[] {
  const same = (i: number, j: number) => matches[i]?.cosine === matches[j]?.cosine
  return matches.filter((_, i) => same(i, i - 1) || same(i, i + 1)).map(({ id }) => id)
}
