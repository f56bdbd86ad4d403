// The comparing model at work inside a worker. It runs natively or not at all: in WASM nobody would wait for it.

import { readFile } from 'node:fs/promises'
import { Problem } from '../../model/problem.js'
import { pairGraph } from '../bundled/bert-graph.js'
import { type Conversion, cachedGraph } from '../bundled/graph-cache.js'
import { pinnedFiles } from '../bundled/model.js'
import { checkFile, locateModel } from '../bundled/model-files.js'
import { openSafetensors, type Safetensors, type Tensor } from '../bundled/safetensors.js'
import { loadNativeRuntime, NativeMissing, type Session } from '../onnx/session.js'
import type { Pair } from '../port.js'
import { tokenizerFromJson } from '../tokenizer/read-tokenizer.js'
import type { Engine } from '../workers/serve.js'
import { entailModel } from './model.js'

export interface EntailStart {
  cacheFolder: string
}

/** Answers with one number a class, in the order of the model's classes. */
export async function openEntailEngine({ cacheFolder }: EntailStart): Promise<Engine<Pair, number[]>> {
  const files = await locateModel()
  await checkFile(files.tokenizer, pinnedFiles.tokenizer)
  const session = await openSession(cacheFolder)
  const tokenizer = tokenizerFromJson(await readFile(files.tokenizer, 'utf8'))
  return {
    about: { runtime: 'native' },
    async perform([proposal, decision]) {
      const { ids, split } = tokenizer.encodePair(proposal, decision, entailModel.maxTokens)
      const types = ids.map((_, place) => (place < split ? 0 : 1))
      const { odds } = await session.run({ input_ids: ids, token_type_ids: types })
      return [...odds!.data]
    },
  }
}

async function openSession(cacheFolder: string): Promise<Session> {
  try {
    return await loadNativeRuntime().open(await cachedGraph(cacheFolder, entailConversion()))
  } catch (error) {
    if (error instanceof NativeMissing)
      throw new Problem('embedder_native', error.message, 'Decisions are compared by rules alone here.')
    throw error
  }
}

// The comparing model as it is converted for the native runtime.
export function entailConversion(path: string = entailModel.weights): Conversion {
  return {
    name: `${entailModel.name}-${entailModel.pinned.sha256.slice(0, 8)}`,
    weights: [{ path, pinned: entailModel.pinned }],
    convert() {
      const file = openSafetensors(path)
      try {
        return pairGraph(entailModel.shape, (name) => scaled(file, name))
      } finally {
        file.close()
      }
    },
  }
}

/** A matrix of whole numbers comes with one scale a row. */
function scaled(file: Safetensors, name: string): Tensor {
  const { shape, data } = file.read(name)
  if (!file.has(`${name}.scale`)) return { shape, data }
  const { data: scales } = file.read(`${name}.scale`)
  const width = data.length / scales.length
  return { shape, data: data.map((value, i) => value * scales[Math.floor(i / width)]!) }
}
