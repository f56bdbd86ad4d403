// One MCP server for one connection (or one request): the registry's records behind the protocol's methods. It is built
// from the SDK's lower level, because building one with thirty tools registered takes longer than answering with it.

import {
  type CallToolResult,
  type Implementation,
  type jsonSchemaValidator,
  type Tool as ListedTool,
  Server,
  type ServerCapabilities,
  type ServerContext,
  UriTemplate,
} from '@modelcontextprotocol/server'
import { Problem } from '../../model/problem.js'
import type { Changes } from '../../server/changes.js'
import {
  type AnyTool,
  annotationsOf,
  type Call,
  type Client,
  type Complete,
  type Resource,
  structuredOf,
} from '../../server/define.js'
import type { Answer, Caller, Executor, Job } from '../../server/executor.js'
import { inputSchemaOf, outputSchemaOf } from '../../server/json-schema.js'
import type { Registry } from '../../server/registry.js'
import { oneLine } from '../../text/one-line.js'
import { invalidParams, protocolErrorOf, refuseCursor, unknownTool, wrongFormOf } from './errors.js'
import { promptCompletion, servePrompts } from './prompts.js'
import { resourceCompletion, serveResources } from './resources.js'

/** Shared by all connections of one process. */
export interface Surface<Services> {
  registry: Registry<Services>
  executor: Executor
  info: Implementation
  /** Called for each connection, and by the newest clients with each request: it must be fast. */
  instructions?: (registry: Registry<Services>) => string
  changes?: Changes
  /** Called when a client with a protocol session has disconnected. */
  onDisconnect?: (session: string) => void
}

/** The state of one connection. */
export interface Connection<Services> {
  /** The surface's registry, or a part of it. */
  registry?: Registry<Services>
  /** The registry for one request: the connection's, or a part of it. */
  registryFor?: (request: Request) => Registry<Services>
  era: 'legacy' | 'modern'
  /** The client's address, or `stdio`. */
  from: string
  /** Whether the connection stays open, so that it can receive change notifications. */
  live: boolean
}

/** The offered registry, and the lists made from it. */
export interface Offer<Services> {
  registry: Registry<Services>
  lists: Lists<Services>
}

/** The dependencies of one server's handlers. */
export interface Serving<Services> {
  server: Server
  lists: Lists<Services>
  executor: Executor
  /** The offer for the current request. */
  offerTo(ctx: ServerContext): Offer<Services>
  callerOf(ctx: ServerContext): Caller
  /** Runs work other than tools under the same limits; errors become protocol errors. */
  run<T>(job: Omit<Job, 'effect'>, ctx: ServerContext, work: (call: Call) => Promise<T> | T): Promise<T>
}

export function buildServer<Services>(surface: Surface<Services>, connection: Connection<Services>): Server {
  const registry = connection.registry ?? surface.registry
  const offer = (registry: Registry<Services>) => ({
    registry,
    lists: listsOf(registry, surface.changes !== undefined),
  })
  const { lists } = offer(registry)
  const instructions = surface.instructions?.(registry).slice(0, mostInstructions)
  const server = new PlainSpokenServer(surface.info, {
    capabilities: lists.capabilities,
    ...(instructions && { instructions }),
    jsonSchemaValidator: noValidator,
    cacheHints,
  })
  const callerOf = (ctx: ServerContext): Caller => ({
    client: clientOf(server, connection.from),
    session: ctx.sessionId,
    signal: ctx.mcpReq.signal,
  })
  const serving: Serving<Services> = {
    server,
    lists,
    executor: surface.executor,
    offerTo: ({ http }) => offer((http?.req && connection.registryFor?.(http.req)) ?? registry),
    callerOf,
    run: (job, ctx, work) =>
      surface.executor.run({ ...job, effect: 'read' }, callerOf(ctx), work).catch((error) => {
        throw protocolErrorOf(job.name, error)
      }),
  }
  serveTools(serving)
  if (lists.capabilities.resources) serveResources(serving)
  if (lists.capabilities.prompts) servePrompts(serving)
  if (lists.capabilities.completions) serveCompletions(serving)
  if (surface.changes && connection.live) serveSubscriptions(serving, surface.changes, connection.era)
  return server
}

/** Says in a sentence which parameters are invalid. The SDK offers this hook. */
class PlainSpokenServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>) {
    const wrapped = super._wrapHandler(method, handler)
    return async (...given: Parameters<typeof wrapped>) =>
      wrapped(...given).catch((error) => {
        throw wrongFormOf(method, error) ?? error
      })
  }
}

