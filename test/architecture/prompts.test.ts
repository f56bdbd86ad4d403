// Prompts, resources, completions and workflows, as a client sees them.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { indexAll } from '../../src/app/index-all.js'
import { changes } from '../../src/server/changes.js'
import { executor } from '../../src/server/executor.js'
import { registry } from '../../src/server/registry.js'
import { buildServer } from '../../src/surfaces/mcp/server.js'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { watchArchitecture } from '../../src/toolsets/architecture/watch.js'
import { addStep, findWorkflow, openWorkflow } from '../../src/toolsets/architecture/workflows.js'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { write } from '../support/world.js'

const world = await toolsetWorld(architecture, { embedding: false })
const client = new Client({ name: 'memory', version: '1' })
const news = changes()
const received: string[] = []

const [near, far] = InMemoryTransport.createLinkedPair()
const surface = {
  registry: world.registry,
  executor: executor({}),
  info: { name: 'c', version: '1' },
  changes: news,
}
await buildServer(surface, { era: 'legacy', from: 'memory', live: true }).connect(far)
client.setNotificationHandler('notifications/prompts/list_changed', () => void received.push('prompts'))
client.setNotificationHandler('notifications/resources/list_changed', () => void received.push('resources'))
client.setNotificationHandler(
  'notifications/resources/updated',
  ({ params }) => void received.push(params.uri),
)
await client.connect(near as never)
after(async () => {
  await client.close()
  await world.close()
})

async function textOf(name: string, args: Record<string, string> = {}): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: args })
  return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n')
}

function putPrompt(file: string, prompt: object | string) {
  const text = typeof prompt === 'string' ? prompt : JSON.stringify(prompt)
  write(world.root, { [`mcp/prompts/${file}`]: text })
}

const template = (name: string, text: string, ...args: string[]) => ({
  name,
  arguments: args.map((one) => ({ name: one })),
  messages: [{ role: 'user', content: { type: 'text', text } }],
})

