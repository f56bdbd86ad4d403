// One HTTP server: MCP, the tools as an API, metrics, and the page.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpServerFactory } from '@modelcontextprotocol/server'
import { Problem, reasonOf } from '../../model/problem.js'
import { isEnvironmental } from '../../server/failure.js'
import type { Selection } from '../../server/registry.js'
import { summarize } from '../../server/statistics.js'
import type { Surface } from '../mcp/server.js'
import { callTool, listTools } from './api.js'
import { type BodyLimits, type BodyReader, bodyReader } from './body.js'
import {
  checkSender,
  checkToken,
  type Door,
  isLoopback,
  isWildcard,
  openDoor,
  type WrongTokens,
  wrongTokens,
} from './guards.js'
import { type McpRoute, mcpRoute } from './mcp-route.js'
import { metricsText } from './metrics.js'
import { type Narrowed, narrower, selectionFrom } from './narrowing.js'
import { openApi } from './openapi.js'
import { addressOf, sendJson, sendRefusal, sendText } from './web.js'

export interface HttpLimits extends BodyLimits {
  sessions: number
  idleMs: number
  /** For replay after a broken connection: the bytes of sent events kept for all sessions together. */
  replayBytes: number
  connections: number
  /** The delay of the first wrong token above the limit; each further one doubles it. */
  wrongTokenMs: number
}

/** A handler from outside this room. Returns false if it has nothing at that path. */
export type Page = (req: IncomingMessage, res: ServerResponse) => Promise<boolean> | boolean

export interface HttpOptions<Services> {
  surface: Surface<Services>
  host?: string
  port?: number
  tokens?: readonly string[]
  allowedHosts?: readonly string[]
  allowedOrigins?: readonly string[]
  /** The value of /api/status. */
  status?: () => Promise<unknown> | unknown
  /** Serves public files: the page. It asks for no token, so it must hold no user data. */
  page?: Page
  /** More of the API, behind the token: uploads, for example. */
  api?: Page
  limits?: Partial<HttpLimits>
  /** Replaces the server behind /mcp, for the conformance suite. */
  build?: McpServerFactory
}

export interface HttpHandle {
  /** A url that works on this machine. */
  url: string
  /** The urls for other machines, by the allowed names; empty if only this machine can connect. */
  elsewhere: string[]
  port: number
  /** Lets running calls finish for this long, then closes everything. */
  close(graceMs?: number): Promise<void>
}

const usual: HttpLimits = {
  bodyBytes: 4 * 1024 * 1024,
  bodiesBytes: 64 * 1024 * 1024,
  bodyMs: 20_000,
  sessions: 256,
  idleMs: 30 * 60_000,
  replayBytes: 32_000_000,
  connections: 4_096,
  wrongTokenMs: 250,
}

