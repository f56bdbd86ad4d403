// What do ten questions in one call cost, by the price of one? `npm run bench -- batch [--rounds 30] [--json]`
// Indexes the sample library with the bundled model, then asks one question and ten in turns, each a new one: what is
// warm is the model, not the answers. Processor time is that of this process and, on Linux, of the model's.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { searchAll } from '../src/answer/search-documents.js'
import { fillVectors } from '../src/answer/vectors.js'
import { percentile } from '../src/app/evaluate/evaluate.js'
import { indexAll } from '../src/app/index-all.js'
import { openLibrary } from '../src/app/open.js'
import { copySampleTo, settingsFor } from '../test/support/world.js'
import { random } from './scale-data.js'

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, json: { type: 'boolean', default: false } },
})
const rounds = Number(flags.rounds)
const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'carrel-bench-'))), 'library')
copySampleTo(root)
const library = await openLibrary({
  ...settingsFor(root),
  embedding: { provider: 'bundled', threads: Math.max(1, availableParallelism() - 1) },
})
const next = random(3)
const figures: Record<string, number> = {}

try {
  await indexAll(library, {})
  await fillVectors(library, {})
  for (let i = 0; i < 10; i++) await Promise.all([ask(1), ask(10)])
  const works = {
    one: () => ask(1),
    ten: () => ask(10),
    'embed one': () => embed(1),
    'embed ten': () => embed(10),
  }
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, [] as Measurement[]]))
  for (let i = 0; i < rounds; i++)
    for (const [name, work] of Object.entries(works)) times[name]!.push(await measure(work))
  for (const [name, list] of Object.entries(times)) {
    figures[`${name}, p50 ms`] = at(list, 'ms', 0.5)
    figures[`${name}, p10 ms`] = at(list, 'ms', 0.1)
    figures[`${name}, processor ms, p50`] = at(list, 'processor', 0.5)
  }
  for (const figure of ['ms', 'processor'] as const) {
    const ratios = times.ten!.map((ten, i) => ten[figure] / times.one![i]![figure])
    figures[`ten by the price of one, ${figure}, median of ratios`] = round(percentile(ratios, 0.5))
  }
} finally {
  await library.close()
  rmSync(join(root, '..'), { recursive: true, force: true })
}
if (flags.json) console.log(JSON.stringify(figures))
else console.table(figures)

function ask(count: number) {
  const queries = Array.from({ length: count }, () => ({ query: question() }))
  return searchAll(library, queries, { limit: 5, mode: 'hybrid' })
}

function embed(count: number) {
  return library.embedder!.embed(Array.from({ length: count }, question), { kind: 'query' })
}

interface Measurement {
  ms: number
  processor: number
}

async function measure(work: () => Promise<unknown>): Promise<Measurement> {
  const [start, used] = [performance.now(), processorMs()]
  await work()
  return { ms: performance.now() - start, processor: processorMs() - used }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenMs()
}

function childrenMs(): number {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    return children.filter((pid) => pid !== '').reduce((sum, pid) => sum + threadsMs(pid), 0)
  } catch {
    return 0
  }
}

function threadsMs(pid: string): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = (task: string) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  return tasks.reduce((sum, task) => sum + nanoseconds(task), 0) / 1e6
}

function question(): string {
  const words =
    'reminder queue retry clock budget outbox delivery receipt tenant restore backup schedule webhook key skew attempt'
  const list = words.split(' ')
  const pick = () => list[Math.floor(next() * list.length)]!
  return `how does the ${pick()} ${pick()} handle a ${pick()} when the ${pick()} fails ${Math.floor(next() * 1000)}`
}

function at(list: readonly Measurement[], figure: keyof Measurement, share: number): number {
  const values = list.map((one) => one[figure])
  return round(percentile(values, share))
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
