// Any BERT-like ONNX model at work inside a worker: texts into vectors, or pairs of texts into scores.

import { readFile } from 'node:fs/promises'
import { Problem } from '../../model/problem.js'
import { toUnit } from '../arithmetic.js'
import { tokenizerFromJson, tokenizerFromVocabulary } from '../tokenizer/read-tokenizer.js'
import type { Tokenizer } from '../tokenizer/word-piece.js'
import type { Engine } from '../workers/serve.js'
import { requireOwnData } from './external-data.js'
import type { ModelFolder, Pooling } from './model-folder.js'
import { loadNativeRuntime, NativeMissing, type Output, type Session } from './session.js'

export interface FolderStart {
  model: ModelFolder
}

export async function openFolderEmbedder({ model }: FolderStart): Promise<Engine<string, Float32Array>> {
  const { session, tokenizer } = await open(model)
  return {
    about: { runtime: 'native' },
    async perform(text) {
      const ids = tokenizer.encode(text, model.maxTokens)
      const vector = pooled(vectorsIn(await session.run(inputsFor(session, ids, ids.length))), model.pooling)
      if (vector.length !== model.dimensions) throw wrongSize(model, vector.length)
      const unit = toUnit(vector)
      if (!unit)
        throw new Problem('embedder_answer', `The model ${model.name} gave a vector without a direction.`)
      return unit
    },
  }
}

export type Pair = readonly [query: string, passage: string]

export async function openFolderScorer({ model }: FolderStart): Promise<Engine<Pair, number>> {
  const { session, tokenizer } = await open(model)
  return {
    about: { runtime: 'native' },
    async perform([query, passage]) {
      const { ids, split } = tokenizer.encodePair(query, passage, model.maxTokens)
      const outputs = await session.run(inputsFor(session, ids, split))
      const score = relevance(outputs.logits ?? Object.values(outputs)[0]!)
      if (Number.isFinite(score)) return score
      throw new Problem('embedder_answer', `The model ${model.name} gave a score that is not a number.`)
    },
  }
}

async function open(model: ModelFolder): Promise<{ session: Session; tokenizer: Tokenizer }> {
  const [session, tokenizer] = await Promise.all([openModel(model), openTokenizer(model)])
  const strange = session.inputs.filter((name) => !knownInputs.includes(name))
  if (strange.length === 0) return { session, tokenizer }
  const message = `The model ${model.name} asks for inputs that a text encoder does not have: ${strange.join(', ')}.`
  throw new Problem('embedder_unsupported', message, 'Only encoders like BERT are supported.')
}

const knownInputs = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids']

async function openModel(model: ModelFolder): Promise<Session> {
  await requireOwnData(model)
  try {
    return await loadNativeRuntime().open(model.modelPath)
  } catch (cause) {
    const reason = (cause as Error).message
    if (cause instanceof NativeMissing)
      throw new Problem('embedder_native', reason, 'Use the bundled model or an embedding service here.', {
        cause,
      })
    const message = `The model file ${model.modelPath} cannot be loaded: ${reason}`
    throw new Problem('embedder_files', message, 'Copy the model folder again.', { cause })
  }
}

async function openTokenizer({ tokenizer }: ModelFolder): Promise<Tokenizer> {
  if ('json' in tokenizer) return tokenizerFromJson(await readFile(tokenizer.json, 'utf8'))
  return tokenizerFromVocabulary(await readFile(tokenizer.vocabulary, 'utf8'), {
    lowercase: tokenizer.lowercase,
  })
}

/** Token types are 0 before `split` and 1 from there on. */
function inputsFor(session: Session, ids: number[], split: number): Record<string, number[]> {
  const all: Record<string, () => number[]> = {
    input_ids: () => ids,
    attention_mask: () => ids.map(() => 1),
    token_type_ids: () => ids.map((_, place) => (place < split ? 0 : 1)),
    position_ids: () => ids.map((_, place) => place),
  }
  return Object.fromEntries(session.inputs.map((name) => [name, all[name]!()]))
}

function vectorsIn(outputs: Record<string, Output>): Output {
  const names = Object.keys(outputs)
  const name =
    ['sentence_embedding', 'last_hidden_state', 'token_embeddings'].find((n) => n in outputs) ?? names[0]
  return outputs[name!]!
}

// One number is a logit; of two, the second is for "relevant".
function relevance({ data }: Output): number {
  if (data.length === 1) return 1 / (1 + Math.exp(-data[0]!))
  if (data.length === 2) return 1 / (1 + Math.exp(data[0]! - data[1]!))
  throw new Problem(
    'embedder_unsupported',
    `A reranking model gives one or two numbers; this one gives ${data.length}.`,
  )
}

function wrongSize(model: ModelFolder, size: number): Problem {
  const message = `The model ${model.name} gives vectors of ${size} numbers where its files say ${model.dimensions}.`
  return new Problem(
    'embedder_dimensions',
    message,
    'Copy the model folder again, with all of its configuration files.',
  )
}

/** `output` is [1, tokens, width], or already one vector [1, width]. */
function pooled({ shape, data }: Output, pooling: Pooling): Float32Array {
  const width = shape.at(-1)!
  const tokens = shape.length === 3 ? shape[1]! : 1
  if (tokens === 1 || pooling === 'cls') return data.slice(0, width)
  if (pooling === 'last') return data.slice((tokens - 1) * width, tokens * width)
  return pooling === 'max' ? largest(data, width) : summed(data, width)
}

function largest(data: Float32Array, width: number): Float32Array {
  const most = data.slice(0, width)
  for (let i = width; i < data.length; i++) most[i % width] = Math.max(most[i % width]!, data[i]!)
  return most
}

// A sum points where the mean does, and the length is made one afterwards. Doubles, so that the order does not matter.
function summed(data: Float32Array, width: number): Float32Array {
  const sum = new Float64Array(width)
  for (let i = 0; i < data.length; i++) sum[i % width]! += data[i]!
  return Float32Array.from(sum, (value) => value / (data.length / width))
}
