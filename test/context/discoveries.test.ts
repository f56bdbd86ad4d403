import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDocument } from '../../src/answer/collections.js'
import { isMiss } from '../../src/answer/find-passages.js'
import type { Library } from '../../src/answer/library.js'
import { allDiscoveries } from '../../src/answer/memory/records.js'
import { draft } from '../../src/answer/memory/statements.js'
import { search } from '../../src/answer/search.js'
import { fillVectors } from '../../src/answer/vectors.js'
import { indexAll } from '../../src/app/index-all.js'
import type { DiscoveryType } from '../../src/model/discovery.js'
import { Problem } from '../../src/model/problem.js'
import { recordAll, recordDiscovery } from '../../src/toolsets/context/record-discovery.js'
import { searchContext } from '../../src/toolsets/context/search.js'
import { fakeEmbedder } from '../support/fake-embedder.js'
import { openForTest, world } from '../support/world.js'

const say = (
  library: Library,
  type: DiscoveryType,
  content: string,
  more: { module?: string; at?: string } = {},
) => recordDiscovery(library, { type, content, ...more, from: { by: 'command' } })

async function find(library: Library, query: string) {
  const { results } = await searchContext(library, { query, type: 'all', limit: 5 })
  return results
}

async function remembering(t: TestContext, embedding = true) {
  const { library, root, settings } = await world(t, { 'src/auth/token.ts': 'export const token = 1\n' })
  const own = embedding ? { ...library, embedder: fakeEmbedder({ dimensions: 256 }) } : library
  await indexAll(own, {})
  return { library: own, root, settings }
}

for (const embedding of [true, false])
  test(`a discovery is found at once, ${embedding ? 'by meaning and words' : 'by words alone'}`, async (t) => {
    const { library } = await remembering(t, embedding)
    await say(library, 'pattern', 'Refresh tokens rotate on every use', { module: 'auth' })
    const [first] = await find(library, 'how do refresh tokens rotate')
    assert.equal(first?.source, 'discovery')
    assert.equal(first?.type, 'pattern')
    assert.equal(first?.module, 'auth')
    const { hits } = await search(library, { query: 'refresh tokens rotate' })
    assert.equal(hits[0]?.collection, 'discoveries', 'and by every other search')
  })

test('a discovery is shown whole, once, and its id opens its document', async (t) => {
  const { library } = await remembering(t)
  const long = `The outbox keeps its order: ${'一个事件在发送之前被写入日志。'.repeat(60)} And that is why.`
  const { discovery } = await say(library, 'decision', long)
  const shown = (await find(library, 'outbox order 日志')).filter(({ id }) => id === discovery.id)
  assert.deepEqual(
    shown.map(({ content, collection }) => [content, collection]),
    [[long, 'discoveries']],
  )
  for (const document of [discovery.id, `${discovery.id}.md`, `discoveries:${discovery.id}`]) {
    const opened = await openDocument(library, { collection: 'discoveries', document })
    assert.ok(!isMiss(opened) && opened.document.text === long, document)
  }
})

test('near-duplicates are one record with a count and all their places', async (t) => {
  const { library } = await remembering(t)
  const first = await say(library, 'rule', 'Always run the linter before a commit')
  const again = await say(library, 'rule', 'Run the linter always before commits.')
  const other = await say(library, 'pattern', 'Always run the linter before a commit')
  assert.deepEqual([first.state, again.state, other.state], ['recorded', 'merged', 'recorded'])
  assert.equal(again.discovery.id, first.discovery.id)
  assert.deepEqual([again.discovery.count, again.discovery.provenance.length], [2, 2])
  assert.equal((await allDiscoveries(library)).length, 2)
})

test('statements that differ in capitals or signs alone are all kept', async (t) => {
  const { library } = await remembering(t, false)
  const statements = ['`userId`', '`userID`', '`UserId`', '`userId?`'].map(
    (key) => `The key of the table is ${key}`,
  )
  for (const content of [...statements, ...statements]) await say(library, 'rule', content)
  const stored = await allDiscoveries(library)
  assert.deepEqual(stored.map(({ content }) => content).sort(), [...statements].sort())
  assert.ok(stored.every(({ count }) => count === 2))
})

