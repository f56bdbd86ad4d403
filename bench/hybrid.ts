// How long a hybrid search takes by stage, and what it keeps in memory, by the number of passages.
//   npm run bench -- hybrid [--quick] [--json]
// Vectors are made up (a seeded mixture like real embeddings); the query's own vector comes from the bundled model, so
// that the whole search can be compared with the time of embedding the question.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openEmbedder } from '../src/app/embedder.js'
import { search } from '../src/retrieve/search.js'
import { percentile } from '../src/services/metrics.js'
import type { Store } from '../src/store/port.js'
import { openSqliteStore } from '../src/store/sqlite/store.js'
import { fill } from './fill.js'
import { random, world } from './scale-data.js'

const quick = process.argv.includes('--quick')
const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000]
const questions = quick ? 40 : 100
const embedder = openEmbedder({ provider: 'bundled', threads: 1 })!
await embedder.embed(['warm up'], { kind: 'query' })
const rows: Record<string, number>[] = []
for (const size of sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-bench-'))
  await fillWithVectors(folder, size)
  rows.push(await measure(folder))
  rmSync(folder, { recursive: true })
}
await embedder.close()
if (process.argv.includes('--json')) console.log(JSON.stringify(rows))
else console.table(rows)

async function fillWithVectors(folder: string, size: number) {
  const store = await openSqliteStore({ folder })
  await fill(store, size)
  await putVectors(store)
  await store.settle()
  await store.close()
}

async function putVectors(store: Store) {
  const next = random(5)
  const centres = Array.from({ length: 200 }, () =>
    Float32Array.from({ length: embedder.dimensions }, () => next() - 0.5),
  )
  for (;;) {
    const waiting = await store.vectors.pending(embedder.model, 2_000)
    if (waiting.length === 0) return
    await store.vectors.put(
      embedder.model,
      waiting.map(({ chunk, hash }) => {
        const centre = centres[Math.floor(next() * centres.length)]!
        return { chunk, hash, vector: unit(centre.map((value) => value + (next() - 0.5) * 0.7)) }
      }),
    )
  }
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

async function measure(folder: string) {
  const start = performance.now()
  const store = await openSqliteStore({ folder })
  const from = world(11)
  const ask = (text: string) =>
    search({ store, embedder }, { text, scope: {}, mode: 'hybrid', limit: 10, perDocument: 3 })
  await ask('the first question loads the signs')
  const cold = performance.now() - start
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  const times: Record<string, number[]> = { embedAlone: [], whole: [], words: [], meaning: [], assemble: [] }
  for (let i = 0; i < questions; i++) {
    const text = from.question(6)
    const before = performance.now()
    await embedder.embed([`${text} alone`], { kind: 'query' })
    const between = performance.now()
    const { stages } = await ask(text)
    times.embedAlone!.push(between - before)
    times.whole!.push(performance.now() - between)
    for (const { name, ms } of stages) times[name]?.push(ms)
  }
  delay.disable()
  const p50 = (name: string) => Math.round(percentile(times[name]!, 0.5) * 100) / 100
  const { chunks } = await store.counts()
  await store.close()
  return {
    chunks,
    'embed ms': p50('embedAlone'),
    'words ms': p50('words'),
    'meaning ms': p50('meaning'),
    'assemble ms': p50('assemble'),
    'search p50 ms': p50('whole'),
    'search p95 ms': Math.round(percentile(times.whole!, 0.95) * 100) / 100,
    '× embedding': Math.round((p50('whole') / p50('embedAlone')) * 10) / 10,
    'open + first ms': Math.round(cold),
    'longest block ms': Math.round(delay.max / 1e6),
    'process MB': Math.round(process.memoryUsage().rss / 1e6),
  }
}
