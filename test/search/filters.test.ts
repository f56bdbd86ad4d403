// The filters of every search, held against what they mean, document by document.
import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { search } from '../../src/answer/search.js'
import { type Filters, filterScope } from '../../src/answer/search-documents.js'
import { indexAll } from '../../src/app/index-all.js'
import { type DocumentKind, documentKinds } from '../../src/model/scope.js'
import { toolsets } from '../../src/toolsets/all.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'

const year = { old: Date.UTC(2020, 0, 1), new: Date.UTC(2026, 0, 1) }
const files: Record<string, { text: string; changed: number; kinds: DocumentKind[]; language: string[] }> = {
  'notes/vole.md': { text: '# Vole\n\nA vole.\n', changed: year.old, kinds: ['docs', 'notes'], language: [] },
  'notes/deep/mole.md': {
    text: '# Mole\n\nA vole is no mole.\n',
    changed: year.new,
    kinds: ['docs', 'notes'],
    language: [],
  },
  'docs/adr/0001-vole.md': {
    text: '# 1. Keep the vole\n\nStatus: accepted\n\n## Decision\n\nThe vole stays.\n',
    changed: year.new,
    kinds: ['decisions'],
    language: [],
  },
  'page.html': { text: '<h1>Vole</h1><p>The vole.</p>', changed: year.old, kinds: ['docs'], language: [] },
  'src/vole.ts': {
    text: '// The vole.\nexport const vole = 1\n',
    changed: year.new,
    kinds: ['code'],
    language: ['typescript'],
  },
  'src/vole.py': {
    text: '# The vole.\nvole = 1\n',
    changed: year.old,
    kinds: ['code'],
    language: ['python'],
  },
}

/** Whether a filter covers a file. */
function covers(path: string, { under, languages, kinds, since }: Filters): boolean {
  const file = files[path]!
  return (
    (!under || under.some((one) => path === one || path.startsWith(`${one}/`))) &&
    (!languages || languages.some((one) => file.language.includes(one))) &&
    (!kinds || kinds.some((one) => file.kinds.includes(one))) &&
    (since === undefined || file.changed >= Date.parse(since))
  )
}

describe('filters', () => {
  test('match the right documents, alone and together', async (t) => {
    const { library } = await opened(t)
    const paths = [undefined, ['notes'], ['notes/vole.md', 'src'], ['nowhere']]
    const languages = [undefined, ['python'], ['typescript', 'python']]
    const kinds = [undefined, ...documentKinds.map((kind) => [kind]), ['code', 'decisions'] as const]
    for (const path of paths)
      for (const language of languages)
        for (const kind of kinds)
          for (const since of [undefined, '2025-06-01']) {
            const filters: Filters = { under: path, languages: language, kinds: kind, since }
            const { hits } = await search(library, { query: 'vole', limit: 50, weak: true, ...filters })
            const expected = Object.keys(files).filter((file) => covers(file, filters))
            const found = [...new Set(hits.map(({ document }) => document))].sort()
            assert.deepEqual(found, expected.sort(), JSON.stringify(filters))
          }
  })

  test('are the same for every tool that takes them', async (t) => {
    const { ask } = await opened(t)
    const query = 'vole'
    const given = { path: 'src', language: 'python', since: '2019-01-01', weak: true }
    const rows = await ask<{ documentId: string }[]>('documents_search', { query, kind: 'code', ...given })
    assert.deepEqual(
      rows.map(({ documentId }) => documentId),
      ['src/vole.py'],
    )
    const known = await ask<{ results: { metadata: { path: string } }[] }>('search_knowledge_base', {
      query,
      kind: 'code',
      ...given,
    })
    assert.deepEqual(
      known.results.map(({ metadata }) => metadata.path),
      ['src/vole.py'],
    )
    const remembered = await ask<{ results: { id: string }[] }>('context_search', { query, ...given })
    assert.deepEqual(
      remembered.results.map(({ id }) => id),
      ['src/vole.py'],
    )
    const nodes = await ask<{ id: string }[]>('search', { query, path: 'notes', since: '2025-01-01' })
    assert.deepEqual(
      nodes.map(({ id }) => id),
      ['notes/deep/mole.md'],
    )
    const records = await ask<{ results: unknown[] }>('search-architecture', { query, path: 'notes' })
    assert.equal(records.results.length, 0)
    const batch = await ask<{ results: { results: { documentId: string }[] }[] }>('documents_search_batch', {
      queries: [{ query }],
      path: 'page.html',
    })
    assert.deepEqual(
      batch.results[0]!.results.map(({ documentId }) => documentId),
      ['page.html'],
    )
  })

  test('an age is counted back from now, and a wrong time gets a sentence', async (t) => {
    const { library } = await opened(t)
    const at = { ...library, now: () => year.new + 3 * 86_400_000 }
    assert.equal((await filterScope(at, { since: '2d' })).since, year.new + 86_400_000)
    assert.equal((await filterScope(at, { since: '12 H' })).since, year.new + 2.5 * 86_400_000)
    for (const since of ['yesterday', '', '7', '2026', '2026-13-40'])
      await assert.rejects(filterScope(library, { since }), /is no time/, since)
    const { notes } = await search(library, { query: 'vole', since: '2030-01-01' })
    assert.match(notes.map(({ message }) => message).join(' '), /No document changed since 2030-01-01/)
  })
})

async function opened(t: { after(work: () => Promise<void>): void }): Promise<ToolsetWorld> {
  const texts = Object.fromEntries(Object.entries(files).map(([path, { text }]) => [path, text]))
  const world = await toolsetWorld(toolsets, { files: texts, indexed: false })
  t.after(() => world.close())
  for (const [path, { changed }] of Object.entries(files))
    utimesSync(join(world.root, path), changed / 1000, changed / 1000)
  await indexAll(world.library, {})
  return world
}
