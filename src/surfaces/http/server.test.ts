import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixtureSurface, startHttp } from '../../../test/surfaces/serving.js'
import { Problem } from '../../model/problem.js'
import { serveHttp } from './server.js'

const token = 'a-token-that-is-long-enough'
const accept = 'application/json, text/event-stream'

/** A request as it is on the wire, with headers that fetch would not let us set. */
function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string; json: () => never }>(
    (resolve, reject) => {
      const req = request(url, { method, headers, agent: false }, (res) => {
        const parts: Buffer[] = []
        res.on('data', (part) => parts.push(part))
        res.on('end', () => {
          const text = Buffer.concat(parts).toString()
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text,
            json: () => JSON.parse(text) as never,
          })
        })
        res.on('error', reject)
      })
      req.on('error', reject)
      req.end(body)
    },
  )
}

const post = (url: string, value: unknown, headers: Record<string, string> = {}) =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify(value),
  })

const initialize = (protocolVersion = '2025-11-25') => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})

/** The last message of a response that streams. */
function lastMessage(text: string) {
  const data = text.split('\n').filter((line) => line.startsWith('data: {'))
  return JSON.parse(data.at(-1)!.slice(6))
}

async function until(met: () => boolean) {
  for (const end = performance.now() + 20_000; performance.now() < end && !met(); ) await sleep(5)
  assert.ok(met(), 'it did not come about')
}

describe('the door', () => {
  test('does not open to a network without a token and host names', async () => {
    const surface = fixtureSurface()
    const refuses = async (options: object, code: string) =>
      assert.rejects(
        serveHttp({ surface, ...options }),
        (error) =>
          error instanceof Problem && error.code === code && /CARREL_TOKEN|openssl/.test(error.hint ?? ''),
      )
    await refuses({ host: '0.0.0.0' }, 'insecure_bind')
    await refuses({ host: '0.0.0.0', tokens: [token] }, 'insecure_bind')
    await refuses({ host: '::', allowedHosts: ['carrel.example'] }, 'insecure_bind')
    await refuses({ host: '192.168.1.5' }, 'insecure_bind')
    await refuses({ tokens: ['short'] }, 'weak_token')
    await refuses({ tokens: [''] }, 'weak_token')
    await refuses({ tokens: ['a token with spaces in it'] }, 'weak_token')
  })

  test('opens to a network with both', async (t) => {
    const http = await startHttp(t, { host: '0.0.0.0', tokens: [token], allowedHosts: ['carrel.example'] })
    const at = `http://127.0.0.1:${http.port}/api/tools`
    const authorization = `Bearer ${token}`
    assert.equal((await ask(at, { headers: { host: 'carrel.example', authorization } })).status, 200)
    assert.equal((await ask(at, { headers: { host: 'other.example', authorization } })).status, 403)
  })

  const health = async (url: string) => (await ask(`${url}/healthz`)).status
  const only = process.platform !== 'linux' && 'elsewhere a machine has no second loopback address of itself'

  test('answers to the address that it listens on', { skip: only }, async (t) => {
    const http = await startHttp(t, { host: '127.0.0.2' })
    assert.equal(http.url, `http://127.0.0.2:${http.port}`)
    assert.equal(await health(http.url), 200)
    assert.deepEqual(http.elsewhere, [])
  })

  test('listening everywhere, it prints an address that it answers to', async (t) => {
    const open = { tokens: [token], allowedHosts: ['Desk.example:7373', 'fd00::0:5'] }
    const wide = await startHttp(t, { host: '0.0.0.0', ...open })
    assert.equal(wide.url, `http://127.0.0.1:${wide.port}`)
    assert.equal(await health(wide.url), 200)
    assert.deepEqual(wide.elsewhere, [`http://desk.example:${wide.port}`, `http://[fd00::5]:${wide.port}`])
    const host = `0.0.0.0:${wide.port}`
    assert.equal((await ask(`${wide.url}/healthz`, { headers: { host } })).status, 403)
  })

  test('what is allowed is compared as requests write it', async (t) => {
    const http = await startHttp(t, {
      allowedHosts: ['desk.example.org:7483', 'fd00::5', '[fd00::6]', ' Other.Example '],
      allowedOrigins: [
        'http://friend.example:3000/',
        'HTTPS://Other.Example.org',
        'https://usual.example:443',
        'null',
      ],
    })
    const status = async (headers: Record<string, string>) =>
      (await ask(`${http.url}/healthz`, { headers })).status
    for (const host of [
      'desk.example.org',
      'desk.example.org:80',
      '[fd00::5]:1',
      '[fd00:0::6]',
      'other.example',
    ])
      assert.equal(await status({ host }), 200, host)
    for (const origin of [
      'http://friend.example:3000',
      'https://other.example.org',
      'https://usual.example',
      'null',
    ])
      assert.equal(await status({ origin }), 200, origin)
    assert.equal(await status({ origin: 'http://friend.example:3001' }), 403)
    const stranger = await ask(http.url, { headers: { host: 'strange.example:99' } })
    assert.match(stranger.text, /The host \\"strange\.example\\" is not allowed/)
  })

  test('what could never come is not accepted as allowed', async () => {
    const surface = fixtureSurface()
    for (const name of [
      '',
      '*',
      '*.example',
      'http://desk.example',
      'desk.example/mcp',
      'a b',
      'a,b',
      'fe80::1%eth0',
    ])
      await assert.rejects(serveHttp({ surface, allowedHosts: [name] }), { code: 'bad_host' }, name)
    for (const origin of [
      '',
      '*',
      'desk.example',
      'https://desk.example/page',
      'https://u@desk.example',
      'https://',
    ])
      await assert.rejects(serveHttp({ surface, allowedOrigins: [origin] }), { code: 'bad_origin' }, origin)
  })

  test('a port that is taken is a problem with a way out', async (t) => {
    const http = await startHttp(t)
    await assert.rejects(
      serveHttp({ surface: fixtureSurface(), port: http.port }),
      (e) => e instanceof Problem && e.code === 'port_in_use',
    )
  })
})

