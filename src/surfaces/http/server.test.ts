import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { accept, ask, initialize, post, token, until } from '../../../test/surfaces/asking.js'
import { fixtureSurface, startHttp } from '../../../test/surfaces/serving.js'
import { Problem } from '../../model/problem.js'
import { serveHttp } from './server.js'

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

  test('the API refuses in the form of the API, and MCP in its own', async (t) => {
    const http = await startHttp(t, { tokens: [token] })
    const known = { authorization: `Bearer ${token}` }
    const call = (path: string, method: string, headers: Record<string, string>) =>
      ask(http.url + path, { method, headers })
    const refused: [string, string, Record<string, string>, number][] = [
      ['/api/status', 'GET', {}, 401],
      ['/metrics?x', 'GET', {}, 401],
      ['/api/tools', 'GET', { origin: 'https://evil.example' }, 403],
      ['/api/tools/list_notes', 'GET', known, 405],
      ['/api/tools/list_notes', 'POST', known, 415],
    ]
    for (const [path, method, headers, status] of refused) {
      const answer = await call(path, method, headers)
      assert.equal(answer.status, status, path)
      assert.equal(typeof (answer.json() as { error: unknown }).error, 'string', answer.text)
    }
    assert.equal(((await call('/mcp', 'PUT', known)).json() as { jsonrpc: string }).jsonrpc, '2.0')
  })

  test('a path that looks like another address is a path of ours, and an address counts by its path', async (t) => {
    const http = await startHttp(t)
    const { hostname, port } = new URL(http.url)
    const status = async (path: string, method = 'GET') => {
      const pending = request({ host: hostname, port, path, method }).end()
      const [answer] = (await once(pending, 'response')) as [IncomingMessage]
      answer.resume()
      return answer.statusCode
    }
    assert.equal(await status('//user:pass@elsewhere/mcp', 'POST'), 404)
    assert.equal(await status('//elsewhere/healthz'), 404)
    assert.equal(await status('http://user:pass@elsewhere/healthz'), 200)
    assert.equal(await status('http://user:pass@elsewhere/mcp', 'POST'), 415)
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
    assert.match(`${friend.headers['access-control-expose-headers']}`, /\bcarrel-note\b/)
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
    const marked = await send(json, `\ufeff${JSON.stringify(initialize())}`)
    assert.equal(marked.status, 200, 'a byte order mark')
  })
})

test('a body that is too large is answered after it was sent, and at once when it is enormous', async (t) => {
  const http = await startHttp(t, { limits: { bodyBytes: 1_000 } })
  const begin = (length: number) => {
    const socket = connect(http.port, '127.0.0.1')
    const received = { text: '', error: null as Error | null, over: false }
    socket.on('data', (bytes) => {
      received.text += bytes
    })
    socket.on('error', (error) => {
      received.error = error
    })
    socket.on('close', () => {
      received.over = true
    })
    t.after(() => socket.destroy())
    const head = ['POST /mcp HTTP/1.1', `host: 127.0.0.1:${http.port}`, 'content-type: application/json']
    socket.write(`${[...head, `content-length: ${length}`].join('\r\n')}\r\n\r\n${'x'.repeat(4_000)}`)
    return { socket, received }
  }
  const large = begin(8_000)
  await sleep(100)
  assert.deepEqual(large.received, { text: '', error: null, over: false })
  large.socket.write('x'.repeat(4_000))
  await until(() => large.received.over)
  assert.equal(large.received.error, null)
  assert.match(large.received.text, /^HTTP\/1\.1 413 .*at most 1000 bytes/s)
  const enormous = begin(100_000)
  await until(() => enormous.received.text.startsWith('HTTP/1.1 413 '))
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
      assert.match(
        misread.text,
        address === '/mcp' ? /-32700.*not valid UTF-8/ : /:"The body is not valid UTF-8/,
      )
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

  test('does not wait longer than its limit', async () => {
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
  const answer = await new Promise<string>((resolve) => {
    socket.on('data', (bytes) => resolve(String(bytes)))
    socket.on('close', () => resolve(''))
    socket.on('error', () => resolve(''))
    socket.write('\x16\x03\x01\x00nonsense\r\n\r\n')
  })
  socket.destroy()
  assert.match(answer, /^HTTP\/1\.1 400|^$/)
  assert.equal((await ask(`${http.url}/healthz`)).status, 200)
})
