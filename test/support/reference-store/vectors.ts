import { byPlace } from '../../../src/store/order.js'
import type { VectorStore } from '../../../src/store/port.js'
import { inScope } from '../../contract/scope-fields.js'
import { type LiveChunk, liveChunks, type StoreState } from './state.js'

export function referenceVectors(state: StoreState): VectorStore {
  const vectorsOf = (model: string) => state.vectors.get(model) ?? new Map<number, Float32Array>()
  return {
    async pending(model, limit, { preferred = [], isLast = () => false } = {}) {
      const waiting = liveChunks(state)
        .filter(({ id }) => !vectorsOf(model).has(id))
        .sort(byReadAt)
      const first = [...new Set(preferred)].flatMap((id) => waiting.filter((chunk) => chunk.id === id))
      const rest = waiting.filter((chunk) => !first.includes(chunk))
      const [early, late] = [false, true].map((last) =>
        rest.filter(({ document }) => isLast(document.ref.path) === last),
      )
      return [...first, ...early!, ...late!].slice(0, Math.max(0, limit)).map(({ id, chunk, document }) => {
        const { hash, context, start, end } = chunk
        return { chunk: id, hash, context, text: document.text.slice(start, end) }
      })
    },
    async put(model, vectors) {
      const stored = vectorsOf(model)
      const [another = vectors[0]?.vector] = stored.values()
      const live = liveChunks(state)
      const fitting = vectors
        .filter(({ vector }) => vector.length === another!.length)
        .filter((given) => live.some(({ id, chunk }) => id === given.chunk && chunk.hash === given.hash))
      if (fitting.length === 0) return 0
      for (const { chunk, vector } of fitting) stored.set(chunk, vector.slice())
      state.vectors.set(model, stored)
      state.version++
      return fitting.length
    },
    async nearest({ model, vector, scope, limit }) {
      const vectors = comparable(vectorsOf(model), vector)
      return liveChunks(state)
        .filter(({ id, chunk, document }) => vectors.has(id) && inScope(document, chunk, scope))
        .map(({ id }) => ({ chunk: id, cosine: cosine(vectors.get(id)!, vector) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, Math.max(0, limit))
    },
    async cosines(model, vector, chunks) {
      const vectors = comparable(vectorsOf(model), vector)
      const having = chunks.filter((id) => vectors.has(id))
      return new Map(having.map((id) => [id, cosine(vectors.get(id)!, vector)]))
    },
    async of(model, chunks) {
      const vectors = vectorsOf(model)
      return new Map(chunks.filter((id) => vectors.has(id)).map((id) => [id, vectors.get(id)!.slice()]))
    },
    async counts() {
      const sizes = [...state.vectors].map(([model, vectors]) => [model, vectors.size] as const)
      return Object.fromEntries(sizes.filter(([, size]) => size > 0))
    },
    async forget(model) {
      if (state.vectors.delete(model)) state.version++
    },
  }
}

function byReadAt(a: LiveChunk, b: LiveChunk): number {
  const [one, other] = [a, b].map(({ document, index }) => ({ ref: document.ref, index }))
  return b.document.readAt - a.document.readAt || byPlace(one!, other!)
}

/** A question in another number of dimensions has an answer with none of them. */
function comparable(vectors: Map<number, Float32Array>, question: Float32Array): Map<number, Float32Array> {
  return new Map([...vectors].filter(([, vector]) => vector.length === question.length))
}

function cosine(a: Float32Array, b: Float32Array): number {
  const length = Math.sqrt(dot(a, a) * dot(b, b))
  return length > 0 ? dot(a, b) / length : 0
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
