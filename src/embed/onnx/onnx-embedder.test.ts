import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openCrossEncoder } from '../choose.js'
import type { Embedder, Reranker } from '../port.js'
import { createGraph, type GraphBuilder } from './graph-builder.js'
import { readModelFolder } from './model-folder.js'
import { type OnnxSettings, openOnnxEmbedder } from './onnx-embedder.js'

const root = mkdtempSync(join(tmpdir(), 'carrel-onnx-'))
const opened: (Embedder | Reranker)[] = []
after(async () => {
  await Promise.all(opened.map((one) => one.close()))
  rmSync(root, { recursive: true })
})

// A model small enough to compute by hand: every word is one row, and the second text of a pair adds a constant.
const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'sun', 'moon', 'star', 'bad', 'query', 'passage', ':']
const rows: Record<string, number[]> = { sun: [3, 0], moon: [0, 4], star: [6, 8], bad: [Number.NaN, 0] }
const table = Float32Array.from(words.flatMap((word) => rows[word] ?? [0, 0]))
const ids = (...names: string[]) =>
  names.map((name) => ({ name, type: 'int64' as const, shape: [1, 'length'] }))

function hiddenState(graph: GraphBuilder): string {
  const word = graph.operation('Gather', [graph.constant('words', [words.length, 2], table), 'input_ids'])
  const types = graph.constant('types', [2, 2], Float32Array.of(0, 0, 0, 1))
  return graph.operation('Add', [word, graph.operation('Gather', [types, 'token_type_ids'])])
}

function encoder(): Uint8Array {
  const graph = createGraph()
  const from = hiddenState(graph)
  const inputs = ids('input_ids', 'attention_mask', 'token_type_ids')
  const output = { name: 'last_hidden_state', from, type: 'float32' as const, shape: [1, 'length', 2] }
  return Buffer.concat(graph.finish(inputs, [output]).parts)
}

function scorer(width = 1): Uint8Array {
  const graph = createGraph()
  const axes = graph.constant('axes', [2], BigInt64Array.of(1n, 2n))
  const sum = graph.operation('ReduceSum', [hiddenState(graph), axes], { keepdims: { integer: 0 } })
  const spread = graph.constant(
    'spread',
    [width],
    Float32Array.from({ length: width }, (_, i) => (i === width - 1 ? 0.1 : 0)),
  )
  const from = graph.operation('Mul', [
    graph.operation('Unsqueeze', [sum, graph.constant('one', [1], BigInt64Array.of(1n))]),
    spread,
  ])
  const output = { name: 'logits', from, type: 'float32' as const, shape: [1, width] }
  return Buffer.concat(graph.finish(ids('input_ids', 'token_type_ids'), [output]).parts)
}

type Files = Record<string, string | Uint8Array | object>
let count = 0

function folder(files: Files): string {
  const path = join(root, `model-${count++}`)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    const text =
      typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content)
    writeFileSync(join(path, name), text)
  }
  return path
}

const plain: Files = {
  'config.json': { hidden_size: 2 },
  'vocab.txt': words.join('\n'),
  'model.onnx': encoder(),
}

function embedder(files: Files, settings: Partial<OnnxSettings> = {}) {
  const one = openOnnxEmbedder({ folder: folder(files), ...settings })
  opened.push(one)
  return one
}

async function vector(one: Embedder, text: string, kind: 'query' | 'passage' = 'passage') {
  const [found] = await one.embed([text], { kind })
  return [...found!].map((x) => Math.round(x * 1000) / 1000)
}

describe('a local embedding model', () => {
  test('pools by the mean by default', async () => {
    const one = embedder(plain)
    assert.deepEqual(await vector(one, 'Sun moon'), [0.6, 0.8])
    assert.match(one.model, /^model-\d+@[0-9a-f]{8}\/mean$/)
    assert.equal(one.dimensions, 2)
  })

  test('pools as its configuration says', async () => {
    const pooling = (mode: object) => embedder({ ...plain, '1_Pooling/config.json': mode })
    assert.deepEqual(await vector(pooling({ pooling_mode_max_tokens: true }), 'sun star'), [0.6, 0.8])
    assert.deepEqual(await vector(pooling({ pooling_mode: 'mean' }), 'sun'), [1, 0])
    const vocabulary = words
      .map((word) => (word === '[CLS]' ? 'sun' : word === 'sun' ? '[CLS]' : word))
      .join('\n')
    const cls = {
      ...plain,
      'vocab.txt': vocabulary,
      '1_Pooling/config.json': { pooling_mode_cls_token: true },
    }
    assert.deepEqual(await vector(embedder(cls), 'moon moon'), [1, 0])
  })

  test('puts the prefixes of its configuration, or the given ones, before the text', async () => {
    const prompts = { prompts: { query: 'sun ', document: 'moon ' } }
    const own = embedder({ ...plain, 'config_sentence_transformers.json': prompts })
    assert.deepEqual(await vector(own, ':', 'query'), [1, 0])
    assert.deepEqual(await vector(own, ':', 'passage'), [0, 1])
    const given = embedder({ ...plain, 'config_sentence_transformers.json': prompts }, { passagePrefix: '' })
    assert.deepEqual(await vector(given, 'sun'), [1, 0])
    assert.notEqual(own.model.split('/')[1], given.model.split('/')[1])
  })

  test('reads no more tokens than it may', async () => {
    const one = embedder({ ...plain, 'sentence_bert_config.json': { max_seq_length: 8 } })
    assert.deepEqual(await vector(one, `${'sun '.repeat(6)}${'moon '.repeat(100)}`), [1, 0])
  })

  test('fails on a vector that is not a number, for that text alone', async () => {
    const one = embedder(plain)
    const [bad, good] = await Promise.allSettled([vector(one, 'bad'), vector(one, 'sun')])
    assert.equal(bad.status === 'rejected' && bad.reason.code, 'embedder_answer')
    assert.deepEqual(good.status === 'fulfilled' && good.value, [1, 0])
  })

  test('refuses a model whose vectors have another size than it says', async () => {
    const one = embedder({ ...plain, 'config.json': { hidden_size: 3 } })
    await assert.rejects(vector(one, 'sun'), { code: 'embedder_dimensions' })
  })

  test('says so when the model file is damaged or of another kind', async () => {
    const damaged = embedder({ ...plain, 'model.onnx': encoder().subarray(0, 100) })
    await assert.rejects(vector(damaged, 'sun'), {
      name: 'Problem',
      code: 'embedder_files',
      message: /cannot be loaded/,
    })
    const graph = createGraph()
    const from = graph.operation('Abs', ['pixels'])
    const shape = [1, 2]
    const image = graph.finish(
      [{ name: 'pixels', type: 'float32', shape }],
      [{ name: 'x', from, type: 'float32', shape }],
    )
    const other = embedder({ ...plain, 'model.onnx': Buffer.concat(image.parts) })
    await assert.rejects(vector(other, 'sun'), { code: 'embedder_unsupported', message: /pixels/ })
  })
})