describe('guards', () => {
  const cases: [string, Record<string, string>, number][] = [
    ['a plain request', {}, 200],
    ['localhost by name', { host: 'localhost:1234' }, 200],
    ['IPv6 loopback', { host: '[::1]' }, 200],
    ['a name of somebody else', { host: 'evil.example' }, 403],
    ['a name that only starts like ours', { host: 'localhost.evil.example' }, 403],
    ['a name with a user in it', { host: 'localhost@evil.example' }, 403],
    ['our own page', { origin: 'http://localhost:8080' }, 200],
    ['a page of somebody else', { origin: 'https://evil.example' }, 403],
    ['a page without an origin of its own', { origin: 'null' }, 403],
    ['a page allowed by name', { origin: 'https://friend.example' }, 200],
    ['the wrong token', { authorization: 'Bearer nothing' }, 401],
    ['a token of another kind', { authorization: `Basic ${token}` }, 401],
    ['no token', { authorization: '' }, 401],
  ]
  for (const [title, headers, expected] of cases)
    test(`${title} gets ${expected}`, async (t) => {
      const http = await startHttp(t, {
        tokens: [token],
        allowedOrigins: ['https://friend.example'],
      })
      const authorization = `Bearer ${token}`
      const { status, text } = await ask(`${http.url}/api/tools`, { headers: { authorization, ...headers } })
      assert.equal(status, expected, text)
    })

  test('health needs no token, the rest does', async (t) => {
    const http = await startHttp(t, { tokens: [token] })
    const status = async (path: string) => (await ask(http.url + path)).status
    assert.equal(await status('/healthz'), 200)
    for (const path of ['/mcp', '/mcp/shelf', '/api/tools', '/api/status', '/api/statistics', '/metrics'])
      assert.equal(await status(path), 401, path)
  })

  test('a path of slashes keeps nobody waiting, and those at its end do not count', async (t) => {
    const http = await startHttp(t, { tokens: [token] })
    const status = async (path: string) => (await ask(http.url + path)).status
    assert.equal(await status('/healthz//'), 200)
    assert.equal(await status('/api/tools//'), 401)
    const before = process.cpuUsage()
    for (let i = 0; i < 6; i++) assert.equal(await status(`/a${'/'.repeat(15_000)}x`), 404)
    // It took half a second each.
    assert.ok(process.cpuUsage(before).user < 1_000_000)
  })

  test('a page allowed by name may ask first and read answers; others may not', async (t) => {
    const http = await startHttp(t, { allowedOrigins: ['https://friend.example'] })
    const preflight = (origin: string) =>
      ask(`${http.url}/mcp`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-headers': 'content-type, mcp-session-id' },
      })
    const friend = await preflight('https://friend.example')
    assert.equal(friend.status, 204)
    assert.equal(friend.headers['access-control-allow-origin'], 'https://friend.example')
    assert.equal((await preflight('http://localhost:1')).status, 405)
    assert.equal((await preflight('http://localhost:1')).headers['access-control-allow-origin'], undefined)
  })

  test('bodies are capped, declared or not, and must be JSON', async (t) => {
    const http = await startHttp(t, { limits: { bodyBytes: 1_000 } })
    const send = (headers: Record<string, string>, body: string) =>
      ask(`${http.url}/mcp`, { method: 'POST', headers: { accept, ...headers }, body })
    const json = { 'content-type': 'application/json' }
    assert.equal((await send(json, JSON.stringify('x'.repeat(2_000)))).status, 413)
    assert.equal(
      (await send({ ...json, 'transfer-encoding': 'chunked' }, JSON.stringify('x'.repeat(5_000)))).status,
      413,
    )
    assert.equal((await send({ 'content-type': 'text/plain' }, '{}')).status, 415)
    assert.equal((await send({ ...json, 'content-encoding': 'gzip' }, '{}')).status, 415)
    const broken = await send(json, '{"a":')
    assert.equal(broken.status, 400)
    assert.equal((broken.json() as { error: { code: number } }).error.code, -32700)
    assert.equal((await ask(`${http.url}/mcp`, { method: 'PUT' })).status, 405)
  })
})

