// How long a hybrid search takes by stage, and what a server keeps in memory, by the number of passages.
//   npm run bench -- hybrid [--quick] [--million] [--json]
// Vectors are made up (a seeded mixture like real embeddings); the query's own vector comes from the bundled model, so
// that the whole search can be compared with the time of embedding the question. Each size is filled by one process and
// searched by another: memory is that of the searching process and of the model's.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { openEmbedder } from '../src/app/embedder.js'
import { percentile } from '../src/app/evaluate/evaluate.js'
import type { Embedder } from '../src/embed/port.js'
import { search } from '../src/retrieve/search.js'
import type { Store } from '../src/store/port.js'
import { openSqliteStore } from '../src/store/sqlite/store.js'
import { fill } from './fill.js'
import { random, world } from './scale-data.js'

const flags = new Set(process.argv.slice(2))
const questions = flags.has('--quick') ? 40 : 100
const [part, folder, size] = process.argv.slice(2)
if (part === 'fill') await fillWithVectors(folder!, Number(size))
else if (part === 'measure') process.stdout.write(JSON.stringify(await measure(folder!)))
else main()

function main() {
  const sizes = flags.has('--quick') ? [1_000, 10_000] : [1_000, 10_000, 100_000]
  const rows = (flags.has('--million') ? [...sizes, 1_000_000] : sizes).map(oneSize)
  if (flags.has('--json')) console.log(JSON.stringify(rows))
  else for (const row of rows) console.table(row)
}

function oneSize(size: number): Record<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-bench-'))
  const program = fileURLToPath(import.meta.url)
  const more = flags.has('--quick') ? ['--quick'] : []
  try {
    spawnSync(process.execPath, [program, 'fill', folder, String(size)], { stdio: 'inherit' })
    const output = execFileSync(process.execPath, [program, 'measure', folder, '', ...more], {
      encoding: 'utf8',
    })
    return JSON.parse(output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function fillWithVectors(folder: string, size: number) {
  const store = await openSqliteStore({ folder })
  const embedder = openEmbedder({ provider: 'bundled', threads: 1 })!
  await fill(store, size)
  await putVectors(store, embedder)
  await store.settle()
  await store.close()
  await embedder.close()
}

async function putVectors(store: Store, { model, dimensions }: Embedder) {
  const next = random(5)
  const centres = Array.from({ length: 200 }, () =>
    Float32Array.from({ length: dimensions }, () => next() - 0.5),
  )
  for (;;) {
    const waiting = await store.vectors.pending(model, 2_000)
    if (waiting.length === 0) return
    await store.vectors.put(
      model,
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
  const embedder = openEmbedder({ provider: 'bundled', threads: 1 })!
  await embedder.embed(['warm up'], { kind: 'query' })
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
  const memory = residentMB()
  const p50 = (name: string) => Math.round(percentile(times[name]!, 0.5) * 100) / 100
  const { chunks } = await store.counts()
  await store.close()
  await embedder.close()
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
    'process MB': memory.own,
    'of it the index file, mapped': memory.mapped,
    'model process MB': memory.children,
  }
}

/** What is resident now. Pages of a mapped file are the system's cache: they are given back when somebody needs them. */
function residentMB() {
  const own = Math.round(process.memoryUsage().rss / 1e6)
  try {
    const status = readFileSync('/proc/self/status', 'utf8')
    const mapped = Math.round((Number(/^RssFile:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6)
    return { own, mapped, children: Math.round(childrenBytes() / 1e6) }
  } catch {
    return { own, mapped: 0, children: 0 }
  }
}

function childrenBytes(): number {
  let sum = 0
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'utf8')
      if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === process.pid)
        sum += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024
    } catch {
      // It ended in the meantime.
    }
  }
  return sum
}
