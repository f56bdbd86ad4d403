// Vectors in a file: for each passage the 16 bytes of its hash, then its values as 32-bit floats, lowest byte first.

export interface HashedVector {
  hash: string
  vector: Float32Array
}

const hashBytes = 16

export function writeVectors(vectors: readonly HashedVector[], dimensions: number): Buffer {
  const row = hashBytes + dimensions * 4
  const bytes = Buffer.alloc(vectors.length * row)
  for (const [i, { hash, vector }] of vectors.entries()) {
    bytes.write(hash, i * row, 'hex')
    for (let d = 0; d < dimensions; d++) bytes.writeFloatLE(vector[d]!, i * row + hashBytes + d * 4)
  }
  return bytes
}

/** Null when the bytes are not so many rows, or a row is no unit vector. */
export function readVectors(
  bytes: Buffer,
  { dimensions, count }: { dimensions: number; count: number },
): HashedVector[] | null {
  const row = hashBytes + dimensions * 4
  if (bytes.length !== row * count) return null
  const vectors: HashedVector[] = []
  for (let at = 0; at < bytes.length; at += row) {
    const vector = new Float32Array(dimensions)
    for (let d = 0; d < dimensions; d++) vector[d] = bytes.readFloatLE(at + hashBytes + d * 4)
    if (!isUnit(vector)) return null
    vectors.push({ hash: bytes.toString('hex', at, at + hashBytes), vector })
  }
  return vectors
}

// Kept vectors are rounded, which leaves them a little off.
function isUnit(vector: Float32Array): boolean {
  let sum = 0
  for (const value of vector) sum += value * value
  return Math.abs(sum - 1) < 0.05
}
