// What do ten questions in one call cost, by the price of one? `npm run bench -- batch [--rounds 30] [--json]`
// Indexes the sample library with the bundled model, then asks one question and ten in turns, each a new one: what is
// warm is the model, not the answers.
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openLibrary } from '../src/app/open.js'
import { searchAll } from '../src/services/documents/search.js'
import { indexAll } from '../src/services/indexing.js'
import { fillVectors } from '../src/services/meaning.js'
import { percentile } from '../src/services/metrics.js'
import { sampleLibrary, settingsFor } from '../test/support/world.js'
import { random } from './scale-data.js'

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, json: { type: 'boolean', default: false } },
})
const rounds = Number(flags.rounds)
const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'carrel-bench-'))), 'library')
cpSync(sampleLibrary, root, { recursive: true })
const library = await openLibrary({
  ...settingsFor(root),
  embedding: { provider: 'bundled', threads: Math.max(1, availableParallelism() - 1) },
})
const next = random(3)
const figures: Record<string, string | number> = {}

try {
  await indexAll(library, {})
  await fillVectors(library, {})
  for (let i = 0; i < 5; i++) await Promise.all([ask(1), ask(10)])
  const taken: Record<string, number[]> = { one: [], ten: [], 'embed one': [], 'embed ten': [] }
  const ratios: number[] = []
  for (let i = 0; i < rounds; i++) {
    const [one, ten] = [await time(() => ask(1)), await time(() => ask(10))]
    taken.one!.push(one)
    taken.ten!.push(ten)
    taken['embed one']!.push(await time(() => embed(1)))
    taken['embed ten']!.push(await time(() => embed(10)))
    ratios.push(ten / one)
  }
  for (const [name, list] of Object.entries(taken)) figures[`${name}, p50 ms`] = round(percentile(list, 0.5))
  figures['ten by the price of one, median of ratios'] = round(percentile(ratios, 0.5))
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

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function question(): string {
  const words =
    'reminder queue retry clock budget outbox delivery receipt tenant restore backup schedule webhook key skew attempt'
  const list = words.split(' ')
  const pick = () => list[Math.floor(next() * list.length)]!
  return `how does the ${pick()} ${pick()} handle a ${pick()} when the ${pick()} fails ${Math.floor(next() * 1000)}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
