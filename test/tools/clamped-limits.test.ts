// A number above a maximum that no specification names, or that one clamps, is lowered, and the answer says so. Where a
// specification refuses such a number, the call is refused.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import type { Toolset } from '../../src/server/define.js'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { context } from '../../src/toolsets/context/toolset.js'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { graph } from '../../src/toolsets/graph/toolset.js'
import { knowledge } from '../../src/toolsets/knowledge/toolset.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'

const files = {
  'guide.md':
    '# Lamp guide\n\nTrim the wick before the lamp is lit.\n\n## Oil\n\nUse rape oil, never petrol.\n',
  'shop.md': '# Shop\n\nWe sell wicks by the metre, and oil.\n',
}

const toolsets = [documentsToolset, graph, context, architecture, knowledge]
let opened: Promise<ToolsetWorld> | null = null
const world = () => {
  opened ??= toolsetWorld(toolsets as unknown as Toolset<{ library: Library }>[], { files })
  return opened
}
after(async () => (await opened)?.close())

const guide = { collection: 'library', document: 'guide.md' }
const huge = Number.MAX_SAFE_INTEGER

describe('a number above the maximum', () => {
  const clamped: [tool: string, args: Record<string, unknown>, field: string, most: number][] = [
    ['documents_search', { query: 'wick' }, 'limit', 100],
    ['documents_search', { query: 'wick' }, 'max_tokens', 200_000],
    ['documents_search_batch', { queries: [{ query: 'wick' }] }, 'limit', 50],
    ['documents_find_related', guide, 'limit', 50],
    ['documents_list_documents', { collection: 'library' }, 'limit', 1_000],
    ['documents_list_documents', { collection: 'library' }, 'offset', 100_000_000],
    ['documents_get_outline', guide, 'maxDepth', 6],
    ['documents_get_document', guide, 'max_tokens', 200_000],
    ['documents_get_section', { ...guide, section: 'Oil' }, 'max_tokens', 200_000],
    ['search_knowledge_base', { query: 'wick' }, 'match_count', 50],
    ['manage_document', { action: 'list' }, 'per_page', 20],
    ['manage_document', { action: 'list' }, 'page', 100_000_000],
    ['manage_source', { action: 'list' }, 'per_page', 20],
    ['manage_crawl_job', { action: 'list' }, 'per_page', 20],
  ]
  for (const [tool, args, field, most] of clamped)
    test(`${tool} lowers ${field} to ${most} and says so`, async () => {
      const { call } = await world()
      for (const given of [most + 1, huge]) {
        const answer = await call(tool, { ...args, [field]: given })
        assert.equal(answer.isError, false, answer.text)
        const note = answer.note ?? (answer.value as { note?: string }).note ?? ''
        assert.ok(note.includes(`${field} is at most ${most.toLocaleString('en-US')}`), note || answer.text)
        const echoed = (answer.value as Record<string, unknown>)[field]
        if (echoed !== undefined) assert.equal(echoed, most)
      }
      const { text, note = '' } = await call(tool, { ...args, [field]: most })
      assert.ok(!`${text}${note}`.includes('is at most'), 'the maximum itself is not worth a note')
    })

  const refused: [tool: string, args: Record<string, unknown>][] = [
    ['search', { query: 'wick', limit: 51 }],
    ['get_node', { id: 'guide.md', depth: 2 }],
    ['get_neighbors', { id: 'guide.md', limit: 51 }],
    ['get_hubs', { metric: 'in_degree', limit: 51 }],
    ['search_by_tags', { tags: ['a'], limit: 101 }],
    ['context_search', { query: 'wick', limit: 21 }],
    ['read_file', { path: 'guide.md', maxDepth: 2 }],
    ['grep_codebase', { pattern: 'wick', limit: 101 }],
    ['search-architecture', { query: 'wick', max_results: 21 }],
  ]
  for (const [tool, args] of refused)
    test(`${tool} refuses ${JSON.stringify(args)}`, async () => {
      const { call } = await world()
      const answer = await call(tool, args)
      assert.equal(answer.isError, true, answer.text)
    })
})
