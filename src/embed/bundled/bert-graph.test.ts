import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dot, toUnit } from '../arithmetic.js'
import { loadNativeRuntime } from '../onnx/session.js'
import { type BertShape, bertGraph, pairGraph } from './bert-graph.js'
import type { Tensor } from './safetensors.js'

const shape: BertShape = { hidden: 32, layers: 2, heads: 4, normEpsilon: 1e-12 }
const wide = 64
const weights = randomWeights()

// Copies, since the builder may change what it reads.
const read = (name: string) => ({ shape: weights[name]!.shape, data: weights[name]!.data.slice() })
const texts = [[1, 2], [3], [5, 9, 9, 2, 0, 49, 7], Array.from({ length: 16 }, (_, i) => i * 3)]

test('computes the same as a slow and obvious BERT', async () => {
  const session = await loadNativeRuntime().open(Buffer.concat(bertGraph(shape, read).parts))
  for (const ids of texts) {
    const { embedding } = await session.run({ input_ids: ids })
    assert.deepEqual(embedding!.shape, [1, shape.hidden])
    const likeness = dot(embedding!.data, toUnit(Float32Array.from(mean(slowBert(ids))))!)
    assert.ok(likeness > 0.995, `${ids} gives ${likeness}`)
    assert.ok(Math.abs(dot(embedding!.data, embedding!.data) - 1) < 1e-5)
  }
})

test('sorts two texts that are read together as a slow and obvious one sorts them', async () => {
  const session = await loadNativeRuntime().open(Buffer.concat(pairGraph(shape, read).parts))
  for (const ids of texts)
    for (const split of [1, ids.length]) {
      const types = ids.map((_, place) => (place < split ? 0 : 1))
      const { odds } = await session.run({ input_ids: ids, token_type_ids: types })
      const rows = slowBert(ids, types)
      const powers = linear([[...rows[0]!, ...mean(rows)]], 'head')[0]!.map(Math.exp)
      const all = powers.reduce((a, b) => a + b)
      assert.deepEqual(odds!.shape, [1, 3])
      for (const [i, power] of powers.entries())
        assert.ok(Math.abs(odds!.data[i]! - power / all) < 0.05, `${ids} from ${split}: ${odds!.data}`)
    }
})

function randomWeights(): Record<string, Tensor> {
  let state = 42
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  }
  const all: Record<string, Tensor> = {}
  const add = (name: string, sizes: number[], scale = 0.4, offset = 0) => {
    const length = sizes.reduce((a, b) => a * b)
    all[name] = { shape: sizes, data: Float32Array.from({ length }, () => random() * scale + offset) }
  }
  const linear = (name: string, outputs: number, inputs: number) => {
    add(`${name}.weight`, [outputs, inputs])
    add(`${name}.bias`, [outputs])
  }
  const norm = (name: string) => {
    add(`${name}.weight`, [shape.hidden], 0.2, 1)
    add(`${name}.bias`, [shape.hidden])
  }
  add('embeddings.word_embeddings.weight', [50, shape.hidden], 1)
  add('embeddings.position_embeddings.weight', [16, shape.hidden], 1)
  add('embeddings.token_type_embeddings.weight', [2, shape.hidden], 1)
  norm('embeddings.LayerNorm')
  for (let i = 0; i < shape.layers; i++) {
    const name = `encoder.layer.${i}`
    for (const part of ['query', 'key', 'value'])
      linear(`${name}.attention.self.${part}`, shape.hidden, shape.hidden)
    linear(`${name}.attention.output.dense`, shape.hidden, shape.hidden)
    norm(`${name}.attention.output.LayerNorm`)
    linear(`${name}.intermediate.dense`, wide, shape.hidden)
    linear(`${name}.output.dense`, shape.hidden, wide)
    norm(`${name}.output.LayerNorm`)
  }
  linear('head', 3, 2 * shape.hidden)
  return all
}

type Rows = number[][]

function slowBert(ids: number[], types: number[] = ids.map(() => 0)): Rows {
  const row = (name: string, i: number) => [
    ...weights[name]!.data.slice(i * shape.hidden, (i + 1) * shape.hidden),
  ]
  let x: Rows = ids.map((id, place) => {
    const word = row('embeddings.word_embeddings.weight', id)
    const position = row('embeddings.position_embeddings.weight', place)
    const type = row('embeddings.token_type_embeddings.weight', types[place]!)
    return word.map((value, i) => value + position[i]! + type[i]!)
  })
  x = norm(x, 'embeddings.LayerNorm')
  for (let i = 0; i < shape.layers; i++) {
    const name = `encoder.layer.${i}`
    const attended = linear(attention(x, `${name}.attention.self`), `${name}.attention.output.dense`)
    x = norm(sum(attended, x), `${name}.attention.output.LayerNorm`)
    const widened = linear(x, `${name}.intermediate.dense`).map((values) => values.map(gelu))
    x = norm(sum(linear(widened, `${name}.output.dense`), x), `${name}.output.LayerNorm`)
  }
  return x
}

const mean = (x: Rows) => x[0]!.map((_, i) => x.reduce((total, values) => total + values[i]!, 0) / x.length)

function linear(x: Rows, name: string): Rows {
  const { shape: sizes, data } = weights[`${name}.weight`]!
  const [outputs, inputs] = sizes as [number, number]
  const bias = weights[`${name}.bias`]!.data
  return x.map((values) =>
    Array.from({ length: outputs }, (_, o) =>
      values.reduce((total, v, i) => total + v * data[o * inputs + i]!, bias[o]!),
    ),
  )
}

function attention(x: Rows, name: string): Rows {
  const [query, key, value] = ['query', 'key', 'value'].map((part) => linear(x, `${name}.${part}`)) as [
    Rows,
    Rows,
    Rows,
  ]
  const size = shape.hidden / shape.heads
  return x.map((_, at) =>
    Array.from({ length: shape.hidden }, (_, column) => {
      const first = Math.floor(column / size) * size
      const likeness = key.map((k) => {
        let total = 0
        for (let i = first; i < first + size; i++) total += query[at]![i]! * k[i]!
        return Math.exp(total / Math.sqrt(size))
      })
      const all = likeness.reduce((a, b) => a + b)
      return likeness.reduce((total, share, row) => total + (share / all) * value[row]![column]!, 0)
    }),
  )
}

function norm(x: Rows, name: string): Rows {
  const [scale, offset] = [weights[`${name}.weight`]!.data, weights[`${name}.bias`]!.data]
  return x.map((values) => {
    const mean = values.reduce((a, b) => a + b) / values.length
    const spread = Math.sqrt(values.reduce((total, v) => total + (v - mean) ** 2, 0) / values.length)
    return values.map((v, i) => ((v - mean) / spread) * scale[i]! + offset[i]!)
  })
}

const sum = (a: Rows, b: Rows) => a.map((values, row) => values.map((v, i) => v + b[row]![i]!))

// Half the value times one plus the error function, the latter as its integral by Simpson's rule.
function gelu(x: number): number {
  const end = x / Math.SQRT2
  const steps = 200
  let total = 1 + Math.exp(-end * end)
  for (let i = 1; i < steps; i++) total += (i % 2 ? 4 : 2) * Math.exp(-(((end * i) / steps) ** 2))
  const erf = (2 / Math.sqrt(Math.PI)) * (end / steps / 3) * total
  return 0.5 * x * (1 + erf)
}
