// Reads what a folder with a downloaded model says about itself: the usual files of an ONNX export, none of the weights.

import { createHash, type Hash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Problem } from '../../model/problem.js'

export interface ModelFolder {
  /** Folder name and a fingerprint of the weights. */
  name: string
  folder: string
  modelPath: string
  tokenizer: { json: string } | { vocabulary: string; lowercase: boolean }
  dimensions: number
  maxTokens: number
  pooling: Pooling
  /** What the model wants before a query and before a passage. */
  prefixes: { query: string; passage: string }
}

export type Pooling = 'mean' | 'cls' | 'max' | 'last'

export interface FolderSettings {
  folder: string
}

/** Quick: small files only, and a few samples of the large one. */
export function readModelFolder({ folder }: FolderSettings): ModelFolder {
  const read = (...path: string[]) => readJson(join(folder, ...path))
  const config = read('config.json')
  if (!config) throw badFolder(folder, existsSync(folder) ? 'has no config.json' : 'does not exist')
  const modelPath = findModel(folder)
  return {
    name: `${basename(resolve(folder))}@${fingerprint(weightFiles(modelPath))}`,
    folder,
    modelPath,
    tokenizer: findTokenizer(folder, read('tokenizer_config.json')),
    dimensions: dimensionsOf(folder, config, read),
    maxTokens: tokenLimit(config, read('sentence_bert_config.json'), read('tokenizer_config.json')),
    pooling: poolingOf(folder, read('1_Pooling', 'config.json')),
    prefixes: prefixesOf(read('config_sentence_transformers.json')),
  }
}

type Json = Record<string, unknown>
type Read = (...path: string[]) => Json | null

function readJson(path: string): Json | null {
  if (!existsSync(path)) return null
  try {
    const json = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof json === 'object' && json !== null) return json as Json
    throw new Error('It holds no object.')
  } catch (cause) {
    throw new Problem(
      'embedder_files',
      `The file ${path} is not valid JSON.`,
      'Copy the model folder again.',
      { cause },
    )
  }
}

// The plain model first; after it whatever else was exported, in a fixed order.
function findModel(folder: string): string {
  const listed = existsSync(join(folder, 'onnx')) ? readdirSync(join(folder, 'onnx')).sort() : []
  const others = listed.filter((name) => /^model.*\.onnx$/.test(name)).map((name) => join('onnx', name))
  const names = ['model.onnx', join('onnx', 'model.onnx'), ...others]
  const found = names.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (found) return found
  throw badFolder(folder, 'has no model.onnx')
}

// A large model keeps its weights in a second file beside the graph.
function weightFiles(modelPath: string): string[] {
  return [modelPath, `${modelPath}_data`, `${modelPath}.data`].filter((path) => existsSync(path))
}

function findTokenizer(folder: string, config: Json | null): ModelFolder['tokenizer'] {
  const [json, vocabulary] = [join(folder, 'tokenizer.json'), join(folder, 'vocab.txt')]
  if (existsSync(json)) return { json }
  if (existsSync(vocabulary)) return { vocabulary, lowercase: config?.do_lower_case !== false }
  throw badFolder(folder, 'has neither tokenizer.json nor vocab.txt')
}

function dimensionsOf(folder: string, config: Json, read: Read): number {
  const dense = read('2_Dense', 'config.json')?.out_features
  const pooled = read('1_Pooling', 'config.json')?.word_embedding_dimension
  const found = [dense, pooled, config.hidden_size, config.dim, config.d_model].find((n) =>
    Number.isInteger(n),
  )
  if (found !== undefined && (found as number) > 0) return found as number
  throw badFolder(folder, 'has no hidden_size in its config.json')
}

function tokenLimit(config: Json, sentence: Json | null, tokenizer: Json | null): number {
  const limits = [sentence?.max_seq_length, tokenizer?.model_max_length, positions(config)]
  const sensible = limits.filter((n): n is number => typeof n === 'number' && n >= 8 && n <= 100_000)
  return sensible.length === 0 ? 512 : Math.min(...sensible)
}

// RoBERTa and its like begin counting after the padding's position.
function positions(config: Json): unknown {
  const most = config.max_position_embeddings
  const late = /roberta|mpnet|camembert/.test(String(config.model_type))
  return typeof most === 'number' && late ? most - 2 : most
}

function poolingOf(folder: string, config: Json | null): Pooling {
  if (!config) return 'mean'
  const named = typeof config.pooling_mode === 'string' ? config.pooling_mode : null
  const is = (name: string) => named === name || config[`pooling_mode_${name}`] === true
  if (is('cls_token') || named === 'cls') return 'cls'
  if (is('max_tokens') || named === 'max') return 'max'
  if (is('lasttoken')) return 'last'
  // Dividing by the root of the length instead of the length changes nothing once the vector has unit length.
  if (is('mean_tokens') || is('mean_sqrt_len_tokens') || named === 'mean' || named === null) return 'mean'
  throw new Problem(
    'embedder_unsupported',
    `The model in ${folder} pools by "${named}", which is not supported.`,
  )
}

function prefixesOf(config: Json | null): { query: string; passage: string } {
  const prompts = (config?.prompts ?? {}) as Record<string, unknown>
  const text = (...names: string[]) =>
    names.map((name) => prompts[name]).find((p) => typeof p === 'string') as string
  return { query: text('query') ?? '', passage: text('passage', 'document') ?? '' }
}

function badFolder(folder: string, what: string): Problem {
  const hint =
    'A model folder holds config.json, tokenizer.json or vocab.txt, and model.onnx or onnx/model.onnx.'
  return new Problem('embedder_files', `The model folder ${folder} ${what}.`, hint)
}

/**
 * Tells large files from others by their sizes and three samples of each: good against a mix-up, quick for any size,
 * and the same wherever the files are copied to. It is no defence against someone who means harm.
 */
function fingerprint(paths: string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) addSamples(hash, path)
  return hash.digest('hex').slice(0, 8)
}

function addSamples(hash: Hash, path: string): void {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    hash.update(String(size))
    const sample = Buffer.alloc(65_536)
    for (const at of [0, Math.floor(size / 2), Math.max(0, size - sample.length)])
      hash.update(sample.subarray(0, readSync(file, sample, 0, sample.length, at)))
  } finally {
    closeSync(file)
  }
}
