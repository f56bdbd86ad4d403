// How near is the bundled embedder to what the runtime can do? Tokens a second of the bare matrix products of its shapes, of
// the whole model, and of the embedder with its tokenizer and its processes; one process and two, by turns, best of the rounds.
// The first figures are for a second of processor time, which other work on the machine disturbs less; the wall's stand behind.
// Use: npm run bench -- embed-limit [--rounds 5] [--tokens 32,128,254]
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openBundled } from '../src/embed/bundled/bundled.js'
import { bundledConversion } from '../src/embed/bundled/engine.js'
import { cachedGraph } from '../src/embed/bundled/graph-cache.js'
import { bundledModel } from '../src/embed/bundled/model.js'
import { locateModel } from '../src/embed/bundled/model-files.js'
import { createGraph } from '../src/embed/onnx/graph-builder.js'
import { loadNativeRuntime } from '../src/embed/onnx/session.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    tokens: { type: 'string', default: '32,128,254' },
    child: { type: 'string' },
    folder: { type: 'string' },
  },
})
const workMs = 800
const warmings = 3

if (values.child) await beChild(values.child, values.folder!)
else await compare()

async function compare() {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-bench-limit-'))
  try {
    const first = openBundled({ cacheFolder: folder })
    await first.embed(['convert the model'], { kind: 'passage' })
    await first.close()
    for (const count of [1, 2]) await compareWith(count, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function compareWith(count: number, folder: string) {
  const start = (what: string) => Array.from({ length: count }, () => child(what, folder))
  const [products, model] = [start('products'), start('model')]
  const others = new Set(childrenOf())
  const embedder = openBundled({ cacheFolder: folder, workers: count })
  await embedder.embed(passages(32, 8), { kind: 'passage' })
  const workers = childrenOf().filter((pid) => !others.has(pid))
  const embed = async (tokens: number): Promise<Rate> => {
    const texts = passages(tokens, Math.ceil(12_000 / tokens))
    const [started, before] = [performance.now(), secondsOf(workers)]
    await embedder.embed(texts, { kind: 'passage' })
    const done = texts.length * tokens
    return {
      processor: done / (secondsOf(workers) - before),
      wall: (done * 1000) / (performance.now() - started),
    }
  }
  for (const tokens of values.tokens.split(',').map(Number)) {
    const rates: Record<string, Rate> = {}
    const note = (what: string, { processor, wall }: Rate) => {
      const known = rates[what] ?? { processor: 0, wall: 0 }
      rates[what] = { processor: Math.max(known.processor, processor), wall: Math.max(known.wall, wall) }
    }
    for (let round = 0; round < Number(values.rounds); round++) {
      note('products', await rateOf(products, tokens))
      note('model', await rateOf(model, tokens))
      note('embedder', await embed(tokens))
    }
    const shown = Object.entries(rates).map(([what, { processor, wall }]) => {
      const share = Math.round((100 * processor) / rates.products!.processor)
      return `${what} ${Math.round(processor)} (${share} %; wall ${Math.round(wall)})`
    })
    console.log(`${count} at a time, ${tokens} tokens: ${shown.join(', ')}`)
  }
  await embedder.close()
  for (const one of [...products, ...model]) one.kill()
}

/** Tokens a second. */
interface Rate {
  processor: number
  wall: number
}

/** Texts of so many tokens, the two that the tokenizer adds included. */
function passages(tokens: number, number: number): string[] {
  const words = ['the', 'server', 'reads', 'its', 'file', 'and', 'waits', 'for', 'a', 'value']
  return Array.from({ length: number }, (_, i) =>
    Array.from({ length: tokens - 2 }, (_, j) => words[(i + j * 7) % words.length]).join(' '),
  )
}

function child(what: string, folder: string): ChildProcess {
  return fork(fileURLToPath(import.meta.url), ['--child', what, '--folder', folder])
}

async function rateOf(children: ChildProcess[], tokens: number): Promise<Rate> {
  const rates = await Promise.all(
    children.map(async (one) => {
      const answer = once(one, 'message')
      one.send(tokens)
      return (await answer)[0] as Rate
    }),
  )
  const wall = rates.reduce((sum, rate) => sum + rate.wall, 0)
  return { wall, processor: rates.reduce((sum, rate) => sum + rate.processor, 0) / rates.length }
}

function childrenOf(): string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
}

/** Processor time of processes so far, in seconds. The system counts in hundredths. */
function secondsOf(pids: readonly string[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, one) => sum + one, 0) / 100
}

async function beChild(what: string, folder: string) {
  process.once('disconnect', () => process.exit())
  const { weights } = await locateModel()
  const graph = what === 'model' ? await cachedGraph(folder, bundledConversion(weights)) : bareProducts()
  const session = await loadNativeRuntime().open(graph)
  process.on('message', async (tokens: number) => {
    const row = { input_ids: Array.from({ length: tokens }, (_, i) => 1000 + i) }
    for (let i = 0; i < warmings; i++) await session.run(row)
    const [started, before] = [performance.now(), process.cpuUsage()]
    let done = 0
    while (performance.now() - started < workMs) {
      await session.run(row)
      done += tokens
    }
    const { user, system } = process.cpuUsage(before)
    const wall = (done * 1000) / (performance.now() - started)
    process.send!({ processor: (done * 1e6) / (user + system), wall } satisfies Rate)
  })
}

/** The products of the model and nothing between them. A row of each is kept, or the runtime would leave it out. */
function bareProducts(): Uint8Array {
  const { hidden, heads, layers } = bundledModel.shape
  const graph = createGraph()
  const ids = { name: 'input_ids', type: 'int64', shape: [1, 'length'] } as const
  const rows = 2000
  const integers = (name: string, shape: [number, number], least: number) =>
    graph.constant(
      name,
      shape,
      Int8Array.from({ length: shape[0] * shape[1] }, (_, i) => least + ((i * 31) % 63)),
    )
  const axis = (n: number) => ({ axis: { integer: n } })
  const input = (width: number) => {
    const found = graph.operation('Gather', [integers(`rows.${width}`, [rows, width], 0), ids.name], axis(0))
    return graph.operation('Cast', [found], { to: { integer: 2 } })
  }
  const number = (name: string, ...list: number[]) =>
    graph.constant(name, [list.length], BigInt64Array.from(list, BigInt))
  const [zero, one] = [number('zero', 0), number('one', 1)]
  const kept: string[] = []
  const [narrow, wide] = [input(hidden), input(4 * hidden)]
  const shapes = [
    [narrow, hidden, 3 * hidden],
    [narrow, hidden, hidden],
    [narrow, hidden, 4 * hidden],
    [wide, 4 * hidden, hidden],
  ] as const
  for (let layer = 0; layer < layers; layer++)
    for (const [value, from, to] of shapes) {
      const matrix = integers(`matrix.${layer}.${from}.${to}`, [from, to], -31 - layer)
      const product = graph.operation('MatMulInteger', [value, matrix])
      const row = graph.operation('Slice', [product, zero, one, one])
      const floats = graph.operation('Cast', [row], { to: { integer: 1 } })
      kept.push(
        graph.operation('ReduceMean', [floats], { axes: { integers: [1, 2] }, keepdims: { integer: 0 } }),
      )
    }
  // Attention: each head's part of all rows with that of all rows, and the result with the contents.
  const table = graph.constant(
    'floats',
    [rows, hidden],
    Float32Array.from({ length: rows * hidden }, (_, i) => ((i % 17) - 8) / 900),
  )
  const found = graph.operation('Gather', [table, ids.name], axis(0))
  const split = graph.operation('Reshape', [found, number('heads', 0, 0, heads, hidden / heads)])
  const transposed = (order: number[]) => graph.operation('Transpose', [split], { perm: { integers: order } })
  const [keys, contents] = [transposed([0, 2, 3, 1]), transposed([0, 2, 1, 3])]
  let query = contents
  for (let layer = 0; layer < layers; layer++)
    query = graph.operation('MatMul', [graph.operation('MatMul', [query, keys]), contents])
  kept.push(
    graph.operation('ReduceMean', [query], { axes: { integers: [1, 2, 3] }, keepdims: { integer: 0 } }),
  )
  const all = graph.operation('Concat', kept, axis(0))
  const { parts } = graph.finish(
    [{ ...ids, shape: [...ids.shape] }],
    [{ name: 'kept', from: all, type: 'float32', shape: ['kept'] }],
  )
  return Buffer.concat(parts)
}
