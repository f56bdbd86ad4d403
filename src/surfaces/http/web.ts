// Replies, and conversion between Node's requests and those of the web standard, which the SDK uses.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The request without its body, which was already read and parsed. Its signal aborts when the client disconnects. */
export function toWebRequest(req: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value === undefined || name.startsWith(':')) continue
    for (const one of [value].flat()) headers.append(name, one)
  }
  return new Request(addressOf(req), {
    method: req.method ?? 'GET',
    headers,
    signal,
  })
}

/** The path is always ours: "//u:p@h/mcp" must name neither another host nor a password. */
export function addressOf({ url = '/' }: IncomingMessage): URL {
  const own = 'http://localhost'
  const { pathname, search } = new URL(url.startsWith('/') ? `${own}${url}` : url, own)
  return new URL(`${own}${pathname}${search}`)
}

/** Streams a response, no faster than the client reads it. Returns whether the client stayed to the end. */
export async function writeWebResponse(response: Response, res: ServerResponse): Promise<boolean> {
  res.writeHead(response.status, Object.fromEntries(response.headers))
  const reader = response.body?.getReader()
  if (!reader) {
    res.end()
    return true
  }
  const gone = () => void reader.cancel().catch(() => {})
  res.on('close', gone)
  res.flushHeaders()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || res.destroyed) return done && !res.destroyed
      if (!res.write(value)) await drained(res)
    }
  } catch {
    // The stream was closed while we read it; there is no client left.
    return false
  } finally {
    res.off('close', gone)
    res.end()
  }
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.on('drain', done)
    res.on('close', done)
  })
}

export function sendJson(
  res: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
) {
  sendText(res, status, `${JSON.stringify(value)}\n`, { 'content-type': 'application/json', ...headers })
}

export function sendText(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
) {
  if (res.headersSent || res.destroyed) return
  res.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  res.end(text)
}

/** A refusal: a JSON-RPC error for MCP clients, `{ error }` for the API. */
export function sendRefusal(
  res: ServerResponse,
  status: number,
  message: string,
  { code = -32000, headers = {} }: { code?: number; headers?: Record<string, string> } = {},
) {
  const isApi = /^\/(?:api|metrics)(?:[/?]|$)/.test(res.req.url ?? '')
  const value = isApi ? { error: message } : { jsonrpc: '2.0', error: { code, message }, id: null }
  sendJson(res, status, value, headers)
}
