// Word of changed pages about the project: once the index is at rest, and to a subscribed client of a real server.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { context } from '../../src/toolsets/context/toolset.js'
import { type ContextChange, watchContext } from '../../src/toolsets/context/watch.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { copyNotes, projectRoot } from '../support/world.js'

test('a record is announced once the index is at rest, and a new module as a new page', async (t) => {
  const world = await toolsetWorld(context, { embedding: false })
  t.after(() => world.close())
  const received: ContextChange[] = []
  const watching = watchContext(world.library, { onChange: (one) => received.push(one), everyMs: 60_000 })
  t.after(() => watching.close())
  await watching.look()
  await watching.look()
  assert.equal(received.length, 0)
  await world.ask('record_discovery', { type: 'rule', content: 'Lamps are lit before dusk', module: 'lamps' })
  await watching.look()
  assert.equal(received.length, 0, 'it may still be changing')
  await watching.look()
  const [list, pages] = received
  assert.deepEqual(list, { kind: 'resources' })
  assert.ok(pages?.kind === 'pages' && pages.modules.includes('lamps'))
  await watching.look()
  assert.equal(received.length, 2)
  await world.ask('record_discovery', { type: 'rule', content: 'Wicks are cut at noon', module: 'lamps' })
  await watching.look()
  await watching.look()
  assert.deepEqual(
    received.slice(2).map(({ kind }) => kind),
    ['pages'],
  )
})

test('a subscriber of the overview is notified of a discovery', async (t) => {
  const client = new Client({ name: 'listener', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(projectRoot, 'bin/carrel.mjs'), 'mcp', '--root', copyNotes(t)],
      env: { ...process.env, CARREL_EMBEDDING_PROVIDER: 'none' } as Record<string, string>,
      stderr: 'ignore',
    }),
  )
  t.after(() => client.close())
  const uri = 'context://project/overview'
  const reported = new Promise<string>((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
  })
  await client.subscribeResource({ uri })
  await client.callTool({
    name: 'record_discovery',
    arguments: { type: 'rule', content: 'Lamps are lit before dusk' },
  })
  assert.equal(await reported, uri)
})