test('statements that differ by a number, a negation or a module are not merged', async (t) => {
  const { library } = await remembering(t)
  await say(library, 'rule', 'Log every request of the gateway', { module: 'a' })
  await say(library, 'rule', 'Log every request of the gateway in full', { module: 'b' })
  await say(library, 'issue', 'Test 12 fails on the build server')
  await say(library, 'issue', 'Test 14 fails on the build server')
  assert.equal((await allDiscoveries(library)).length, 4)
})

const apart: [DiscoveryType, string, string][] = [
  ['decision', 'We use PostgreSQL for the orders service.', 'We use MySQL for the orders service.'],
  [
    'pattern',
    'Call foo() before bar() in the startup sequence',
    'Call bar() before foo() in the startup sequence',
  ],
  [
    'rule',
    'Migrate data from Kafka to RabbitMQ in the pipeline',
    'Migrate data from RabbitMQ to Kafka in the pipeline',
  ],
  ['rule', 'Users with role editor may delete orders', 'Only users with role editor may delete orders'],
  [
    'rule',
    'Enable retries for payment webhooks in production',
    'Disable retries for payment webhooks in production',
  ],
  [
    'rule',
    'Deploys to production happen on Mondays after review',
    'Deploys to production happen on Fridays after review',
  ],
]

test('another statement in nearly the same words is kept, however near it is to a model', async (t) => {
  const { library } = await remembering(t)
  const one = new Float32Array(256).fill(1 / 16)
  const blind = {
    ...library,
    embedder: { ...library.embedder!, embed: async (texts: readonly string[]) => texts.map(() => one) },
  }
  for (const [type, first, second] of apart) {
    await say(blind, type, first)
    const { state, discovery } = await say(blind, type, second)
    assert.deepEqual([state, discovery.content], ['recorded', second])
  }
  assert.equal((await allDiscoveries(library)).length, apart.length * 2)
})

test('statements about a module and about the project neither replace nor merge with each other', async (t) => {
  const { library } = await remembering(t)
  const everywhere = await say(library, 'rule', 'Log every request body at the gateway')
  const payments = await say(library, 'rule', 'Never log every request body at the gateway', {
    module: 'payments',
  })
  assert.deepEqual(payments.supersedes, [])
  const auth = await say(library, 'rule', 'Log every request body at the gateway', { module: 'auth' })
  assert.deepEqual([auth.state, auth.discovery.module], ['recorded', 'auth'])
  const again = await say(library, 'rule', 'Log every request body at the gateway.')
  assert.deepEqual([again.state, again.discovery.id], ['merged', everywhere.discovery.id])
  assert.deepEqual([again.discovery.module, again.discovery.supersededBy], [null, null])
  const inAuth = await say(library, 'rule', 'Log every request body at the gateway', { module: 'Auth' })
  assert.equal(inAuth.discovery.id, auth.discovery.id)
  assert.equal((await allDiscoveries(library)).length, 3)
})

test('a record whose id was made without its module is not written over', async (t) => {
  const { library } = await remembering(t)
  const { discovery } = await say(library, 'rule', 'Validate every input at the boundary')
  await library.store.records.put('discovery', discovery.id, { ...discovery, module: 'auth' })
  const other = await say(library, 'rule', 'Validate every input at the boundary')
  const same = await say(library, 'rule', 'Validate every input at the boundary')
  assert.deepEqual([other.state, same.state, same.discovery.id], ['recorded', 'merged', other.discovery.id])
  assert.deepEqual((await allDiscoveries(library)).map(({ module }) => module).sort(), ['auth', null])
})

test('a later statement marks the one that it replaces; recorded again, that one holds again', async (t) => {
  const { library } = await remembering(t)
  const redis = await say(library, 'decision', 'Use Redis for sessions of the api')
  const postgres = await say(library, 'decision', 'Use Postgres instead of Redis for sessions of the api')
  assert.deepEqual(postgres.supersedes, [redis.discovery.id])
  const hit = (await find(library, 'use redis for sessions')).find(({ id }) => id === redis.discovery.id)
  assert.equal(hit?.supersededBy, postgres.discovery.id)
  assert.equal(hit?.content, 'Use Redis for sessions of the api')
  const back = await say(library, 'decision', 'Use Redis for sessions of the api')
  assert.deepEqual([back.state, back.discovery.supersededBy], ['merged', null])
  assert.deepEqual(back.supersedes, [postgres.discovery.id])
  assert.equal((await allDiscoveries(library)).length, 2, 'nothing is deleted')
})