test('a body that is too large is answered after it was sent, and at once when it is enormous', async (t) => {
  const http = await startHttp(t, { limits: { bodyBytes: 1_000 } })
  const begin = (length: number) => {
    const socket = connect(http.port, '127.0.0.1')
    const told = { text: '', error: null as Error | null, over: false }
    socket.on('data', (bytes) => {
      told.text += bytes
    })
    socket.on('error', (error) => {
      told.error = error
    })
    socket.on('close', () => {
      told.over = true
    })
    t.after(() => socket.destroy())
    const head = ['POST /mcp HTTP/1.1', `host: 127.0.0.1:${http.port}`, 'content-type: application/json']
    socket.write(`${[...head, `content-length: ${length}`].join('\r\n')}\r\n\r\n${'x'.repeat(4_000)}`)
    return { socket, told }
  }
  const large = begin(8_000)
  await sleep(100)
  assert.deepEqual(large.told, { text: '', error: null, over: false })
  large.socket.write('x'.repeat(4_000))
  await until(() => large.told.over)
  assert.equal(large.told.error, null)
  assert.match(large.told.text, /^HTTP\/1\.1 413 .*at most 1000 bytes/s)
  const enormous = begin(100_000)
  await until(() => enormous.told.text.startsWith('HTTP/1.1 413 '))
})

