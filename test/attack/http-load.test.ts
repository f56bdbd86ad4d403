// One client that holds bodies, opens streams or guesses tokens costs a bounded amount and locks nobody out.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { describe, test } from 'node:test'
import { accept, ask, initialize, post, token, until } from '../surfaces/asking.js'
import { type Cleanup, startHttp } from '../surfaces/serving.js'

const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }

describe('held request bodies', () => {
  test('take a bounded number of bytes together, and the one that came first makes room', async (t) => {
    const http = await startHttp(t, { limits: { bodyBytes: 100_000, bodiesBytes: 400_000 } })
    const held = []
    for (let i = 0; i < 12; i++) held.push(await holdBody(t, `${http.url}/mcp`, 90_000))
    const refused = await Promise.all(held.slice(0, 6).map((body) => body.answer))
    assert.deepEqual(
      refused.map(({ status, headers }) => [status, headers['retry-after'] !== undefined]),
      refused.map(() => [503, true]),
    )
    assert.equal((await post(`${http.url}/mcp`, initialize())).status, 200)
    assert.equal(held.at(-1)!.isAnswered(), false)
  })

  test('do not grow by being sent a byte at a time', async (t) => {
    const http = await startHttp(t, { limits: { bodyBytes: 100_000, bodiesBytes: 100_000 } })
    const one = await holdBody(t, `${http.url}/mcp`, 10)
    for (let i = 0; i < 500; i++) one.req.write(' ')
    assert.equal((await post(`${http.url}/mcp`, initialize())).status, 200)
    assert.equal(one.isAnswered(), false)
  })

  test('that come too slowly are ended with a sentence', async (t) => {
    const http = await startHttp(t, { limits: { bodyMs: 100 } })
    const { status, headers, text } = await (await holdBody(t, `${http.url}/api/tools/x`, 10)).answer
    assert.equal(status, 408)
    assert.equal(headers.connection, 'close')
    assert.match(text, /did not arrive within/)
  })
})

describe('open streams', () => {
  test('do not lock out a new client: the oldest that only listens makes room', async (t) => {
    const http = await startHttp(t, { limits: { sessions: 4 } })
    const streams: IncomingMessage[] = []
    for (let i = 0; i < 4; i++) streams.push(await listenStream(t, `${http.url}/mcp`))
    const begun = await post(`${http.url}/mcp`, initialize())
    assert.equal(begun.status, 200)
    await until(() => streams[0]!.complete || streams[0]!.destroyed)
    assert.ok(streams.slice(1).every((stream) => !stream.complete && !stream.destroyed))
    const headers = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
    assert.equal((await post(`${http.url}/mcp`, ping, headers)).status, 200)
  })

  test('of a session with a running call stay open, and a new client has to wait', async (t) => {
    const http = await startHttp(t, { limits: { sessions: 1 } })
    const headers = { 'mcp-session-id': await openSession(`${http.url}/mcp`) }
    const wait = { name: 'wait', arguments: { ms: 400 } }
    const call = post(
      `${http.url}/mcp`,
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: wait },
      headers,
    )
    await until(() => http.surface.executor.load().running > 0)
    const { status, headers: refused } = await post(`${http.url}/mcp`, initialize())
    assert.deepEqual([status, refused['retry-after']], [503, '5'])
    assert.equal((await call).status, 200)
  })

  test('of the client with the most sessions go first', { skip: process.platform !== 'linux' }, async (t) => {
    const http = await startHttp(t, { host: '127.0.0.1', limits: { sessions: 4 } })
    const url = `${http.url}/mcp`
    const modest = await openSession(url, '127.0.0.7')
    for (let i = 0; i < 12; i++) await openSession(url, '127.0.0.8')
    assert.equal((await post(url, ping, { 'mcp-session-id': modest })).status, 200)
  })
})

describe('wrong tokens', () => {
  const wrong = (url: string) =>
    ask(`${url}/api/tools`, { headers: { authorization: 'Bearer not-the-token-at-all' } })
  const right = (url: string) => ask(`${url}/api/tools`, { headers: { authorization: `Bearer ${token}` } })

  test('are answered ever later, and right ones at once', async (t) => {
    const http = await startHttp(t, { tokens: [token], limits: { wrongTokenMs: 60 } })
    for (let i = 0; i < 5; i++) await wrong(http.url)
    const start = performance.now()
    let answered = 0
    const slowed = [1, 2, 3].map(async () => {
      const { status } = await wrong(http.url)
      answered++
      return status
    })
    assert.equal((await right(http.url)).status, 200)
    assert.equal(answered, 0)
    assert.deepEqual(await Promise.all(slowed), [401, 401, 401])
    // 60, 120 and 240 ms, one after the other.
    assert.ok(performance.now() - start >= 400)
  })

  test('keep a bounded number of connections waiting', async (t) => {
    const http = await startHttp(t, { tokens: [token], limits: { wrongTokenMs: 5_000 } })
    for (let i = 0; i < 5; i++) await wrong(http.url)
    let cut = 0
    for (let i = 0; i < 60; i++) void wrong(http.url).catch(() => cut++)
    await until(() => cut >= 60 - 16)
    assert.equal((await right(http.url)).status, 200)
  })

  test('a request without one is answered at once', async (t) => {
    const http = await startHttp(t, { tokens: [token], limits: { wrongTokenMs: 60_000 } })
    for (let i = 0; i < 20; i++) assert.equal((await ask(`${http.url}/api/tools`)).status, 401)
  })
})

interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
}

/** Sends a part of a body and no more. */
async function holdBody(t: Cleanup, url: string, bytes: number) {
  const headers = { 'content-type': 'application/json', accept, 'transfer-encoding': 'chunked' }
  let answered = false
  const req: ClientRequest = request(url, { method: 'POST', headers, agent: false })
  t.after(() => void req.destroy())
  const answer = new Promise<Answer>((resolve, reject) => {
    req.on('error', reject)
    req.on('response', async (res) => {
      answered = true
      const parts: Buffer[] = []
      for await (const part of res) parts.push(part)
      resolve({ status: res.statusCode!, headers: res.headers, text: Buffer.concat(parts).toString() })
    })
  })
  answer.catch(() => {})
  await new Promise((resolve) => req.write(' '.repeat(bytes), resolve))
  return { req, answer, isAnswered: () => answered }
}

async function openSession(url: string, localAddress?: string): Promise<string> {
  const headers = { 'content-type': 'application/json', accept }
  const req = request(url, { method: 'POST', headers, agent: false, ...(localAddress && { localAddress }) })
  req.end(JSON.stringify(initialize()))
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  res.resume()
  return String(res.headers['mcp-session-id'])
}

async function listenStream(t: Cleanup, url: string): Promise<IncomingMessage> {
  const headers = { 'mcp-session-id': await openSession(url), accept: 'text/event-stream' }
  const req = request(url, { headers, agent: false })
  t.after(() => void req.destroy())
  req.on('error', () => {})
  req.end()
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  assert.equal(res.statusCode, 200)
  res.on('error', () => {})
  res.resume()
  return res
}
