// An embedder from a folder with any BERT-like ONNX model.
import type { Embedder } from '../port.js'
import { spaceName } from '../space-name.js'
import { headOf } from '../tokenizer/head.js'
import { createPool } from '../workers/pool.js'
import type { FolderStart } from './engine.js'
import { type FolderSettings, readModelFolder } from './model-folder.js'

export interface OnnxSettings extends FolderSettings {
  threads?: number
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
  const pool = createPool<string, Float32Array>({ entry: workerEntry, data, threads: settings.threads ?? 1 })
  return {
    model: spaceName(`${model.name}/${model.pooling}`, prefixes.passage),
    dimensions: model.dimensions,
    embed: (texts, { kind, signal }) =>
      pool.run(
        texts.map((text) => headOf(prefixes[kind] + text, model.maxTokens)),
        { urgent: kind === 'query', signal },
      ),
    close: pool.close,
  }
}

const workerEntry = new URL('../workers/worker.js', import.meta.url)