test('a body in another encoding is refused, not misread', async (t) => {
  const http = await startHttp(t)
  const send = (address: string, type: string, encoding: BufferEncoding) =>
    ask(`${http.url}${address}`, {
      method: 'POST',
      headers: { accept, 'content-type': type },
      body: Buffer.from(JSON.stringify({ name: 'cafe', text: 'Café' }), encoding),
    })
  for (const address of ['/api/tools/write_note', '/mcp']) {
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      const misread = await send(address, type, 'latin1')
      assert.equal(misread.status, 400)
      assert.match(misread.text, /-32700.*not valid UTF-8/)
    }
    for (const type of ['application/json; charset=iso-8859-1', 'application/json;charset="UTF-16"'])
      assert.equal((await send(address, type, 'latin1')).status, 415)
  }
  for (const type of [
    'application/json',
    'application/json; charset=UTF-8',
    'application/json;charset="utf8"',
  ])
    assert.equal((await send('/api/tools/write_note', type, 'utf8')).status, 200)
  assert.match((await post(`${http.url}/api/tools/read_note`, { name: 'cafe' })).text, /Café/)
})

describe('sessions of older clients', () => {
  test('begin, go on, end, and are not found afterwards', async (t) => {
    const http = await startHttp(t)
    const url = `${http.url}/mcp`
    const begun = await post(url, initialize())
    assert.equal(begun.status, 200)
    const id = String(begun.headers['mcp-session-id'])
    assert.match(id, /^[0-9a-f-]{36}$/)
    const headers = { 'mcp-session-id': id }
    assert.equal(
      (await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status,
      202,
    )
    const list = await post(url, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers)
    assert.equal(lastMessage(list.text).result.tools.length, 5)
    assert.equal(
      (await post(`${http.url}/mcp/shelf`, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers)).status,
      404,
    )
    assert.equal((await ask(url, { method: 'DELETE', headers })).status, 200)
    assert.equal((await post(url, { jsonrpc: '2.0', id: 3, method: 'tools/list' }, headers)).status, 404)
    assert.equal((await post(url, { jsonrpc: '2.0', id: 3, method: 'tools/list' })).status, 400)
  })

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
    test(`speak ${version}`, async (t) => {
      const http = await startHttp(t)
      assert.equal(
        lastMessage((await post(`${http.url}/mcp`, initialize(version))).text).result.protocolVersion,
        version,
      )
    })

  test('are capped: the one that was quiet longest makes room', async (t) => {
    const http = await startHttp(t, { limits: { sessions: 3 } })
    const ids: string[] = []
    for (let i = 0; i < 4; i++) {
      ids.push(String((await post(`${http.url}/mcp`, initialize())).headers['mcp-session-id']))
      await sleep(3)
    }
    const statuses = await Promise.all(
      ids.map(
        async (id) =>
          (await post(`${http.url}/mcp`, { jsonrpc: '2.0', id: 2, method: 'ping' }, { 'mcp-session-id': id }))
            .status,
      ),
    )
    assert.deepEqual(statuses, [404, 200, 200, 200])
  })

  test('that nobody uses are forgotten', async (t) => {
    const http = await startHttp(t, { limits: { idleMs: 40 } })
    const id = String((await post(`${http.url}/mcp`, initialize())).headers['mcp-session-id'])
    await sleep(150)
    assert.equal(
      (await post(`${http.url}/mcp`, { jsonrpc: '2.0', id: 2, method: 'ping' }, { 'mcp-session-id': id }))
        .status,
      404,
    )
  })

  test('a stream that broke goes on where it was', async (t) => {
    const http = await startHttp(t)
    const url = `${http.url}/mcp`
    const id = String((await post(url, initialize())).headers['mcp-session-id'])
    const headers = {
      'mcp-session-id': id,
      'mcp-protocol-version': '2025-11-25',
      accept,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'wait', arguments: { ms: 150 } },
    })
    const eventId = await new Promise<string>((resolve) => {
      const req = request(url, { method: 'POST', headers, agent: false }, (res) => {
        res.once('data', (bytes) => {
          resolve(/^id: (\S+)/m.exec(String(bytes))?.[1] ?? '')
          req.destroy()
        })
      })
      req.on('error', () => {})
      req.end(body)
    })
    await sleep(250)
    const rest = await ask(url, { headers: { ...headers, 'last-event-id': eventId } })
    assert.deepEqual(lastMessage(rest.text).result.structuredContent, { waited: 150 })
    assert.equal((await ask(url, { headers: { ...headers, 'last-event-id': '99.nonsense' } })).status, 400)
  })
})

