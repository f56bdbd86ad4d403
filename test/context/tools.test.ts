import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { indexAll } from '../../src/app/index-all.js'
import { executor } from '../../src/server/executor.js'
import { registry } from '../../src/server/registry.js'
import { serveHttp } from '../../src/surfaces/http/server.js'
import { moduleNamed } from '../../src/toolsets/context/overview.js'
import { readFile } from '../../src/toolsets/context/read-file.js'
import { searchContext } from '../../src/toolsets/context/search.js'
import { context } from '../../src/toolsets/context/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { world as filesWorld, openForTest } from '../support/world.js'

const world = await toolsetWorld(context)
after(() => world.close())

interface Found {
  results: {
    id: string
    type: string
    module: string | null
    source: string
    score: number
    content: string
    file?: string
    lines?: [number, number]
  }[]
  query: string
  totalFound: number
  note?: string
}

const search = (args: object) => world.ask<Found>('context_search', args)

test('discoveries, sessions and code stand in one list by one score', async () => {
  await world.ask('record_discovery', {
    type: 'decision',
    content: 'The outbox is polled every two seconds by the dispatcher',
    module: 'dispatcher',
  })
  const { results, query } = await search({ query: 'how is the outbox polled', limit: 10 })
  assert.equal(query, 'how is the outbox polled')
  assert.deepEqual(new Set(results.map(({ source }) => source)), new Set(['discovery', 'code']))
  const scores = results.map(({ score }) => score)
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
  )
  assert.ok(scores.every((score) => score >= 0 && score <= 1))
  const isWhole = (content: string) => content.split('\n').length <= 60
  assert.ok(
    results.every(({ content, source }) => content.length <= 600 || (source === 'code' && isWhole(content))),
  )
})

test('of code the lines are those that are shown, where the words of the question stand', async () => {
  const { root } = world.library.settings
  const { results } = await search({ query: 'retry budget attempts left deadline', limit: 20 })
  const code = results.filter(({ source }) => source === 'code')
  assert.ok(code.some(({ content }) => content.endsWith('[truncated]')))
  for (const { file, lines, content } of code) {
    const text = readFileSync(join(root, file!), 'utf8').split('\n')
    const shown = text
      .slice(lines![0] - 1, lines![1])
      .join('\n')
      .trim()
    assert.equal(content.replace(/\n?\.\.\. \[truncated\]$/, ''), shown, file)
  }
})

test('of a notebook no lines are given: those of its text are not those of the file', async (t) => {
  const cells = [
    { cell_type: 'code', metadata: {}, source: ['import os\n', 'gannet = "wick"\n'], outputs: [] },
  ]
  const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)
  const { library } = await filesWorld(t, { 'nb.ipynb': notebook, 'a.py': 'gannet = "wick"\n' })
  await indexAll(library, {})
  const request = { query: 'gannet wick', type: 'all', limit: 5 } as const
  const { results, notes } = await searchContext(library, request)
  assert.deepEqual(
    new Map(results.map(({ file, lines }) => [file, lines])),
    new Map([
      ['a.py', [1, 1]],
      ['nb.ipynb', undefined],
    ]),
  )
  assert.match(notes.at(-1)!.message, /^No lines are given of nb\.ipynb: .* grep_codebase finds them\.$/)
})

test('a module is named by the path below the root, whichever folders are the sources', async (t) => {
  const code = (name: string) => `export function ${name}(lantern) {\n  return lantern.${name}\n}\n`
  const { settings } = await filesWorld(t, {
    'packages/auth/src/token.ts': code('issueToken'),
    'packages/billing/src/charge.ts': code('chargeCard'),
    'src/main.ts': code('start'),
    'src/api/server.ts': code('listen'),
  })
  const folders = ['packages/auth', 'packages/billing', 'src']
  const path = (folder: string) => join(settings.root, folder)
  const sources = folders.map((one) => ({ name: one, path: path(one), include: [], exclude: [] }))
  const library = await openForTest({ ...settings, data: path('.carrel/own'), sources })
  t.after(() => library.close())
  await indexAll(library, {})
  const expected = {
    auth: 'packages/auth/src/token.ts',
    billing: 'packages/billing/src/charge.ts',
    src: 'src/main.ts',
    API: 'src/api/server.ts',
  }
  for (const [module, file] of Object.entries(expected)) {
    const { results } = await searchContext(library, { query: 'lantern', type: 'all', module, limit: 10 })
    const request = { path: file, includeDeps: false, maxDepth: 0 }
    const { metadata } = await readFile(library, request)
    assert.deepEqual(
      results.map((one) => [one.file, one.module]),
      [[file, metadata.module]],
    )
    assert.deepEqual((await moduleNamed(library, module))!.files, [file])
  }
  const none = await searchContext(library, { query: 'lantern', type: 'all', module: 'packages', limit: 10 })
  assert.deepEqual(none.results, [])
  const nested = async (module: string) => {
    const found = await searchContext(library, { query: 'lantern', type: 'all', module, limit: 10 })
    return [found.results.map(({ file }) => file), found.notes.map(({ code }) => code)]
  }
  assert.deepEqual(await nested('auth/src'), [[expected.auth], ['words_only']])
  assert.deepEqual(await nested('packages/auth/'), [[expected.auth], ['words_only']])
  assert.deepEqual(await nested('auth/nowhere'), [[], ['words_only', 'no_module']])
  assert.deepEqual((await moduleNamed(library, 'auth/src'))!.files, [expected.auth])
})