export async function serveHttp<Services>(options: HttpOptions<Services>): Promise<HttpHandle> {
  const { surface, host = '127.0.0.1', port = 0 } = options
  const { tokens, allowedHosts, allowedOrigins } = options
  const door = openDoor({ host, tokens, allowedHosts, allowedOrigins })
  const limits = { ...usual, ...options.limits }
  const narrowed = narrower(surface.registry)
  const { sessions: most, idleMs, replayBytes } = limits
  const mcp = mcpRoute(surface, narrowed, { most, idleMs, replayBytes }, options.build)
  const routes: Routes<Services> = {
    options,
    door,
    bodies: bodyReader(limits),
    wrongTokens: wrongTokens(limits.wrongTokenMs),
    mcp,
    narrowed,
    closing: false,
  }
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 15_000, keepAliveTimeout: 30_000 })
  server.maxConnections = limits.connections
  server.on('request', (req, res) => void receive(routes, req, res))
  server.on('clientError', (_, socket) => {
    if (socket.writable)
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
  await listen(server, host, port).catch(async (error) => {
    await mcp.close()
    throw error
  })
  const bound = server.address() as AddressInfo
  return {
    ...addresses(door, bound),
    port: bound.port,
    close: (graceMs = 5_000) => close(routes, server, graceMs),
  }
}

function addresses({ host, allowedHosts }: Door, { address, port }: AddressInfo) {
  const near = isWildcard(address) ? (address === '::' ? '::1' : '127.0.0.1') : host
  return {
    url: `http://${near.includes(':') ? `[${near}]` : near}:${port}`,
    elsewhere: isLoopback(host) ? [] : allowedHosts.map((name) => `http://${name}:${port}`),
  }
}

interface Routes<Services> {
  options: HttpOptions<Services>
  door: Door
  bodies: BodyReader
  wrongTokens: WrongTokens
  mcp: McpRoute
  narrowed: Narrowed<Services>
  closing: boolean
}

async function receive<Services>(routes: Routes<Services>, req: IncomingMessage, res: ServerResponse) {
  const { log, explain } = routes.options.surface.executor
  res.on('error', () => {})
  try {
    if (routes.closing)
      return sendRefusal(res, 503, 'The server is shutting down.', { headers: { connection: 'close' } })
    await admit(routes, req, res)
  } catch (thrown) {
    const error = explain(thrown)
    if (error instanceof Problem) return sendRefusal(res, isEnvironmental(error) ? 503 : 400, reasonOf(error))
    if (!res.destroyed)
      log.error(
        { err: error, path: req.url?.split('?')[0]?.slice(0, 200) },
        'request failed with an unexpected error',
      )
    if (res.headersSent) res.destroy()
    else
      sendRefusal(res, 500, "Something went wrong inside Carrel. The server's log has the details.", {
        code: -32603,
      })
  }
}

/** The guards, in order, then the routes. */
async function admit<Services>(routes: Routes<Services>, req: IncomingMessage, res: ServerResponse) {
  const stranger = checkSender(req, routes.door)
  if (stranger) return sendRefusal(res, stranger.status, stranger.message)
  if (allowOrigin(routes.door, req, res)) return
  const path = pathOf(req)
  if (path === '/healthz') return sendJson(res, 200, { status: 'ok' })
  if (!isOurs(path)) {
    if (await routes.options.page?.(req, res)) return
    return sendJson(res, 404, { error: `There is nothing at ${path.slice(0, 200)}.` })
  }
  const unknown = checkToken(req, routes.door)
  if (unknown) {
    if (unknown.isGuess && !(await routes.wrongTokens.answerLater(req.socket.remoteAddress ?? '')))
      return void req.socket.destroy()
    return sendRefusal(res, 401, unknown.message, {
      headers: { 'www-authenticate': 'Bearer realm="carrel"' },
    })
  }
  return route(routes, path, req, res)
}

async function route<Services>(
  routes: Routes<Services>,
  path: string,
  req: IncomingMessage,
  res: ServerResponse,
) {
  const { surface, status, api } = routes.options
  const selection = selectionFrom(req.headers)
  const registry = routes.narrowed([selection])
  if (path === '/mcp' || path.startsWith('/mcp/')) return serveMcp(routes, path, selection, req, res)
  const [, name] = /^\/api\/tools\/([^/]+)$/.exec(path) ?? []
  if (name !== undefined) {
    if (!allows(req, res, 'POST')) return
    const args = await bodyOf(routes, req, res)
    return args && callTool({ registry, executor: surface.executor, name, args: args.json }, req, res)
  }
  const gets: Record<string, () => Promise<void> | void> = {
    '/api/openapi.json': () => sendJson(res, 200, openApi(registry, surface.info.version)),
    '/api/tools': () => sendJson(res, 200, listTools(registry)),
    '/api/status': async () => sendJson(res, 200, (await status?.()) ?? {}),
    '/api/statistics': async () =>
      sendJson(res, 200, { tools: (await surface.executor.statistics.all()).map(summarize) }),
    '/metrics': () => sendMetrics(routes, res),
  }
  const get = gets[path]
  if (get) return allows(req, res, 'GET', 'HEAD') ? get() : undefined
  if (await api?.(req, res)) return
  sendJson(res, 404, { error: `There is nothing at ${path.slice(0, 200)}.` })
}

async function serveMcp<Services>(
  routes: Routes<Services>,
  path: string,
  selection: Selection | null,
  req: IncomingMessage,
  res: ServerResponse,
) {
  const toolset = path.slice('/mcp/'.length)
  const known = routes.options.surface.registry.reachable
  if (toolset && !known.includes(toolset))
    return sendRefusal(
      res,
      404,
      `There is no toolset "${toolset.slice(0, 80)}". The toolsets are ${known.join(', ')}.`,
    )
  if (!allows(req, res, 'GET', 'POST', 'DELETE')) return
  const selections = [selection, toolset ? { toolsets: [toolset] } : null]
  const body = req.method === 'POST' ? await bodyOf(routes, req, res) : { json: undefined }
  if (body) await routes.mcp.serve(req, res, { path, selections, body: body.json })
}

async function bodyOf<Services>(routes: Routes<Services>, req: IncomingMessage, res: ServerResponse) {
  const body = await routes.bodies.readJson(req)
  if ('json' in body) return body
  const { status, message, code } = body.refused
  const headers = {
    ...([408, 413, 503].includes(status) && { connection: 'close' }),
    ...(status === 503 && { 'retry-after': '1' }),
  }
  sendRefusal(res, status, message, { code, headers })
  return null
}

async function sendMetrics<Services>(routes: Routes<Services>, res: ServerResponse) {
  const { executor } = routes.options.surface
  const counts = await executor.statistics.all()
  const text = metricsText(counts, { sessions: routes.mcp.sessionCount(), ...executor.load() })
  sendText(res, 200, text, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
}

/** Answers a CORS preflight. Only allowed origins may call. */
function allowOrigin(door: Door, req: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = req.headers
  if (origin === undefined || !door.allowedOrigins.includes(origin)) return false
  res.setHeader('access-control-allow-origin', origin)
  res.setHeader('access-control-expose-headers', exposed)
  res.setHeader('vary', 'origin')
  if (req.method !== 'OPTIONS') return false
  res.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      `${req.headers['access-control-request-headers'] ?? 'content-type'}`.slice(0, 1_000),
    'access-control-max-age': '600',
  })
  res.end()
  return true
}

