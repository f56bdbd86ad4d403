// A private key that somebody pasted into a note, an upload or a file of code is not shown by any tool.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { toolsets } from '../../src/toolsets/all.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'

// Put together at run time, so that scanners of this repository do not take the example for a leak.
const line = (n: number) => `zebra${n}B3dE6gH9jK2mN5pQ8sT1vW4xY7zaB3dE6gH9jK2mN5pQ8sT1vW4xY7zaB3dE`
const lines = Array.from({ length: 40 }, (_, i) => line(i))
const fence = (end: string) => `-----${end} RSA PRIVATE KEY-----`
const key = [fence('BEGIN'), ...lines, fence('END')].join('\n')
const note = (title: string) =>
  `# ${title}\n\nThe lighthouse key of the server:\n\n${key}\n\nKeep the lighthouse key safe.\n`

const files = {
  'notes/key.md': note('Key note'),
  'notes/other.md': '# Other\n\nSee [[key]].\n',
  'src/key.ts': `export const lighthouse = \`\n${key}\n\`\n`,
  'src/use.ts': "import { lighthouse } from './key.js'\nconsole.log(lighthouse)\n",
  'docs/adr/0001-key.md': `# 1. Lighthouse key\n\n## Status\n\nAccepted\n\n## Decision\n\n${key}\n`,
  'mcp/resources/patterns/key.md': note('Key pattern'),
}

describe('a private key', () => {
  let world: ToolsetWorld
  before(async () => {
    world = await toolsetWorld(toolsets, { files })
    await world.call('manage_document', { action: 'create', title: 'Key upload', content: note('Upload') })
  })
  after(() => world.close())

  const calls: [string, Record<string, unknown>][] = [
    ['read_file', { path: 'notes/key.md' }],
    ['read_file', { path: 'src/use.ts', includeDeps: true }],
    ['grep_codebase', { pattern: 'zebra1', limit: 100 }],
    ['grep_codebase', { pattern: 'BEGIN RSA', limit: 100 }],
    ['get_node', { id: 'notes/key.md' }],
    ['search', { query: 'lighthouse key of the server' }],
    ['get_neighbors', { id: 'notes/other.md' }],
    ['documents_get_document', { collection: 'library', document: 'notes/key.md' }],
    ['documents_get_section', { collection: 'library', document: 'notes/key.md', section: 'Key note' }],
    ['documents_get_document', { collection: 'library', document: 'src/key.ts' }],
    ['documents_search', { query: 'lighthouse key of the server' }],
    ['documents_search', { query: 'zebra12B3dE6gH9jK2mN5pQ8sT1vW4xY7zaB3dE6gH9jK2mN5pQ8sT1vW4xY7zaB3dE' }],
    ['context_search', { query: 'lighthouse key' }],
    ['search-architecture', { query: 'lighthouse key' }],
    ['search_knowledge_base', { query: 'lighthouse key of the server' }],
  ]
  for (const [tool, args] of calls)
    test(`is not shown by ${tool} ${JSON.stringify(args)}`, async () => {
      const { text, isError } = await world.call(tool, args)
      assert.equal(isError, false, text)
      assert.doesNotMatch(text.replace(/"(?:query|pattern)":"[^"]*"/g, ''), /zebra\d|gH9jK2|W4xY7z/)
    })

  test('shows where it was, with lines as they are', async () => {
    const { file } = await world.ask<{ file: { content: string; lines: number } }>('read_file', {
      path: 'notes/key.md',
    })
    assert.match(file.content, /-----BEGIN RSA PRIVATE KEY-----\n\*{60}/)
    assert.equal(file.content.split('\n').length, note('Key note').split('\n').length)
    assert.equal(file.content.length, note('Key note').length)
  })

  test('is not shown by a resource', async () => {
    for (const uri of ['architecture://patterns/key', 'architecture://adr/0001']) {
      const resource = world.registry.resources.find(({ template }) =>
        template?.startsWith(uri.slice(0, uri.lastIndexOf('/') + 1)),
      )!
      const name = uri.slice(uri.lastIndexOf('/') + 1)
      const found = await resource.read(
        world.registry.services,
        { uri, variables: { name, id: name } },
        {} as never,
      )
      assert.match(JSON.stringify(found), /BEGIN RSA PRIVATE KEY/)
      assert.doesNotMatch(JSON.stringify(found), /zebra\d/)
    }
  })

  test('is not lost when a masked note is written back', async () => {
    const { content } = await world.ask<{ content: string }>('get_node', { id: 'notes/key.md' })
    const answer = await world.call('update_node', { id: 'notes/key.md', content })
    assert.equal(answer.isError, true)
    assert.match(answer.text, /private key that was masked/)
    await world.ask('update_node', { id: 'notes/key.md', tags: ['kept'] })
    assert.ok(readFileSync(join(world.root, 'notes/key.md'), 'utf8').includes(key))
  })
})
