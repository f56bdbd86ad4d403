// Hostile input for a bounded count, over both transports: no crash, no hang, no stack trace in an answer.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveStdio } from '../../src/surfaces/mcp/stdio.js'
import { hostileBytes, hostileMessage, pick, type Random, random, stackTrace, textOf } from './hostile.js'
import { fixtureSurface, startHttp } from './serving.js'

// Another seed tries other input: CARREL_FUZZ_SEED=1 npm test -- fuzz
const seed = Number(process.env.CARREL_FUZZ_SEED ?? 0)

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
}

describe('hostile input over stdio', () => {
  const openings: [string, unknown[], object][] = [
    [
      'after the older handshake',
      [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }],
      { method: 'ping' },
    ],
    [
      'after a request of the newest revision',
      [{ jsonrpc: '2.0', id: 'init', method: 'tools/list', params: { _meta: modernMeta } }],
      { method: 'tools/list', params: { _meta: modernMeta } },
    ],
  ]
  for (const [title, opening, probe] of openings)
    test(title, async () => {
      const { send, output, answered, closed } = openStdio()
      for (const message of opening) send(Buffer.from(JSON.stringify(message)))
      await answered('init')
      const next = random(seed + 2026)
      for (let i = 0; i < 1_200; i++) {
        send(hostileBytes(next, `fuzz ${i}`))
        if (i % 100 !== 99) continue
        send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: `probe ${i}`, ...probe })))
        await answered(`probe ${i}`)
      }
      assert.doesNotMatch(output().join('\n'), stackTrace)
      for (const line of output()) assert.equal(JSON.parse(line).jsonrpc, '2.0')
      await closed()
    })

  test('before any handshake at all', async () => {
    const { send, output, answered, closed } = openStdio()
    const next = random(seed + 7)
    // Nothing that opens a connection by accident: that is the next lines' part.
    for (let i = 0; i < 200; i++) {
      const message = hostileMessage(next, `fuzz ${i}`) as { method?: unknown }
      if (typeof message === 'object' && message !== null && typeof message.method === 'string') continue
      send(Buffer.from(textOf(message)))
    }
    send(Buffer.from(JSON.stringify(initialize)))
    await answered('init')
    assert.doesNotMatch(output().join('\n'), stackTrace)
    await closed()
  })

  test('every request that can be read is answered exactly once', async () => {
    const { send, output, answered, closed } = openStdio()
    send(Buffer.from(JSON.stringify(initialize)))
    await answered('init')
    const next = random(seed + 11)
    const ids: string[] = []
    for (let i = 0; i < 300; i++) {
      const message = hostileMessage(next, `once ${i}`) as Record<string, unknown>
      const readable = typeof message === 'object' && message?.jsonrpc === '2.0' && message.id === `once ${i}`
      const request =
        readable && typeof message.method === 'string' && !('result' in message) && !('error' in message)
      if (!request || /^notifications\/|^initialize$/.test(String(message.method))) continue
      ids.push(`once ${i}`)
      send(Buffer.from(textOf(message)))
    }
    assert.ok(ids.length > 100)
    for (const id of ids) await answered(id)
    const counts = countById(output())
    for (const id of ids) assert.equal(counts.get(id), 1, id)
    await closed()
  })
})

