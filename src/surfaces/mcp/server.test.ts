import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { fixtureSurface } from '../../../test/surfaces/serving.js'
import { defineResource, defineTool, defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import { executor } from '../../server/executor.js'
import type { Log } from '../../server/log.js'
import { registry } from '../../server/registry.js'
import { buildServer, type Surface } from './server.js'

async function connected<Services>(surface: Surface<Services>) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = buildServer(surface, { era: 'legacy', from: 'memory', live: true })
  await server.connect(far)
  const client = new Client({ name: 'memory', version: '1' })
  await client.connect(near as never)
  return client
}

test('a bug in a resource is logged whole and answered plainly', async () => {
  const lines: object[] = []
  const log: Log = { debug() {}, info() {}, warn() {}, error: (facts) => lines.push(facts) }
  const broken = defineResource({
    name: 'broken',
    title: 'Broken',
    summary: 'Always fails.',
    template: 'broken://{id}',
    list: () => {
      throw new Error('SQLITE_CORRUPT in /secret/place')
    },
    read: () => {
      throw new Error('SQLITE_CORRUPT in /secret/place')
    },
  })
  const toolset = defineToolset({
    name: 'b',
    title: 'B',
    purpose: 'B',
    errorShape: errorShapes.documents,
    tools: [],
    resources: [broken],
  })
  const client = await connected({
    registry: registry([toolset], {}),
    executor: executor({ log }),
    info: { name: 'b', version: '1' },
  })
  for (const ask of [() => client.listResources(), () => client.readResource({ uri: 'broken://1' })])
    await assert.rejects(
      ask,
      (error: Error) => /error inside Carrel/.test(error.message) && !/SQLITE|secret/.test(error.message),
    )
  assert.equal(lines.length, 2)
  await client.close()
})

test('servers of one registry announce changes only if they watch', async () => {
  const watching = fixtureSurface()
  const { changes: _, ...still } = watching
  for (const [surface, listChanged] of [
    [still, undefined],
    [watching, true],
    [still, undefined],
  ] as const) {
    const client = await connected(surface)
    assert.equal(client.getServerCapabilities()?.resources?.listChanged || undefined, listChanged)
    await client.close()
  }
})

test('a note stands beside a list and inside an object, in the text and in the structured content', async () => {
  const list = defineTool({
    name: 'list_all',
    title: 'All',
    summary: 'Lists as many as asked for.',
    input: z.object({ count: z.int() }),
    output: z.array(z.number()),
    effect: 'read',
    examples: [],
    run: (_services, { count }) => Array.from({ length: count }, (_, i) => i),
    view: (found) => found,
  })
  const object = (own: object) =>
    defineTool({
      name: 'note' in own ? 'show_noted' : 'show_plain',
      title: 'One',
      summary: 'Shows one thing as an object.',
      input: z.object({}),
      output: z.object({ id: z.string(), note: z.string().optional() }),
      effect: 'read',
      examples: [],
      run: () => ({ id: 'a', ...own }),
      view: (found) => found,
      note: () => 'Indexing is under way.',
    })
  const toolset = defineToolset({
    name: 'n',
    title: 'N',
    purpose: 'N',
    errorShape: errorShapes.graph,
    note: async (_services, _args, { isNothing }) => (isNothing ? 'Nothing is indexed yet.' : null),
    tools: [list, object({}), object({ note: 'It was cut.' })],
  })
  const client = await connected({
    registry: registry([toolset], {}),
    executor: executor(),
    info: { name: 'n', version: '1' },
  })
  const ask = async (count: number) => client.callTool({ name: 'list_all', arguments: { count } })
  const text = (text: string) => ({ type: 'text', text })
  assert.deepEqual(await ask(0), {
    content: [text('[]'), text('Nothing is indexed yet.')],
    structuredContent: { result: [], note: 'Nothing is indexed yet.' },
  })
  assert.deepEqual(await ask(1), { content: [text('[0]')], structuredContent: { result: [0] } })
  for (const [name, note] of [
    ['show_plain', 'Indexing is under way.'],
    ['show_noted', 'It was cut. Indexing is under way.'],
  ] as const) {
    const value = { id: 'a', note }
    assert.deepEqual(await client.callTool({ name, arguments: {} }), {
      content: [text(JSON.stringify(value))],
      structuredContent: value,
    })
  }
  await client.close()
})

