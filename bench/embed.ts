// How fast and how large is the bundled embedder? `npm run bench -- embed [--json] [--passages N]`
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { openBundled } from '../src/embed/bundled/bundled.js'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, passages: { type: 'string', default: '120' } },
})
const folder = mkdtempSync(join(tmpdir(), 'carrel-bench-embed-'))
const passages = Array.from({ length: Number(options.passages) }, (_, i) => passage(i))

const figures: Record<string, string | number> = {
  machine: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} threads, Node ${process.versions.node}`,
}
try {
  figures['memory of this process, MB'] = round(process.memoryUsage.rss() / 1e6)
  await measureStart('first start (converts the model), ms')
  await measureStart('later start, ms')
  await measureWork(1)
  await measureWork(2)
} finally {
  rmSync(folder, { recursive: true })
}
print()

async function measureStart(title: string) {
  const embedder = openBundled({ cacheFolder: folder })
  const started = performance.now()
  await embedder.embed(['start'], { kind: 'query' })
  figures[title] = round(performance.now() - started)
  await embedder.close()
}

async function measureWork(workers: number) {
  const embedder = openBundled({ cacheFolder: folder, workers })
  const how = workers === 1 ? ' with 1 worker' : ` with ${workers} workers`
  await embedder.embed(passages.slice(0, 2 * workers), { kind: 'passage' })
  if (workers === 1) {
    figures['memory of the worker with the model, MB'] = workersMemory()
    figures.runtime = embedder.runtime() ?? 'none'
    await measureQueries(
      () => embedder.embed(['how do I configure the proxy server'], { kind: 'query' }),
      'query alone',
    )
    await measureQueries(() => embedder.embed(passages.slice(0, 1), { kind: 'passage' }), 'passage alone', 20)
  }
  const watch = watchEventLoop()
  const started = performance.now()
  const work = embedder.embed(passages, { kind: 'passage' })
  if (workers === 1)
    await measureQueries(
      () => embedder.embed(['which port does it use'], { kind: 'query' }),
      'query while indexing',
      20,
    )
  await work
  figures[`passages a second${how}`] = round(passages.length / ((performance.now() - started) / 1000))
  Object.assign(figures, watch(how))
  figures[`memory of all workers after the work${how}, MB`] = workersMemory()
  await embedder.close()
}

// A busy machine delays every timer. What this process itself computes between two of them shows who is to blame.
function watchEventLoop() {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let last = process.cpuUsage()
  let longest = 0
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last)
    last = process.cpuUsage()
    longest = Math.max(longest, (user + system) / 1000)
  }, 5)
  return (how: string) => {
    delay.disable()
    clearInterval(timer)
    return {
      [`longest event loop delay${how}, ms`]: round(delay.max / 1e6 - 5),
      [`of it this process's own work${how}, at most ms`]: round(longest),
    }
  }
}

async function measureQueries(query: () => Promise<unknown>, title: string, count = 100) {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    await query()
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  figures[`${title}, fastest ms`] = round(times[0]!)
  figures[`${title}, median ms`] = round(times[Math.floor(count / 2)]!)
  figures[`${title}, 95 % within ms`] = round(times[Math.floor(count * 0.95)]!)
}

// About 1,200 characters, as chunks have: just above the 256 tokens that the model reads.
function passage(number: number): string {
  const sentence = `Section ${number} explains how the server reads its configuration, and what happens when a value is missing. `
  return sentence.repeat(20).slice(0, 1200)
}

// As Linux tells it; elsewhere it is left out.
function workersMemory(): number {
  const list = `/proc/self/task/${process.pid}/children`
  if (!existsSync(list)) return Number.NaN
  const pids = readFileSync(list, 'utf8').trim().split(' ').filter(Boolean)
  const kilobytes = pids.map((pid) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
  )
  return round(kilobytes.reduce((a, b) => a + b, 0) / 1000)
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 10) / 10
}

function print() {
  if (options.json) return console.log(JSON.stringify(figures, null, 2))
  const width = Math.max(...Object.keys(figures).map((title) => title.length))
  for (const [title, value] of Object.entries(figures)) console.log(`${title.padEnd(width)}  ${value}`)
}
