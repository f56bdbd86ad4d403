// One of several processes on one data folder: indexes, searches and writes records until its input ends or it is killed.
// Every line it prints is a promise the parent checks.

import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { openLibrary } from '../../src/app/open.js'
import { settingsFor } from '../support/world.js'

const [root, name] = process.argv.slice(2) as [string, string]
const library = await openLibrary(settingsFor(root))
let over = false
process.stdin.resume().once('end', () => {
  over = true
})
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

async function indexing() {
  while (!over) {
    const { counts, failures } = await indexAll(library, { signal: AbortSignal.timeout(60_000) })
    if (failures.length > 0) say({ error: failures })
    say({ indexed: counts.found })
    await pause(1_200)
  }
}

async function searching() {
  for (let i = 0; !over; i++) {
    const { hits } = await search(library, { query: `constant lantern ${i % 7}` })
    if (hits.length === 0) say({ error: 'nothing found although one file never changes' })
    await pause(500)
  }
}

async function recording() {
  for (let i = 0; !over; i++) {
    await library.store.records.put('test', `${name}-${i}`, { name, i })
    say({ acknowledged: `${name}-${i}` })
    await pause(200)
  }
}

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

try {
  await Promise.all([indexing(), searching(), recording()])
} catch (error) {
  say({ error: (error as Error).stack })
}
await library.close()
