// The one way out to the web. Every request goes through here, so that addresses, sizes, times and redirects are guarded
// in one place; whoever fetches names what is wanted and gets a value back, whatever the server does.
import type { Socket } from 'node:net'
import { whenNeeded } from './when-needed.js'

/** Nothing is loaded before the first fetch: the engine costs 0.2 s and 20 MB, and most runs fetch nothing. */
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
  /** Never throws for what a server does or an address is: only when the signal is aborted. */
  fetch(url: string, options: FetchOptions): Promise<Fetched>
  /** Ends what is under way and closes the connections that were kept. */
  close(): Promise<void>
}

export interface FetcherOptions {
  /** Of the program; the user agent is `Carrel/<version>`. */
  version: string
  /** Loopback and private addresses too. Link-local, metadata, multicast and reserved ones stay refused. */
  allowPrivateNetwork: boolean
  /** For tests: the addresses of a host name. */
  resolve?: Resolve
  /** For tests: a connection to an address that was found permitted. */
  connect?: Connect
  limits?: Partial<FetchLimits>
}

export interface FetchLimits {
  /** Until there is a connection. */
  connectMs: number
  /** Until the first line of the answer and all its headers are there, connecting included. */
  answerMs: number
  /** A body that brings fewer `bytes` in `ms` is not waited for. */
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
  /** The host as the url says it. */
  host: string
  /** Over TLS, with this name in the handshake and on the certificate; null for plain http. */
  tls: { servername: string } | null
}

export interface FetchOptions {
  signal: AbortSignal
  /** Sent besides our own, to the first origin alone. Credentials, cookies and what describes the connection never are. */
  headers?: Readonly<Record<string, string>>
  /** The largest body, on the wire and unpacked (10 MB unless said). */
  maxBytes?: number
  /** For all of it, redirects included (30 s unless said). */
  timeMs?: number
  /** Content types to take: `text/html`, `text/*`. All of them unless said; a response that names none is taken. */
  accept?: readonly string[]
  /** Of the copy at hand: a server that still has the same answers without a body. */
  etag?: string | null
  lastModified?: string | null
  /** `manual` gives the redirect back instead of following it. */
  redirects?: 'follow' | 'manual'
  /** Asked before each redirect is followed, after our own checks: null to follow it, else why not, as a sentence. */
  mayFollow?: (to: URL) => string | null | Promise<string | null>
}

export type Fetched = Arrived | Unchanged | Redirected | Refused | Failed

/** A response of the 2xx kind, whole. */
export interface Arrived extends Journey {
  state: 'ok'
  status: number
  headers: FetchedHeaders
  /** Unpacked, otherwise as it came: the character encoding is the reader's business. */
  body: Buffer
  /** What came over the wire, packed as it was. */
  wireBytes: number
}

/** The copy at hand is still good. */
export interface Unchanged extends Journey {
  state: 'unchanged'
  status: 304
  headers: FetchedHeaders
}

/** Only where redirects are not followed. */
export interface Redirected extends Journey {
  state: 'redirect'
  status: number
  /** Where it leads; checked when it is fetched. */
  location: string
  headers: FetchedHeaders
}

/** We did not want it: asking again changes nothing. */
export interface Refused extends Journey {
  state: 'refused'
  code: Refusal
  /** A sentence for people. */
  reason: string
  /** Where the server got as far as answering. */
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

/** The server did not give it. */
export interface Failed extends Journey {
  state: 'failed'
  code: Failure
  /** A sentence for people. */
  reason: string
  /** The answer's status; null when there was none. */
  status: number | null
  /** Whether asking again later may help. */
  retryable: boolean
  /** How long the server asks us to wait. */
  retryAfterMs?: number
  headers?: FetchedHeaders
}

/** `status` is an answer of the 4xx or 5xx kind: see the field. */
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
  /** Where it ended, in its canonical form without a fragment. */
  url: string
  /** The urls that redirected, first to last: empty when none did. */
  hops: readonly string[]
}

export interface FetchedHeaders {
  /** Without parameters, in lower case; null when the server names none. */
  type: string | null
  /** As the content type names it. */
  charset: string | null
  etag: string | null
  lastModified: string | null
  /** The value of `Retry-After`, in milliseconds from now. */
  retryAfterMs: number | null
  /** `<…>; rel="canonical"` of a Link header, absolute. */
  canonical: string | null
  /** Every X-Robots-Tag line: a name at its front holds for that line alone. */
  robots: readonly string[]
}
