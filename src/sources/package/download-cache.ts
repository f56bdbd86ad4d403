// Downloads a package's files from the web into our folder: each address once, and again only when it changed.

import { webcrypto } from 'node:crypto'
import { copyFileSync, linkSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { hashOf } from '../../text/hash.js'
import { percentDecoded } from '../../text/percent-decoded.js'
import type { Arrived, Failed, Fetched, FetchedHeaders, Fetcher } from '../web/fetch.js'

/** Access to the web, and its limits. */
export interface Web {
  fetcher: Fetcher
  /** Null if the address is allowed, else a sentence that says why not. */
  mayAsk(url: URL): string | null
}

export interface DownloadCache {
  /** The file, or the reason for its absence. */
  get(url: string, wanted?: DownloadRequest): Promise<CachedFile | { reason: string }>
  /** Writes the record of the downloads, for the next run. */
  close(): void
}

export interface DownloadRequest {
  /** The name it should have; else the url and its content type give one. */
  name?: string | undefined
  /** The SHA-256 it must have: a copy with this hash is not downloaded again. */
  hash?: string | undefined
  maxBytes?: number
  timeMs?: number
}

export interface CachedFile extends Copy {
  root: string
  /** Where redirects led. */
  url: string
}

const copy = z.object({
  /** Relative to the cache folder. */
  path: z.string().regex(/^[0-9a-f]{16}\/[^/\\]+$/),
  hash: z.string(),
  url: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
})
type Copy = z.infer<typeof copy>
const record = z.record(z.string(), copy)

export interface DownloadCacheOptions {
  folder: string
  /** The folder of the previous downloads, if there was one. */
  before?: string | undefined
  signal: AbortSignal
  mostBytes: number
}

export function openDownloadCache(web: Web, options: DownloadCacheOptions): DownloadCache {
  const { folder, before, signal } = options
  const known = before === undefined ? {} : readRecord(before)
  const downloads: Record<string, Copy> = {}
  const silent = new Map<string, number>()
  let bytes = 0
  let waitedMs = 0

  async function get(
    address: string,
    request: DownloadRequest = {},
  ): Promise<CachedFile | { reason: string }> {
    const refusal = refused(address)
    if (refusal !== null) return { reason: refusal }
    const old = await soundCopy(before, known[address], request.name)
    if (old && old.hash === request.hash) return reuse(address, old)
    const fetched = await download(address, request, old)
    count(address, fetched)
    if (fetched.state === 'unchanged' && old) return reuse(address, { ...old, url: fetched.url })
    if (fetched.state !== 'ok') return { reason: 'reason' in fetched ? fetched.reason : 'It was not given.' }
    bytes += fetched.body.length
    if (bytes > options.mostBytes) return { reason: 'The package is larger than packages may be.' }
    return put(address, fetched, request.name)
  }

  function refused(address: string): string | null {
    if (!URL.canParse(address)) return 'Its url is not an address on the web.'
    const url = new URL(address)
    if ((silent.get(url.host) ?? 0) >= patience)
      return `${url.host} did not answer or was busy before, so it was not asked.`
    return web.mayAsk(url)
  }

  async function download(address: string, request: DownloadRequest, old: Copy | null): Promise<Fetched> {
    const once = () =>
      web.fetcher.fetch(address, {
        signal,
        maxBytes: request.maxBytes ?? usualBytes,
        ...(request.timeMs ? { timeMs: request.timeMs } : {}),
        etag: old?.etag ?? null,
        lastModified: old?.lastModified ?? null,
        mayFollow: (to) => web.mayAsk(to),
      })
    const first = await once()
    if (first.state !== 'failed' || !isBusy(first)) return first
    const waitMs = first.retryAfterMs ?? usualWaitMs
    if (waitMs > longestWaitMs || waitedMs + waitMs > mostWaitMs) return first
    waitedMs += waitMs
    await sleep(waitMs, undefined, { signal })
    return once()
  }

  function count(address: string, fetched: Fetched) {
    const { host } = new URL(address)
    const inVain = fetched.state === 'failed' && (fetched.status === null || isBusy(fetched))
    silent.set(host, inVain ? (silent.get(host) ?? 0) + 1 : 0)
  }

  function reuse(address: string, old: Copy): CachedFile {
    const [from, to] = [join(before!, old.path), join(folder, old.path)]
    mkdirSync(dirname(to), { recursive: true })
    shareFile(from, to)
    downloads[address] = old
    return { ...old, root: folder }
  }

  async function put(
    address: string,
    { body, url, headers }: Arrived,
    name: string | undefined,
  ): Promise<CachedFile> {
    const path = `${hashOf(address).slice(0, 16)}/${name ? plainName(name) : nameFor(url, headers)}`
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), body, { mode: 0o600 })
    const { etag, lastModified } = headers
    downloads[address] = { path, hash: await sha256(body), url, etag, lastModified }
    return { ...downloads[address], root: folder }
  }

  return {
    get,
    close() {
      if (Object.keys(downloads).length > 0)
        writeFileSync(join(folder, recordName), JSON.stringify(downloads))
    },
  }
}

