// The fetcher against servers of its own on loopback, which do everything a server should not.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { type Fetched, type FetchLimits, type FetchOptions, openFetcher } from './fetch.js'

type Answer = (request: IncomingMessage, response: ServerResponse, path: string) => void

const opened: { close(): unknown }[] = []
after(async () => {
  for (const one of opened) await one.close()
})

function fetcherWith(limits: Partial<FetchLimits> = {}, allowPrivateNetwork = true) {
  const fetcher = openFetcher({ version: '9.9', allowPrivateNetwork, limits })
  opened.push(fetcher)
  return fetcher
}

const fetcher = fetcherWith()

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function site(answer: Answer): Promise<string> {
  const server = createServer((request, response) => answer(request, response, request.url ?? '/'))
  opened.push({
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  })
  return listening(server)
}

/** A server that speaks bytes, for answers that no HTTP server would give. */
async function rawSite(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => speak(socket))
  })
  opened.push({
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  })
  return listening(server)
}

function get(url: string, options: Partial<FetchOptions> = {}, by = fetcher): Promise<Fetched> {
  return by.fetch(url, { signal: new AbortController().signal, ...options })
}

function outcome(fetched: Fetched): string {
  return 'code' in fetched ? `${fetched.state} ${fetched.code}` : fetched.state
}