describe('less than everything', () => {
  const names = async (url: string, headers: Record<string, string> = {}) =>
    ((await ask(url, { headers })).json() as { tools: { name: string }[] }).tools.map(({ name }) => name)

  test('headers narrow, and only narrow', async (t) => {
    const http = await startHttp(t)
    const url = `${http.url}/api/tools`
    assert.deepEqual(await names(url, { 'x-carrel-toolsets': 'desk' }), ['write_note', 'wait', 'fetch_note'])
    assert.deepEqual(await names(url, { 'x-carrel-toolsets': 'desk, shelf', 'x-carrel-readonly': 'true' }), [
      'read_note',
      'list_notes',
      'wait',
    ])
    assert.deepEqual(
      await names(url, { 'x-carrel-tools': 'wait,read_note', 'x-carrel-exclude-tools': 'wait' }),
      ['read_note'],
    )
    const wrong = await ask(url, { headers: { 'x-carrel-toolsets': 'dekk' } })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /Did you mean \\"desk\\"/)
    const called = await post(
      `${http.url}/api/tools/write_note`,
      { name: 'a', text: 'b' },
      { 'x-carrel-readonly': '1' },
    )
    assert.equal(called.status, 404)
  })

  /** What a client gets for one method: in a session opened with these headers, or by the newest revision. */
  const session = async (url: string, opening: Record<string, string> = {}) => {
    const begun = await post(url, initialize(), opening)
    const id = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
    return async (method: string, params: object = {}, headers: Record<string, string> = {}) =>
      lastMessage((await post(url, { jsonrpc: '2.0', id: 2, method, params }, { ...id, ...headers })).text)
  }
  const offered = ({ result }: { result: { tools: { name: string }[] } }) =>
    result.tools.map(({ name }) => name)
  const write = { name: 'write_note', arguments: { name: 'a', text: 'b' } }

  test('the headers of a request hold in a session that was opened without them', async (t) => {
    const http = await startHttp(t)
    const ask = await session(`${http.url}/mcp`)
    for (const headers of [
      { 'x-carrel-readonly': 'true' },
      { 'x-carrel-exclude-tools': 'write_note' },
    ] as Record<string, string>[]) {
      assert.match(
        (await ask('tools/call', write, headers)).error.message,
        /write_note is not available here/,
      )
      assert.ok(!offered(await ask('tools/list', {}, headers)).includes('write_note'))
    }
    const desk = { 'x-carrel-toolsets': 'desk' }
    assert.deepEqual((await ask('resources/list', {}, desk)).result.resources, [])
    assert.deepEqual((await ask('resources/templates/list', {}, desk)).result.resourceTemplates, [])
    assert.deepEqual((await ask('prompts/list', {}, desk)).result.prompts, [])
    assert.equal(http.surface.registry.services.notes.has('a'), false)
    assert.ok((await ask('tools/call', write)).result.structuredContent)
  })

  test('the headers of a request only take away from what its session was opened with', async (t) => {
    const http = await startHttp(t)
    const ask = await session(`${http.url}/mcp`, { 'x-carrel-toolsets': 'desk' })
    assert.deepEqual(offered(await ask('tools/list')), ['write_note', 'wait', 'fetch_note'])
    assert.deepEqual(offered(await ask('tools/list', {}, { 'x-carrel-toolsets': 'desk, shelf' })), [
      'write_note',
      'wait',
      'fetch_note',
    ])
    assert.deepEqual(offered(await ask('tools/list', {}, { 'x-carrel-readonly': '1' })), ['wait'])
  })

  test('an address and a header narrow together', async (t) => {
    const http = await startHttp(t)
    const both = await session(`${http.url}/mcp/desk`, { 'x-carrel-toolsets': 'shelf' })
    assert.deepEqual(offered(await both('tools/list')), [])
    const late = await session(`${http.url}/mcp/desk`)
    assert.deepEqual(offered(await late('tools/list', {}, { 'x-carrel-toolsets': 'shelf' })), [])
  })

  test('a header that says neither yes nor no is refused', async (t) => {
    const http = await startHttp(t)
    const status = async (value: string) =>
      (await ask(`${http.url}/api/tools`, { headers: { 'x-carrel-readonly': value } })).status
    for (const value of ['enabled', 'y', '', 'true, false']) assert.equal(await status(value), 400, value)
    for (const value of ['false', 'off', 'ON']) assert.equal(await status(value), 200, value)
  })

  test('a long list of names is read to its end', async (t) => {
    const http = await startHttp(t)
    const exclude = `${'wait,'.repeat(150)}write_note`
    assert.ok(
      !(await names(`${http.url}/api/tools`, { 'x-carrel-exclude-tools': exclude })).includes('write_note'),
    )
  })

  test('each toolset has an endpoint of its own', async (t) => {
    const http = await startHttp(t)
    const begun = await post(`${http.url}/mcp/desk`, initialize())
    const headers = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
    const list = lastMessage(
      (await post(`${http.url}/mcp/desk`, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers)).text,
    )
    assert.deepEqual(
      list.result.tools.map(({ name }: { name: string }) => name),
      ['write_note', 'wait', 'fetch_note'],
    )
    assert.equal(lastMessage(begun.text).result.capabilities.resources, undefined)
    const strange = await post(`${http.url}/mcp/shlef`, initialize())
    assert.equal(strange.status, 404)
    assert.match(strange.text, /The toolsets are shelf, desk/)
  })
})