test('a superseded statement says so wherever its text is shown, and no longer once it holds again', async (t) => {
  const { library } = await remembering(t)
  await fillVectors(library)
  const old = await say(library, 'rule', 'Indent the sources with 2 spaces', { module: 'api' })
  const now = await say(library, 'rule', 'Indent the sources with 4 spaces', { module: 'api' })
  const document = `${old.discovery.id}.md`
  const seen = async () => {
    const { hits } = await search(library, { query: 'indent with 2 spaces', mode: 'vector' })
    const { title, text } = hits.find((hit) => hit.document === document)!
    return { title, text }
  }
  assert.deepEqual(await seen(), {
    title: 'Superseded rule in api',
    text: `Replaced by a newer discovery, discoveries:${now.discovery.id}.md, which holds instead.\n\nIndent the sources with 2 spaces`,
  })
  const named = { collection: 'discoveries', document: `discoveries:${now.discovery.id}.md` }
  assert.ok(!isMiss(await openDocument(library, named)), 'the address in the mark leads to what holds')
  await say(library, 'rule', 'Indent the sources with 2 spaces', { module: 'api' })
  assert.deepEqual(await seen(), { title: 'Rule in api', text: 'Indent the sources with 2 spaces' })
})

test('an older statement replaces nothing, whenever it is imported', async (t) => {
  const { library } = await remembering(t)
  const now = await say(library, 'rule', 'Never mock the database in tests', {
    at: '2026-05-01T00:00:00.000Z',
  })
  const old = await say(library, 'rule', 'Mock the database in tests', { at: '2025-05-01T00:00:00.000Z' })
  assert.deepEqual([old.supersedes, old.discovery.supersededBy], [[], now.discovery.id])
})

test('a statement with a future date counts as recorded now: after earlier ones, before the next', async (t) => {
  const { library } = await remembering(t)
  const { discovery } = await say(library, 'rule', 'Mock the database in tests')
  const ahead = { ...discovery, createdAt: '2099-01-01T00:00:00.000Z', updatedAt: '2099-01-01T00:00:00.000Z' }
  await library.store.records.put('discovery', ahead.id, ahead)
  const old = await say(library, 'rule', 'Never mock the database in tests', {
    at: '2025-05-01T00:00:00.000Z',
  })
  assert.deepEqual([old.supersedes, old.discovery.supersededBy], [[], ahead.id])
  const next = await say(library, 'rule', 'Never mock the database in tests')
  assert.deepEqual([next.supersedes, next.discovery.supersededBy], [[ahead.id], null])
  const again = await say(library, 'rule', 'Mock the database in tests')
  assert.ok(again.discovery.updatedAt <= new Date().toISOString())
  assert.deepEqual([again.supersedes, again.discovery.supersededBy], [[next.discovery.id], null])
})

test('secrets are out before anything is kept, embedded or shown', async (t) => {
  const { library, settings } = await remembering(t)
  const key = `ghp_${'aB3dE6gH9j'.repeat(4)}`
  const embedded: string[] = []
  const fake = fakeEmbedder({ dimensions: 256 })
  const spy = {
    ...fake,
    embed: (texts: readonly string[], options: Parameters<typeof fake.embed>[1]) => {
      embedded.push(...texts)
      return fake.embed(texts, options)
    },
  }
  const watched = { ...library, embedder: spy }
  const { discovery, redacted } = await say(watched, 'issue', `The deploy fails when ${key} is not set`)
  assert.equal(redacted, true)
  assert.equal(discovery.content, 'The deploy fails when [redacted GitHub token] is not set')
  assert.ok(embedded.length > 0 && embedded.every((text) => !text.includes(key)))
  await library.store.settle()
  for (const file of ['records.jsonl', 'index.sqlite', 'index.sqlite-wal'])
    assert.ok(!readFileSync(join(settings.data, file)).includes(key), file)
  await assert.rejects(say(library, 'issue', key), /Nothing is left/)
})

