// All web requests go through this module, so that addresses, sizes, times and redirects are checked in one place. The
// result is a value, whatever the server does.
import type { Socket } from 'node:net'

/** Loaded with the first fetch: the engine costs 0.2 s and 20 MB, and most runs fetch nothing. */
export function openFetcher(options: FetcherOptions): Fetcher {
  const engine = whenNeeded(async () => {
    const { guardedFetcher } = await import('./guarded-fetcher.js')
    return guardedFetcher(options)
  })
  return {
    fetch: async (url, request) => (await engine.get()).fetch(url, request),
    close: engine.close,
  }
}

export interface Fetcher {
  /** Throws only if the signal is aborted. Errors of the server and bad addresses are values. */
  fetch(url: string, options: FetchOptions): Promise<Fetched>
  /** Aborts running requests and closes idle connections. */
  close(): Promise<void>
}

export interface FetcherOptions {
  /** The program's version; the user agent is `Carrel/<version>`. */
  version: string
  /**
   * Allows loopback and private addresses. Link-local, metadata, multicast and reserved addresses are always refused.
   */
  allowPrivateNetwork: boolean
  /** For tests: resolves a host name. */
  resolve?: Resolve
  /** For tests: connects to a permitted address. */
  connect?: Connect
  limits?: Partial<FetchLimits>
}

export interface FetchLimits {
  /** Time limit for connecting. */
  connectMs: number
  /** Time limit until all headers have arrived, including connecting. */
  answerMs: number
  /** A body that delivers fewer than `bytes` in `ms` is aborted. */
  progress: { bytes: number; ms: number }
  redirects: number
  headerBytes: number
}

/** All addresses of a host name, in the order of preference. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** Opens a connection to exactly this address; over TLS when a server name is given. */
export type Connect = (to: Endpoint, signal: AbortSignal) => Promise<Socket>

export interface Endpoint {
  /** The address that was checked, never a name. */
  address: string
  port: number
  /** The host as written in the url. */
  host: string
  /** For TLS: the name for the handshake and the certificate; null for plain http. */
  tls: { servername: string } | null
}

export interface FetchOptions {
  signal: AbortSignal
  /** Additional headers, sent only to the first origin. Credentials, cookies and connection headers are never sent. */
  headers?: Readonly<Record<string, string>>
  /** The largest body, both compressed and decompressed. Default: 10 MB. */
  maxBytes?: number
  /** Time limit for the whole request, including redirects. Default: 30 s. */
  timeMs?: number
  /** Accepted content types: `text/html`, `text/*`. Default: all. A response without a content type is accepted. */
  accept?: readonly string[]
  /** The validators of a cached copy: if it is still current, the server answers without a body. */
  etag?: string | null
  lastModified?: string | null
  /** `manual` returns the redirect instead of following it. */
  redirects?: 'follow' | 'manual'
  /**
   * Called before each redirect, after our own checks. Returns null to follow it, otherwise the reason as a sentence.
   */
  mayFollow?: (to: URL) => string | null | Promise<string | null>
}

export type Fetched = Arrived | Unchanged | Redirected | Refused | Failed

/** A complete 2xx response. */
export interface Arrived extends Journey {
  state: 'ok'
  status: number
  headers: FetchedHeaders
  /** Decompressed, but not decoded: the reader handles the character encoding. */
  body: Buffer
  /** Bytes received, compressed. */
  wireBytes: number
}

/** The cached copy is still current. */
export interface Unchanged extends Journey {
  state: 'unchanged'
  status: 304
  headers: FetchedHeaders
}

/** Only with `redirect: 'manual'`. */
export interface Redirected extends Journey {
  state: 'redirect'
  status: number
  /** The target, which is checked when it is fetched. */
  location: string
  headers: FetchedHeaders
}

/** Refused by us: a retry does not help. */
export interface Refused extends Journey {
  state: 'refused'
  code: Refusal
  /** A sentence for people. */
  reason: string
  /** The server's response, if it got that far. */
  status: number | null
}

export type Refusal =
  | 'bad_url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'address'
  | 'redirect_loop'
  | 'too_many_redirects'
  | 'not_followed'
  | 'content_type'
  | 'content_encoding'
  | 'too_large'

/** The request failed. */
export interface Failed extends Journey {
  state: 'failed'
  code: Failure
  /** A sentence for people. */
  reason: string
  /** The HTTP status; null if there was no response. */
  status: number | null
  /** Whether a later retry may help. */
  retryable: boolean
  /** How long the server asks us to wait. */
  retryAfterMs?: number
  headers?: FetchedHeaders
}

/** `status`: a 4xx or 5xx response, see the field. */
export type Failure =
  | 'status'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'stalled'
  | 'truncated'
  | 'protocol'
  | 'closed'

export interface Journey {
  /** The final url in canonical form, without a fragment. */
  url: string
  /** The urls that redirected, in order. */
  hops: readonly string[]
}

export interface FetchedHeaders {
  /** Without parameters, in lower case; null if the server sends none. */
  type: string | null
  /** From the content type. */
  charset: string | null
  etag: string | null
  lastModified: string | null
  /** `Retry-After` in milliseconds from now. */
  retryAfterMs: number | null
  /** The url of a Link header with `rel="canonical"`, absolute. */
  canonical: string | null
  /** Every X-Robots-Tag line. A robot's name at the start applies to that line only. */
  robots: readonly string[]
}

interface Closing {
  close(): Promise<void>
}

/** Opens a resource at its first use, and closes it if it was opened. After that, `get` returns a closed one. */
export function whenNeeded<T extends Closing>(open: () => Promise<T>): Closing & { get(): Promise<T> } {
  let opened: Promise<T> | null = null
  let closed = false
  return {
    async get() {
      opened ??= open()
      const thing = await opened
      if (closed) await thing.close()
      return thing
    },
    async close() {
      closed = true
      await (await opened)?.close()
    },
  }
}
