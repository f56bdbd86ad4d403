// Real client libraries, both eras, both transports: the same walk through everything a client can do.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Cleanup, startHttp, stdioFixture, without } from './serving.js'

/** What the walk needs of a client, whichever library it comes from. */
interface Visitor {
  version(): string | undefined
  instructions(): string | undefined
  tools(): Promise<{ name: string; inputSchema: object; outputSchema?: object; annotations?: object }[]>
  call(name: string, args: object, options?: CallOptions): Promise<Result>
  resources(): Promise<{ uri: string }[]>
  read(uri: string): Promise<{ text?: string }[]>
  prompts(): Promise<{ name: string }[]>
  prompt(name: string, args: Record<string, string>): Promise<{ messages: { content: unknown }[] }>
  complete(
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
    name: string,
    value: string,
  ): Promise<string[]>
  /** Resolves when the first word of a change of that resource arrives. */
  changed(uri: string): Promise<void>
}

interface Result {
  content: { type: string; text?: string }[]
  structuredContent?: unknown
  isError?: boolean
}

interface CallOptions {
  onprogress?: (progress: { progress: number }) => void
  signal?: AbortSignal
}

type Where = { kind: 'stdio' } | { kind: 'http'; url: URL }
type Connect = (t: Cleanup, where: Where) => Promise<Visitor>

async function walk(visitor: Visitor) {
  const tools = await visitor.tools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['read_note', 'list_notes', 'write_note', 'wait', 'fetch_note'],
  )
  assert.ok(tools.every((tool) => tool.annotations && tool.outputSchema))
  assert.equal(visitor.instructions(), 'A shelf of notes.')

  const note = await visitor.call('read_note', { name: 'über' })
  const value = { name: 'über', text: 'Umlaute und 日本語.', length: 16 }
  assert.deepEqual(note.structuredContent, value)
  assert.deepEqual(note.content, [{ type: 'text', text: JSON.stringify(value) }])
  const miss = await visitor.call('read_note', { name: 'x' })
  assert.deepEqual(miss, {
    ...miss,
    content: [{ type: 'text', text: 'Note "x" not found.' }],
    structuredContent: { result: 'Note "x" not found.' },
  })
  const list = await visitor.call('list_notes', {})
  assert.deepEqual(list.structuredContent, { result: ['welcome', 'über'] })
  const wrong = await visitor.call('write_note', { name: 'n' })
  assert.equal(wrong.isError, true)
  assert.match(
    wrong.content[0]?.text ?? '',
    /INVALID_PARAMS.*text: expected text \(The whole text\), got nothing/,
  )
  await assert.rejects(
    visitor.call('raed_note', {}),
    /There is no tool "raed_note". Did you mean "read_note"\?/,
  )

  assert.deepEqual(
    (await visitor.resources()).map(({ uri }) => uri),
    ['shelf://count', 'shelf://stopped', 'shelf://note/%C3%BCber', 'shelf://note/welcome'],
  )
  assert.deepEqual(
    (await visitor.read('shelf://note/%C3%BCber')).map(({ text }) => text),
    ['Umlaute und 日本語.'],
  )
  await assert.rejects(visitor.read('shelf://note/none'), /not found/i)
  assert.deepEqual(
    (await visitor.prompts()).map(({ name }) => name),
    ['summarize-note'],
  )
  const prompt = await visitor.prompt('summarize-note', { note: 'welcome' })
  assert.deepEqual(prompt.messages[0]?.content, {
    type: 'text',
    text: 'Summarize plainly: Welcome to the shelf.',
  })
  await assert.rejects(visitor.prompt('summarize-note', {}), /needs note \(Which note\)/)
  assert.deepEqual(await visitor.complete({ type: 'ref/prompt', name: 'summarize-note' }, 'note', 'w'), [
    'welcome',
  ])
  assert.deepEqual(
    await visitor.complete({ type: 'ref/resource', uri: 'shelf://note/{name}' }, 'name', 'ü'),
    ['über'],
  )

  await visitor.changed('shelf://count')
  await seesProgress(visitor)
  await cancels(visitor)
}

async function seesProgress(visitor: Visitor) {
  const seen: number[] = []
  const started = performance.now()
  await visitor.call(
    'wait',
    { ms: 600, steps: 60 },
    { onprogress: ({ progress }) => void seen.push(progress) },
  )
  const most = Math.floor((performance.now() - started) / 250) + 2
  assert.ok(seen.length >= 2 && seen.length <= most, `${seen.length} reports where ${most} are the most`)
  assert.deepEqual(
    seen,
    [...new Set(seen)].sort((a, b) => a - b),
    'progress only grows',
  )
}

async function cancels(visitor: Visitor) {
  const stop = new AbortController()
  const label = `cancelled ${Math.round(performance.now())}`
  const call = visitor.call('wait', { ms: 1_900, label }, { signal: stop.signal })
  await sleep(60)
  stop.abort()
  await assert.rejects(call)
  for (const end = performance.now() + 20_000; performance.now() < end; ) {
    const [stopped] = await visitor.read('shelf://stopped')
    if (stopped?.text?.includes(label)) return
    await sleep(20)
  }
  assert.fail('the work did not hear that it was cancelled')
}

