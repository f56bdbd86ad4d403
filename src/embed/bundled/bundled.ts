// The default embedder: all-MiniLM-L6-v2 in worker threads, from the install on, without network.
import type { Embedder } from '../port.js'
import { headOf } from '../tokenizer/head.js'
import { createPool } from '../workers/pool.js'
import type { BundledStart, Runtime } from './engine.js'
import { bundledModel } from './model.js'

export interface BundledSettings {
  /** A folder for the converted model (23 MB); made when missing, shared by any number of processes. */
  cacheFolder: string
  /** One thread embeds some twenty to thirty passages a second; more are useful while indexing. */
  threads?: number
  runtime?: Runtime
  /** Another place for the model's files than the installed package. They must be the same files. */
  modelFolder?: string
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
  const { cacheFolder, threads = 1, runtime = 'auto', modelFolder, nativePackage } = settings
  const data: BundledStart & { engine: 'bundled' } = {
    engine: 'bundled',
    cacheFolder,
    runtime,
    modelFolder,
    nativePackage,
  }
  const pool = createPool<string, Float32Array>({ entry: workerEntry, data, threads })
  return {
    model: bundledModel.name,
    dimensions: bundledModel.dimensions,
    embed: (texts, { kind, signal }) =>
      pool.run(
        texts.map((text) => headOf(text, bundledModel.maxTokens)),
        { urgent: kind === 'query', signal },
      ),
    runtime: () => (pool.about() as { runtime: 'native' | 'wasm' } | undefined)?.runtime ?? null,
    close: pool.close,
  }
}

const workerEntry = new URL('../workers/worker.js', import.meta.url)