// Claude Code cuts instructions at 2,048 characters.
const mostInstructions = 2_000

const minutes = 60_000
const cacheHints = {
  'tools/list': { ttlMs: 5 * minutes, cacheScope: 'private' },
  'prompts/list': { ttlMs: minutes / 2, cacheScope: 'private' },
  'resources/list': { ttlMs: minutes / 12, cacheScope: 'private' },
  'resources/templates/list': { ttlMs: 5 * minutes, cacheScope: 'private' },
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
  'server/discover': { ttlMs: minutes, cacheScope: 'private' },
} as const

// The SDK builds an AJV for every server, to validate answers to questions that we never ask a client.
const noValidator: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

function serveTools<Services>({ server, executor, offerTo, callerOf }: Serving<Services>) {
  server.setRequestHandler('tools/list', ({ params }, ctx) => {
    refuseCursor(params?.cursor)
    return { tools: offerTo(ctx).lists.tools }
  })
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { registry } = offerTo(ctx)
    const exposed = registry.tools.get(params.name)
    if (!exposed) throw unknownTool(registry, params.name)
    const progress = progressFor(ctx.mcpReq)
    try {
      const caller = { ...callerOf(ctx), progress: progress.report }
      return toolResult(await executor.call(exposed, registry.services, params.arguments, caller))
    } finally {
      progress.end()
    }
  })
}

/**
 * Text for clients that show text, and the same as an object for those that read objects. An error is text only, because
 * clients validate its object against the schema of results. The note of a list, a sentence or null is a separate text.
 */
function toolResult({ value, text, isError, note, plain }: Answer): CallToolResult {
  const content = [text, ...(note === undefined ? [] : [note])].map((one) => ({
    type: 'text' as const,
    text: one,
  }))
  if (plain) return { content }
  return isError ? { content, isError } : { content, structuredContent: structuredOf(value, note) }
}

function clientOf(server: Server, from: string): Client {
  const info = server.getClientVersion() ?? {}
  const { name, version } = info as { name?: string; version?: string }
  const called = typeof name === 'string' ? name.slice(0, 100) : undefined
  return {
    id: called ? `${from} ${called}` : from,
    ...(called && { name: called }),
    ...(typeof version === 'string' && { version: version.slice(0, 50) }),
  }
}

/** The protocol's limit for one answer. */
const mostValues = 100

function serveCompletions<Services>(serving: Serving<Services>) {
  serving.server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }, ctx) =>
    serving.run({ name: 'completion/complete' }, ctx, async () => {
      const offer = serving.offerTo(ctx)
      if (ref.type === 'ref/prompt' && !offer.lists.capabilities.prompts)
        throw new Problem('invalid', 'There are no prompts here.')
      const complete: Complete<Services> | undefined =
        ref.type === 'ref/prompt'
          ? await promptCompletion(offer, ref.name, argument.name)
          : resourceCompletion(offer, ref.uri, argument.name)
      const all = (await complete?.(offer.registry.services, argument.value, context?.arguments ?? {})) ?? []
      // A value is an argument to be: one that has to be changed before it can be shown would no longer fit.
      const found = all.filter((value) => oneLine(value) === value)
      const values = found.slice(0, mostValues)
      return { completion: { values, total: found.length, hasMore: found.length > values.length } }
    }),
  )
}

/** Progress is sent no more often than this, and each figure is larger than the one before. */
const leastMs = 250

interface Progress {
  report(done: number, total?: number, message?: string): void
  /** Nothing is sent after this, because the answer follows. */
  end(): void
}

/** Throttles progress reports. A client that sent no progress token gets none. */
function progressFor(request: ServerContext['mcpReq']): Progress {
  const progressToken = request._meta?.progressToken
  if (progressToken === undefined) return { report() {}, end() {} }
  let sent = Number.NEGATIVE_INFINITY
  let sentAt = Number.NEGATIVE_INFINITY
  let held: { progress: number; total?: number; message?: string } | undefined
  let timer: NodeJS.Timeout | undefined

  function send() {
    timer = undefined
    if (!held) return
    sent = held.progress
    sentAt = performance.now()
    const params = { progressToken, ...held }
    held = undefined
    request.notify({ method: 'notifications/progress', params }).catch(() => {})
  }

  return {
    report(done, total, message) {
      if (!Number.isFinite(done) || done <= sent || (held && done < held.progress)) return
      held = { progress: done, ...(total !== undefined && { total }), ...(message && { message }) }
      const wait = sentAt + leastMs - performance.now()
      if (wait <= 0) send()
      else timer ??= setTimeout(send, wait).unref()
    },
    end() {
      clearTimeout(timer)
      held = undefined
    },
  }
}

