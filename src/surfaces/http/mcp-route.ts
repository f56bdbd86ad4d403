// The protocol's endpoint. The newest revision is served request by request; older ones through sessions.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import type { Registry } from '../../tools/registry.js'
import { buildServer, type Surface } from '../mcp/server.js'
import { type SessionLimits, sessions } from './sessions.js'
import { toWebRequest, writeWebResponse } from './web.js'

/** What the factory must know about a request beyond what the SDK hands it. */
interface Scope<Services> {
  registry: Registry<Services>
  from: string
}

export interface McpRoute<Services> {
  serve(req: IncomingMessage, res: ServerResponse, asked: Asked<Services>): Promise<void>
  sessionCount(): number
  close(): Promise<void>
}

export interface Asked<Services> {
  path: string
  registry: Registry<Services>
  body: unknown
}

export function mcpRoute<Services>(
  surface: Surface<Services>,
  limits: SessionLimits,
  build?: McpServerFactory,
): McpRoute<Services> {
  const scopes = new WeakMap<Request, Scope<Services>>()
  const { log } = surface.executor
  const factory = (ctx: McpRequestContext, live: boolean, scope: Scope<Services> | undefined) =>
    build?.(ctx) ??
    buildServer(surface, { era: ctx.era, from: scope?.from ?? 'http', registry: scope?.registry, live })
  const modern = createMcpHandler(
    (ctx) => factory(ctx, false, ctx.requestInfo && scopes.get(ctx.requestInfo)),
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
    async serve(req, res, { path, registry, body }) {
      const gone = new AbortController()
      res.on('close', () => gone.abort())
      const request = toWebRequest(req, gone.signal)
      const scope = { registry, from: req.socket.remoteAddress ?? 'http' }
      if (!(await isLegacyRequest(request, body))) {
        scopes.set(request, scope)
        return writeWebResponse(await modern.fetch(request, { parsedBody: body }), res)
      }
      const open = () => factory({ era: 'legacy', requestInfo: request }, true, scope)
      const { response, written } = await legacy.visit({ request, body, path, open })
      return writeWebResponse(response, res).finally(written)
    },
    sessionCount: legacy.count,
    async close() {
      stop?.()
      await Promise.all([modern.close(), legacy.close()])
    },
  }
}