describe('prompts', () => {
  test('four are built in', async () => {
    const { prompts } = await client.listPrompts()
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['create-adr', 'guided-pattern-validation', 'review-code-against-patterns', 'suggest-patterns'],
    )
    for (const { description, arguments: args } of prompts)
      assert.ok(description && args?.every((one) => one.description))
  })

  test('a tool is described in the order of its schema, with its limits', async () => {
    const text = await textOf('guided-pattern-validation', { code: 'x', pattern_name: 'repository' })
    const block = text.slice(text.indexOf('Tool: validate-against-pattern'))
    assert.match(block, /^Tool: validate-against-pattern\nDescription: [^\n]+\nParameters:\n/)
    assert.match(
      block,
      /- code \(required\): Code to validate \(max 50000 chars\)\n {2}- pattern_name \(required\): [^\n]+\n {2}- language \(optional\)/,
    )
    const search = await textOf('suggest-patterns', { problem: 'x' })
    assert.match(search, /- max_results \(optional\): Most results \(1 to 20, default 10\)/)
    assert.match(search, /- resource_type \(optional\): Only these \(one of guidelines, patterns, adr, all,/)
  })

  test('the pattern that is named comes whole, with its address', async () => {
    const text = await textOf('guided-pattern-validation', { code: 'x', pattern_name: 'repository' })
    assert.match(
      text,
      /<<< architecture:\/\/patterns\/repository\n[\s\S]*## Common Pitfalls[\s\S]*>>> architecture:\/\/patterns\/repository/,
    )
    assert.doesNotMatch(await textOf('guided-pattern-validation', { code: 'x' }), /<<< architecture/)
  })

  test('a message without content is reported, and leaves no gap', async () => {
    const required = { code: 'x()', title: 'x', problem: 'x' } as const
    for (const { name, arguments: args } of (await client.listPrompts()).prompts) {
      const needed = args!.filter((one) => one.required).map((one) => one.name as keyof typeof required)
      const text = await textOf(name, Object.fromEntries(needed.map((one) => [one, required[one]])))
      assert.doesNotMatch(text, /: +$|:\n\n\n| \.$/m, name)
    }
    const text = await textOf('guided-pattern-validation', { code: 'x()', language: ' ' })
    assert.match(
      text,
      /^Validate this code against one of our patterns\.\n\nPattern: \(not given\)\nLanguage: \(not given\)\n/,
    )
    assert.match(
      await textOf('guided-pattern-validation', { code: 'x()', pattern_name: 'repository', language: 'go' }),
      /\nPattern: repository\nLanguage: go\n/,
    )
  })

  test('decisions are listed with their status', async () => {
    assert.match(
      await textOf('create-adr', { title: 'x' }),
      /- architecture:\/\/adr\/0002: SQLite as the store \(superseded\)/,
    )
  })

  test('arguments that are missing or strange are refused', async () => {
    await assert.rejects(client.getPrompt({ name: 'create-adr', arguments: {} }), /needs title/)
    await assert.rejects(
      client.getPrompt({ name: 'create-adr', arguments: { titel: 'x' } }),
      /Did you mean "title"/,
    )
    await assert.rejects(client.getPrompt({ name: 'creat-adr', arguments: {} }), /Did you mean "create-adr"/)
  })

  test("the project's prompts are seen at once, and take the place of built-in ones by their name", async () => {
    putPrompt('own.json', template('own', 'Hello {{who}}, {{stranger}}.', 'who'))
    putPrompt('create-adr.json', template('create-adr', 'Our way.'))
    assert.equal(await textOf('own', { who: 'you' }), 'Hello you, {{stranger}}.')
    assert.equal(await textOf('create-adr'), 'Our way.')
    putPrompt('own.json', '{ "name": "own", ')
    assert.equal(await textOf('own', { who: 'me' }), 'Hello me, {{stranger}}.')
    rmSync(join(world.root, 'mcp/prompts'), { recursive: true })
    assert.match(await textOf('create-adr', { title: 'x' }), /architecture decision: x/)
    await assert.rejects(client.getPrompt({ name: 'own', arguments: {} }))
  })

  test('inserted text stays as it is, whatever it contains', async () => {
    const evil = '{{resource:architecture://adr/*}} {{tool:search-architecture}} {{a}} {{workflow_id}} $& $1'
    write(world.root, { 'mcp/resources/patterns/evil.md': `# Evil\n\n${evil}\n` })
    await indexAll(world.library, {})
    putPrompt(
      'two.json',
      template('two', '[{{a}}|{{b}}|{{resource:architecture://patterns/evil}}]', 'a', 'b'),
    )
    const pieces = fc.array(
      fc.constantFrom('{{a}}', '{{b}}', '{{', '}}', evil, '$&', 'x', '\n', '{{resource:', '{{tool:x}}'),
      { minLength: 1 },
    )
    await fc.assert(
      fc.asyncProperty(pieces, pieces, async (left, right) => {
        const [a, b] = [left.join(''), right.join('')]
        const whole = `<<< architecture://patterns/evil\n# Evil\n\n${evil}\n>>> architecture://patterns/evil`
        assert.equal(await textOf('two', { a, b }), `[${a}|${b}|${whole}]`)
      }),
      { seed: 8, numRuns: 60 },
    )
    rmSync(join(world.root, 'mcp'), { recursive: true })
  })

  test('only tools that the client is offered are described', async () => {
    const few = world.registry.narrow({ tools: ['search-architecture'] })
    const prompt = (await few.prompts()).find(({ name }) => name === 'review-code-against-patterns')!
    const { messages } = await prompt.get(few.services, { code: 'x' }, undefined as never)
    const text = JSON.stringify(messages)
    assert.match(text, /Tool: search-architecture/)
    assert.match(text, /\[The tool validate-against-pattern is not offered here\. Do without it, and say so/)
    assert.doesNotMatch(text, /Tool: validate-against-pattern/)
  })

  test('whatever is offered, the words of the built-in ones name no other tool', async () => {
    const both = registry([documentsToolset, architecture], world.registry.services)
    const names = [...both.tools.keys()]
    for (const tools of [names, ...names.map((one) => [one]), ['search-architecture', 'documents_search']]) {
      const few = both.narrow({ tools })
      for (const { name, arguments: args, get } of await few.prompts()) {
        const given = Object.fromEntries(args.map((one) => [one.name, 'x']))
        const { messages } = await get(few.services, given, undefined as never)
        const text = JSON.stringify(messages).replace(/\[The tool \S+ is not offered here[^\]]*\]/g, '')
        const named = names.filter((one) => text.includes(one) && !tools.includes(one))
        assert.deepEqual(named, [], `${name} with ${tools}`)
      }
    }
  })

  test('at most 50 resources and 1 MB are put in', async (t) => {
    const page = (size: number) => `# P\n\n${'word '.repeat(size / 5)}\n`
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`mcp/resources/patterns/p${i}.md`, page(50)]),
    )
    const large = Object.fromEntries(
      Array.from({ length: 4 }, (_, i) => [`mcp/resources/guidelines/g${i}.md`, page(400_000)]),
    )
    const full = await toolsetWorld(architecture, {
      embedding: false,
      files: {
        ...many,
        ...large,
        'mcp/prompts/many.json': JSON.stringify(template('many', '{{resource:architecture://patterns/*}}')),
        'mcp/prompts/large.json': JSON.stringify(
          template('large', '{{resource:architecture://guidelines/*}}'),
        ),
        'mcp/prompts/none.json': JSON.stringify(
          template('none', '{{resource:architecture://books/*}}{{tool:none}}'),
        ),
        'mcp/prompts/wild.json': JSON.stringify(
          template('wild', '{{resource:architecture://patterns/{x}}}', 'x'),
        ),
      },
    })
    t.after(() => full.close())
    const get = async (name: string, args = {}) => {
      const prompt = (await full.registry.prompts()).find((one) => one.name === name)!
      const { messages } = await prompt.get({ library: full.library }, args, undefined as never)
      return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('')
    }
    const texts = await get('many')
    assert.equal(texts.match(/^<<< /gm)?.length, 50)
    assert.match(texts, /10 more resources are left out/)
    const bytes = await get('large')
    assert.equal(bytes.match(/^<<< /gm)?.length, 2)
    assert.ok(Buffer.byteLength(bytes) < 1_048_576 + 1_000)
    assert.match(await get('none'), /no resource architecture:\/\/books.*The tool none is not offered/)
    assert.match(await get('wild', { x: '*' }), /no resource/)
  })
})

