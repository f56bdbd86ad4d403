// What surrounds a passage counts: whether its decision still holds, what its document is called, and that fields in front
// of a document are no answer alone.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { search } from '../../src/answer/search.js'
import { toolsets } from '../../src/toolsets/all.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'
import type { Files } from '../support/world.js'

const decisions: Files = {
  'docs/adr/0001-redis.md':
    '# 1. Keep the job queue in Redis\n\nStatus: superseded by [2](0002-postgres.md)\n\n## Decision\n\nThe job queue is kept in Redis. The job queue is fast.\n',
  'docs/adr/0002-postgres.md':
    '# 2. Use a table\n\nStatus: accepted\n\nSupersedes [1](0001-redis.md).\n\n## Decision\n\nThe queue lives in a table of Postgres.\n',
  'other.md': '# Other\n\nA job for two.\n',
}
const [old, current] = ['docs/adr/0001-redis.md', 'docs/adr/0002-postgres.md']
const query = 'where is the job queue kept'

describe('a superseded decision', () => {
  test('ranks below its successor, with no higher score, and is marked in every tool', async (t) => {
    const { ask, call } = await opened(t, decisions)
    const rows = await ask<Row[]>('documents_search', { query })
    inOrder(rows.map(({ documentId, relevanceScore }) => [documentId, relevanceScore]))
    const row = rows.find(({ documentId }) => documentId === old)!
    assert.deepEqual([row.status, row.supersededBy], ['superseded', [current]])
    assert.match(rows[0]!.note!, /0001-redis\.md is superseded by docs\/adr\/0002-postgres\.md\./)
    const known = await ask<{ results: KnowledgeRow[] }>('search_knowledge_base', { query })
    inOrder(known.results.map(({ metadata, score }) => [metadata.path, score]))
    assert.equal(known.results.find(({ metadata }) => metadata.path === old)!.metadata.status, 'superseded')
    const nodes = await ask<{ id: string; score: number; status?: string }[]>('search', { query })
    inOrder(nodes.map(({ id, score }) => [id, score]))
    assert.equal(nodes.find(({ id }) => id === old)!.status, 'superseded')
    const found = await ask<{ results: { document: string; relevance_score: number; status: string }[] }>(
      'search-architecture',
      { query },
    )
    inOrder(found.results.map(({ document, relevance_score }) => [document, relevance_score]))
    const { text } = await call('find', { question: query })
    assert.ok(text.indexOf(current) < text.indexOf(`${old}:`), text)
    assert.match(text, /0001-redis\.md:\S+ .*\(superseded by docs\/adr\/0002-postgres\.md\)$/m)
  })

  test('ranks below its successor even if a reranker prefers it', async (t) => {
    const { library } = await opened(t, decisions)
    const reranker = {
      model: 'prefers the old one',
      score: async (_: string, passages: readonly string[]) =>
        passages.map((text) => (text.includes('in Redis') ? 9 : 0)),
      close: async () => {},
    }
    for (const limit of [1, 5]) {
      const { hits } = await search({ ...library, reranker }, { query, mode: 'rerank', limit })
      assert.equal(hits[0]!.document, current)
      assert.ok(hits.every(({ score }) => score <= hits[0]!.score))
    }
  })

  test('has the same score whether its successor is searched or not, and names it with its words', async (t) => {
    const { library } = await opened(t, decisions)
    const scoreOf = async (wanted: string, under?: string[]) => {
      const { hits, notes } = await search(library, { query, ...(under ? { under } : {}) })
      return { hit: hits.find(({ document }) => document === wanted)!, notes }
    }
    const [all, alone] = [await scoreOf(old), await scoreOf(old, [old])]
    assert.equal((await scoreOf(current)).hit.score, (await scoreOf(current, [current])).hit.score)
    assert.equal(alone.hit.score, all.hit.score)
    assert.deepEqual(alone.hit.standing, { status: 'superseded', supersededBy: [current] })
    assert.match(
      alone.notes.map(({ message }) => message).join(),
      /: The queue lives in a table of Postgres\.$/,
    )
  })
})

test('titles tell the documents of an answer apart', async (t) => {
  const { library } = await opened(t, {
    'auth/index.ts': '// Checks a vole.\nexport const vole = 1\n',
    'docs/Server.md': '<h1 align="center">Fastify</h1>\n\n## trustProxy\n\nThe vole of a proxy.\n',
    'docs/Hooks.md': '<h1 align="center">Fastify</h1>\n\n## onSend\n\nThe vole of a hook.\n',
    'docs/Routes.md': '# Routes\n\nThe vole of a route.\n',
  })
  const { hits } = await search(library, { query: 'vole' })
  assert.deepEqual(new Map(hits.map(({ document, title }) => [document, title])).size, 4)
  const titles = Object.fromEntries(hits.map(({ document, title }) => [document, title]))
  assert.deepEqual(titles, {
    'auth/index.ts': 'auth/index.ts',
    'docs/Server.md': 'Server (Fastify)',
    'docs/Hooks.md': 'Hooks (Fastify)',
    'docs/Routes.md': 'Routes',
  })
})

test('fields in front of a document are shown with the text after them, and alone if there is none', async (t) => {
  const { library } = await opened(t, {
    'page.md': '---\ntitle: Vole\ntags: [vole, mole]\n---\n\n# Vole\n\nIt digs.\n',
    'bare.md': '---\ntitle: Stoat\ntags: [stoat]\n---\n',
  })
  const passage = async (words: string) => (await search(library, { query: words })).hits[0]!
  const page = await passage('mole')
  assert.deepEqual([page.document, page.lines], ['page.md', [2, 8]])
  assert.match(page.text, /tags: \[vole, mole\][\s\S]*It digs\./)
  assert.equal((await passage('stoat')).document, 'bare.md')
})

interface Row {
  documentId: string
  relevanceScore: number
  status?: string
  supersededBy?: string[]
  note?: string
}

interface KnowledgeRow {
  score: number
  metadata: { path: string; status?: string }
}

function inOrder(rows: [path: string, score: number][]) {
  const paths = rows.map(([path]) => path)
  assert.ok(paths.includes(old) && paths.indexOf(current) < paths.indexOf(old), paths.join())
  for (const [i, [path, score]] of rows.entries())
    if (i > 0) assert.ok(score <= rows[i - 1]![1], `${path} ${score} below ${rows[i - 1]![1]}`)
}

async function opened(t: TestContext, files: Files): Promise<ToolsetWorld> {
  const world = await toolsetWorld(toolsets, { files })
  t.after(() => world.close())
  return world
}
