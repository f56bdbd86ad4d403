// The default model at work inside a worker: natively where that loads, else in WASM, about ten times slower.

import { readFile } from 'node:fs/promises'
import { Problem } from '../../model/problem.js'
import { toUnit } from '../arithmetic.js'
import { loadNativeRuntime, NativeMissing, type Session } from '../onnx/session.js'
import { tokenizerFromJson } from '../tokenizer/read-tokenizer.js'
import type { Tokenizer } from '../tokenizer/word-piece.js'
import type { Engine } from '../workers/serve.js'
import { bertGraph } from './bert-graph.js'
import { type Conversion, cachedGraph } from './graph-cache.js'
import { bundledModel, pinnedFiles } from './model.js'
import { checkFile, locateModel, type ModelFiles } from './model-files.js'
import { openSafetensors } from './safetensors.js'

export interface BundledStart {
  /** Where the converted model is kept. */
  cacheFolder: string
  runtime: Runtime
  modelFolder?: string
  nativePackage?: string
}

/** `auto` is native code where it loads, and WASM elsewhere. */
export type Runtime = 'auto' | 'native' | 'wasm'

export async function openBundledEngine(start: BundledStart): Promise<Engine<string, Float32Array>> {
  const files = await locateModel(start.modelFolder)
  await Promise.all([
    checkFile(files.tokenizer, pinnedFiles.tokenizer),
    checkFile(files.config, pinnedFiles.config),
  ])
  if (start.runtime === 'wasm') return openWasm(files)
  try {
    return await openNative(start, files)
  } catch (error) {
    if (!(error instanceof NativeMissing)) throw error
    if (start.runtime === 'native')
      throw new Problem('embedder_native', error.message, 'Use the runtime "auto" or "wasm".')
    return openWasm(files)
  }
}

async function openNative(start: BundledStart, files: ModelFiles) {
  const runtime = loadNativeRuntime(start.nativePackage)
  const session = await runtime.open(await cachedGraph(start.cacheFolder, bundledConversion(files.weights)))
  const tokenizer = tokenizerFromJson(await readFile(files.tokenizer, 'utf8'))
  return { about: { runtime: 'native' }, perform: (text: string) => embedNatively(session, tokenizer, text) }
}

async function embedNatively(session: Session, tokenizer: Tokenizer, text: string): Promise<Float32Array> {
  const { embedding } = await session.run({ input_ids: tokenizer.encode(text, bundledModel.maxTokens) })
  return checked(embedding!.data)
}

async function openWasm(files: ModelFiles) {
  await checkFile(files.weights, pinnedFiles.weights)
  const { createEmbedder } = await import('@lat.md/embed')
  const { dimensions, maxTokens, name } = bundledModel
  const { weights: weightsPath, tokenizer: tokenizerPath, config: configPath } = files
  const paths = { weightsPath, tokenizerPath, configPath }
  const model = { id: name, dimensions, maxTokens, pooling: 'mean', normalize: true, ...paths } as const
  const engine = await createEmbedder({ model })
  return {
    about: { runtime: 'wasm' },
    perform: async (text: string) => checked(Float32Array.from((await engine.embed([text]))[0]!)),
  }
}

function checked(vector: Float32Array): Float32Array {
  const unit = toUnit(vector)
  if (unit) return unit
  throw new Problem('embedder_answer', 'The embedding model gave a vector without a direction.')
}

// The default model as it is converted for the native runtime.
export function bundledConversion(weights: string): Conversion {
  return {
    name: 'all-MiniLM-L6-v2-int8-6638f625-1',
    weights: [{ path: weights, pinned: pinnedFiles.weights }],
    convert() {
      const file = openSafetensors(weights)
      try {
        return bertGraph(bundledModel.shape, file.read)
      } finally {
        file.close()
      }
    },
  }
}
