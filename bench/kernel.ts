// How long does a search by meaning take against what memory allows, and how much of the exact answer does it find?
// Everything of one size is timed in turns in one process, so that a noisy neighbour disturbs all alike; the share of
// the floor is taken from the best of each, which is what is left when nobody disturbs.
// npm run bench -- kernel [--quick] [--json] [--speed: only the times]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  cosineTo,
  type FetchRows,
  nearestExact,
  quantise,
  type Row,
  shortlistSizes,
  signsOf,
  signsOfRow,
} from '../src/store/vectors/rows.js'
import { SignIndex } from '../src/store/vectors/sign-index.js'
import { clusteredVectors, type Shape } from '../test/clustered-vectors.js'
import { memoryFloor, type Touch } from './memory-floor.js'

const DIMENSIONS = 384
const ROW_BYTES = DIMENSIONS / 8

interface Case {
  rows: number
  growth: Shape['growth']
  queries: number
  rounds: number
}

const QUICK: Case[] = [
  { rows: 10_000, growth: 'subjects', queries: 100, rounds: 60 },
  { rows: 10_000, growth: 'documents', queries: 100, rounds: 0 },
  { rows: 100_000, growth: 'subjects', queries: 50, rounds: 40 },
  { rows: 100_000, growth: 'documents', queries: 50, rounds: 0 },
]

const FULL: Case[] = [
  { rows: 10_000, growth: 'subjects', queries: 400, rounds: 200 },
  { rows: 10_000, growth: 'documents', queries: 400, rounds: 0 },
  { rows: 100_000, growth: 'subjects', queries: 200, rounds: 100 },
  { rows: 100_000, growth: 'documents', queries: 200, rounds: 0 },
  { rows: 1_000_000, growth: 'subjects', queries: 40, rounds: 40 },
  { rows: 1_000_000, growth: 'documents', queries: 40, rounds: 0 },
]

type Line = Record<string, string | number>

const flags = new Set(process.argv.slice(2))
if (flags.has('--one-load')) process.stdout.write(JSON.stringify(oneLoad(Number(process.argv.at(-1)))))
else await main(flags.has('--quick') ? QUICK : FULL)

async function main(cases: Case[]): Promise<void> {
  const touch = await memoryFloor()
  const speed: Line[] = []
  const recall: Line[] = []
  const wanted = flags.has('--speed') ? cases.filter(({ rounds }) => rounds > 0) : cases
  for (const one of wanted) {
    const collection = build(one)
    if (one.rounds > 0) speed.push(...(await timed(collection, one, touch)))
    if (!flags.has('--speed')) recall.push(await found(collection, one))
  }
  const memory = [...new Set(cases.map(({ rows }) => rows))].map(loadedInOwnProcess)
  if (flags.has('--json')) process.stdout.write(`${JSON.stringify({ speed, recall, memory }, null, 2)}\n`)
  else
    for (const [title, lines] of Object.entries({ 'Speed, ms': speed, Recall: recall, Memory: memory }))
      if (lines.length > 0) process.stdout.write(`\n${title}\n\n${table(lines)}\n`)
}

interface Built {
  index: SignIndex
  plain: SignIndex
  fetchRows: FetchRows
  row(id: number): Row
  query(i: number): Float32Array
}

/** Ids count from 1. The rows lie in memory: what a store adds to a search is the store's own bench. */
function build({ rows, growth }: Case): Built {
  const { chunk, query } = clusteredVectors({ dimensions: DIMENSIONS, chunks: rows, growth })
  const data = new Int8Array(rows * DIMENSIONS)
  const bits = new Uint8Array(rows * ROW_BYTES)
  const vector = new Float32Array(DIMENSIONS)
  for (let i = 0; i < rows; i++) {
    const row = quantise(chunk(i, vector))
    data.set(row.data, i * DIMENSIONS)
    bits.set(signsOfRow(row), i * ROW_BYTES)
  }
  const row = (id: number) => ({ scale: 1, data: data.subarray((id - 1) * DIMENSIONS, id * DIMENSIONS) })
  const ids = Int32Array.from({ length: rows }, (_, i) => i + 1)
  const [index, plain] = [new SignIndex(DIMENSIONS), new SignIndex(DIMENSIONS, { plain: true })]
  for (const one of [index, plain]) one.load(ids, bits)
  return { index, plain, row, query, fetchRows: (wanted) => [...wanted].map(row) }
}

async function timed(
  { index, plain, fetchRows, query }: Built,
  { rows, rounds }: Case,
  touch: Touch,
): Promise<Line[]> {
  const half = index.allowing((id) => id % 2 === 0)
  const tenth = index.allowing((id) => id % 10 === 0)
  const few = index.allowing(Int32Array.from({ length: 200 }, (_, i) => 1 + i * Math.floor(rows / 200)))
  const vectors = Array.from({ length: 16 }, (_, i) => query(i))
  const signs = vectors.map((vector) => signsOf(vector))
  const stages: Record<string, (turn: number) => unknown> = {
    'memory floor': () => touch(rows * ROW_BYTES),
    'scan and select 10': (turn) => index.nearest(signs[turn % 16]!, { limit: 10 }),
    'scan and select 10, plain JS': (turn) => plain.nearest(signs[turn % 16]!, { limit: 10 }),
    'whole search, best 10': (turn) =>
      nearestExact(index, fetchRows, { vector: vectors[turn % 16]!, limit: 10 }),
    'whole search, best 100': (turn) =>
      nearestExact(index, fetchRows, { vector: vectors[turn % 16]!, limit: 100 }),
    'best 10 in half of it': (turn) =>
      nearestExact(index, fetchRows, { vector: vectors[turn % 16]!, limit: 10, allow: half }),
    'best 10 in a tenth of it': (turn) =>
      nearestExact(index, fetchRows, { vector: vectors[turn % 16]!, limit: 10, allow: tenth }),
    'best 10 of 200 rows': (turn) =>
      nearestExact(index, fetchRows, { vector: vectors[turn % 16]!, limit: 10, allow: few }),
  }
  const times = await timeStages(stages, rounds)
  const floor = Math.min(...times['memory floor']!)
  return Object.entries(times).map(([stage, spent]) => ({
    rows,
    stage,
    best: round(Math.min(...spent), 3),
    p50: round(quantile(spent, 0.5), 3),
    p95: round(quantile(spent, 0.95), 3),
    'best, times the floor': round(Math.min(...spent) / floor, 1),
  }))
}