test('when the index is rebuilt, discoveries are made again from their records', async (t) => {
  const { library } = await remembering(t)
  await say(library, 'pattern', 'Refresh tokens rotate on every use')
  await library.store.forgetSource('discoveries')
  assert.equal(
    (await find({ ...library, state: new Map() }, 'refresh tokens rotate'))[0]?.source,
    'discovery',
    'by the first search',
  )
  await library.store.forgetSource('discoveries')
  await indexAll(library, {})
  assert.equal(
    (await search(library, { query: 'refresh tokens' })).hits[0]?.collection,
    'discoveries',
    'by indexing',
  )
})

test('other processes see it with their next read', async (t) => {
  const { library, settings } = await remembering(t, false)
  const second = await openForTest(settings)
  t.after(() => second.close())
  assert.deepEqual(
    (await find(second, 'refresh tokens rotate')).filter(({ source }) => source === 'discovery'),
    [],
  )
  await say(library, 'pattern', 'Refresh tokens rotate on every use')
  assert.equal((await find(second, 'refresh tokens rotate'))[0]?.source, 'discovery')
})

test('hostile content is kept as text', async (t) => {
  const { library } = await remembering(t)
  const contents = [
    '---\ntitle: x\n---\n# Heading and `code` {{resource:x}}',
    '\0 NUL and \ud800 half a pair and \u202e a turn',
    '<script>alert(1)</script> [[wiki]] #tag',
    'constructor __proto__ toString hasOwnProperty',
    '日本語の規則：コミットの前に必ずテストを実行する。',
    '```\nunclosed fence of code for a while',
  ]
  for (const content of contents) {
    const { discovery } = await say(library, 'rule', content)
    assert.ok(discovery.content.length > 0)
  }
  assert.equal((await allDiscoveries(library)).length, contents.length)
  assert.equal((await find(library, 'constructor proto')).length, 5)
})

test('many statements at once are recorded in order and quickly enough', async (t) => {
  const { library } = await remembering(t)
  const statements = Array.from({ length: 120 }, (_, i) => ({
    type: 'pattern' as const,
    content: `The component number ${i} is called ${String.fromCharCode(97 + (i % 26)).repeat(5)}${i} by everyone`,
    from: { by: 'notes' as const, file: 'n.md', line: i + 1 },
  }))
  const recorded = await recordAll(library, statements)
  assert.equal(recorded.length, 120)
  assert.equal((await allDiscoveries(library)).length, 120)
  const again = await recordAll(library, statements)
  assert.ok(
    again.every(({ state, discovery }) => state === 'merged' && discovery.count === 1),
    'twice adds nothing',
  )
})

test('a discovery that is refused because the disk is full is not kept', async (t) => {
  const { library, settings } = await remembering(t)
  const refuse = () => Promise.reject(new Problem('disk_full', 'The disk is full.'))
  const { store } = library
  const without = [
    { ...store, replace: refuse },
    { ...store, vectors: { ...store.vectors, put: refuse } },
    { ...store, records: { ...store.records, put: refuse, putAll: refuse, update: refuse } },
  ]
  await say(library, 'rule', 'Write every log line as JSON')
  const before = await allDiscoveries(library)
  for (const one of without)
    for (const content of ['Rotate the keys of the gateway weekly', 'Never write a log line as JSON'])
      await assert.rejects(say({ ...library, store: one }, 'rule', content), { code: 'disk_full' })
  assert.deepEqual(await allDiscoveries(library), before)
  await library.close()
  const again = await openForTest(settings)
  t.after(() => again.close())
  await indexAll(again, {})
  assert.deepEqual(await allDiscoveries(again), before)
  const found = await find(again, 'rotate the keys of the gateway')
  assert.deepEqual(
    found.filter(({ source, content }) => source === 'discovery' && content.includes('gateway')),
    [],
  )
})

test('a text that is only shortened does not count as redacted', async (t) => {
  const { library } = await world(t, { 'a.md': '# A' })
  const from = { by: 'notes' } as const
  const long = draft(library, { type: 'rule', content: `Keep it short. ${'word '.repeat(400)}`, from })
  assert.deepEqual([long.redacted, long.discovery.content.length], [false, 1_000])
  const secret = draft(library, {
    type: 'rule',
    content: 'The staging password is hunter2x99 since May',
    from,
  })
  assert.equal(secret.redacted, true)
})
