// What every search does with an answer that nothing speaks for.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { search } from '../../src/answer/search.js'
import { toolsets } from '../../src/toolsets/all.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'

const files = {
  'serval.md': '# Serval\n\nThe serval hunts voles at night.\n',
  'docs/adr/0001-voles.md':
    '# 1. Count voles\n\nStatus: accepted\n\n## Decision\n\nThe serval counts voles.\n',
  'src/vole.ts': '// The serval hunts voles.\nexport const vole = "serval"\n',
}
const nonsense = 'purple umbrella mortgage rates in Lisbon'

const tools: [tool: string, args: Record<string, unknown>, rows: (value: never) => unknown[]][] = [
  ['documents_search', {}, (rows: unknown[]) => rows],
  ['search', {}, (rows: unknown[]) => rows],
  ['context_search', {}, ({ results }: { results: unknown[] }) => results],
  ['search-architecture', {}, ({ results }: { results: unknown[] }) => results],
  ['search_knowledge_base', {}, ({ results }: { results: unknown[] }) => results],
]

describe('a search that finds nothing relevant', () => {
  for (const [tool, args, rows] of tools)
    test(`says so in 300 characters, and shows the nearest on request: ${tool}`, async (t) => {
      const world = await opened(t, { 'data/a-long-name-for-a-file-that-is-binary.md': '\0'.repeat(500) })
      const silent = await world.call(tool, { ...args, query: nonsense })
      assert.deepEqual(rows(silent.value as never), [], silent.text)
      assert.match(`${silent.text} ${silent.note ?? ''}`, /Nothing relevant found.* One file is not indexed/s)
      assert.ok(silent.text.length + (silent.note?.length ?? 0) <= 300, silent.text)
      assert.doesNotMatch(silent.text, /"(?:totalFound|total_matches|count)":[1-9]/)
      const shown = await world.call(tool, { ...args, query: nonsense, weak: true })
      if (tool !== 'search-architecture') assert.ok(rows(shown.value as never).length > 0, shown.text)
      assert.doesNotMatch(`${shown.text} ${shown.note ?? ''}`, /Nothing relevant/)
    })

  test('is silent on the command line, in a batch and in find', async (t) => {
    const world = await opened(t)
    const { hits, notes } = await search(world.library, { query: nonsense })
    assert.deepEqual([hits.length, notes.map(({ code }) => code)], [0, ['nothing_relevant']])
    assert.ok((await search(world.library, { query: nonsense, weak: true })).hits.length > 0)
    const batch = await world.call('documents_search_batch', { queries: [{ query: nonsense }] })
    assert.match(batch.text, /"results":\[\],"note":"Nothing relevant found/)
    const found = await world.call('find', { question: nonsense })
    assert.ok(found.text.length <= 300, found.text)
    assert.match(found.text, /^Nothing found/)
  })

  test('shows the nearest with the setting showWeak', async (t) => {
    const world = await opened(t)
    const library = { ...world.library, settings: { ...world.library.settings, showWeak: true } }
    assert.ok((await search(library, { query: nonsense })).hits.length > 0)
  })

  test('keeps the nearest hits in a document, within a distance, or above a lower threshold', async (t) => {
    const { ask } = await opened(t)
    const inDocument = { query: nonsense, document: 'serval.md' }
    assert.equal((await ask<unknown[]>('documents_search', inDocument)).length, 1)
    assert.ok((await ask<unknown[]>('documents_search', { query: nonsense, maxDistance: 2 })).length > 0)
    assert.ok((await ask<unknown[]>('search', { query: nonsense, threshold: 0 })).length > 0)
    const lower = { query: nonsense, similarity_threshold: 0 }
    assert.ok((await ask<{ count: number }>('search_knowledge_base', lower)).count > 0)
  })

  test('a default threshold empties no answer that means the same in other words', async (t) => {
    const { ask, library } = await opened(t)
    const { model } = library.embedder!
    const [source] = await library.store.sources()
    const [chunk] = await library.store.chunksOf({ source: source!.id, path: 'serval.md' })
    const own = (await library.store.vectors.of(model, [chunk!.id])).get(chunk!.id)!
    const other = own.map((_, i) => (i % 2 ? own[i - 1]! : -(own[i + 1] ?? 0)))
    const near = 0.28
    library.embedder!.embed = async (texts) =>
      texts.map(() => own.map((value, i) => near * value + Math.sqrt(1 - near ** 2) * other[i]!))
    const search = async (more: object) =>
      ask<{ results: { score: number }[] }>('search_knowledge_base', {
        query: 'umbrella',
        search_type: 'vector',
        ...more,
      })
    const [best] = (await search({})).results
    assert.ok(best && best.score < 0.05, JSON.stringify(best))
    assert.equal((await search({ similarity_threshold: 0.06 })).results.length, 0)
  })

  test('keeps hits with the words of the question', async (t) => {
    const { ask } = await opened(t)
    for (const query of ['voles', 'serval night', '"hunts voles"'])
      assert.ok((await ask<unknown[]>('documents_search', { query })).length > 0, query)
  })
})

async function opened(
  t: { after(work: () => Promise<void>): void },
  more: Record<string, string> = {},
): Promise<ToolsetWorld> {
  const world = await toolsetWorld(toolsets, { files: { ...files, ...more } })
  t.after(() => world.close())
  return world
}