describe('the API', () => {
  const cases: [string, string, unknown, number, unknown][] = [
    [
      'a result',
      'read_note',
      { name: 'welcome' },
      200,
      { name: 'welcome', text: 'Welcome to the shelf.', length: 21 },
    ],
    ['a sentence', 'read_note', { name: 'x' }, 200, 'Note "x" not found.'],
    ['wrong arguments', 'read_note', {}, 400, undefined],
    ['a problem', 'write_note', { name: 'locked', text: '' }, 422, undefined],
    [
      'no such tool',
      'raed_note',
      {},
      404,
      { error: 'There is no tool "raed_note". Did you mean "read_note"?' },
    ],
    ['time up', 'wait', { ms: 50_000 }, 504, undefined],
  ]
  for (const [title, tool, args, status, expected] of cases)
    test(`${title}: ${status}`, async (t) => {
      const http = await startHttp(t, { executor: { mostTimeMs: 50 } })
      const answer = await post(`${http.url}/api/tools/${tool}`, args)
      assert.equal(answer.status, status, answer.text)
      if (expected !== undefined) assert.deepEqual(answer.json(), expected)
    })

  test('a rate limit says when to come back', async (t) => {
    const http = await startHttp(t, { executor: { rates: { list_notes: 1 } } })
    await post(`${http.url}/api/tools/list_notes`, {})
    const { status, headers } = await post(`${http.url}/api/tools/list_notes`, {})
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 50)
  })

  test('a client that goes away stops the work', async (t) => {
    const http = await startHttp(t)
    const req = request(`${http.url}/api/tools/wait`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      agent: false,
    })
    req.on('error', () => {})
    req.end(JSON.stringify({ ms: 1_900, label: 'left alone' }))
    await until(() => http.surface.executor.load().running === 1)
    req.destroy()
    await until(() => http.surface.registry.services.stopped.includes('left alone'))
  })

  test('status, statistics and metrics', async (t) => {
    const http = await startHttp(t, { status: () => ({ collections: 3 }) })
    await post(`${http.url}/api/tools/list_notes`, {})
    assert.deepEqual((await ask(`${http.url}/api/status`)).json(), { collections: 3 })
    const { tools } = (await ask(`${http.url}/api/statistics`)).json() as {
      tools: { tool: string; calls: number }[]
    }
    assert.deepEqual(
      tools.map(({ tool, calls }) => [tool, calls]),
      [['list_notes', 1]],
    )
    const metrics = await ask(`${http.url}/metrics`)
    assert.match(String(metrics.headers['content-type']), /^text\/plain; version=0\.0\.4/)
    assert.match(metrics.text, /^carrel_tool_calls_total\{tool="list_notes"\} 1$/m)
    assert.match(metrics.text, /^carrel_tool_seconds_bucket\{tool="list_notes",le="\+Inf"\} 1$/m)
    for (const line of metrics.text.trim().split('\n'))
      assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [0-9.e+-]+)$/)
  })

  test('what is wrong with the disk is not the fault of who asks', async (t) => {
    const status = () => {
      throw new Problem('disk_full', 'The disk is full.')
    }
    const http = await startHttp(t, { status })
    const answer = await ask(`${http.url}/api/status`)
    assert.equal(answer.status, 503)
    assert.match(answer.text, /The disk is full\./)
  })

  test('the page and further routes are asked for the rest', async (t) => {
    const http = await startHttp(t, {
      page: (req, res) => req.url === '/' && !!res.end('page'),
      api: (req, res) => req.url === '/api/more' && !!res.end('more'),
    })
    assert.equal((await ask(http.url)).text, 'page')
    assert.equal((await ask(`${http.url}/api/more`)).text, 'more')
    assert.equal((await ask(`${http.url}/nowhere`)).status, 404)
    assert.equal((await ask(`${http.url}/api/nowhere`)).status, 404)
  })
})

