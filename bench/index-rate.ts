// How fast a folder is indexed, again when nothing changed, how soon a new process answers, and what it all takes.
//   npm run bench -- index-rate [--quick] [--times N] [--json]
// With --times files that much longer than 4 kB, and that much fewer.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { indexAll } from '../src/app/index-all.js'
import { openLibrary } from '../src/app/open.js'
import { projectRoot, settingsFor } from '../test/support/world.js'
import { world } from './scale-data.js'

const quick = process.argv.includes('--quick')
const times = Number(process.argv[process.argv.indexOf('--times') + 1]) || 1
const files = Math.round((quick ? 2_000 : 10_000) / times)
const root = mkdtempSync(join(tmpdir(), 'carrel-bench-'))
const bytes = generate(root, files)
const plain = settingsFor(root)
const settings = { ...plain, limits: { ...plain.limits, workers: availableParallelism() } }

const first = await index()
const again = await index()
const cold = answerCold()
const figures = {
  files,
  megabytes: round(bytes / 1e6),
  chunks: first.chunks,
  'index s': round(first.ms / 1000),
  'MB/s': round(bytes / 1e3 / first.ms),
  'files/s': Math.round((files / first.ms) * 1000),
  'chunks/s': Math.round((first.chunks / first.ms) * 1000),
  'again, unchanged s': round(again.ms / 1000),
  'whole process again s': round(timed(['index', '--words-only']).ms / 1000),
  'first answer of a process s': round(cold.ms / 1000),
  'index MB': round(statSync(join(settings.data, 'index.sqlite')).size / 1e6),
  'longest block of the event loop ms': Math.round(first.block),
  'process MB': Math.round(first.rss / 1e6),
}
rmSync(root, { recursive: true })
if (process.argv.includes('--json')) console.log(JSON.stringify(figures))
else console.table(figures)

function generate(folder: string, count: number): number {
  const from = world(3)
  let sum = 0
  for (let n = 0; n < count; n++) {
    const text = from.document(Math.round((1_000 + (n % 9) * 700) * times))
    const home = join(folder, `part-${n % 50}`)
    if (n < 50) mkdirSync(home)
    writeFileSync(join(home, `page-${n}.md`), text)
    sum += text.length
  }
  return sum
}

async function index() {
  const library = await openLibrary(settings)
  let block = 0
  let last = performance.now()
  const timer = setInterval(() => {
    block = Math.max(block, performance.now() - last - 5)
    last = performance.now()
  }, 5)
  const start = performance.now()
  const { counts } = await indexAll(library, {})
  const ms = performance.now() - start
  clearInterval(timer)
  await library.close()
  return { ms, chunks: counts.chunks, block, rss: process.memoryUsage().rss }
}

function answerCold() {
  return timed(['search', 'how does this work', '--json', '--mode', 'text'])
}

/** A process of its own, from start to end. */
function timed(words: string[]) {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [
    join(projectRoot, 'bin/carrel.mjs'),
    ...words,
    '--root',
    root,
    '--quiet',
  ])
  if (status !== 0) throw new Error(String(stderr))
  return { ms: performance.now() - start }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