const recordName = 'fetched.json'
const usualBytes = 50_000_000
/** A server that was silent or busy this often is left alone: each time costs the full time limit, or its waiting. */
const patience = 3
const usualWaitMs = 1_000
const longestWaitMs = 10_000
/** The longest total wait for a package: the index is locked meanwhile. */
const mostWaitMs = 60_000

/** The server asks to retry later. */
function isBusy({ status }: Failed): boolean {
  return status === 429 || status === 503
}

function readRecord(folder: string): Record<string, Copy> {
  try {
    return record.parse(JSON.parse(readFileSync(join(folder, recordName), 'utf8')))
  } catch {
    // Missing or damaged: everything is downloaded again.
    return {}
  }
}

/** The previous copy, if its bytes still have the recorded hash. */
async function soundCopy(
  folder: string | undefined,
  known: Copy | undefined,
  name: string | undefined,
): Promise<Copy | null> {
  if (folder === undefined || known === undefined) return null
  // Two files of a package may lie at one address and go by different names.
  if (name !== undefined && plainName(name) !== basename(known.path)) return null
  try {
    return (await sha256(await readFile(join(folder, known.path)))) === known.hash ? known : null
  } catch {
    return null
  }
}

// A hard link, or a copy with the same time, so that the file does not look changed.
function shareFile(from: string, to: string) {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
    const { atime, mtime } = statSync(from)
    utimesSync(to, atime, mtime)
  }
}

// In another thread: a bundle of 200 MB would hold up everything else for half a second.
async function sha256(bytes: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

const endings: Record<string, string> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'text/markdown': '.md',
  'text/x-markdown': '.md',
  'text/csv': '.csv',
  'application/json': '.json',
  'application/pdf': '.pdf',
  'application/epub+zip': '.epub',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': '.pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
}
const unnamed = 'application/octet-stream'
const textual = /\.(html?|xhtml|md|mdx|markdown|txt)$/i

// A page may be called Node.js or index.php: a file served as HTML is HTML, unless its name ends like Markdown or text.
function nameFor(url: string, { type }: FetchedHeaders): string {
  const last = plainName(percentDecoded(basename(new URL(url).pathname)))
  const ending =
    endings[type ?? ''] ?? (type === null || type === unnamed ? '' : /^text\//.test(type) ? '.txt' : '.bin')
  const own = extname(last)
  if (own === '' || (ending === '.html' && !textual.test(last))) return `${last || 'page'}${ending}`
  return last
}

function plainName(name: string): string {
  const safe = basename(name.replaceAll('\\', '/'))
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '')
  const { length } = extname(safe)
  return `${safe.slice(0, safe.length - length).slice(0, 60)}${safe.slice(safe.length - length).slice(0, 20)}`
}
