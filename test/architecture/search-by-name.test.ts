// Who asks for a document by its name or number has it first.
import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { indexAll } from '../../src/app/index-all.js'
import { searchArchitecture } from '../../src/toolsets/architecture/search.js'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { type Files, world } from '../support/world.js'

const [byMeaning, byWords] = await Promise.all([
  toolsetWorld(architecture),
  toolsetWorld(architecture, { embedding: false }),
])
after(() => Promise.all([byMeaning.close(), byWords.close()]))

async function check(library: Library, query: string, first: string) {
  const all = { query, kind: null, limit: 20 }
  const { results, total } = await searchArchitecture(library, all)
  assert.equal(results[0]?.document.uri, `architecture://${first}`)
  const scores = results.map(({ score }) => score)
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
  assert.equal(new Set(results.map(({ document }) => document)).size, results.length)
  assert.equal((await searchArchitecture(library, { ...all, limit: 1 })).total, total)
}

describe('a search for a document by its name', () => {
  const names: [query: string, first: string][] = [
    ['ADR-0007', 'adr/0007'],
    ['0007', 'adr/0007'],
    ['ADR 7', 'adr/0007'],
    ['architecture://adr/0007', 'adr/0007'],
    ['repository', 'patterns/repository'],
    ['Ports and Adapters', 'patterns/ports-and-adapters'],
    ['error-handling', 'guidelines/error-handling'],
  ]
  for (const [query, first] of names)
    test(`has it first: ${query}`, async () => {
      await check(byMeaning.library, query, first)
      await check(byWords.library, query, first)
    })

  test('of a number that no decision has says so', async () => {
    const notesOf = async (query: string, kind: 'adr' | 'patterns' | null = null) => {
      const { notes } = await searchArchitecture(byWords.library, { query, kind, limit: 5 })
      return notes.filter(({ code }) => code === 'no_such_decision').map(({ message }) => message)
    }
    for (const query of ['ADR 99', 'adr-0099', 'Decision #99', 'architecture://adr/99'])
      assert.deepEqual(await notesOf(query), ['There is no decision 99 here.'], query)
    for (const query of ['ADR 7', '99', 'retry after 99', 'adr'])
      assert.deepEqual(await notesOf(query), [], query)
    assert.deepEqual(await notesOf('ADR 99', 'patterns'), [])
  })

  const records = async (t: TestContext, files: Files) => {
    const { library } = await world(t, files)
    await indexAll(library, {})
    return library
  }
  const record = (title: string, text: string) =>
    `# ${title}\n\n## Status\n\nAccepted\n\n## Decision\n\n${text}\n`

  test('finds it even if it contains no word of the question', async (t) => {
    const library = await records(t, {
      'docs/decisions/0007-lamps.md': record('Lamps burn oil', 'We burn oil.'),
      'docs/decisions/0008-wicks.md': record('Wicks', 'ADR 7 wants wicks. ADR 7 is about lamps.'),
    })
    await check(library, 'ADR 7', 'adr/0007')
  })

  test('finds only the requested kind', async () => {
    const { results } = await searchArchitecture(byWords.library, {
      query: '0007',
      kind: 'patterns',
      limit: 5,
    })
    assert.ok(results.every(({ document }) => document.kind === 'patterns'))
  })
})
