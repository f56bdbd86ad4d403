// Sessions for clients of older protocol revisions: each has its own server and transport, found by an id.
import { randomUUID } from 'node:crypto'
import {
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type EventRoom, eventRoom, type SessionEvents } from './event-store.js'

export interface SessionLimits {
  most: number
  idleMs: number
  /** The bytes of sent events that all sessions together keep. */
  replayBytes: number
}

/** Called with the id of a session that has ended: its client closed it, or was idle for too long. */
export type OnOver = (id: string) => void

export interface Visit {
  request: Request
  body: unknown
  /** The endpoint of the request. A session is only found at the endpoint where it was opened. */
  path: string
  /** The address of the client. */
  from: string
  open(): Promise<Server | McpServer> | Server | McpServer
}

export interface Sessions {
  /** The response, and a function to call when it has been written or aborted. */
  visit(visit: Visit): Promise<{ response: Response; written(whole: boolean): void }>
  count(): number
  close(): Promise<void>
}

interface Session {
  path: string
  from: string
  transport: WebStandardStreamableHTTPServerTransport
  server: Server | McpServer
  events: SessionEvents
  /** Responses to calls that are being written; a session with one is in use. */
  writing: number
  /**
   * Streams that only wait for notifications. They keep a session from being idle, and are closed first when there are
   * too many.
   */
  listening: number
  usedAt: number
}

export function sessions({ most, idleMs, replayBytes }: SessionLimits, onOver: OnOver = () => {}): Sessions {
  const all = new Open(onOver)
  const room = eventRoom({ mostBytes: replayBytes })
  const sweep = setInterval(
    () => {
      forgetIdle(all, idleMs)
      room.sweep()
    },
    Math.min(idleMs, 60_000),
  )
  sweep.unref()
  return {
    async visit(visit) {
      const id = visit.request.headers.get('mcp-session-id')
      const session = id === null ? await begin(all, room, visit, most) : all.get(id)
      if (!session || session.path !== visit.path) return refusal(404, -32001, 'Session not found')
      if ('response' in session) return session
      const kind = visit.request.method === 'GET' ? 'listening' : 'writing'
      session[kind]++
      session.usedAt = Date.now()
      const written = (whole: boolean) => {
        session[kind]--
        session.usedAt = Date.now()
        if (whole) session.events.delivered(requestsIn(visit.body))
      }
      const response = await session.transport
        .handleRequest(visit.request, { parsedBody: visit.body })
        .catch((error) => {
          written(false)
          throw error
        })
      // A failed handshake leaves a server without a session id: close it.
      if (id === null && session.transport.sessionId === undefined) {
        session.events.forget()
        void session.server.close()
      }
      return { response, written }
    },
    count: () => all.size,
    async close() {
      clearInterval(sweep)
      await Promise.all([...all.values()].map((session) => session.server.close().catch(() => {})))
      all.clear()
    },
  }
}

/** The open sessions. The callback is called however a session ends. */
class Open extends Map<string, Session> {
  constructor(private readonly onOver: OnOver) {
    super()
  }

  override delete(id: string): boolean {
    this.get(id)?.events.forget()
    const was = super.delete(id)
    if (was) this.onOver(id)
    return was
  }
}

type Refused = { path: string; response: Response; written(whole: boolean): void }

async function begin(
  all: Map<string, Session>,
  room: EventRoom,
  visit: Visit,
  most: number,
): Promise<Session | Refused> {
  const refuse = (...why: [number, number, string]) => ({ path: visit.path, ...refusal(...why) })
  if (!isInitialize(visit.body)) return refuse(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
  if (all.size >= most && !forgetOldest(all))
    return refuse(503, -32000, 'Too many sessions are open; try again later.')
  const events = room.ofSession()
  const session: Session = {
    path: visit.path,
    from: visit.from,
    server: await visit.open(),
    events,
    writing: 0,
    listening: 0,
    usedAt: Date.now(),
    transport: new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: events,
      retryInterval: 1_000,
      onsessioninitialized: (id) => void all.set(id, session),
      onsessionclosed: (id) => void all.delete(id),
    }),
  }
  await session.server.connect(session.transport)
  return session
}

function refusal(status: number, code: number, message: string) {
  const headers = status === 503 ? { 'retry-after': '5' } : undefined
  const response = Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })
  return { response, written() {} }
}

function isInitialize(body: unknown): boolean {
  return [body].flat().some((message) => (message as { method?: unknown } | null)?.method === 'initialize')
}

function requestsIn(body: unknown): unknown[] {
  return [body].flat().map((message) => (message as { id?: unknown } | null)?.id)
}

function forgetIdle(all: Map<string, Session>, idleMs: number) {
  for (const [id, session] of all)
    if (session.writing + session.listening === 0 && Date.now() - session.usedAt > idleMs)
      forget(all, id, session)
}

/**
 * Closes one session to make room: one without a running call, of the client with the most sessions, preferably without
 * an open stream, idle for the longest time. Returns false if all are busy.
 */
function forgetOldest(all: Map<string, Session>): boolean {
  const held = new Map<string, number>()
  for (const { from } of all.values()) held.set(from, (held.get(from) ?? 0) + 1)
  const [oldest] = [...all]
    .filter(([, session]) => session.writing === 0)
    .sort(
      ([, a], [, b]) =>
        held.get(b.from)! - held.get(a.from)! || a.listening - b.listening || a.usedAt - b.usedAt,
    )
  if (!oldest) return false
  forget(all, ...oldest)
  return true
}

function forget(all: Map<string, Session>, id: string, session: Session) {
  all.delete(id)
  session.server.close().catch(() => {})
}
