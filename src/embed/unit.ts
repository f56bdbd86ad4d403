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