test('filters come first: as many as there are, up to the limit', async () => {
  const subjects =
    'anchors ballast compass davits engines funnels gangways hawsers icebergs jetties keels lanterns'.split(
      ' ',
    )
  for (const [i, subject] of subjects.entries())
    await world.ask('record_discovery', {
      type: 'issue',
      content: `The ${subject} of the ferry are worn and ${subject.slice(0, 4)}ing`,
      module: i % 2 ? 'bridge' : 'tray',
    })
  const issues = await search({ query: 'outbox polled by the dispatcher', type: 'issue', limit: 20 })
  assert.equal(issues.results.length, 12)
  assert.ok(issues.results.every(({ type, source }) => type === 'issue' && source === 'discovery'))
  for (const limit of [1, 3, 20]) {
    const { totalFound } = await search({ query: 'outbox polled by the dispatcher', type: 'issue', limit })
    assert.equal(totalFound, 12)
  }
  const bridge = await search({ query: 'problem of the ferry', type: 'issue', module: 'Bridge', limit: 20 })
  assert.equal(bridge.results.length, 6)
  const code = await search({ query: 'problem of the ferry', module: 'api', limit: 20 })
  assert.ok(code.results.length > 0 && code.results.every(({ module }) => module === 'api'))
  const none = await search({ query: 'problem of the ferry', module: 'nowhere' })
  assert.deepEqual([none.results, none.totalFound], [[], 0])
})

test('an unknown module is reported if nothing is found for it', async () => {
  const noteFor = async (args: object) =>
    (await search({ query: 'problem of the ferry', ...args })).note ?? ''
  assert.match(await noteFor({ module: 'nowhere' }), /There is no module "nowhere"\. There are: .*\bapi\b/)
  assert.match(await noteFor({ module: 'dispatchr', type: 'rule' }), /Did you mean "dispatcher"\?/)
  for (const module of ['API', '', undefined])
    assert.doesNotMatch(await noteFor({ module, type: 'rule' }), /module/)
})

test('an empty module or session counts as left out', async () => {
  const statement = { type: 'rule', content: 'Lamps are counted at dusk by the keeper' }
  const whole = await world.ask<{ session_id: string }>('record_discovery', statement)
  const blank = await world.ask('record_discovery', { ...statement, module: '', session_id: '' })
  const { module, session_id, state } = blank as { module: string; session_id: string; state: string }
  assert.deepEqual([module, session_id, state], [null, whole.session_id, 'merged'])
  const { results } = await search({ query: 'lamps counted at dusk', module: '', type: 'rule' })
  assert.equal(results[0]?.content, statement.content)
})

test('a module is found by every name that it is recorded under', async () => {
  const content = 'The foghorn sounds twice before the ferry leaves'
  const names = ['horns/', '/Horns', ' horns ', 'horns']
  for (const module of names) await world.ask('record_discovery', { type: 'rule', content, module })
  for (const module of names) {
    const { results } = await search({ query: 'foghorn of the ferry', type: 'rule', module })
    assert.deepEqual(
      results.map((one) => [one.module, one.content]),
      [['horns', content]],
      module,
    )
    assert.equal((await moduleNamed(world.library, module))?.discoveries[0]?.content, content, module)
  }
  const code = await search({ query: 'problem of the ferry', module: 'api/', limit: 20 })
  assert.ok(code.results.length > 0 && code.results.every(({ module }) => module === 'api'))
  const everywhere = await search({ query: 'foghorn of the ferry', type: 'rule', module: '/' })
  assert.ok(everywhere.results.length > 0, 'what is recorded under no name is of the whole project')
  assert.equal(await moduleNamed(world.library, '/'), null)
})

const refused: [string, object, RegExp][] = [
  ['context_search', { query: 'ab' }, /at least 3/],
  ['context_search', { query: 'x'.repeat(501) }, /at most 500/],
  ['context_search', { query: 'fine', limit: 21 }, /at most 20/],
  ['context_search', { query: 'fine', limit: 0 }, /at least 1/],
  ['context_search', { query: 'fine', type: 'note' }, /one of/],
  ['record_discovery', { type: 'rule', content: 'short' }, /at least 10/],
  ['record_discovery', { type: 'rule', content: 'x'.repeat(1_001) }, /at most 1000/],
  ['record_discovery', { type: 'rule', content: 'long enough to keep', session_id: '../x y' }, /session_id/],
  ['read_file', { path: 'code/api/src/server.ts', session_id: '../x y' }, /session_id/],
  ['grep_codebase', { pattern: '' }, /at least 1/],
  ['grep_codebase', { pattern: 'x'.repeat(201) }, /at most 200/],
  ['grep_codebase', { pattern: 'x', limit: 101 }, /at most 100/],
  ['grep_codebase', { pattern: '[invalid(' }, /Invalid regex pattern/],
]
for (const [tool, args, message] of refused)
  test(`${tool} refuses ${JSON.stringify(args).slice(0, 60)}`, async () => {
    const { isError, value } = await world.call(tool, args)
    assert.ok(isError)
    const { error, details = [] } = value as { error: string; details?: { message: string }[] }
    assert.match([error, ...details.map(({ message }) => message)].join(' '), message)
  })

