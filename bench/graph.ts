// How quick is the graph of a large vault? `npm run bench -- graph [--notes 20000] [--links 60000] [--alike 4000] [--json]`
// Writes a vault into a temporary folder, indexes it, and asks through the services that the tools call. So many notes as are
// alike are called README.md, one in each folder, and link to one another.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Library } from '../src/answer/library.js'
import { indexAll } from '../src/app/index-all.js'
import { openLibrary } from '../src/app/open.js'
import { findPath, getHubs, getNeighbours, getNode, searchByTags } from '../src/toolsets/graph/reading.js'
import { refreshVaults } from '../src/toolsets/graph/vaults.js'
import { createNode, deleteNode, updateNode } from '../src/toolsets/graph/writing.js'
import { seeded } from '../test/support/seeded.js'
import { settingsFor } from '../test/support/world.js'

const { values: options } = parseArgs({
  options: {
    notes: { type: 'string', default: '20000' },
    links: { type: 'string', default: '60000' },
    alike: { type: 'string', default: '4000' },
    json: { type: 'boolean', default: false },
  },
})
const [notes, links, alike] = [Number(options.notes), Number(options.links), Number(options.alike)]
const incoming = Math.min(1000, notes - 1)
const figures: Record<string, string | number> = {
  machine: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} threads, Node ${process.versions.node}`,
  vault: `${notes} notes, ${links} links, and ${alike} notes of one name`,
}
const root = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-bench-')))
const random = seeded(7)

try {
  makeVault()
  makeReadmes()
  const library = await openLibrary({ ...settingsFor(root), embedding: { provider: 'none' } })
  await once('index the vault, s', () => indexAll(library, {}), 1000)
  await measure(library)
  await library.close()
} finally {
  rmSync(root, { recursive: true, force: true })
}
for (const [name, value] of Object.entries(figures))
  if (!options.json) console.log(`${name.padEnd(52)} ${value}`)
if (options.json) console.log(JSON.stringify(figures))

async function measure(library: Library) {
  await once('load the graph, ms', () => refreshVaults(library))
  const note = () => pathOf(Math.floor(random() * notes))
  await times('neighbours (20, with texts)', 300, () =>
    getNeighbours(library, { id: note(), direction: 'both', limit: 20 }),
  )
  await times('neighbours of the note with the most links', 100, () =>
    getNeighbours(library, { id: pathOf(0), direction: 'both', limit: 20 }),
  )
  await times('one note', 300, () => getNode(library, note()))
  await times('hubs by in_degree', 100, () => getHubs(library, 'in_degree', 10))
  await once('hubs by pagerank, the first time, ms', () => getHubs(library, 'pagerank', 10))
  await times('hubs by pagerank', 100, () => getHubs(library, 'pagerank', 10))
  await times('tags (20, with texts)', 100, () =>
    searchByTags(library, { tags: [`tag${Math.floor(random() * 50)}`, 'common'], mode: 'all', limit: 20 }),
  )
  await times('path, following links', 200, () =>
    findPath(library, { source: note(), target: note(), direction: 'out' }),
  )
  await times('path, either way', 200, () =>
    findPath(library, { source: note(), target: note(), direction: 'any' }),
  )
  writeFileSync(join(root, pathOf(5)), '# Changed\n\n[[note-9]]\n')
  await once('an edit by hand, indexed and seen, ms', async () => {
    await indexAll(library, {})
    await getNode(library, pathOf(5))
  })
  await once(`rename a note with ${incoming} incoming links, ms`, () =>
    updateNode(library, { id: pathOf(0), title: 'Renamed hub' }),
  )
  if (alike > 20) await measureAlike(library)
}

async function measureAlike(library: Library) {
  await once('create one more of many notes of one name, ms', () =>
    createNode(library, { title: 'README', content: '[[README]]', tags: [], directory: 'one-more' }),
  )
  await once('change one of them, ms', () => updateNode(library, { id: readmeAt(7), tags: ['changed'] }))
  await once('rename one of them, ms', () => updateNode(library, { id: readmeAt(9), title: 'Other name' }))
  await once('delete one of them, ms', () => deleteNode(library, { id: readmeAt(11) }))
  await once('what would dangle without the one most link to, ms', () =>
    deleteNode(library, { id: 'README.md', dryRun: true }),
  )
}

// A few notes draw many links, as in vaults that people keep.
function makeVault() {
  const targets: number[][] = Array.from({ length: notes }, () => [])
  for (let i = 1; i <= incoming; i++) targets[i]!.push(0)
  for (let i = incoming; i < links; i++)
    targets[1 + Math.floor(random() * (notes - 1))]!.push(1 + Math.floor(random() ** 3 * (notes - 1)))
  for (let i = 0; i < notes; i++) {
    const path = join(root, pathOf(i))
    if (i < 100) mkdirSync(join(path, '..'), { recursive: true })
    const written = targets[i]!.map((to, k) => (k % 4 === 3 ? `[there](/${pathOf(to)})` : `[[note-${to}]]`))
    const prose = Array.from({ length: 40 }, () => `word${Math.floor(random() * 5000)}`).join(' ')
    writeFileSync(
      path,
      `---\ntags: [common, tag${i % 50}]\n---\n# Note ${i}\n\n${prose}\n\n${written.join(' and ')}\n`,
    )
  }
}

function makeReadmes() {
  if (alike > 0) writeFileSync(join(root, 'README.md'), '# Top\n')
  for (let i = 0; i < alike; i++) {
    mkdirSync(join(root, readmeAt(i), '..'), { recursive: true })
    const written = `[up](../../README.md) [next](../../${readmeAt((i + 1) % alike)}) [[README]]`
    writeFileSync(join(root, readmeAt(i)), `# Readme\n\n${written} number ${i}\n`)
  }
}

function readmeAt(i: number): string {
  return `alike/number-${i}/README.md`
}

function pathOf(i: number): string {
  return `folder-${i % 100}/note-${i}.md`
}

async function once(name: string, work: () => Promise<unknown>, unit = 1) {
  const [start, used] = [performance.now(), process.cpuUsage()]
  const block = await longestBlock(work)
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(used)
  figures[name] =
    `${round(ms / unit)} (${round((user + system) / 1e6)} s of processor time, longest block ${round(block)} ms)`
}

async function times(name: string, count: number, work: () => Promise<unknown>) {
  const durations: number[] = []
  const block = await longestBlock(async () => {
    for (let i = 0; i < count; i++) {
      const start = performance.now()
      await work()
      durations.push(performance.now() - start)
      await nextTurn()
    }
  })
  durations.sort((a, b) => a - b)
  figures[`${name}, p50 / p95 ms`] =
    `${round(durations[count >> 1]!)} / ${round(durations[Math.floor(count * 0.95)]!)} (longest block ${round(block)} ms)`
}

/** The longest time between two turns of the event loop. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, on] = [0, performance.now(), true]
  const turn = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    if (on) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  turn()
  on = false
  return longest
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
