import type { ServerResponse } from 'node:http'

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

/** A refusal in the form that MCP clients read and people understand, or as everything else that the API says. */
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