const modern: Connect = (t, where) => connectNew(t, where, { pin: '2026-07-28' })
const legacy: Connect = (t, where) => connectNew(t, where, 'legacy')

async function connectNew(t: Cleanup, where: Where, mode: 'legacy' | { pin: string }): Promise<Visitor> {
  const client = new Client({ name: 'new', version: '1.0.0' }, { versionNegotiation: { mode } })
  const received = new Set<string>()
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void received.add(params.uri),
  )
  const transport =
    where.kind === 'http'
      ? new StreamableHTTPClientTransport(where.url)
      : stdioTransport(StdioClientTransport)
  await client.connect(transport)
  t.after(() => client.close())
  return {
    version: () => client.getNegotiatedProtocolVersion(),
    instructions: () => client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    call: (name, args, options) =>
      client.callTool({ name, arguments: args as never }, options) as Promise<Result>,
    resources: async () => (await client.listResources()).resources,
    read: async (uri) =>
      (await client.readResource({ uri }, { cacheMode: 'bypass' } as never)).contents as { text?: string }[],
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: async (ref, name, value) =>
      (await client.complete({ ref, argument: { name, value } })).completion.values,
    changed: async (uri) => {
      if (mode === 'legacy') await client.subscribeResource({ uri })
      else await client.listen({ resourceSubscriptions: [uri] })
      await until(() => received.has(uri))
    },
  }
}

/** The 1.x library, loaded by name because it is only there for these tests. */
const oldLibrary: Connect = async (t, where) => {
  const load = (path: string) => import(`@modelcontextprotocol/sdk/${path}`)
  const { Client: OldClient } = await load('client/index.js')
  const { StdioClientTransport: OldStdio } = await load('client/stdio.js')
  const { StreamableHTTPClientTransport: OldHttp } = await load('client/streamableHttp.js')
  const { ResourceUpdatedNotificationSchema } = await load('types.js')
  const client = new OldClient({ name: 'old', version: '1.0.0' })
  const received = new Set<string>()
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }: { params: { uri: string } }) => {
      received.add(params.uri)
    },
  )
  const transport = where.kind === 'http' ? new OldHttp(where.url) : stdioTransport(OldStdio)
  await client.connect(transport)
  t.after(() => client.close())
  return {
    version: () => (transport as { protocolVersion?: string }).protocolVersion,
    instructions: () => client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: async (ref, name, value) =>
      (await client.complete({ ref, argument: { name, value } })).completion.values,
    changed: async (uri) => {
      await client.subscribeResource({ uri })
      await until(() => received.has(uri))
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the two libraries' transports share a shape, not a type.
function stdioTransport<T>(Transport: new (options: any) => T): T {
  return new Transport({ command: process.execPath, args: [stdioFixture], stderr: 'ignore' })
}

async function until(met: () => boolean) {
  for (const end = performance.now() + 20_000; performance.now() < end && !met(); ) await sleep(10)
  assert.ok(met(), 'it did not come about within twenty seconds')
}

const clients: [string, Connect, string | undefined, string | false][] = [
  ['the new client, newest revision', modern, '2026-07-28', false],
  ['the new client, older revisions', legacy, '2025-11-25', false],
  ['the 1.x client', oldLibrary, undefined, without('@modelcontextprotocol/sdk')],
]

describe('clients can do everything', () => {
  for (const [title, connect, version, skip] of clients) {
    test(`${title}, over stdio`, { skip }, async (t) => {
      const visitor = await connect(t, { kind: 'stdio' })
      if (version) assert.equal(visitor.version(), version)
      await walk(visitor)
    })
    test(`${title}, over HTTP`, { skip }, async (t) => {
      const http = await startHttp(t)
      const news = setInterval(
        () => http.surface.changes.publish({ kind: 'resource', uri: 'shelf://count' }),
        20,
      )
      t.after(() => clearInterval(news))
      const visitor = await connect(t, { kind: 'http', url: new URL(`${http.url}/mcp`) })
      if (version) assert.equal(visitor.version(), version)
      await walk(visitor)
    })
  }
})

describe('a client that finds out for itself', () => {
  test('arrives at the newest revision over HTTP', async (t) => {
    const http = await startHttp(t)
    const client = new Client({ name: 'auto', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${http.url}/mcp`)))
    t.after(() => client.close())
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
  })

  test('and gets there the tools that the address and its headers select', async (t) => {
    const http = await startHttp(t)
    const client = new Client({ name: 'auto', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    const requestInit = { headers: { 'x-carrel-readonly': 'true' } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${http.url}/mcp/desk`), { requestInit }))
    t.after(() => client.close())
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['wait'],
    )
  })
})
