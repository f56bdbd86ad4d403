// The same tools for programs that speak plain HTTP: a list, and one address a tool.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, reasonOf } from '../../model/problem.js'
import { annotationsOf } from '../../server/define.js'
import type { Answer, Executor } from '../../server/executor.js'
import { type FailureKind, isEnvironmental } from '../../server/failure.js'
import { inputSchemaOf, outputSchemaOf } from '../../server/json-schema.js'
import type { Registry } from '../../server/registry.js'
import { sendJson } from './web.js'

export function listTools<Services>(registry: Registry<Services>) {
  return {
    tools: [...registry.tools.values()].map(({ tool, toolset }) => ({
      name: tool.name,
      title: tool.title,
      toolset: toolset.name,
      description: tool.summary,
      effect: tool.effect,
      annotations: annotationsOf(tool),
      inputSchema: inputSchemaOf(tool),
      outputSchema: outputSchemaOf(tool),
      examples: tool.examples,
    })),
  }
}

export async function callTool<Services>(
  {
    registry,
    executor,
    name,
    args,
  }: { registry: Registry<Services>; executor: Executor; name: string; args: unknown },
  req: IncomingMessage,
  res: ServerResponse,
) {
  const gone = new AbortController()
  res.on('close', () => gone.abort())
  let exposed: ReturnType<typeof registry.tool>
  try {
    exposed = registry.tool(name)
  } catch (error) {
    return sendJson(res, error instanceof Problem ? 404 : 500, { error: reasonOf(error) })
  }
  const client = { id: `${req.socket.remoteAddress ?? 'http'} api`, name: 'api' }
  const answer = await executor.call(exposed, registry.services, args, { client, signal: gone.signal })
  sendJson(res, statusOf(answer), answer.value ?? null, headersOf(answer))
}

const statuses: Record<FailureKind, number> = {
  invalid: 400,
  refused: 422,
  timeout: 504,
  cancelled: 499,
  rate_limited: 429,
  busy: 503,
  unavailable: 503,
  bug: 500,
}

// A failure that its toolset gives as an ordinary result is one here too.
function statusOf({ isError, failure }: Answer): number {
  if (!isError || !failure) return 200
  if (failure.code === 'not_found') return 404
  return failure.kind === 'refused' && isEnvironmental(failure) ? 503 : statuses[failure.kind]
}

function headersOf({ isError, failure, note }: Answer): Record<string, string> {
  const headers: Record<string, string> = note === undefined ? {} : { 'carrel-note': inHeader(note) }
  if (!isError || failure?.retryAfterMs === undefined) return headers
  return { ...headers, 'retry-after': String(Math.ceil(failure.retryAfterMs / 1000)) }
}

const longestNote = 2_000

/** With its letters beyond ASCII as in an address, which `decodeURIComponent` reads. */
function inHeader(note: string): string {
  return note.slice(0, longestNote).replace(/[^\x20-\x24\x26-\x7e]/gu, (letter) =>
    Buffer.from(letter)
      .toString('hex')
      .replace(/../g, (byte) => `%${byte.toUpperCase()}`),
  )
}