describe('a local cross-encoder', () => {
  const open = (files: Files) => {
    const one = openCrossEncoder({ folder: folder(files) })
    opened.push(one)
    return one
  }

  test('scores each passage together with the query', async () => {
    const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
    const near = (found: number[], expected: number[]) =>
      assert.deepEqual(
        found.map((x) => x.toFixed(5)),
        expected.map((x) => x.toFixed(5)),
      )
    // A pair scores a tenth of its words' numbers, and as much for every token of the second text.
    const one = open({ ...plain, 'model.onnx': scorer() })
    near(await one.score('sun', ['moon', 'star star', '']), [sigmoid(0.9), sigmoid(3.4), sigmoid(0.4)])
    const two = open({ ...plain, 'model.onnx': scorer(2) })
    near(await two.score('sun', ['moon']), [sigmoid(0.9)])
    assert.deepEqual(await one.score('sun', []), [])
  })

  test('refuses a model that gives something else than a score', async () => {
    await assert.rejects(open({ ...plain, 'model.onnx': scorer(5) }).score('sun', ['moon']), {
      code: 'embedder_unsupported',
    })
  })
})

describe('the description in a model folder', () => {
  const read = (files: Files) => readModelFolder({ folder: folder({ ...plain, ...files }) })

  test('finds the model in its usual places', () => {
    const files = {
      'config.json': { dim: 2 },
      'vocab.txt': '',
      'onnx/model_quantized.onnx': 'q',
      'onnx/model_fp16.onnx': 'f',
    }
    assert.match(readModelFolder({ folder: folder(files) }).modelPath, /model_fp16\.onnx$/)
    const both = folder({ ...files, 'onnx/model.onnx': 'm' })
    assert.match(readModelFolder({ folder: both }).modelPath, /onnx.model\.onnx$/)
  })

  test('names other weights differently', () => {
    assert.notEqual(read({}).name.split('@')[1], read({ 'model.onnx': 'other' }).name.split('@')[1])
    assert.equal(read({}).name.split('@')[1], read({}).name.split('@')[1])
  })

  test('takes the smallest sensible limit of tokens', () => {
    const limit = (files: Files) => read(files).maxTokens
    assert.equal(limit({}), 512)
    assert.equal(
      limit({ 'config.json': { hidden_size: 2, max_position_embeddings: 514, model_type: 'mpnet' } }),
      512,
    )
    assert.equal(limit({ 'tokenizer_config.json': { model_max_length: 1e30 } }), 512)
    assert.equal(limit({ 'tokenizer_config.json': { model_max_length: 8192 } }), 8192)
    assert.equal(limit({ 'sentence_bert_config.json': { max_seq_length: 256 } }), 256)
  })

  test('names the missing file', () => {
    const refused = (files: Files, message: RegExp) =>
      assert.throws(() => readModelFolder({ folder: folder(files) }), {
        name: 'Problem',
        code: 'embedder_files',
        message,
      })
    assert.throws(() => readModelFolder({ folder: join(root, 'nowhere') }), { message: /does not exist/ })
    refused({ 'model.onnx': '' }, /no config\.json/)
    refused({ 'config.json': '{' }, /not valid JSON/)
    refused({ 'config.json': '[]', 'model.onnx': '', 'vocab.txt': '' }, /no hidden_size/)
    refused({ 'config.json': { hidden_size: 2 } }, /no model\.onnx/)
    refused({ 'config.json': { hidden_size: 2 }, 'model.onnx': '' }, /neither tokenizer\.json nor vocab\.txt/)
    assert.throws(() => read({ '1_Pooling/config.json': { pooling_mode: 'weightedmean' } }), {
      code: 'embedder_unsupported',
    })
  })
})