describe('going down', () => {
  test('lets running calls finish, then closes', async () => {
    const surface = fixtureSurface()
    const http = await serveHttp({ surface })
    const call = post(`${http.url}/api/tools/wait`, { ms: 200 })
    await until(() => surface.executor.load().running === 1)
    const closed = http.close()
    assert.equal((await call).status, 200)
    await closed
    await assert.rejects(ask(http.url), /ECONNREFUSED/)
  })

  test('does not wait longer than it was told', async () => {
    const surface = fixtureSurface()
    const http = await serveHttp({ surface })
    const call = post(`${http.url}/api/tools/wait`, { ms: 1_900 }).catch(() => 'cut off')
    await until(() => surface.executor.load().running === 1)
    const started = performance.now()
    await http.close(50)
    assert.ok(performance.now() - started < 1_700)
    await call
  })

  test('closes open streams too', async () => {
    const surface = fixtureSurface()
    const http = await serveHttp({ surface })
    const id = String((await post(`${http.url}/mcp`, initialize())).headers['mcp-session-id'])
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id }
    const stream = ask(`${http.url}/mcp`, { headers }).catch(() => 'cut off')
    await sleep(30)
    await http.close(0)
    await stream
  })
})

test('something that is no HTTP at all is turned away', async (t) => {
  const http = await startHttp(t)
  const socket = connect(http.port, '127.0.0.1')
  const said = await new Promise<string>((resolve) => {
    socket.on('data', (bytes) => resolve(String(bytes)))
    socket.on('close', () => resolve(''))
    socket.on('error', () => resolve(''))
    socket.write('\x16\x03\x01\x00nonsense\r\n\r\n')
  })
  socket.destroy()
  assert.match(said, /^HTTP\/1\.1 400|^$/)
  assert.equal((await ask(`${http.url}/healthz`)).status, 200)
})
