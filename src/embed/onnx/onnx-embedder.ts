// An embedder from a folder with any BERT-like ONNX model.
import type { Embedder } from '../port.js'
import { spaceName } from '../port.js'
import { embeddingPool, embedInPool, headOf } from '../workers/pool.js'
import type { FolderStart } from './engine.js'
import { type FolderSettings, readModelFolder } from './model-folder.js'

export interface OnnxSettings extends FolderSettings {
  /** Processes that embed at the same time. */
  workers?: number
  niceness?: number
  /** Put before every query or passage; the model folder's own prompts when left out. */
  queryPrefix?: string
  passagePrefix?: string
}

/** Reads the folder's description at once, so that a mistake in it shows early; loads the model at the first text. */
export function openOnnxEmbedder(settings: OnnxSettings): Embedder {
  const model = readModelFolder(settings)
  const prefixes = {
    query: settings.queryPrefix ?? model.prefixes.query,
    passage: settings.passagePrefix ?? model.prefixes.passage,
  }
  const data: FolderStart & { engine: 'embedder' } = { engine: 'embedder', model }
  const { workers, niceness } = settings
  const pool = embeddingPool({ data, workers, niceness })
  return {
    model: spaceName(`${model.name}/${model.pooling}`, prefixes.passage),
    dimensions: model.dimensions,
    embed(texts, options) {
      const heads = texts.map((text) => headOf(prefixes[options.kind] + text, model.maxTokens))
      return embedInPool(pool, heads, options)
    },
    load: pool.load,
    close: pool.close,
  }
}
