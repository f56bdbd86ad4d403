// Every tool says when the index lacks a configured folder that was never read to its end.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { status } from '../../src/app/status.js'
import { indexingLease, underLease } from '../../src/runtime/lease.js'
import { toolsets } from '../../src/toolsets/all.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'

const folders = { known: { path: 'known' }, more: { path: 'more' } }
const files = {
  'known/serval.md': '---\ntags: [cats]\n---\n# Serval\n\nserval hunts voles\n',
  'known/docs/adr/0001-voles.md': '# 1. Count voles\n\nStatus: accepted\n\n## Decision\n\nWe count voles.\n',
  'known/src/vole.ts': 'export const vole = "serval"\n',
  'more/okapi.md': '---\ntags: [shy]\n---\n# Okapi\n\nokapi hides in [[serval]]\n',
}

const calls: [tool: string, args: Record<string, unknown>][] = [
  ['documents_search', { query: 'okapi' }],
  ['documents_search', { query: 'serval' }],
  ['documents_search', { query: 'okapi', collections: ['more'] }],
  ['documents_search_batch', { queries: [{ query: 'okapi' }] }],
  ['documents_get_document', { collection: 'more', document: 'okapi.md' }],
  ['documents_get_outline', { collection: 'more', document: 'okapi.md' }],
  ['documents_get_section', { collection: 'more', document: 'okapi.md', section: 'Okapi' }],
  ['documents_find_related', { collection: 'known', document: 'serval.md' }],
  ['documents_list_documents', { collection: 'more' }],
  ['documents_list_collections', {}],
  ['search', { query: 'okapi' }],
  ['search', { query: 'serval' }],
  ['get_node', { id: 'more:okapi.md' }],
  ['get_neighbors', { id: 'serval.md' }],
  ['find_path', { source: 'serval.md', target: 'more:okapi.md' }],
  ['get_hubs', {}],
  ['search_by_tags', { tags: ['shy'] }],
  ['update_node', { id: 'more:nowhere.md', content: 'x' }],
  ['context_search', { query: 'okapi' }],
  ['search-architecture', { query: 'okapi' }],
  ['search-architecture', { query: 'voles', resource_type: 'patterns' }],
  ['check-adr-alignment', { decision_description: 'We will count voles.' }],
  ['validate-against-pattern', { code: 'x = 1', pattern_name: 'okapi' }],
  ['search_knowledge_base', { query: 'okapi' }],
  ['search_knowledge_base', { query: 'okapi', source_id: 'more' }],
  ['manage_document', { action: 'list' }],
  ['manage_document', { action: 'get', document_id: 'more:okapi.md' }],
  ['manage_source', { action: 'list' }],
  ['manage_source', { action: 'get', source_id: 'more' }],
]

const never = '"more" was never indexed to its end, so there may be more than this: run "carrel index".'
const now =
  '"more" is being indexed for the first time, and only a part of it is known by now: ask again in a moment.'

describe('while a folder was never read to its end', () => {
  test('every tool that answers from the index says so, and none afterwards', async (t) => {
    const world = await halfRead(t)
    const { library } = world
    assert.deepEqual(await silent(world, never), [])
    await underLease(library.store.leases, indexingLease, {}, async () => {
      assert.deepEqual(await silent(world, now), [])
    })
    await indexAll(library, {})
    for (const [tool, args] of calls) {
      const answer = await textOf(world, tool, args)
      assert.doesNotMatch(answer, /never indexed|being indexed|carrel index/, tool)
    }
  })

  test('answers from other sources are whole', async (t) => {
    const world = await halfRead(t)
    const whole: typeof calls = [
      ['documents_search', { query: 'serval', collections: ['known'] }],
      ['documents_search', { query: 'okapi', document: 'serval.md' }],
      ['documents_get_document', { collection: 'known', document: 'serval.md' }],
      ['documents_get_document', { collection: 'known', document: 'servall.md' }],
      ['documents_list_documents', { collection: 'known' }],
      ['search_knowledge_base', { query: 'serval', source_id: 'known' }],
      ['manage_source', { action: 'get', source_id: 'known' }],
      ['context_search', { query: 'serval', type: 'decision' }],
    ]
    for (const [tool, args] of whole)
      assert.doesNotMatch(await textOf(world, tool, args), /never indexed/, JSON.stringify([tool, args]))
  })

  test('a file that is not read yet is not confused with another', async (t) => {
    const { ask } = await halfRead(t)
    assert.equal(
      await ask('documents_get_document', { collection: 'more', document: 'okapi.md' }),
      `Document "okapi.md" is not indexed in collection "more". ${never}`,
    )
  })

  test('a search on the command line and the status say so', async (t) => {
    const { library } = await halfRead(t)
    const noteFor = async (collections?: string[]) =>
      (
        await search(library, { query: 'okapi', mode: 'text', ...(collections && { collections }) })
      ).notes.map(({ message }) => message)
    assert.deepEqual(await noteFor(), [never])
    assert.deepEqual(await noteFor(['more']), [never])
    assert.deepEqual(await noteFor(['known']), [])
    const { unread } = await status(library)
    assert.deepEqual(
      unread.map(({ name }) => name),
      ['more'],
    )
  })

  test('a run that is interrupted leaves it so, and so does one that forgot the folder', async (t) => {
    const world = await toolsetWorld(toolsets, { files, folders, embedding: false, indexed: false })
    t.after(() => world.close())
    const { library } = world
    const names = async () => (await status(library)).unread.map(({ name }) => name)
    const stop = new AbortController()
    const onProgress = ({ phase, subject }: { phase: string; subject: string }) => {
      if (phase === 'reading' && subject === 'more') stop.abort()
    }
    await assert.rejects(indexAll(library, { signal: stop.signal, onProgress }))
    assert.deepEqual(await names(), ['more'])
    await indexAll(library, {})
    assert.deepEqual(await names(), [])
    await indexAll(onlyKnown(library), {})
    assert.deepEqual(await names(), ['more'])
  })

  test('an empty answer says that indexing is under way', async (t) => {
    const world = await toolsetWorld(toolsets, { files, folders, embedding: false, indexed: false })
    t.after(() => world.close())
    await underLease(world.library.store.leases, indexingLease, {}, async () => {
      assert.equal(
        await world.ask('documents_search', { query: 'okapi' }),
        'Nothing is indexed yet, but indexing is under way: ask again in a moment.',
      )
    })
  })
})

/** Of two folders, one was read. */
async function halfRead(t: { after(fn: () => Promise<void>): void }): Promise<ToolsetWorld> {
  const world = await toolsetWorld(toolsets, { files, folders, indexed: false })
  t.after(() => world.close())
  await indexAll(onlyKnown(world.library), {})
  return world
}

function onlyKnown(library: Library): Library {
  return { ...library, sources: library.sources.filter(({ name }) => name === 'known') }
}

/** The calls whose answers do not say this. */
async function silent(world: ToolsetWorld, sentence: string): Promise<typeof calls> {
  const answers = await Promise.all(calls.map(([tool, args]) => textOf(world, tool, args)))
  return calls.filter((_, i) => !answers[i]!.includes(sentence))
}

async function textOf({ call }: ToolsetWorld, tool: string, args: Record<string, unknown>): Promise<string> {
  const { text, note = '' } = await call(tool, args)
  return `${text.replaceAll('\\"', '"')} ${note}`
}