const mostSubscriptions = 1_000
/** The longest url of a resource. */
const longestUri = 2_048

/**
 * Notifies an open connection of changes. Older clients subscribe to single resources, and we keep the list. The newest
 * open a listening request, which the SDK keeps: we send everything, and the SDK drops what was not requested.
 */
function serveSubscriptions<Services>(
  serving: Serving<Services>,
  changes: Changes,
  era: 'legacy' | 'modern',
) {
  const { server, lists } = serving
  const wanted = new Set<string>()
  if (lists.capabilities.resources && era === 'legacy') {
    server.setRequestHandler('resources/subscribe', ({ params }) => {
      if (params.uri.length > longestUri)
        throw invalidParams(`An address has at most ${longestUri} characters.`)
      if (wanted.size >= mostSubscriptions && !wanted.has(params.uri))
        throw invalidParams(`At most ${mostSubscriptions} subscriptions are kept.`)
      wanted.add(params.uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      wanted.delete(params.uri)
      return {}
    })
  }
  const stop = changes.subscribe((change) => {
    if (!server.transport) return
    const sent =
      change.kind === 'resource'
        ? (era === 'modern' || wanted.has(change.uri)) &&
          lists.capabilities.resources &&
          server.sendResourceUpdated({ uri: change.uri })
        : change.kind === 'resources'
          ? lists.capabilities.resources && server.sendResourceListChanged()
          : lists.capabilities.prompts && server.sendPromptListChanged()
    if (sent) sent.catch(() => {})
  })
  const before = server.onclose
  server.onclose = () => {
    stop()
    before?.()
  }
}

interface Template<Services> {
  resource: Resource<Services>
  patterns: UriTemplate[]
}

interface Listed<Services> {
  /** Made at the first request: converting the schemas takes longer than the rest of `initialize`. */
  readonly tools: ListedTool[]
  fixed: Map<string, Resource<Services>>
  templates: Template<Services>[]
}

export interface Lists<Services> extends Listed<Services> {
  capabilities: ServerCapabilities
}

// A registry never changes, and the SDK would convert every schema on every request.
const known = new WeakMap<object, Listed<never>>()

/** What a server lists of a registry. `watches`: the server reports changes of resources and prompts. */

export function listsOf<Services>(registry: Registry<Services>, watches: boolean): Lists<Services> {
  let listed = known.get(registry) as Listed<Services> | undefined
  if (!listed) {
    listed = listedBy(registry)
    known.set(registry, listed as Listed<never>)
  }
  const { fixed, templates } = listed
  return {
    get tools() {
      return listed.tools
    },
    fixed,
    templates,
    capabilities: capabilitiesOf(registry, watches),
  }
}

function listedBy<Services>(registry: Registry<Services>): Listed<Services> {
  const fixed = registry.resources.filter((resource) => resource.uri !== undefined)
  const templates = registry.resources.filter((resource) => resource.template !== undefined)
  let tools: ListedTool[] | undefined
  return {
    get tools() {
      tools ??= [...registry.tools.values()].map(({ tool }) => listedTool(tool))
      return tools
    },
    fixed: new Map(fixed.map((resource) => [resource.uri!, resource])),
    templates: templates.map((resource) => ({
      resource,
      patterns: [resource.template!, ...(resource.alsoAt ?? [])].map((template) => new UriTemplate(template)),
    })),
  }
}

function listedTool<Services>(tool: AnyTool<Services>): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.summary,
    inputSchema: inputSchemaOf(tool) as ListedTool['inputSchema'],
    ...(!tool.plain && { outputSchema: outputSchemaOf(tool) as ListedTool['outputSchema'] }),
    annotations: annotationsOf(tool),
  }
}

// The list of tools never changes while a server runs, so clients may cache it.
function capabilitiesOf<Services>(registry: Registry<Services>, watches: boolean): ServerCapabilities {
  const completes = registry.hasPrompts || registry.resources.some((resource) => resource.complete)
  return {
    tools: { listChanged: false },
    ...(registry.resources.length > 0 && { resources: { subscribe: watches, listChanged: watches } }),
    ...(registry.hasPrompts && { prompts: { listChanged: watches } }),
    ...(completes && { completions: {} }),
  }
}
