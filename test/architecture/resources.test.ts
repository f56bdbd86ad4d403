// Documents of architecture by their addresses, as a client asks for them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { executor } from '../../src/server/executor.js'
import { buildServer } from '../../src/surfaces/mcp/server.js'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'

const world = await toolsetWorld(architecture, {
  embedding: false,
  files: {
    'mcp/resources/patterns/repository.md': '# Repository\n',
    'mcp/resources/patterns/c# & f#?.md': '# Sharp\n',
    'docs/adr/0001-a.md': '# 1. A\n\n## Status\n\nAccepted\n\n## Decision\n\nWe do.\n',
  },
})
const client = new Client({ name: 'memory', version: '1' })
const [near, far] = InMemoryTransport.createLinkedPair()
const surface = { registry: world.registry, executor: executor({}), info: { name: 'c', version: '1' } }
await buildServer(surface, { era: 'legacy', from: 'memory', live: true }).connect(far)
await client.connect(near as never)
after(async () => {
  await client.close()
  await world.close()
})

test('one that is nearly right brings up the right one', async () => {
  await assert.rejects(client.readResource({ uri: 'architecture://pattern/repositry' }), (error: Error) => {
    assert.match(error.message, /Resource not found: architecture:\/\/pattern\/repositry\. /)
    assert.match(error.message, /Did you mean architecture:\/\/patterns\/repository\?$/)
    assert.deepEqual((error as Error & { data: unknown }).data, { uri: 'architecture://pattern/repositry' })
    return true
  })
  for (const uri of [
    'architecture://adr/99',
    'architecture://books/repository',
    'architecture://patterns/qqqqqqqq',
  ])
    await assert.rejects(client.readResource({ uri }), { message: new RegExp(`Resource not found: ${uri}$`) })
})

test('an address is one that other programs do not cut', async () => {
  const { resources } = await client.listResources()
  const { uri } = resources.find(({ title }) => title === 'Sharp')!
  assert.equal(uri, 'architecture://patterns/c%23%20&%20f%23%3F')
  const { hash, search } = new URL(uri)
  assert.deepEqual([hash, search], ['', ''])
  const { contents } = await client.readResource({ uri })
  assert.equal((contents[0] as { text: string }).text, '# Sharp\n')
})
