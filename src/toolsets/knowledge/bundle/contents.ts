// The contents of a bundle: a list of everything with its hash, the documents' bytes by their hash, and the vectors of their
// chunks by the chunks' hashes.
import { z } from 'zod'

export const listName = 'carrel-source.json'
export const bundleVersion = 1

export function documentPath(hash: string): string {
  return `documents/${hash}`
}

export function vectorsPath(part: number): string {
  return `vectors/${String(part).padStart(4, '0')}`
}

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const time = z.iso.datetime()
/** No half characters and no NUL: no store keeps those in an address. */
const address = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[^\0\p{Surrogate}]*$/u)

const webAddress = z
  .string()
  .max(4_000)
  .regex(/^https?:\/\/\S+$/i)

const document = z.strictObject({
  path: address,
  name: z
    .string()
    .min(1)
    .max(300)
    .regex(/^[^\0/\\\p{Surrogate}]+$/u),
  hash,
  bytes: z.int().min(0).max(50_000_000),
  title: z.string().max(1_000).nullable(),
  url: webAddress.nullable(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: time,
})

const vectors = z.strictObject({
  /** The space the vectors belong to. */
  model: z.string().min(1).max(1_000),
  dimensions: z.int().min(1).max(4_096),
  parts: z.array(z.strictObject({ hash, count: z.int().min(1).max(1_000_000) })).max(10_000),
})

export const listSchema = z.strictObject({
  format: z.literal('carrel-source'),
  version: z.literal(bundleVersion),
  source: z.strictObject({
    id: z.string().regex(/^src_(?:[0-9a-f]{16}|uploads)$/),
    title: z.string().min(1).max(500),
    url: webAddress.nullable(),
    type: z.enum(['upload', 'crawl', 'api']),
  }),
  documents: z.array(document).max(50_000),
  vectors: vectors.nullable(),
})

export type BundleList = z.infer<typeof listSchema>

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
