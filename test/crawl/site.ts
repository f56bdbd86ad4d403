// A web site on this machine that does what sites do, and what they should not. Every request is remembered.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

export interface Site {
  url: string
  /** Paths with their queries, in the order of the requests. */
  requests: string[]
  times: number[]
  /** Requests under way now, and the most there were. */
  most: number
  pages: Pages
  close(): Promise<void>
}

export type Reply = (req: IncomingMessage, res: ServerResponse) => unknown
/** What is at a path: a page's HTML, or whatever answers. A path that ends in `*` is a prefix. */
export type Pages = Record<string, string | Reply>

export async function openSite(pages: Pages): Promise<Site> {
  const requests: string[] = []
  const times: number[] = []
  let now = 0
  const server: Server = createServer((req, res) => {
    requests.push(req.url!)
    times.push(performance.now())
    site.most = Math.max(site.most, ++now)
    res.on('close', () => now--)
    void answer(site.pages, req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const site: Site = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    times,
    most: 0,
    pages,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return site
}

async function answer(pages: Pages, req: IncomingMessage, res: ServerResponse) {
  const path = new URL(req.url!, 'http://x').pathname
  const found = pages[req.url!] ?? pages[path] ?? prefixed(pages, path)
  if (typeof found === 'function') return found(req, res)
  if (found === undefined) return send(res, '<h1>Not found</h1>', { status: 404 })
  send(res, found, { type: typeOf(path) })
}

function prefixed(pages: Pages, path: string) {
  const key = Object.keys(pages)
    .filter((one) => one.endsWith('*') && path.startsWith(one.slice(0, -1)))
    .sort((a, b) => b.length - a.length)[0]
  return key === undefined ? undefined : pages[key]
}

function typeOf(path: string): string {
  if (path.endsWith('.txt')) return 'text/plain; charset=utf-8'
  if (path.endsWith('.xml')) return 'application/xml'
  if (path.endsWith('.md')) return 'text/markdown; charset=utf-8'
  return 'text/html; charset=utf-8'
}

export function send(
  res: ServerResponse,
  body: string | Buffer,
  { status = 200, type = 'text/html; charset=utf-8', headers = {} as Record<string, string> } = {},
) {
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers })
  res.end(body)
}

/** A page with a title, a paragraph that no other page has, and links. */
export function page(title: string, links: readonly string[] = [], head = ''): string {
  const list = links.map((to, i) => `<li><a href="${to}">link ${i}</a></li>`).join('')
  return `<!doctype html><html><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
    <p>All there is to say about ${title}, and nothing else, in one paragraph of some length.</p></main>
    <nav><ul>${list}</ul></nav></body></html>`
}

export function redirect(to: string, status = 302): Reply {
  return (_, res) => {
    res.writeHead(status, { location: to, 'content-length': 0 })
    res.end()
  }
}

/** Fails some times, then answers. */
export function flaky(
  times: number,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Reply {
  let left = times
  return (_, res) => (left-- > 0 ? send(res, 'busy', { status, headers }) : send(res, body))
}

/** With an etag, and 304 for a client that sends it. */
export function tagged(body: () => string): Reply {
  return (req, res) => {
    const etag = `"${Buffer.from(body()).toString('base64url').slice(-24)}${body().length}"`
    if (req.headers['if-none-match'] === etag) {
      res.writeHead(304, { etag })
      return res.end()
    }
    send(res, body(), { headers: { etag } })
  }
}

/** A body that says it has two gigabytes and keeps sending. */
export function endless(bytes = 2_000_000_000): Reply {
  return async (_, res) => {
    res.writeHead(200, { 'content-type': 'text/html', 'content-length': bytes })
    const part = Buffer.alloc(65_536, 'a')
    for (let sent = 0; sent < bytes && !res.destroyed; sent += part.length)
      if (!res.write(part)) await Promise.race([new Promise((done) => res.once('drain', done)), sleep(200)])
  }
}

/** Twelve kilobytes on the wire, twelve megabytes unpacked, thrice over. */
export function bomb(): Reply {
  const packed = gzipSync(Buffer.alloc(40_000_000, ' '))
  return (_, res) => send(res, packed, { headers: { 'content-encoding': 'gzip' } })
}

/** A byte now and then. */
export function drip(): Reply {
  return async (_, res) => {
    res.writeHead(200, { 'content-type': 'text/html' })
    while (!res.destroyed) {
      res.write('.')
      await sleep(40)
    }
  }
}

/** Says it is longer than it is. */
export function cutShort(body: string): Reply {
  return (_, res) => {
    res.writeHead(200, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(body) + 1000 })
    res.write(body)
    setTimeout(() => res.destroy(), 10)
  }
}
