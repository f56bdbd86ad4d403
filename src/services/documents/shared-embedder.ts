import type { Embedder } from '../../embed/port.js'

/**
 * An embedder that has some questions embedded in one call, and answers each of them as soon as its vector is there: a
 * model on this machine is still at the next one while the first is searched for.
 */
export function sharingOneCall(embedder: Embedder, queries: readonly string[]): Embedder {
  const texts = [...new Set(queries)]
  let vectors: Promise<Float32Array>[] | null = null
  return {
    ...embedder,
    async embed(asked, options) {
      const places = asked.map((text) => texts.indexOf(text))
      if (options.kind !== 'query' || places.includes(-1)) return embedder.embed(asked, options)
      vectors ??= eachOf(embedder, texts)
      return Promise.all(places.map((place) => vectors![place]!))
    },
  }
}

// Without a signal: one question that gives up must not take the others' vectors away.
function eachOf(embedder: Embedder, texts: readonly string[]): Promise<Float32Array>[] {
  const early: ((vector: Float32Array) => void)[] = []
  const onVector = (place: number, vector: Float32Array) => early[place]?.(vector)
  const all = embedder.embed(texts, { kind: 'query', onVector })
  return texts.map((_, place) => {
    const vector = new Promise<Float32Array>((resolve, reject) => {
      early[place] = resolve
      all.then((vectors) => resolve(vectors[place]!), reject)
    })
    // A question may not come to ask for its own.
    vector.catch(() => {})
    return vector
  })
}
