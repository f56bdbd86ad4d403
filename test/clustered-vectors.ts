// Vectors shaped like those of a sentence encoder, for tests and benches that need more of them than can be embedded.
// The shape was fitted to 4,062 real chunks of documentation and abstracts under the default model: how fast the
// variance falls off over the directions, how long the mean is (0.3), and how near the 1st, 10th and 100th neighbour
// of a query lies (cosine 0.69, 0.51, 0.36 here; 0.68, 0.53, 0.39 there).

export interface Collection {
  /** The i-th chunk's vector, of unit length; always the same for the same i. */
  chunk(i: number, into: Float32Array): Float32Array
  /** A question about some document of the collection. */
  query(i: number): Float32Array
}

export interface Shape {
  dimensions: number
  chunks: number
  /** How a large collection came to be: by ever new subjects, or by ever more documents on the same ones. */
  growth: 'subjects' | 'documents'
  seed?: number
}

const CHUNKS_PER_DOCUMENT = 7
const DOCUMENTS_PER_SUBJECT = 7
const SUBJECTS_PER_FIELD = 7
const SUBJECTS_OF_A_SMALL_COLLECTION = 80

// How much each level adds. A query lies further from its document than the document's own chunks.
const SHARE = { mean: 0.3, field: 0.45, subject: 0.35, document: 0.5, chunk: 0.55, query: 0.65 }

export function clusteredVectors({ dimensions, chunks, growth, seed = 1 }: Shape): Collection {
  const documents = Math.ceil(chunks / CHUNKS_PER_DOCUMENT)
  const subjects =
    growth === 'subjects' ? Math.ceil(documents / DOCUMENTS_PER_SUBJECT) : SUBJECTS_OF_A_SMALL_COLLECTION
  const fields = Math.ceil(subjects / SUBJECTS_PER_FIELD)
  const pool = directions(dimensions, 4096, seed)

  const add = (share: number, level: number, member: number, into: Float32Array) =>
    addDirection(pool, share, hash(seed, level, member), into)
  const bases = Array.from({ length: subjects }, (_, subject) => {
    const base = add(SHARE.mean, 0, 0, new Float32Array(dimensions))
    return add(SHARE.subject, 2, subject, add(SHARE.field, 1, subject % fields, base))
  })
  const about = (document: number, into: Float32Array) => {
    into.set(bases[hash(seed, 5, document) % subjects]!)
    return add(SHARE.document, 3, document, into)
  }
  return {
    chunk: (i, into) =>
      normalise(add(SHARE.chunk, 4, i, about(documentOf(hash(seed, 8, i), documents), into))),
    query: (i) =>
      normalise(add(SHARE.query, 7, i, about(hash(seed, 6, i) % documents, new Float32Array(dimensions)))),
  }
}

// Documents differ in length: one in ten holds a quarter of all chunks.
function documentOf(key: number, documents: number): number {
  return Math.floor(documents * (key / 2 ** 32) ** 1.7)
}

/** Random numbers from 0 to 1, always the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed
  return () => hash(state++, 0x2545f491, 7) / 2 ** 32
}

// Gaussian, with a variance that falls off over the directions, turned so that no direction is one of the axes.
function directions(dimensions: number, count: number, seed: number): Float32Array[] {
  const next = random(seed)
  const spread = Float64Array.from({ length: dimensions }, (_, i) => (i + 1) ** -0.4)
  const scale = 1 / Math.hypot(...spread)
  const turn = rotation(dimensions, next)
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from(spread, (deviation) => deviation * scale * gaussian(next))
    return turn(vector)
  })
}

// Rounds of shuffling, flipping signs and mixing pairs: a turn of the space at a fraction of a matrix's price.
function rotation(dimensions: number, next: () => number): (vector: Float32Array) => Float32Array {
  const rounds = Array.from({ length: 12 }, () => ({
    order: shuffled(dimensions, next),
    signs: Float32Array.from({ length: dimensions }, () => (next() < 0.5 ? -1 : 1)),
  }))
  return (vector) => {
    let turned = vector
    let spare: Float32Array = new Float32Array(dimensions)
    for (const { order, signs } of rounds) {
      for (let i = 0; i < dimensions; i++) spare[i] = turned[order[i]!]! * signs[i]!
      for (let i = 0; i + 1 < dimensions; i += 2) mixPair(spare, i)
      const last = turned
      turned = spare
      spare = last
    }
    return turned
  }
}

function mixPair(vector: Float32Array, i: number): void {
  const a = vector[i]!
  const b = vector[i + 1]!
  vector[i] = (a + b) * Math.SQRT1_2
  vector[i + 1] = (a - b) * Math.SQRT1_2
}

// Three members of the pool added up, with signs, make half a million million different directions.
function addDirection(pool: Float32Array[], share: number, key: number, into: Float32Array): Float32Array {
  for (let part = 0; part < 3; part++) {
    const choice = hash(key, part, 11)
    const direction = pool[choice % pool.length]!
    const weight = ((choice >>> 31 ? -1 : 1) * share) / Math.sqrt(3)
    for (let i = 0; i < into.length; i++) into[i] = into[i]! + weight * direction[i]!
  }
  return into
}

function normalise(vector: Float32Array): Float32Array {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!
  const scale = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! * scale
  return vector
}

function gaussian(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

function shuffled(length: number, next: () => number): number[] {
  const order = Array.from({ length }, (_, i) => i)
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    const moved = order[i]!
    order[i] = order[j]!
    order[j] = moved
  }
  return order
}

function hash(a: number, b: number, c: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