const exposed = 'mcp-session-id, mcp-protocol-version, retry-after, carrel-note'

function allows(req: IncomingMessage, res: ServerResponse, ...methods: string[]): boolean {
  if (methods.includes(req.method ?? '')) return true
  sendRefusal(res, 405, `Use ${methods.join(', ')} here.`, { headers: { allow: methods.join(', ') } })
  return false
}

function pathOf(req: IncomingMessage): string {
  try {
    return addressOf(req).pathname.replace(slashesAtEnd, '')
  } catch {
    throw new Problem('bad_address', 'The address of the request cannot be read.')
  }
}

// All but the first of a path. Looked for where a row of them begins: tried from each of them, a long row would take the
// square of its length.
const slashesAtEnd = /(?<=^\/|[^/])\/+$/

function isOurs(path: string): boolean {
  return /^\/(mcp|api|metrics)(\/|$)/.test(path)
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(whyNot(error, host, port)))
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      server.on('error', () => {})
      resolve()
    })
  })
}

function whyNot(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new Problem(
      'port_in_use',
      `Port ${port} on ${host} is in use.`,
      'Choose another with --port, or 0 for any.',
    )
  if (error.code === 'EACCES')
    return new Problem('port_denied', `Port ${port} needs more rights.`, 'Choose one above 1023 with --port.')
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Problem(
      'no_such_address',
      `This machine has no address ${host}.`,
      'Use 127.0.0.1, or an address of this machine.',
    )
  return error
}

async function close<Services>(routes: Routes<Services>, server: Server, graceMs: number) {
  if (routes.closing) return
  routes.closing = true
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const until = performance.now() + graceMs
  const { executor } = routes.options.surface
  while (executor.load().running + executor.load().waiting > 0 && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 10))
  await routes.mcp.close()
  // Waits one turn of the event loop, so that the last answers reach their sockets before those are closed.
  await new Promise((resolve) => setTimeout(resolve, 10))
  server.closeAllConnections()
  await closed
}
