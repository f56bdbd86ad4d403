// The protocol's endpoint. The newest revision is served request by request; older ones through sessions.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import type { Selection } from '../../server/registry.js'
import { buildServer, type Surface } from '../mcp/server.js'
import type { Narrowed } from './narrowing.js'
import { type SessionLimits, sessions } from './sessions.js'
import { toWebRequest, writeWebResponse } from './web.js'

/** Facts of a request that the SDK does not pass to the factory. */
interface Scope {
  selections: readonly (Selection | null)[]
  from: string
}

export interface McpRoute {
  serve(req: IncomingMessage, res: ServerResponse, request: McpRequest): Promise<void>
  sessionCount(): number
  close(): Promise<void>
}

export interface McpRequest {
  path: string
  /** The selections of the request; all of them apply. */
  selections: readonly (Selection | null)[]
  body: unknown
}

export function mcpRoute<Services>(
  surface: Surface<Services>,
  narrowed: Narrowed<Services>,
  limits: SessionLimits,
  build?: McpServerFactory,
): McpRoute {
  const scopes = new WeakMap<Request, Scope>()
  const { log } = surface.executor
  const factory = (
    ctx: McpRequestContext,
    live: boolean,
    { selections = [], from = 'http' }: Partial<Scope>,
  ) =>
    build?.(ctx) ??
    buildServer(surface, {
      era: ctx.era,
      from,
      registry: narrowed(selections),
      // A session has the headers with which it was opened; those of a request narrow it further.
      registryFor: (request) => narrowed([...selections, ...(scopes.get(request)?.selections ?? [])]),
      live,
    })
  const modern = createMcpHandler(
    (ctx) => factory(ctx, false, (ctx.requestInfo && scopes.get(ctx.requestInfo)) ?? {}),
    {
      legacy: 'reject',
      onerror: (error) => log.debug({ err: error }, 'mcp over http'),
    },
  )
  const legacy = sessions(limits, surface.onDisconnect)
  const stop = surface.changes?.subscribe((change) => {
    if (change.kind === 'resource') modern.notify.resourceUpdated(change.uri)
    else if (change.kind === 'resources') modern.notify.resourcesChanged()
    else modern.notify.promptsChanged()
  })

  return {
    async serve(req, res, { path, selections, body }) {
      const gone = new AbortController()
      res.on('close', () => gone.abort())
      const request = toWebRequest(req, gone.signal)
      const scope = { selections, from: req.socket.remoteAddress ?? 'http' }
      scopes.set(request, scope)
      if (!(await isLegacyRequest(request, body)))
        return void (await writeWebResponse(await modern.fetch(request, { parsedBody: body }), res))
      const open = () => factory({ era: 'legacy', requestInfo: request }, true, scope)
      const { response, written } = await legacy.visit({ request, body, path, from: scope.from, open })
      let whole = false
      try {
        whole = await writeWebResponse(response, res)
      } finally {
        written(whole)
      }
    },
    sessionCount: legacy.count,
    async close() {
      stop?.()
      await Promise.all([modern.close(), legacy.close()])
    },
  }
}
