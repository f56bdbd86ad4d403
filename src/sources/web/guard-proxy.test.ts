import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { openGuard } from './connect.js'
import type { Endpoint } from './fetch.js'
import { type GuardProxy, openGuardProxy, type ProxyOptions } from './guard-proxy.js'

async function proxyWith(t: TestContext, options: Partial<ProxyOptions> = {}, allowPrivateNetwork = true) {
  const proxy = await openGuardProxy({ guard: openGuard({ allowPrivateNetwork }), ...options })
  t.after(() => proxy.close())
  return proxy
}

async function site(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a browser does for a plain http address. */
async function ask(proxy: GuardProxy, url: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(proxy.url)
  const outgoing = request({
    host: hostname,
    port,
    path: url,
    headers: { host: 'browser.example', ...headers },
  })
  outgoing.end()
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  let body = ''
  for await (const part of answer) body += part
  return { status: answer.statusCode, body }
}

/** What a browser does for https and WebSockets: the first line of the answer, and what came through the tunnel. */
async function tunnel(proxy: GuardProxy, to: string, say = '') {
  const { hostname, port } = new URL(proxy.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`CONNECT ${to} HTTP/1.1\r\nhost: ${to}\r\n\r\n`)
  const received: string[] = []
  socket.on('data', (part) => {
    received.push(part.toString())
    if (received.length === 1 && / 200 /.test(received[0]!)) socket.write(say)
    if (say !== '' && received.join('').includes(say)) socket.end()
  })
  // Not `once`, which takes a reset connection for a failure.
  await new Promise((resolve) => socket.once('close', resolve))
  return received.join('')
}

describe('the guarding proxy', () => {
  test('passes plain requests on, without the headers for the proxy', async (t) => {
    const proxy = await proxyWith(t)
    const at = await site(t, (request, response) =>
      response.end(JSON.stringify([request.url, request.headers])),
    )
    const { status, body } = await ask(proxy, `http://${at}/x?y=1`, {
      'proxy-authorization': 'secret',
      connection: 'x-hop',
      'x-hop': '1',
      'x-kept': '1',
    })
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(body), ['/x?y=1', { 'x-kept': '1', host: at, connection: 'close' }])
  })

  test('opens tunnels for any protocol', async (t) => {
    const proxy = await proxyWith(t)
    const echo = createTcpServer((socket) => socket.on('error', () => {}).pipe(socket))
    echo.listen(0, '127.0.0.1')
    await once(echo, 'listening')
    t.after(() => echo.close())
    const received = await tunnel(
      proxy,
      `127.0.0.1:${(echo.address() as AddressInfo).port}`,
      'GET /chat upgrade: websocket',
    )
    assert.match(received, /^HTTP\/1\.1 200 [^\r]*\r\n\r\nGET \/chat upgrade: websocket$/)
  })

  for (const [to, code] of [
    ['127.0.0.1:8080', 'address'],
    ['localhost:8080', 'address'],
    ['[::1]:443', 'address'],
    ['2130706433:443', 'address'],
    ['169.254.169.254:80', 'address'],
    ['[::ffff:10.0.0.1]:443', 'address'],
    ['rebind.example:443', 'address'],
    ['mixed.example:443', 'address'],
    ['public.example:22', 'port'],
    ['user:pass@public.example:443', 'credentials'],
    ['public.example:99999', 'bad_url'],
    ['', 'bad_url'],
    ['elsewhere.example:443', 'not_followed'],
  ] as const)
    test(`refuses ${to || 'nothing'} as ${code}, plain and tunnelled, and connects to nothing`, async (t) => {
      const connected: Endpoint[] = []
      const names: Record<string, string[]> = {
        'rebind.example': ['10.0.0.1'],
        'mixed.example': ['93.184.215.14', '::1'],
        'public.example': ['93.184.215.14'],
      }
      const guard = openGuard({
        allowPrivateNetwork: false,
        resolve: async (host) => names[host] ?? [],
        async connect(endpoint) {
          connected.push(endpoint)
          throw new Error('recorded')
        },
      })
      const checkUrl = (url: URL) => (url.hostname === 'elsewhere.example' ? 'Not that one.' : null)
      const proxy = await proxyWith(t, { guard, checkUrl })
      if (to !== '') assert.match(await tunnel(proxy, to), /^HTTP\/1\.1 403 /)
      const plain = await ask(proxy, `http://${to}/`)
      assert.equal(plain.status, 403)
      assert.deepEqual([[...proxy.refused.values()].at(-1)?.code, connected], [code, []])
    })

  test('a name is resolved once, and the address that was checked is connected to', async (t) => {
    const connected: string[] = []
    const answers = [['93.184.215.14'], ['127.0.0.1']]
    const guard = openGuard({
      allowPrivateNetwork: false,
      resolve: async () => answers.shift() ?? [],
      async connect({ address, port, tls }) {
        connected.push(`${address} ${port} ${tls}`)
        throw new Error('recorded')
      },
    })
    const proxy = await proxyWith(t, { guard })
    await tunnel(proxy, 'changing.example:443')
    await tunnel(proxy, 'changing.example:443')
    assert.deepEqual(connected, ['93.184.215.14 443 null'])
  })

  test('other schemes, relative addresses and direct WebSockets are not for it', async (t) => {
    const proxy = await proxyWith(t)
    for (const url of ['ftp://127.0.0.1/', 'file:///etc/passwd', '/status'])
      assert.equal((await ask(proxy, url)).status, 403, url)
    const { hostname, port } = new URL(proxy.url)
    const socket = connect(Number(port), hostname)
    socket.write('GET /chat HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('close', resolve))
    assert.equal(socket.bytesRead, 0)
  })

  test('limits the total size of answers', async (t) => {
    const proxy = await proxyWith(t, { limits: { bytes: 1_000_000 } })
    let sent = 0
    const at = await site(t, (_, response) => {
      const more = () => {
        while (!response.destroyed && sent < 2 ** 31) {
          sent += 65_536
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more)
        }
      }
      more()
    })
    await assert.rejects(ask(proxy, `http://${at}/`))
    assert.ok(proxy.overflown())
    assert.ok(sent < 50_000_000, `${sent} bytes were sent`)
    assert.equal((await ask(proxy, `http://${at}/`)).status, 403)
  })

  test('a silent server is left after a while', async (t) => {
    const proxy = await proxyWith(t, { limits: { idleMs: 200 } })
    const at = await site(t, () => {})
    await assert.rejects(ask(proxy, `http://${at}/`))
    assert.match(await tunnel(proxy, at, ' '), /^HTTP\/1\.1 200/)
  })

  test('closing leaves no connection', async (t) => {
    const proxy = await proxyWith(t)
    const at = await site(t, (_, response) => void response.write('x'))
    const asking = ask(proxy, `http://${at}/`)
    asking.catch(() => {})
    const tunnelling = tunnel(proxy, at, ' ')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await proxy.close()
    await assert.rejects(asking)
    await tunnelling
  })
})
