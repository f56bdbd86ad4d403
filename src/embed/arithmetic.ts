/** Scales a vector to length one, in place. Null when it has no direction: all zero, or not numbers at all. */
export function toUnit(vector: Float32Array): Float32Array | null {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  if (!(sum > 0) || !Number.isFinite(sum)) return null
  const scale = 1 / Math.sqrt(sum)
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale
  return vector
}

/** Of two unit vectors, the cosine of their angle. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

let table: Float32Array | undefined

/** The value of every 16-bit float, by its bits: a look-up is several times faster than arithmetic. */
export function halfTable(): Float32Array {
  table ??= Float32Array.from({ length: 65536 }, (_, bits) => halfToFloat(bits))
  return table
}

function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}