async function timeStages(
  stages: Record<string, (turn: number) => unknown>,
  rounds: number,
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(stages).map((stage) => [stage, []]))
  const warmUp = 10
  for (let turn = -warmUp; turn < rounds; turn++)
    for (const [stage, run] of Object.entries(stages)) {
      const start = performance.now()
      await run(turn + warmUp)
      if (turn >= 0) times[stage]!.push(performance.now() - start)
    }
  return times
}

/** The share of the exact nearest that the search finds, and that sign bits alone would have found in as many rows. */
async function found(
  { index, row, fetchRows, query }: Built,
  { rows, growth, queries }: Case,
): Promise<Line> {
  const shares = { at10: 0, signsAt10: 0, at100: 0 }
  for (let i = 0; i < queries; i++) {
    const vector = query(1000 + i)
    const exact = exactly(rows, row, vector, 100)
    const ten = (await nearestExact(index, fetchRows, { vector, limit: 10 })).map(({ id }) => id)
    const hundred = (await nearestExact(index, fetchRows, { vector, limit: 100 })).map(({ id }) => id)
    const bySigns = index.nearest(signsOf(vector), { limit: shortlistSizes(rows, 10).rescored }).ids
    shares.at10 += overlap(exact.slice(0, 10), ten) / queries
    shares.at100 += overlap(exact, hundred) / queries
    shares.signsAt10 += overlap(exact.slice(0, 10), [...bySigns]) / queries
  }
  const sizes = [10, 100].map((limit) => shortlistSizes(rows, limit))
  return {
    rows,
    'grown by': growth,
    queries,
    'recall@10': round(shares.at10, 4),
    'candidates, rescored': `${sizes[0]!.candidates}, ${sizes[0]!.rescored}`,
    'signs alone, as many rescored': round(shares.signsAt10, 4),
    'recall@100': round(shares.at100, 4),
    'candidates, rescored at 100': `${sizes[1]!.candidates}, ${sizes[1]!.rescored}`,
  }
}

function exactly(rows: number, row: (id: number) => Row, vector: Float32Array, limit: number): number[] {
  const cosineOf = cosineTo(vector)
  const cosines = new Float64Array(rows)
  for (let i = 0; i < rows; i++) cosines[i] = cosineOf(row(i + 1))
  const least = cosines.slice().sort()[Math.max(0, rows - limit)]!
  const near: number[] = []
  for (let i = 0; i < rows; i++) if (cosines[i]! >= least) near.push(i)
  return near
    .sort((a, b) => cosines[b]! - cosines[a]! || a - b)
    .slice(0, limit)
    .map((i) => i + 1)
}

function overlap(wanted: readonly number[], got: readonly number[]): number {
  const there = new Set(got)
  return wanted.filter((id) => there.has(id)).length / wanted.length
}

// A process of its own, as the collection of vectors above dwarfs the index made of it.
function loadedInOwnProcess(rows: number): Line {
  const self = fileURLToPath(import.meta.url)
  const child = spawnSync(process.execPath, ['--expose-gc', self, '--one-load', String(rows)], {
    encoding: 'utf8',
  })
  if (child.status !== 0) throw new Error(`The process that measures memory failed: ${child.stderr}`)
  return JSON.parse(child.stdout) as Line
}

function oneLoad(rows: number): Line {
  const page = new Uint8Array(10_000 * ROW_BYTES)
  for (let i = 0; i < page.length; i++) page[i] = Math.imul(i, 0x9e3779b1) >>> 24
  const ids = Int32Array.from({ length: 10_000 }, (_, i) => i + 1)
  const before = resident()
  const start = performance.now()
  const index = new SignIndex(DIMENSIONS)
  index.reserve(rows)
  for (let at = 0; at < rows; at += 10_000)
    index.load(
      ids.map((id) => id + at),
      page,
    )
  const loaded = performance.now()
  index.nearest(page.subarray(0, ROW_BYTES), { limit: 100 })
  const searched = performance.now()
  return {
    rows,
    'index MB': round(index.bytes / 1e6, 1),
    'resident MB more': round((resident() - before) / 1e6, 1),
    'load ms': round(loaded - start, 1),
    'first search ms': round(searched - loaded, 1),
  }
}

function resident(): number {
  globalThis.gc?.()
  return process.memoryUsage().rss
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

function table(lines: Line[]): string {
  const heads = Object.keys(lines[0] ?? {})
  const rows = [
    heads,
    heads.map(() => '---'),
    ...lines.map((line) => heads.map((head) => String(line[head]))),
  ]
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
