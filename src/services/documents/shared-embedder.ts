import type { Embedder } from '../../embed/port.js'

/** An embedder that has some questions embedded in one call, and answers each of them from it. */
export function sharingOneCall(embedder: Embedder, queries: readonly string[]): Embedder {
  const texts = [...new Set(queries)]
  let call: Promise<Float32Array[]> | null = null
  return {
    ...embedder,
    async embed(asked, options) {
      const places = asked.map((text) => texts.indexOf(text))
      if (options.kind !== 'query' || places.includes(-1)) return embedder.embed(asked, options)
      // Without a signal: one question that gives up must not take the others' vectors away.
      call ??= embedder.embed(texts, { kind: 'query' })
      const vectors = await call
      return places.map((place) => vectors[place]!)
    },
  }
}