test('a long list of resources comes in pages, whole whatever comes and goes between them', async () => {
  let numbers = Array.from({ length: 1_200 }, (_, i) => 1_000 + i)
  const many = defineResource({
    name: 'many',
    title: 'Many',
    summary: 'Twelve hundred of them.',
    template: 'many://{id}',
    list: () => numbers.map((i) => ({ uri: `many://${i}`, name: String(i) })),
    read: () => null,
  })
  const toolset = defineToolset({
    name: 'm',
    title: 'M',
    purpose: 'M',
    errorShape: errorShapes.documents,
    tools: [],
    resources: [many],
  })
  const client = await connected({
    registry: registry([toolset], {}),
    executor: executor(),
    info: { name: 'm', version: '1' },
  })
  const page = (cursor: string | undefined) =>
    client.request({ method: 'resources/list', params: { cursor } })
  const pages = async (between: () => void) => {
    let cursor: string | undefined
    const all: string[][] = []
    do {
      const { resources, nextCursor } = await page(cursor)
      all.push(resources.map(({ name }) => name))
      cursor = nextCursor
      between()
    } while (cursor !== undefined)
    return all
  }
  const all = await pages(() => {})
  assert.deepEqual(
    all.map((names) => names.length),
    [500, 500, 200],
  )
  const deleted = [1_000, 1_001, 1_499]
  const fewer = await pages(() => {
    numbers = numbers.filter((i) => !deleted.includes(i))
  })
  assert.deepEqual(fewer.flat(), all.flat(), 'none is skipped when others go, be it the last that was shown')
  const more = await pages(() => {
    numbers = [...new Set([...deleted, ...numbers])]
  })
  assert.equal(new Set(more.flat()).size, more.flat().length, 'none comes twice')
  for (const cursor of ['', ' ', 'x', '1e2', '0x10', '500', '99999', '-1'])
    await assert.rejects(page(cursor), /cursor/, cursor)
  await client.close()
})

test('a cursor is refused where lists come whole', async () => {
  const client = await connected(fixtureSurface())
  for (const method of ['tools/list', 'prompts/list', 'resources/templates/list'] as const) {
    const ask = (cursor: string) => client.request({ method, params: { cursor } })
    await assert.rejects(
      ask('x'),
      { code: -32602, message: /cursor is not one that this server gave/ },
      method,
    )
    assert.ok(await ask(''), method)
  }
  await client.close()
})

test('parameters of a wrong form are named in a sentence, as the mistake of the caller', async () => {
  const client = await connected(fixtureSurface())
  const [prompt] = (await client.listPrompts()).prompts
  const wrong = 5 as never
  for (const [ask, place] of [
    [() => client.getPrompt({ name: prompt!.name, arguments: { topic: wrong } }), 'params.arguments.topic'],
    [() => client.readResource({ uri: wrong }), 'params.uri'],
    [() => client.callTool({ name: wrong }), 'params.name'],
  ] as const)
    await assert.rejects(ask, (error: Error & { code?: number }) => {
      assert.equal(error.code, -32602)
      assert.match(error.message, /^The parameters of \S+ have a wrong form\. /)
      assert.ok(error.message.endsWith(` ${place}: expected string, received number.`), error.message)
      return true
    })
  await client.close()
})

test('an address or an argument without end is not sent back whole', async () => {
  const client = await connected(fixtureSurface())
  const long = `note://${'x'.repeat(1_000_000)}`
  const [prompt] = (await client.listPrompts()).prompts
  for (const ask of [
    () => client.readResource({ uri: long }),
    () => client.getPrompt({ name: prompt!.name, arguments: { [long]: '1' } }),
  ])
    await assert.rejects(ask, (error: Error) => JSON.stringify([error, error.message]).length < 10_000)
  await client.close()
})

test('what is not offered is not advertised', async () => {
  const surface = fixtureSurface()
  const client = await connected({ ...surface, registry: surface.registry.narrow({ toolsets: ['desk'] }) })
  assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: false } })
  await client.close()
})

test('an address that no resource can have is not kept', async () => {
  const client = await connected(fixtureSurface())
  await assert.rejects(
    client.subscribeResource({ uri: `shelf://${'x'.repeat(2_048)}` }),
    /at most 2048 characters/,
  )
  await client.close()
})

test('the instructions of a connection name its tools', async () => {
  const surface = fixtureSurface()
  const instructions: typeof surface.instructions = ({ toolsets }) => toolsets.map(({ name }) => name).join()
  const instructionsFor = async (registry = surface.registry) => {
    const client = await connected({ ...surface, registry, instructions })
    const received = client.getInstructions()
    await client.close()
    return received
  }
  assert.equal(await instructionsFor(), 'shelf,desk')
  assert.equal(await instructionsFor(surface.registry.narrow({ toolsets: ['desk'] })), 'desk')
})

test('changes reach the clients that subscribed, and nobody after closing', async () => {
  const surface = fixtureSurface()
  const client = await connected(surface)
  const received: string[] = []
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void received.push(params.uri),
  )
  client.setNotificationHandler('notifications/prompts/list_changed', () => void received.push('prompts'))
  client.setNotificationHandler('notifications/resources/list_changed', () => void received.push('resources'))
  await client.subscribeResource({ uri: 'shelf://count' })
  surface.changes.publish({ kind: 'resource', uri: 'shelf://count' })
  surface.changes.publish({ kind: 'resource', uri: 'shelf://other' })
  surface.changes.publish({ kind: 'prompts' })
  surface.changes.publish({ kind: 'resources' })
  await client.ping()
  await client.unsubscribeResource({ uri: 'shelf://count' })
  surface.changes.publish({ kind: 'resource', uri: 'shelf://count' })
  await client.ping()
  assert.deepEqual(received, ['shelf://count', 'prompts', 'resources'])
  await client.close()
  surface.changes.publish({ kind: 'prompts' })
})