test('an empty index is an error that names the next step', async () => {
  const empty = await toolsetWorld(context, { files: { 'photo.png': '' } })
  try {
    const { isError, value } = await empty.call('context_search', { query: 'anything at all' })
    assert.ok(isError)
    const { error, fallback } = value as { error: string; fallback: string }
    assert.match(error, /No embeddings found/)
    assert.equal(fallback, 'Use grep_codebase for text search')
  } finally {
    await empty.close()
  }
})

test('without a model the search answers by words, and says so', async () => {
  const plain = await toolsetWorld(context, { embedding: false })
  try {
    const found = await plain.ask<Found>('context_search', { query: 'retry budget attempts' })
    assert.ok(found.results.length > 0)
    assert.match(found.note!, /by words/)
  } finally {
    await plain.close()
  }
})

test('rate limits hold for calls that come together, by client, and stop no other tool', async () => {
  const clock = { now: 0 }
  const runs = executor({ now: () => clock.now })
  const call = (tool: string, args: object, client = 'a') =>
    runs.call(world.registry.tool(tool), { library: world.library }, args, { client: { id: client } })
  const grep = () => call('grep_codebase', { pattern: 'outbox', limit: 1 })
  const answers = await Promise.all(Array.from({ length: 70 }, grep))
  // On a machine with too much to do a call may also run out of time.
  const limited = answers.filter(({ value }) => 'retryAfterMs' in (value as object))
  assert.equal(limited.length, 10)
  assert.match((limited[0]!.value as { error: string }).error, /60 calls a minute/)
  assert.equal((limited[0]!.value as { retryAfterMs: number }).retryAfterMs, 60_000)
  const searches = await Promise.all(
    Array.from({ length: 31 }, () => call('context_search', { query: 'outbox', limit: 1 })),
  )
  assert.equal(searches.filter(({ value }) => 'retryAfterMs' in (value as object)).length, 1)
  assert.equal(
    (await call('record_discovery', { type: 'rule', content: 'Limits hold for each client alone' })).isError,
    false,
  )
  assert.equal((await call('grep_codebase', { pattern: 'outbox' }, 'b')).isError, false)
  clock.now = 60_001
  assert.equal((await grep()).isError, false)
})

test('resources: overview, modules with listing and completion, sessions', async () => {
  await world.ask('record_discovery', {
    type: 'pattern',
    content: 'Ports are interfaces in the domain folder',
    module: 'api',
  })
  const exposed = registry([context], { library: world.library })
  const http = await serveHttp({
    surface: {
      registry: exposed,
      executor: executor({ rates: false }),
      info: { name: 'carrel', version: 'test' },
    },
  })
  const client = new Client({ name: 'reader', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${http.url}/mcp`)))
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri })
    return (contents[0] as { text: string }).text
  }
  try {
    const overview = await read('context://project/overview')
    assert.match(overview, /## Modules\n\n- notes: \d+ files/)
    assert.match(overview, /pattern \(api\): Ports are interfaces/)
    const { resources } = await client.listResources()
    const uris = resources.map(({ uri }) => uri)
    for (const uri of ['context://project/overview', 'context://module/api', 'context://sessions/recent'])
      assert.ok(uris.includes(uri), uri)
    assert.match(await read('context://module/API'), /^# Module api\n\n## Discoveries/)
    await assert.rejects(read('context://module/nowhere'))
    await assert.rejects(read('context://module/..%2F..%2Fetc'))
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'context://module/{name}' },
      argument: { name: 'name', value: 'A' },
    })
    assert.deepEqual(completion.values, ['api'])
    await client.callTool({ name: 'grep_codebase', arguments: { pattern: 'outbox', limit: 1 } })
    const current = JSON.parse(await read('context://session/current')) as { id: string; calls: number }
    assert.ok(current.calls >= 1)
    const { sessions } = JSON.parse(await read('context://sessions/recent')) as { sessions: { id: string }[] }
    assert.ok(sessions.some(({ id }) => id === current.id))
  } finally {
    await client.close()
    await http.close(0)
  }
})

test('a session that is named is returned, and its discoveries know it', async () => {
  const recorded = await world.ask<{ id: string; session_id: string }>('record_discovery', {
    type: 'pattern',
    content: 'Handles name a session across calls',
    session_id: 'a-handle',
  })
  assert.equal(recorded.session_id, 'a-handle')
  const { results } = await search({ query: 'handles name a session', type: 'pattern' })
  assert.equal((results[0] as unknown as { session: string }).session, 'a-handle')
})
