// How long a correction takes where the index has a million words of the length of English ones.
//   npm run bench -- typos [--quick]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { percentile } from '../src/app/evaluate/evaluate.js'
import { prepare } from '../src/ingest/prepare.js'
import { correct } from '../src/retrieve/correct.js'
import { knownTerms } from '../src/retrieve/query.js'
import { openSqliteStore } from '../src/store/sqlite/store.js'
import { seeded } from '../test/support/seeded.js'
import { source } from './fill.js'

const words = process.argv.includes('--quick') ? 50_000 : 1_000_000
const perDocument = 2_000
const random = seeded(3)
const syllables = [
  'ba',
  'con',
  'der',
  'fi',
  'ga',
  'hor',
  'im',
  'kel',
  'lo',
  'mar',
  'nu',
  'pra',
  'ret',
  'sto',
  'ti',
  'ven',
]
const word = () =>
  Array.from(
    { length: 3 + Math.floor(random() * 3) },
    () => syllables[Math.floor(random() * syllables.length)],
  ).join('') + 'abcdefghijklmnop'[Math.floor(random() * 16)]

const folder = mkdtempSync(join(tmpdir(), 'carrel-bench-'))
const store = await openSqliteStore({ folder })
await store.putSource(source)
const known: string[] = []
for (let n = 0; n * perDocument < words; n++) {
  const own = Array.from({ length: perDocument }, word)
  known.push(own[0]!)
  const bytes = Buffer.from(own.join(' '))
  await store.replace([
    await prepare({ ref: { source: source.id, path: `${n}.md` }, bytes, stamp: null, readAt: n }),
  ])
}
await store.settle()
const times: number[] = []
for (const right of known.slice(0, 60)) {
  const at = 1 + Math.floor(random() * (right.length - 2))
  const start = performance.now()
  await correct(
    store,
    knownTerms(store),
    right.slice(0, at) + right[at + 1] + right[at] + right.slice(at + 2),
  )
  times.push(performance.now() - start)
}
const distinct = (await store.terms({ prefix: '', matches: () => true, mayMatch: () => true })).length
await store.close()
rmSync(folder, { recursive: true })
const one = (value: number) => Math.round(value * 10) / 10
console.table([
  {
    terms: distinct,
    'p50 ms': one(percentile(times, 0.5)),
    'p95 ms': one(percentile(times, 0.95)),
    'worst ms': one(Math.max(...times)),
  },
])
