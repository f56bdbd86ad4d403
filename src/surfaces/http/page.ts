// Serves the page's files. They contain no user data and need no token; the page gets its data from the API, which does.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from './server.js'
import { addressOf, sendRefusal } from './web.js'

/** The files by url. No part of a request ever becomes the path of a file. */
const files: Record<string, string> = {
  '/': 'page.html',
  ...Object.fromEntries(
    [
      'page.css',
      'icon.svg',
      'page.js',
      'api.js',
      'elements.js',
      'place.js',
      'reaching.js',
      'reading.js',
      'results.js',
      'status.js',
      'text.js',
    ].map((name) => [`/${name}`, name]),
  ),
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

// The page runs its own modules, talks to its own server, and can do nothing else, whatever a document says.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const safety = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** Reads the files of a folder once, and serves them from memory. */
export function servePage(folder: string): Page {
  const assets = new Map(Object.entries(files).map(([path, name]) => [path, assetOf(folder, name)]))
  return (req, res) => {
    const asset = assets.get(addressOf(req).pathname)
    if (!asset) return false
    if (req.method === 'GET' || req.method === 'HEAD') send(asset, req, res)
    else sendRefusal(res, 405, 'Use GET, HEAD here.', { headers: { ...safety, allow: 'GET, HEAD' } })
    return true
  }
}

interface Asset {
  plain: Buffer
  packed: Buffer
  type: string
  tag: string
}

// Comments are a sixth of all bytes; browsers do not need them.
const comments = /^[ \t]*(?:\/\/.*|\/\*\*(?:(?!\*\/)[\s\S])*\*\/)[ \t]*\n/gm

function assetOf(folder: string, name: string): Asset {
  const plain = Buffer.from(readFileSync(join(folder, name), 'utf8').replace(comments, ''))
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  const type = types[name.slice(name.lastIndexOf('.') + 1)]!
  return { plain, packed: gzipSync(plain), type, tag }
}

function send({ plain, packed, type, tag }: Asset, req: IncomingMessage, res: ServerResponse) {
  const pack = /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(
    `${req.headers['accept-encoding'] ?? ''}`,
  )
  const etag = `"${tag}${pack ? '-z' : ''}"`
  const headers = { ...safety, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
  if (named(req.headers['if-none-match']).includes(etag)) {
    res.writeHead(304, headers)
    return res.end()
  }
  const bytes = pack ? packed : plain
  res.writeHead(200, {
    ...headers,
    'content-type': type,
    'content-length': bytes.length,
    ...(pack && { 'content-encoding': 'gzip' }),
  })
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

function named(ifNoneMatch = ''): string[] {
  return ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
}
