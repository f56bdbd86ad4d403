// A vector in three sizes: floats from the model, an int8 row with one scale for storage, and one sign
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
export function preparedQuery(query: Float32Array): { values: Float64Array; length: number } {
  const values = new Float64Array(paddedDimensions(query.length))
  values.set(query)
  let length = 0
  for (const value of values) length += value * value
  if (!Number.isFinite(length)) throw new RangeError(NOT_FINITE)
  return { values, length }
}

const NOT_FINITE = 'A vector holds a value that is not a finite number.'

export function requireLength(data: Int8Array, length: number): void {
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
