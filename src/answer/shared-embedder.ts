import type { Embedder } from '../embed/port.js'

/**
 * An embedder that has some questions embedded in one call, and answers each of them as soon as its vector is there: a
 * model on this machine is still at the next one while the first is searched for.
 */
export function shareOneCall(embedder: Embedder, queries: readonly string[]): Embedder {
  const texts = [...new Set(queries)]
  let call: Call | null = null
  return {
    ...embedder,
    async embed(asked, options) {
      const places = asked.map((text) => texts.indexOf(text))
      if (options.kind !== 'query' || places.includes(-1)) return embedder.embed(asked, options)
      options.signal?.throwIfAborted()
      if (!call || call.abandoned()) call = begin(embedder, texts)
      return call.wait(places, options.signal)
    },
  }
}

interface Call {
  wait(places: readonly number[], signal: AbortSignal | undefined): Promise<Float32Array[]>
  abandoned(): boolean
}

// One question that gives up must not take the others' vectors away: the last of those that wait ends the call.
function begin(embedder: Embedder, texts: readonly string[]): Call {
  const stop = new AbortController()
  const vectors = eachOf(embedder, texts, stop.signal)
  let waiting = 0

  async function wait(places: readonly number[], signal: AbortSignal | undefined) {
    const giveUp = () => {
      if (--waiting === 0) stop.abort(signal!.reason)
    }
    waiting++
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.all(places.map((place) => vectors[place]!))
    } finally {
      signal?.removeEventListener('abort', giveUp)
      if (!signal?.aborted) waiting--
    }
  }

  return { wait, abandoned: () => stop.signal.aborted }
}

function eachOf(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Float32Array>[] {
  const early: ((vector: Float32Array) => void)[] = []
  const onVector = (place: number, vector: Float32Array) => early[place]?.(vector)
  const all = embedder.embed(texts, { kind: 'query', onVector, signal })
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
