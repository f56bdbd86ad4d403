// A proxy on loopback for a browser that we start. All its requests, tunnels and WebSockets pass the same checks as our own
// fetches, and the total size of the answers is limited.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connectGuarded, type Guard, NotPermitted } from './connect.js'
import { hostOf, type RefusedRequest, readWebUrl } from './web-url.js'

export interface GuardProxy {
  /** `http://127.0.0.1:…` */
  url: string
  /** The refused servers, by host and port. */
  refused: Map<string, NotPassed>
  /** Whether the answers have exceeded the limit; the proxy then refuses everything. */
  overflown(): boolean
  close(): Promise<void>
}

/** `unexpected`: a request of the browser itself, not of a page. */
export type NotPassed = RefusedRequest | { code: 'unreachable' | 'unexpected'; reason: string }

export interface ProxyLimits {
  /** All bodies and tunnels together, both ways. */
  bytes: number
  /** Connections at a time. */
  connections: number
  connectMs: number
  /** A connection without a byte for this long ends. */
  idleMs: number
}

export interface ProxyOptions {
  guard: Guard
  /** A sentence on why this server may not be contacted, or null. */
  checkUrl?: ((url: URL) => string | null) | undefined
  /** Whether a page has requested something from this server; the browser's own requests are refused. */
  isExpected?: ((url: URL) => Promise<boolean>) | undefined
  limits?: Partial<ProxyLimits> | undefined
}

const usualProxyLimits: ProxyLimits = {
  bytes: 50_000_000,
  connections: 64,
  connectMs: 10_000,
  idleMs: 30_000,
}

export async function openGuardProxy(options: ProxyOptions): Promise<GuardProxy> {
  const limits = { ...usualProxyLimits, ...options.limits }
  const sockets = new Set<Duplex>()
  const refused = new Map<string, NotPassed>()
  const ending = new AbortController()
  let bytes = 0

  function keep<T extends Socket>(socket: T): T {
    sockets.add(socket)
    socket.setTimeout(limits.idleMs, () => socket.destroy())
    // A browser may drop connections at any time, which is no failure.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  function count(part: Buffer) {
    bytes += part.length
    if (bytes > limits.bytes) for (const socket of sockets) socket.destroy()
  }

  /** A connection to the url's server, or why there is none. */
  async function connect(written: string): Promise<{ url: URL; socket: Socket } | NotPassed> {
    const url = readWebUrl(written)
    if (!(url instanceof URL)) return url
    const reason = options.checkUrl?.(url) ?? null
    if (reason !== null) return { code: 'not_followed', reason }
    if (options.isExpected && !(await options.isExpected(url)))
      return { code: 'unexpected', reason: 'No page asked for it.' }
    if (sockets.size > limits.connections * 2 || bytes > limits.bytes)
      return { code: 'too_large', reason: 'The page asks for more than a page may.' }
    const wanted = { host: hostOf(url), port: portOf(url), secure: false }
    try {
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(limits.connectMs)])
      return { url, socket: keep(await connectGuarded(options.guard, wanted, signal)) }
    } catch (error) {
      if (error instanceof NotPermitted) return error.refusal
      return { code: 'unreachable', reason: `${url.host} could not be reached.` }
    }
  }

  function note(written: string, refusal: NotPassed) {
    const key = URL.canParse(written) ? new URL(written).host : written.slice(0, 200)
    if (refusal.code !== 'unexpected' && refused.size < mostNoted) refused.set(key, refusal)
  }

  async function forward(request: IncomingMessage, response: ServerResponse) {
    const made = await connect(request.url ?? '')
    if (!('socket' in made)) {
      note(request.url ?? '', made)
      return void response.writeHead(statusFor(made), { 'content-type': 'text/plain' }).end(made.reason)
    }
    const { url, socket } = made
    const upstream = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: url.pathname + url.search,
      headers: { ...passedOn(request.headers), host: url.host, connection: 'close' },
      setHost: false,
    })
    upstream.on('response', (answer) => {
      answer.on('data', count).on('error', () => response.destroy())
      response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers))
      answer.pipe(response)
    })
    upstream.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.on('close', () => socket.destroy())
    request.on('data', count).on('error', () => upstream.destroy())
    request.pipe(upstream)
  }

  async function tunnel(request: IncomingMessage, client: Socket, head: Buffer) {
    const written = `https://${request.url ?? ''}`
    const made = await connect(written)
    if (!('socket' in made)) {
      note(written, made)
      return void client.end(`HTTP/1.1 ${statusFor(made)} No\r\ncontent-length: 0\r\n\r\n`)
    }
    const { socket } = made
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    socket.write(head)
    socket.on('data', count).once('close', () => client.destroy())
    client.on('data', count).once('close', () => socket.destroy())
    socket.pipe(client)
    client.pipe(socket)
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy())
  })
  server.on('connection', keep)
  server.on('connect', (request, client, head) => {
    tunnel(request, client as Socket, head).catch(() => client.destroy())
  })
  // A browser tunnels its WebSockets. A client that upgrades without a tunnel is no browser.
  server.on('upgrade', (_, client) => client.destroy())
  server.on('clientError', (_, client) => client.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    overflown: () => bytes > limits.bytes,
    async close() {
      ending.abort()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const mostNoted = 500

function statusFor({ code }: NotPassed): number {
  return code === 'unreachable' ? 502 : 403
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/** The headers that are meant for the server and not for the proxy. */
function passedOn(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !named.has(name) && !betweenTwo.test(name)),
  )
}

const betweenTwo = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host)$/
