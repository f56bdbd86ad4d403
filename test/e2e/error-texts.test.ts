// Every error text that a specification gives, as a client gets it over MCP.
import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { projectRoot, write } from '../support/world.js'

const bin = join(projectRoot, 'bin/carrel.mjs')

type Body = Record<string, unknown> & { error?: unknown }

describe('error texts as the specifications have them', () => {
  let client: Client
  let root: string

  before(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-test-')))
    write(root, {
      'notes/a.md': '# Heron\n\nThe heron stands in the reeds.\n',
      'src/x.ts': 'export const x = 1\n',
    })
    client = new Client({ name: 'texts', version: '1' })
    const env = { ...process.env, CARREL_EMBEDDING_PROVIDER: 'none', CARREL_LOG_LEVEL: 'silent' }
    const args = [bin, 'mcp', '--root', root]
    const command = process.execPath
    await client.connect(new StdioClientTransport({ command, args, env: env as Record<string, string> }))
    // Until the first look at the files is over, misses say so.
    for (;;) {
      const { structuredContent } = await client.callTool({
        name: 'manage_source',
        arguments: { action: 'list' },
      })
      const { note, count } = structuredContent as { note?: string; count: number }
      if (count > 0 && note === undefined) break
    }
  })
  after(async () => {
    await client.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  })

  async function answer(name: string, args: object): Promise<{ body: Body; isError: boolean }> {
    const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
    const [first, ...more] = result.content as { text: string }[]
    assert.deepEqual(more, [], 'one block of text')
    const { text } = first!
    return { body: text.startsWith('{') ? JSON.parse(text) : { text }, isError: result.isError === true }
  }

  const context: [string, object, Body][] = [
    ['context_search', { query: 'ab' }, { error: 'Query must be at least 3 characters' }],
    ['read_file', { path: 'src/none.ts' }, { error: 'File not found', path: 'src/none.ts' }],
    ['read_file', { path: '.env' }, { error: 'Permission denied', path: '.env' }],
    ['read_file', { path: '../x' }, { error: 'Permission denied', path: '../x' }],
    ['grep_codebase', { pattern: '[invalid(' }, { error: 'Invalid regex pattern', pattern: '[invalid(' }],
    ['context_search', { query: 'heron', limit: 21 }, { error: 'Invalid parameters' }],
    ['context_search', {}, { error: 'Invalid parameters' }],
    ['read_file', { path: 'src/x.ts', maxDepth: 2 }, { error: 'Invalid parameters' }],
    ['grep_codebase', { pattern: 'x', limit: 101 }, { error: 'Invalid parameters' }],
  ]
  for (const [tool, args, expected] of context)
    test(`${tool} ${JSON.stringify(args)}: ${expected.error}`, async () => {
      const { body, isError } = await answer(tool, args)
      assert.ok(isError)
      for (const [key, value] of Object.entries(expected)) assert.equal(body[key], value, key)
      assertSaidOnce(body)
    })

  test('grep_codebase says that there is no match', async () => {
    const { body, isError } = await answer('grep_codebase', { pattern: 'nonexistent' })
    assert.deepEqual([isError, body.totalMatches, body.matches], [false, 0, []])
    assert.equal(body.message, "No matches found for pattern 'nonexistent'")
  })

  const manage = "Use 'create', 'get', 'list', 'update', or 'delete'"
  const list = (tool: string) => new RegExp(`${tool}\\(action='list'`)
  const knowledge: [string, object, string, string | RegExp][] = [
    ['manage_document', { action: 'burn' }, 'Unknown action: burn', manage],
    ['manage_source', { action: 'burn' }, 'Unknown action: burn', manage],
    [
      'manage_crawl_job',
      { action: 'burn' },
      'Unknown action: burn',
      /^Use 'get', 'list', 'cancel', or 'retry'$/,
    ],
    [
      'search_knowledge_base',
      { query: 'heron', search_type: 'magic' },
      'Invalid search_type: magic',
      "Use 'vector', 'hybrid', or 'rerank'",
    ],
    [
      'search_knowledge_base',
      { query: 'heron', source_id: 'src_abc123' },
      'Invalid source_id: src_abc123 not found',
      list('manage_source'),
    ],
    ['manage_document', { action: 'create' }, 'file_path required for create', /file_path/],
    ['manage_document', { action: 'get' }, 'document_id required for get', /document_id/],
    ['manage_document', { action: 'update' }, 'document_id required for update', /document_id/],
    ['manage_document', { action: 'delete' }, 'document_id required for delete', /document_id/],
    [
      'manage_document',
      { action: 'get', document_id: 'doc_x' },
      'Document not found: doc_x',
      list('manage_document'),
    ],
    ['manage_source', { action: 'create' }, 'title required for create', /title/],
    ['manage_source', { action: 'get' }, 'source_id required for get', /source_id/],
    ['manage_source', { action: 'update' }, 'source_id required for update', /source_id/],
    ['manage_source', { action: 'delete' }, 'source_id required for delete', /source_id/],
    ['crawl_website', { url: 'ftp://x.example' }, 'Invalid URL: must start with http:// or https://', /http/],
  ]
  for (const [tool, args, error, suggestion] of knowledge)
    test(`${tool} ${JSON.stringify(args)}: ${error}`, async () => {
      const { body, isError } = await answer(tool, args)
      assert.deepEqual([isError, body.success, body.error], [false, false, error])
      if (typeof suggestion === 'string') assert.equal(body.suggestion, suggestion)
      else assert.match(String(body.suggestion), suggestion)
    })

  const documents: [string, object, RegExp][] = [
    [
      'documents_get_document',
      { collection: 'library', document: 'x.md' },
      /^Document "x\.md" not found in collection "library"\./,
    ],
    [
      'documents_get_outline',
      { collection: 'library', document: 'x.md' },
      /^Document "x\.md" not found in collection "library"\./,
    ],
    [
      'documents_get_section',
      { collection: 'library', document: 'notes/a.md', section: 'Zebra' },
      /^Section "Zebra" not found in document "notes\/a\.md"\./,
    ],
  ]
  for (const [tool, args, expected] of documents)
    test(`${tool}: ${expected}`, async () => {
      const { structuredContent } = await client.callTool({
        name: 'documents_list_collections',
        arguments: {},
      })
      const [{ collection }] = (structuredContent as { result: { collection: string }[] }).result as [
        { collection: string },
      ]
      const { body, isError } = await answer(tool, { ...args, collection })
      assert.equal(isError, false)
      assert.match(String(body.text), new RegExp(expected.source.replace('library', collection)))
    })

  const graph: [string, object, string][] = [
    ['create_node', { title: 'a', directory: 'notes', content: 'x' }, 'NODE_EXISTS'],
    ['update_node', { id: 'notes/none.md', content: 'x' }, 'NODE_NOT_FOUND'],
    ['get_node', {}, 'INVALID_PARAMS'],
    ['get_hubs', { limit: 51 }, 'INVALID_PARAMS'],
  ]
  for (const [tool, args, code] of graph)
    test(`${tool} ${JSON.stringify(args)}: ${code}`, async () => {
      const { body, isError } = await answer(tool, args)
      assert.ok(isError)
      assert.equal((body.error as { code: string }).code, code)
      assertSaidOnce(body)
    })

  test('an invalid call of an architecture tool has the code -32602, and names the error once', async () => {
    const { body, isError } = await answer('search-architecture', { query: 'x', max_results: 21 })
    assert.ok(isError)
    assert.equal((body.error as { code: number }).code, -32602)
    assertSaidOnce(body)
  })

  test('an unknown tool is the error of the protocol', async () => {
    await assert.rejects(
      client.callTool({ name: 'no_such_tool', arguments: {} }),
      /There is no tool "no_such_tool"/,
    )
  })
})

/** What was expected stands in the answer once. */
function assertSaidOnce(body: Body) {
  const times = JSON.stringify(body).split('expected').length - 1
  assert.ok(times <= 1, JSON.stringify(body))
}
