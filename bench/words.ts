// How long a question takes, by the size of the index and the length of the question.
//   npm run bench -- words [--quick] [--json]
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { percentile } from '../src/app/evaluate/evaluate.js'
import { search } from '../src/retrieve/search.js'
import type { Store } from '../src/store/port.js'
import { openSqliteStore } from '../src/store/sqlite/store.js'
import { fill } from './fill.js'
import { world } from './scale-data.js'

const quick = process.argv.includes('--quick')
const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000]
const lengths = [1, 3, 5, 8]
const questions = quick ? 60 : 200
const rows: Record<string, number>[] = []
for (const size of sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-bench-'))
  const store = await openSqliteStore({ folder })
  const chunks = await fill(store, size)
  for (const words of lengths) rows.push({ chunks, words, ...(await ask(store, words)) })
  const megabytes = statSync(join(folder, 'index.sqlite')).size / 1e6
  await store.close()
  rmSync(folder, { recursive: true })
  console.error(
    `${chunks} chunks: index ${megabytes.toFixed(1)} MB, process ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
  )
}
if (process.argv.includes('--json')) console.log(JSON.stringify(rows))
else console.table(rows)

/** The store's part alone, and the whole search with assembling ten passages. */
async function ask(store: Store, words: number) {
  const from = world(11)
  const questionTexts = Array.from({ length: questions }, () => from.question(words))
  const [rank, whole]: [number[], number[]] = [[], []]
  for (const text of questionTexts) {
    const start = performance.now()
    const { stages } = await search(
      { store, embedder: null },
      { text, scope: {}, mode: 'text', limit: 10, perDocument: 3 },
    )
    whole.push(performance.now() - start)
    rank.push(stages.find(({ name }) => name === 'words')!.ms)
  }
  const two = (value: number) => Math.round(value * 100) / 100
  return {
    'words p50 ms': two(percentile(rank, 0.5)),
    'words p95 ms': two(percentile(rank, 0.95)),
    'search p50 ms': two(percentile(whole, 0.5)),
    'search p95 ms': two(percentile(whole, 0.95)),
  }
}