describe('answers', () => {
  test('is the body, with the few headers that matter', async () => {
    const at = await site((request, response) => {
      response.writeHead(200, {
        'content-type': 'Text/HTML; charset="UTF-8"',
        etag: '"a"',
        'last-modified': 'Mon, 02 Nov 2026 10:00:00 GMT',
        link: '<style.css>; rel=preload, </real,ly>; rel="canonical"',
        'x-robots-tag': ['noindex', 'bot: nofollow'],
        'set-cookie': 'session=1',
      })
      response.end(JSON.stringify(request.headers))
    })
    const fetched = await get(`${at}/x#part`, {
      headers: { Authorization: 'secret', cookie: 'a=b', 'X-Mine': 'yes', Host: 'other.example' },
    })
    assert.ok(fetched.state === 'ok')
    assert.deepEqual(fetched.headers, {
      type: 'text/html',
      charset: 'utf-8',
      etag: '"a"',
      lastModified: 'Mon, 02 Nov 2026 10:00:00 GMT',
      retryAfterMs: null,
      canonical: `${at}/real,ly`,
      robots: ['noindex', 'bot: nofollow'],
    })
    const { host, connection, ...sent } = JSON.parse(fetched.body.toString()) as Record<string, string>
    assert.equal(`http://${host}`, at)
    assert.deepEqual(Object.keys(sent).sort(), ['accept', 'accept-encoding', 'user-agent', 'x-mine'])
    assert.deepEqual(
      [sent['user-agent'], fetched.url, fetched.hops, connection],
      ['Carrel/9.9', `${at}/x`, [], 'keep-alive'],
    )
  })

  test('no cookie comes back to the server that set it', async () => {
    const seen: unknown[] = []
    const at = await site((request, response) => {
      seen.push(request.headers.cookie)
      response.setHeader('set-cookie', 'a=b').end('x')
    })
    await get(at)
    await get(at)
    assert.deepEqual(seen, [undefined, undefined])
  })

  for (const [encoding, packed] of [
    ['gzip', gzipSync('hello')],
    ['x-gzip', gzipSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['deflate', deflateSync('hello')],
    ['deflate', deflateRawSync('hello')],
    ['identity', Buffer.from('hello')],
    ['deflate, gzip', gzipSync(deflateSync('hello'))],
  ] as const)
    test(`is unpacked: ${encoding}, ${packed.length} bytes`, async () => {
      const at = await site((_, response) => response.setHeader('content-encoding', encoding).end(packed))
      const fetched = await get(at)
      assert.ok(fetched.state === 'ok')
      assert.deepEqual([fetched.body.toString(), fetched.wireBytes], ['hello', packed.length])
    })

  test('may be empty, packed or not', async () => {
    const at = await site((_, response, path) => {
      if (path === '/none') response.writeHead(204).end()
      else response.setHeader('content-encoding', path.slice(1)).end()
    })
    for (const path of ['none', 'gzip', 'deflate', 'br', 'identity']) {
      const fetched = await get(`${at}/${path}`)
      assert.ok(fetched.state === 'ok', `${path}: ${JSON.stringify(fetched)}`)
      assert.equal(fetched.body.length, 0)
    }
  })

  test('may be nothing new', async () => {
    const at = await site((request, response) => {
      const same =
        request.headers['if-none-match'] === '"a"' || request.headers['if-modified-since'] !== undefined
      if (same) response.writeHead(304, { etag: '"a"' }).end()
      else response.setHeader('etag', '"a"').end('body')
    })
    assert.equal((await get(at, { etag: '"a"' })).state, 'unchanged')
    assert.equal((await get(at, { lastModified: 'Mon, 02 Nov 2026 10:00:00 GMT' })).state, 'unchanged')
    assert.equal((await get(at, { etag: '"b"' })).state, 'ok')
    assert.equal((await get(at, { etag: 'broken\r\nx-evil: 1' })).state, 'ok')
    assert.equal((await get(at, { etag: null })).state, 'ok')
  })

  test('an answer "not modified" to an unconditional request is a failure', async () => {
    const at = await site((_, response) => response.writeHead(304).end())
    assert.equal(outcome(await get(at)), 'failed status')
  })
})

describe('redirects', () => {
  test('are followed, with where they led', async () => {
    const at = await site((_, response, path) => {
      const next = { '/a': '/b', '/b': 'c?d=é' }[path]
      if (next) response.writeHead(302, { location: Buffer.from(next).toString('latin1') }).end('moved')
      else response.end(path)
    })
    const fetched = await get(`${at}/a`)
    assert.ok(fetched.state === 'ok')
    assert.deepEqual([fetched.url, fetched.hops], [`${at}/c?d=%C3%A9`, [`${at}/a`, `${at}/b`]])
    const given = await get(`${at}/a`, { redirects: 'manual' })
    assert.ok(given.state === 'redirect')
    assert.equal(given.location, `${at}/b`)
  })

  test('in a circle, to themselves or without end are refused', async () => {
    let requests = 0
    const at = await site((_, response, path) => {
      requests++
      const to = { '/a': '/b', '/b': '/a', '/self': '/self#x' }[path] ?? `/more${Number(path.slice(5)) + 1}`
      response.writeHead(301, { location: to }).end()
    })
    assert.equal(outcome(await get(`${at}/a`)), 'refused redirect_loop')
    assert.equal(outcome(await get(`${at}/self`)), 'refused redirect_loop')
    requests = 0
    assert.equal(outcome(await get(`${at}/more1`)), 'refused too_many_redirects')
    assert.equal(requests, 11)
  })

  test('to every class of forbidden address, scheme and form are refused', async () => {
    const at = await site((_, response, path) => {
      response.writeHead(302, { location: decodeURIComponent(path.slice(1)) }).end()
    })
    for (const [to, code] of [
      ['http://169.254.169.254/latest', 'address'],
      ['//169.254.169.254/latest', 'address'],
      ['http://0xa9fea9fe/', 'address'],
      ['http://[::]/', 'address'],
      ['http://[fe80::1]/', 'address'],
      ['http://[64:ff9b::a00:1]/', 'address'],
      ['http://224.0.0.1/', 'address'],
      ['http://0.0.0.0/', 'address'],
      ['http://255.255.255.255/', 'address'],
      ['http://a:b@127.0.0.1/', 'credentials'],
      ['file:///etc/passwd', 'scheme'],
      ['ftp://127.0.0.1/', 'scheme'],
      ['data:text/plain,x', 'scheme'],
      ['javascript:1', 'scheme'],
      ['http://127.0.0.1:25/', 'port'],
      ['http://[', 'bad_url'],
    ])
      assert.equal(outcome(await get(`${at}/${encodeURIComponent(to!)}`)), `refused ${code}`, to)
  })

  test('from outside to a private address are refused before anything is connected', async () => {
    const at = await site((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    const { port } = new URL(at)
    const connected: string[] = []
    const { connect: dial } = await import('node:net')
    // The public address is led to our own server: what is tested is the second hop.
    const outside = openFetcher({
      version: '0',
      allowPrivateNetwork: false,
      resolve: async (host) => (host === 'inner.example' ? ['192.168.0.7'] : ['93.184.215.14']),
      async connect({ address }) {
        connected.push(address)
        const socket = dial(Number(port), '127.0.0.1')
        await new Promise((resolve) => socket.once('connect', resolve))
        return socket
      },
    })
    opened.push(outside)
    assert.equal(outcome(await get('http://outer.example/', {}, outside)), 'refused address')
    assert.deepEqual(connected, ['93.184.215.14'])
  })

  test("are the caller's to allow, each of them", async () => {
    const elsewhere = await site((_, response) => response.end('elsewhere'))
    const at = await site((_, response, path) =>
      response.writeHead(307, { location: path === '/a' ? '/b' : elsewhere }).end(),
    )
    const seen: string[] = []
    const fetched = await get(`${at}/a`, {
      mayFollow(to) {
        seen.push(to.href)
        return to.origin === at ? null : 'It leads to another site.'
      },
    })
    assert.equal(outcome(fetched), 'refused not_followed')
    assert.deepEqual(
      [seen, 'reason' in fetched && fetched.reason],
      [[`${at}/b`, `${elsewhere}/`], 'It leads to another site.'],
    )
    assert.deepEqual(fetched.hops, [`${at}/a`, `${at}/b`])
  })

  test('headers of the caller stay with the first site', async () => {
    const seen: unknown[] = []
    const elsewhere = await site((request, response) => {
      seen.push(request.headers['x-mine'])
      response.end()
    })
    const at = await site((request, response, path) => {
      seen.push(request.headers['x-mine'])
      response.writeHead(307, { location: path === '/a' ? '/b' : elsewhere }).end()
    })
    await get(`${at}/a`, { headers: { 'x-mine': 'yes' } })
    assert.deepEqual(seen, ['yes', 'yes', undefined])
  })

  test('without a place to go are failures', async () => {
    const at = await site((_, response) => response.writeHead(301).end())
    assert.equal(outcome(await get(at)), 'failed status')
  })
})

describe('limits', () => {
  test('a body of 2 GB is cut at the cap, in bounded memory', async () => {
    let sent = 0
    const part = Buffer.alloc(1 << 20)
    const at = await site((_, response) => {
      const more = () => {
        while (sent < 2 ** 31 && !response.destroyed) {
          sent += part.length
          if (!response.write(part)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    const before = process.memoryUsage().rss
    const fetched = await get(at, { maxBytes: 5_000_000 })
    assert.equal(outcome(fetched), 'refused too_large')
    assert.ok(sent < 100 * 2 ** 20, `${sent} bytes were sent`)
    assert.ok(process.memoryUsage().rss - before < 150 * 2 ** 20)
  })

  test('a body that says it is too large is not read at all', async () => {
    const at = await site((_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 31 })
      response.write('x')
    })
    assert.equal(outcome(await get(at)), 'refused too_large')
  })

  for (const [encoding, bomb] of [
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000), { params: { 1: 1 } })],
    ['deflate', deflateSync(Buffer.alloc(50_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
  ] as const)
    test(`a bomb of ${bomb.length} bytes (${encoding}) is cut at the cap`, async () => {
      const at = await site((_, response) => response.setHeader('content-encoding', encoding).end(bomb))
      const before = process.memoryUsage().rss
      assert.equal(outcome(await get(at, { maxBytes: 1_000_000 })), 'refused too_large')
      assert.ok(process.memoryUsage().rss - before < 100 * 2 ** 20)
    })

  test('a drip is not waited for', async () => {
    const at = await site((_, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.once('close', () => clearInterval(timer))
    })
    const impatient = fetcherWith({ progress: { bytes: 1_024, ms: 200 } })
    assert.equal(outcome(await get(at, {}, impatient)), 'failed stalled')
  })

  test('a steady but endless body meets the time limit', async () => {
    const at = await site((_, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(2_000)), 10)
      response.once('close', () => clearInterval(timer))
    })
    const fetched = await get(at, { timeMs: 300 })
    assert.deepEqual(
      [outcome(fetched), 'reason' in fetched && fetched.reason],
      ['failed timeout', 'It takes longer than 0.3 s.'],
    )
  })

  test('a server that never answers, and one that drips its headers, meet the time limit', async () => {
    const silent = await rawSite(() => {})
    const slow = await rawSite((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 10)
      socket.once('close', () => clearInterval(timer))
    })
    const impatient = fetcherWith({ answerMs: 200 })
    assert.equal(outcome(await get(silent, {}, impatient)), 'failed timeout')
    assert.equal(outcome(await get(slow, {}, impatient)), 'failed timeout')
    assert.equal(outcome(await get(silent, { timeMs: 100 })), 'failed timeout')
  })

  test('endless headers and endless "continue" are not read', async () => {
    const big = await rawSite((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx-big: ${'a'.repeat(200_000)}`)
    })
    assert.equal(outcome(await get(big)), 'failed protocol')
    const early = await rawSite((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5)
      socket.once('close', () => clearInterval(timer))
    })
    assert.equal(outcome(await get(early, {}, fetcherWith({ answerMs: 200 }))), 'failed timeout')
  })

  test('a content type that is not wanted is refused unread', async () => {
    const at = await site((_, response, path) => {
      if (path !== '/none') response.setHeader('content-type', decodeURIComponent(path.slice(1)))
      response.end('x')
    })
    const accept = ['text/html', 'application/*']
    const states: string[] = []
    for (const type of [
      'text/html;charset=x',
      'TEXT/HTML',
      'application/json',
      'none',
      'video/mp4',
      'text/htmlx',
    ])
      states.push(outcome(await get(`${at}/${encodeURIComponent(type)}`, { accept })))
    assert.deepEqual(states, ['ok', 'ok', 'ok', 'ok', 'refused content_type', 'refused content_type'])
  })

  test('a packing that is not known is refused', async () => {
    const at = await site((_, response, path) =>
      response.setHeader('content-encoding', decodeURIComponent(path.slice(1))).end('x'),
    )
    for (const encoding of ['compress', 'gzip,gzip,gzip', 'sdch'])
      assert.equal(outcome(await get(`${at}/${encodeURIComponent(encoding)}`)), 'refused content_encoding')
  })
})

describe('broken answers', () => {
  for (const [what, bytes, expected] of [
    ['shorter than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort', 'failed truncated'],
    [
      'a chunk that breaks off',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nshort',
      'failed truncated',
    ],
    [
      'no last chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n',
      'failed truncated',
    ],
    ['half a status line', 'HTTP/1.1 20', 'failed connect'],
    ['nothing at all', '', 'failed connect'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'failed protocol'],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      'failed truncated',
    ],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nab', 'failed protocol'],
    ['an upgrade', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'failed connect'],
    ['an impossible status', 'HTTP/1.1 000 Nope\r\ncontent-length: 0\r\n\r\n', 'failed protocol'],
    ['ended by the close', 'HTTP/1.1 200 OK\r\n\r\nall there is', 'ok'],
    ['a part nobody asked for', 'HTTP/1.1 206 Partial\r\ncontent-length: 2\r\n\r\nab', 'failed status'],
  ] as const)
    test(`${what}: ${expected}`, async () => {
      const at = await rawSite((socket) => socket.end(bytes))
      assert.equal(outcome(await get(at)), expected)
    })

  test('truncated and invalid compressed bytes have different errors', async () => {
    const packed = gzipSync(Buffer.from('hello '.repeat(1_000)))
    const at = await site((_, response, path) =>
      response
        .setHeader('content-encoding', 'gzip')
        .end(path === '/cut' ? packed.subarray(0, 30) : 'no gzip at all'),
    )
    assert.equal(outcome(await get(`${at}/cut`)), 'failed truncated')
    assert.equal(outcome(await get(`${at}/none`)), 'failed protocol')
  })

  test('bytes in another compression than declared are a failure, however they break', async () => {
    const packed = { br: brotliCompressSync, gzip: gzipSync, deflate: deflateSync }
    const text = Array.from({ length: 500 }, (_, i) => `${(i * 7919) % 10_007}`).join(' ')
    for (const [encoding, pack] of Object.entries(packed)) {
      let body = Buffer.from('<!doctype html><title>Plain</title>')
      const at = await site((_, response) => response.setHeader('content-encoding', encoding).end(body))
      assert.equal(outcome(await get(at)), 'failed protocol')
      for (let flipped = 0; flipped < 20; flipped++) {
        body = Buffer.from(pack(text))
        body[flipped]! ^= 255
        assert.match(outcome(await get(at)), /^(ok|failed (protocol|truncated))$/)
      }
    }
  })

  test('more bytes than the length are not part of the body', async () => {
    const at = await rawSite((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nabHTTP/1.1 200 OK'),
    )
    const fetched = await get(at)
    assert.equal(fetched.state === 'ok' && fetched.body.toString(), 'ab')
  })

  test('a closed port and a plain server behind https are failures in words', async () => {
    const gone = createTcpServer()
    const at = await listening(gone)
    await new Promise((resolve) => gone.close(resolve))
    assert.equal(outcome(await get(at)), 'failed connect')
    const plain = await site((_, response) => response.end())
    assert.equal(outcome(await get(plain.replace('http:', 'https:'))), 'failed tls')
  })

  test('the statuses say whether to ask again, and when', async () => {
    const at = await site((_, response, path) => {
      const [status = 0, wait] = path.slice(1).split('/')
      if (wait) response.setHeader('retry-after', decodeURIComponent(wait))
      response.writeHead(Number(status)).end()
    })
    const tried = async (path: string) => {
      const fetched = await get(`${at}/${path}`)
      assert.ok(fetched.state === 'failed')
      return [fetched.status, fetched.retryable, fetched.retryAfterMs]
    }
    assert.deepEqual(await tried('404'), [404, false, undefined])
    assert.deepEqual(await tried('410'), [410, false, undefined])
    assert.deepEqual(await tried('429/7'), [429, true, 7_000])
    assert.deepEqual(await tried('503/nonsense'), [503, true, undefined])
    assert.deepEqual(await tried('500'), [500, true, undefined])
    assert.deepEqual(await tried('501'), [501, false, undefined])
    const [, , ms] = await tried(`503/${encodeURIComponent(new Date(Date.now() + 60_000).toUTCString())}`)
    assert.ok((ms as number) > 50_000 && (ms as number) <= 60_000)
    assert.deepEqual(await tried('429/999999999'), [429, true, 86_400_000])
  })
})

describe('ending', () => {
  test('a cancelled fetch throws at once, and the server sees it go', async () => {
    let gone = () => {}
    const left = new Promise<void>((resolve) => {
      gone = resolve
    })
    const at = await site((_, response) => {
      response.write('first part')
      response.once('close', gone)
    })
    const stop = new AbortController()
    const fetching = get(at, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await assert.rejects(fetching, /enough/)
    await left
    await assert.rejects(get(at, { signal: AbortSignal.abort(new Error('before')) }), /before/)
  })

  test('closing ends open requests, which return a value', async () => {
    const at = await site((_, response) => void response.write('x'))
    const own = fetcherWith()
    const fetching = get(at, {}, own)
    setTimeout(() => own.close(), 50)
    assert.equal(outcome(await fetching), 'failed closed')
    assert.equal(outcome(await get(at, {}, own)), 'failed closed')
  })

  test('connections are kept between fetches', async () => {
    const ports = new Set<number | undefined>()
    const at = await site((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('x')
    })
    for (let i = 0; i < 6; i++) await get(at)
    assert.ok(ports.size <= 2)
  })

  test('a hundred at a time all arrive', async () => {
    const at = await site((_, response, path) => response.end(path))
    const { signal } = new AbortController()
    const all = await Promise.all(Array.from({ length: 100 }, (_, i) => get(`${at}/${i}`, { signal })))
    assert.deepEqual(
      all.map((one) => one.state === 'ok' && one.body.toString()),
      all.map((_, i) => `/${i}`),
    )
  })

  test('a thousand fetches leave nothing with a signal that lives on', async () => {
    const at = await site((_, response) => response.end())
    const { signal } = new AbortController()
    for (let i = 0; i < 20; i++)
      await Promise.all(Array.from({ length: 50 }, () => get(at, { signal, timeMs: 60_000 })))
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })

  test('proxies of the environment are not used', async () => {
    const at = await site((_, response) => response.end('direct'))
    const before = process.env.http_proxy
    process.env.http_proxy = 'http://127.0.0.1:9'
    try {
      assert.equal((await get(at, {}, fetcherWith())).state, 'ok')
    } finally {
      if (before === undefined) delete process.env.http_proxy
      else process.env.http_proxy = before
    }
  })
})
