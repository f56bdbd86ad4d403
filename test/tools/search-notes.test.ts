// A note that one search gives, every search gives: all of them answer through the same pipeline.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { search } from '../../src/answer/search.js'
import { structuredOf } from '../../src/server/define.js'
import { toolsets } from '../../src/toolsets/all.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'

const files = {
  'serval.md': '# Serval\n\nThe serval hunts voles at night.\n',
  'docs/adr/0001-voles.md':
    '# 1. Count voles\n\nStatus: accepted\n\n## Decision\n\nThe serval counts voles.\n',
  'src/vole.ts': '// The serval hunts voles.\nexport const vole = "serval"\n',
}

const query = 'serval hunts voles'
const searches: [tool: string, args: Record<string, unknown>][] = [
  ['documents_search', { query }],
  ['documents_search_batch', { queries: [{ query }, { query: 'night' }] }],
  ['documents_find_related', { collection: 'library', document: 'serval.md' }],
  ['search', { query }],
  ['context_search', { query }],
  ['search-architecture', { query }],
  ['search_knowledge_base', { query }],
]

describe('every search', () => {
  test('says that passages have no vectors yet', async (t) => {
    const world = await opened(t)
    await world.library.store.vectors.forget(world.library.embedder!.model)
    await allSay(world, /\d of \d chunks are not embedded yet/)
  })

  test('says that a file changed and cannot be read again', async (t) => {
    const world = await opened(t)
    rmSync(world.root, { recursive: true })
    await allSay(world, /changed since it was indexed, and this is the older text/)
  })

  test('answers by words within its time when the model hangs', async (t) => {
    const world = await opened(t)
    // Without vectors, documents_find_related must ask the model too.
    await world.library.store.vectors.forget(world.library.embedder!.model)
    world.library.embedder!.embed = () => new Promise(() => {})
    const start = performance.now()
    await allSay(world, /took too long|no time to search by meaning/, /changed since/)
    assert.ok(performance.now() - start < 9_500)
  })

  test('adds no note to a complete answer', async (t) => {
    const world = await opened(t)
    for (const [tool, args] of searches) {
      const { text, note } = await world.call(tool, args)
      assert.doesNotMatch(text, /"note"/, tool)
      assert.equal(note, undefined, tool)
    }
    assert.deepEqual((await search(world.library, { query })).notes, [])
  })
})

test('find tells the notes that change what an agent does next', async (t) => {
  const world = await opened(t)
  const { text: corrected } = await world.call('find', { question: 'what does the srval hunt' })
  assert.match(corrected, /^Note: Searched for serval \(you wrote srval\)\.$/m)
  rmSync(world.root, { recursive: true })
  const { text: stale } = await world.call('find', { question: query })
  assert.match(stale, /^Note: .*changed since it was indexed/m)
})

test('the note of the graph search is beside its list', async (t) => {
  const world = await opened(t)
  await world.library.store.vectors.forget(world.library.embedder!.model)
  const { value, note } = await world.call('search', { query })
  assert.ok(Array.isArray(value) && value.length > 0)
  assert.match(note ?? '', /^\d of \d chunks are not embedded yet; they are found by words only\.$/)
  assert.deepEqual(structuredOf(value, note), { result: value, note })
})

async function opened(t: TestContext): Promise<ToolsetWorld> {
  const world = await toolsetWorld(toolsets, { files })
  t.after(() => world.close())
  return world
}

async function allSay({ call, library }: ToolsetWorld, sentence: RegExp, other = /^$/) {
  const tools = searches.map(async ([tool, args]) => {
    const { text, note = '', isError } = await call(tool, args)
    assert.equal(isError, false, text)
    assert.match(`${text} ${note}`, sentence, tool)
    assert.doesNotMatch(`${text} ${note}`, other, tool)
  })
  const { notes } = await search(library, { query })
  assert.match(notes.map(({ message }) => message).join(' '), sentence, 'carrel search')
  await Promise.all(tools)
}