describe('resources', () => {
  test('are listed and read by their addresses, and complete their names', async (t) => {
    const fresh = await toolsetWorld(architecture, { embedding: false })
    t.after(() => fresh.close())
    const [near, far] = InMemoryTransport.createLinkedPair()
    const surface = { registry: fresh.registry, executor: executor({}), info: { name: 'c', version: '1' } }
    await buildServer(surface, { era: 'legacy', from: 'memory', live: true }).connect(far)
    const reader = new Client({ name: 'memory', version: '1' })
    await reader.connect(near as never)
    const { resources } = await reader.listResources()
    const uris = resources.map(({ uri }) => uri)
    for (const uri of [
      'architecture://guidelines/error-handling',
      'architecture://patterns/repository',
      'architecture://adr/0008',
    ])
      assert.ok(uris.includes(uri), uri)
    assert.match(
      JSON.stringify(await reader.readResource({ uri: 'architecture://pattern/repository' })),
      /Repository/,
    )
    for (const uri of ['architecture://adr/0008', 'architecture://adr/8', 'architecture://adr/ADR-8']) {
      const { contents } = await reader.readResource({ uri })
      assert.match((contents[0] as { text: string }).text, /^# ADR 8/)
    }
    await assert.rejects(reader.readResource({ uri: 'architecture://adr/9999' }))
    await assert.rejects(reader.readResource({ uri: 'architecture://adr/../../../etc/passwd' }))
    const complete = async (ref: object, name: string, value: string) =>
      (await reader.complete({ ref: ref as never, argument: { name, value } })).completion.values
    const patterns = { type: 'ref/resource', uri: 'architecture://patterns/{+name}' }
    assert.deepEqual(await complete(patterns, 'name', 're'), ['repository', 'retry-with-back-off'])
    assert.deepEqual(
      await complete({ type: 'ref/prompt', name: 'guided-pattern-validation' }, 'pattern_name', 'ports'),
      ['ports-and-adapters'],
    )
    assert.ok(
      (await complete({ type: 'ref/resource', uri: 'architecture://adr/{+id}' }, 'id', '')).length >= 12,
    )
    const decisions = { type: 'ref/resource', uri: 'architecture://adr/{+id}' }
    for (const written of ['ADR-8', 'adr 0008', 'ports and', 'ports-and'])
      assert.ok((await complete(decisions, 'id', written)).includes('0008'), written)
    assert.deepEqual(await complete(decisions, 'id', '???'), [])
    assert.deepEqual(await complete({ type: 'ref/prompt', name: 'create-adr' }, 'title', 'x'), [])
    await reader.close()
  })

  test('a decision that a later one replaces is shown as superseded, whatever its own status', async (t) => {
    const record = (status: string) => `# Use X\n\n## Status\n\n${status}\n\n## Decision\n\nWe use a queue.\n`
    const fresh = await toolsetWorld(architecture, {
      files: {
        'docs/adr/0001-a.md': record('Accepted'),
        'docs/adr/0002-b.md': record('Accepted\n\nSupersedes [1](0001-a.md)'),
      },
      embedding: false,
    })
    t.after(() => fresh.close())
    const statuses = [
      ['architecture://adr/0001', 'superseded', ['architecture://adr/0002']],
      ['architecture://adr/0002', 'accepted', undefined],
    ]
    interface Row {
      uri: string
      status: string
      superseded_by?: string[]
    }
    const shown = (rows: Row[]) =>
      rows
        .map(({ uri, status, superseded_by }) => [uri, status, superseded_by])
        .sort(([a], [b]) => (a! < b! ? -1 : 1))
    const found = await fresh.ask<{ results: Row[] }>('search-architecture', { query: 'queue' })
    assert.deepEqual(shown(found.results), statuses)
    const args = { decision_description: 'Use a queue.' }
    const aligned = await fresh.ask<{ related_adrs: Row[] }>('check-adr-alignment', args)
    assert.deepEqual(shown(aligned.related_adrs), statuses)
    const decisions = fresh.registry.resources.find(({ name }) => name === 'architecture adr')!
    const listed = await decisions.list!({ library: fresh.library })
    assert.equal(listed[0]?.description, 'Status: superseded.')
  })

  test('clients hear of prompts and documents that changed', async (t) => {
    const watching = watchArchitecture(world.library, { onChange: news.publish, everyMs: 60_000 })
    t.after(() => watching.close())
    await watching.look()
    received.length = 0
    putPrompt('news.json', template('news', 'x'))
    write(world.root, { 'mcp/resources/patterns/one.md': '# One\n' })
    await indexAll(world.library, {})
    await watching.look()
    assert.deepEqual(received.sort(), ['prompts', 'resources'])
    received.length = 0
    await client.subscribeResource({ uri: 'architecture://patterns/one' })
    writeFileSync(join(world.root, 'mcp/resources/patterns/one.md'), '# One and more\n')
    await indexAll(world.library, {})
    await watching.look()
    assert.deepEqual(received, ['architecture://patterns/one'])
  })
})

describe('workflows', () => {
  const clock = { time: 1_000_000, now: () => clock.time }

  test('a prompt opens one, tools add to it, and it can be read', async (t) => {
    const fresh = await toolsetWorld(architecture, { embedding: false })
    t.after(() => fresh.close())
    const prompt = (await fresh.registry.prompts()).find(({ name }) => name === 'suggest-patterns')!
    const answer = await prompt.get({ library: fresh.library }, { problem: 'retries' }, undefined as never)
    const workflow_id = String(answer._meta?.workflow_id)
    assert.match(workflow_id, /^[0-9a-f-]{36}$/)
    assert.ok(JSON.stringify(answer.messages).includes(workflow_id))
    interface Flow {
      workflow: { prompt: string; previous: { tool: string; summary: string }[]; expires_at: string }
    }
    const first = await fresh.ask<Flow>('search-architecture', { query: 'retry', workflow_id })
    assert.deepEqual([first.workflow.prompt, first.workflow.previous], ['suggest-patterns', []])
    const second = await fresh.ask<Flow>('validate-against-pattern', {
      code: 'x()',
      pattern_name: 'repository',
      workflow_id,
    })
    assert.deepEqual(
      second.workflow.previous.map(({ tool }) => tool),
      ['search-architecture'],
    )
    const resource = fresh.registry.resources.find(({ name }) => name === 'architecture workflow')!
    const read = await resource.read(
      { library: fresh.library },
      { uri: '', variables: { workflow_id } },
      undefined as never,
    )
    const workflow = JSON.parse((read as { text: string }).text) as {
      arguments: object
      steps: { result: { total_matches: number } }[]
    }
    assert.deepEqual(workflow.arguments, { problem: 'retries' })
    assert.ok(workflow.steps[0]!.result.total_matches > 0)
  })

  test('a validation that checked nothing is kept as that', async (t) => {
    const fresh = await toolsetWorld(architecture, {
      files: { 'mcp/resources/patterns/p.md': '# P\n\n## Best Practices\n\n- Keep it simple.\n' },
      embedding: false,
    })
    t.after(() => fresh.close())
    const { id } = await openWorkflow(fresh.library, { prompt: 'p', arguments: {} })
    await fresh.ask('validate-against-pattern', { code: 'x()', pattern_name: 'p', workflow_id: id })
    const { steps } = await findWorkflow(fresh.library, id)
    assert.equal(steps[0]!.summary, 'p: nothing checked, 0 passed, 0 violated, 1 not checkable')
  })

  test('an unknown one is refused with the next step, and a blank id counts as none', async (t) => {
    const fresh = await toolsetWorld(architecture, { embedding: false, files: { 'a.md': '# A' } })
    t.after(() => fresh.close())
    for (const workflow_id of ['x', '00000000-0000-4000-8000-000000000000', "'; --"]) {
      const { value } = await fresh.call('search-architecture', { query: 'x', workflow_id })
      const { error } = value as { error: { code: number; data: { hint: string } } }
      assert.equal(error.code, -32602)
      assert.match(error.data.hint, /one hour/)
    }
    for (const workflow_id of ['', ' '])
      assert.notEqual((await fresh.call('search-architecture', { query: 'x', workflow_id })).isError, true)
  })

  test('is kept for one hour, and then gone', async (t) => {
    const fresh = await toolsetWorld(architecture, { embedding: false, files: { 'a.md': '# A' } })
    t.after(() => fresh.close())
    const { id } = await openWorkflow(fresh.library, { prompt: 'p', arguments: {} }, clock)
    clock.time += 3_599_999
    await addStep(fresh.library, id, { tool: 't', summary: 's', result: 1 }, clock)
    assert.equal((await findWorkflow(fresh.library, id, clock)).steps.length, 1)
    clock.time += 1
    await assert.rejects(findWorkflow(fresh.library, id, clock), /no workflow/)
    await addStep(fresh.library, id, { tool: 't', summary: 's', result: 1 }, clock)
    await openWorkflow(fresh.library, { prompt: 'p', arguments: {} }, clock)
    assert.equal((await fresh.library.store.records.all('~workflows')).length, 1)
  })

  test('is kept however many others are opened meanwhile', async (t) => {
    const fresh = await toolsetWorld(architecture, { embedding: false, files: { 'a.md': '# A' } })
    t.after(() => fresh.close())
    const open = () => openWorkflow(fresh.library, { prompt: 'p', arguments: {} })
    const [used, unused] = [await open(), await open()]
    await addStep(fresh.library, used.id, { tool: 't', summary: 's', result: 1 })
    for (let i = 0; i < 250; i++) await open()
    for (const { id } of [used, unused]) await findWorkflow(fresh.library, id)
  })

  test('all together stay within their limit, and the ones used last stay longest', async (t) => {
    const fresh = await toolsetWorld(architecture, { embedding: false, files: { 'a.md': '# A' } })
    t.after(() => fresh.close())
    const { records } = fresh.library.store
    const startedAt = Date.now() - 1_000
    const many = (count: number, first: number, steps: unknown[]) =>
      Array.from({ length: count }, (_, i) => {
        const id = `00000000-0000-4000-8000-${String(first + i).padStart(12, '0')}`
        return {
          kind: '~workflows',
          id,
          value: { id, prompt: 'p', arguments: {}, startedAt: startedAt + i, steps },
        }
      })
    await records.putAll([...many(100, 0, [{ result: 1 }]), ...many(8_200, 1_000, [])])
    const { id } = await openWorkflow(fresh.library, { prompt: 'p', arguments: {} })
    const workflows = await records.all<{ steps: unknown[] }>('~workflows')
    assert.equal(workflows.filter(({ value }) => value.steps.length > 0).length, 100)
    assert.ok(workflows.length > 7_000 && workflows.length <= 8_001, String(workflows.length))
    await findWorkflow(fresh.library, id)
  })

  test('grows no larger than it should', async (t) => {
    const fresh = await toolsetWorld(architecture, { embedding: false, files: { 'a.md': '# A' } })
    t.after(() => fresh.close())
    const { id } = await openWorkflow(fresh.library, {
      prompt: 'p',
      arguments: { code: 'x'.repeat(100_000) },
    })
    for (let i = 0; i < 32; i++)
      await addStep(fresh.library, id, { tool: 't', summary: 's'.repeat(1_000), result: 'y'.repeat(50_000) })
    const workflow = await findWorkflow(fresh.library, id)
    assert.equal(workflow.steps.length, 30)
    assert.ok(JSON.stringify(workflow).length < 30 * 11_000)
  })
})
