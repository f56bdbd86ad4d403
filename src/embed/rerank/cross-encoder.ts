// A reranker from a folder with an ONNX cross-encoder, which reads the query and a passage together.
import type { FolderStart, Pair } from '../onnx/engine.js'
import { type FolderSettings, readModelFolder } from '../onnx/model-folder.js'
import { headOf } from '../tokenizer/head.js'
import { workerEntry } from '../workers/embed-in-pool.js'
import { createPool } from '../workers/pool.js'
import type { Reranker } from './port.js'

export interface CrossEncoderSettings extends FolderSettings {
  /** Processes that score at the same time. */
  workers?: number
}

export function openCrossEncoder(settings: CrossEncoderSettings): Reranker {
  const model = readModelFolder(settings)
  const data: FolderStart & { engine: 'scorer' } = { engine: 'scorer', model }
  const pool = createPool<Pair, number>({ entry: workerEntry, data, workers: settings.workers ?? 1 })
  return {
    model: model.name,
    score(query, passages, { signal } = {}) {
      const head = headOf(query, model.maxTokens)
      const pairs = passages.map((passage): Pair => [head, headOf(passage, model.maxTokens)])
      return pool.run(pairs, { urgent: true, signal })
    },
    close: pool.close,
  }
}
