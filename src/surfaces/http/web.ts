// Between Node's requests and the ones of the web standard, which the SDK speaks.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The request without its body: that was read and parsed before. Its signal aborts when the client goes away. */
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

/** Whatever was asked for is a path of ours: "//u:p@h/mcp" names neither another host nor somebody's password. */
export function addressOf({ url = '/' }: IncomingMessage): URL {
  const own = 'http://localhost'
  const { pathname, search } = new URL(url.startsWith('/') ? `${own}${url}` : url, own)
  return new URL(`${own}${pathname}${search}`)
}

/** Writes a response as it comes, no faster than the client reads it. Says whether the client was there to its end. */
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
    // The stream was torn down under the reader; there is nobody left to tell.
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