function countById(lines: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const { id, method } = JSON.parse(line)
    if (method === undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

function openStdio() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  let text = ''
  stdout.on('data', (bytes) => {
    text += bytes
  })
  const handle = serveStdio(fixtureSurface({ mostTimeMs: 300, rates: false }), {
    stdin,
    stdout,
    exit: () => {},
  })
  const output = () => text.split('\n').filter(Boolean)
  const answered = async (id: string) => {
    const mark = `"id":${JSON.stringify(id)}`
    for (const until = performance.now() + 30_000; performance.now() < until; ) {
      if (text.includes(mark)) return
      await sleep(10)
    }
    assert.fail(`no answer to ${id}`)
  }
  const closed = async () => {
    stdin.end()
    await handle.closed
  }
  return {
    send: (bytes: Buffer) => stdin.write(Buffer.concat([bytes, Buffer.from('\n')])),
    output,
    answered,
    closed,
  }
}

describe('hostile input over HTTP', () => {
  test('requests with bodies and headers of every kind', async (t) => {
    const http = await startHttp(t, {
      executor: { mostTimeMs: 300, rates: false },
      limits: { bodyBytes: 200_000 },
    })
    const session = await openSession(`${http.url}/mcp`)
    const next = random(seed + 99)
    for (let round = 0; round < 15; round++) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => hostileRequest(http.url, next, session, `${round} ${i}`)),
      )
      for (const { status, text } of answers) {
        assert.ok(status < 500, `${status}: ${text.slice(0, 300)}`)
        assert.doesNotMatch(text, stackTrace)
      }
      await isWell(http.url)
    }
  })

  test('sockets that say half of something, or too much, or nonsense', async (t) => {
    const http = await startHttp(t, { executor: { mostTimeMs: 300 } })
    const next = random(seed + 5)
    await Promise.all(Array.from({ length: 60 }, () => hostileSocket(http.port, next)))
    await isWell(http.url)
  })

  test('many requests down one connection without waiting for answers', async (t) => {
    const http = await startHttp(t)
    const body = JSON.stringify({ name: 'welcome' })
    const one = `POST /api/tools/read_note HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const text = await talk(
      http.port,
      Buffer.from(one.repeat(100)),
      (text) => text.split('HTTP/1.1 200').length > 100,
    )
    assert.equal(text.split('HTTP/1.1 200').length - 1, 100)
  })
})

async function openSession(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const res = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) })
  await res.text()
  return res.headers.get('mcp-session-id') ?? ''
}

async function hostileRequest(url: string, next: Random, session: string, id: string) {
  const path = pick(next, [
    '/mcp',
    '/mcp',
    '/mcp/shelf',
    '/mcp/%2e%2e',
    '/api/tools/read_note',
    '/api/tools/write_note',
    '/api/tools/%00',
    '/api//tools',
    '/mcp?x=1',
    '/api/tools/__proto__',
  ])
  const headers: Record<string, string> = {
    'content-type': pick(next, [
      'application/json',
      'application/json',
      'application/json',
      'text/plain',
      'application/json; charset=utf-16',
    ]),
    accept: pick(next, [
      'application/json, text/event-stream',
      'application/json, text/event-stream',
      '*/*',
      '',
    ]),
    ...(next() < 0.5 && { 'mcp-session-id': next() < 0.8 ? session : 'x'.repeat(200) }),
    ...(next() < 0.4 && {
      'mcp-protocol-version': pick(next, ['2025-11-25', '2026-07-28', '1999-01-01', 'x']),
    }),
    ...(next() < 0.3 && {
      'mcp-method': pick(next, ['tools/call', 'tools/list', 'x']),
      'mcp-name': 'read_note',
    }),
    ...(next() < 0.1 && { 'last-event-id': pick(next, ['1.x', 'x', '99999999999999999999.y', '']) }),
    ...(next() < 0.1 && { 'x-carrel-tools': pick(next, ['read_note', 'nothing', ',,,', '__proto__']) }),
  }
  const method = pick(next, ['POST', 'POST', 'POST', 'POST', 'POST', 'DELETE', 'PUT', 'HEAD'])
  // A DELETE of the shared session would end the others' part of the test.
  if (method === 'DELETE') delete headers['mcp-session-id']
  const body = method === 'POST' || method === 'PUT' ? new Uint8Array(hostileBytes(next, id)) : null
  const res = await fetch(url + path, { method, headers, body, signal: AbortSignal.timeout(30_000) })
  // A subscription stays open for ever; its first words are enough.
  const text = res.headers.get('content-type')?.includes('event-stream')
    ? await firstWords(res)
    : await res.text()
  return { status: res.status, text }
}

async function firstWords(res: Response): Promise<string> {
  const reader = res.body!.getReader()
  const words = await Promise.race([reader.read(), sleep(500)])
  await reader.cancel().catch(() => {})
  return words && 'value' in words && words.value ? Buffer.from(words.value).toString() : ''
}

async function isWell(url: string) {
  const res = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(30_000) })
  assert.equal(res.status, 200)
  await res.text()
}

async function hostileSocket(port: number, next: Random) {
  const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`
  const message = pick(next, [
    () => `${head}content-length: 1000\r\n\r\n{"half":`,
    () => `${head}transfer-encoding: chunked\r\n\r\nffffffff\r\nabc`,
    () => `${head}content-length: 5\r\ncontent-length: 7\r\n\r\n12345`,
    () => `GET / HTTP/1.1\r\n${'x: y\r\n'.repeat(5_000)}`,
    () => `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    () => `${'\u0000'.repeat(1_000)}`,
    () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    () => `GET http://[::bad/ HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    () => Buffer.from(Array.from({ length: 500 }, () => Math.floor(next() * 256))),
  ])()
  const text = await talk(port, Buffer.from(message as string), () => false, 300)
  assert.doesNotMatch(text, stackTrace)
}

function talk(port: number, bytes: Buffer, enough: (text: string) => boolean, ms = 30_000): Promise<string> {
  return new Promise((resolve) => {
    let output = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(output)
    }
    const timer = setTimeout(done, ms)
    socket.on('data', (more) => {
      output += more
      if (enough(output)) done()
    })
    socket.on('close', done)
    socket.on('error', done)
  })
}
