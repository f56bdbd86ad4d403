// The default embedder: all-MiniLM-L6-v2 in worker processes, from the install on, without network.
import type { Embedder } from '../port.js'
import { embeddingPool, embedInPool, headOf } from '../workers/pool.js'
import type { BundledStart, Runtime } from './engine.js'
import { bundledModel } from './model.js'

export interface BundledSettings {
  /** A folder for the converted model (23 MB); made when missing, shared by any number of processes. */
  cacheFolder: string
  /** Processes that embed at the same time. One is enough for queries; more are of use while indexing. */
  workers?: number
  /** As for `nice`: above 0, embedding gives way to everything else on the machine. */
  niceness?: number
  runtime?: Runtime
  /** Another place for the model's files than the installed package. They must be the same files. */
  modelFolder?: string
  /** Another package in place of the native runtime, for tests of its absence. */
  nativePackage?: string
}

export interface BundledEmbedder extends Embedder {
  /** What the model runs on; null until it was first used. */
  runtime(): 'native' | 'wasm' | null
}

/**
 * Nothing is loaded before the first text. A text without words (empty, blank, control characters) gets the model's
 * vector for "nothing": of unit length like any other, and the same for all such texts.
 */
export function openBundled(settings: BundledSettings): BundledEmbedder {
  const { workers, niceness, runtime = 'auto', cacheFolder, modelFolder, nativePackage } = settings
  const start: BundledStart = { cacheFolder, runtime, modelFolder, nativePackage }
  const data = { engine: 'bundled', ...start }
  const pool = embeddingPool({ data, workers, niceness })
  return {
    model: bundledModel.name,
    dimensions: bundledModel.dimensions,
    embed(texts, options) {
      const heads = texts.map((text) => headOf(text, bundledModel.maxTokens))
      return embedInPool(pool, heads, options)
    },
    load: pool.load,
    runtime: () => (pool.about() as { runtime: 'native' | 'wasm' } | undefined)?.runtime ?? null,
    close: pool.close,
  }
}
