import { Agent } from 'undici'
import { type LinkedAbort, linkAbort } from '../../runtime/abort-signals.js'
import { answerOf, refused } from './answer.js'
import { offeredEncodings } from './body.js'
import { connectGuarded, type Guard, NotPermitted, openGuard, refusedHost } from './connect.js'
import { OutOfTime, outcomeOf } from './failure.js'
import type {
  Failed,
  Fetched,
  Fetcher,
  FetcherOptions,
  FetchLimits,
  FetchOptions,
  Journey,
  Refused,
} from './fetch.js'
import { validator } from './response-headers.js'
import { hostOf, type RefusedRequest, readWebUrl, shownUrl } from './web-url.js'

/** The parts that one fetcher shares among its requests. */
interface Works {
  agent: Agent
  guard: Guard
  limits: FetchLimits
  userAgent: string
  closing: AbortSignal
}

export function guardedFetcher(options: FetcherOptions): Fetcher {
  const closing = new AbortController()
  const limits = { ...usualLimits, ...options.limits }
  const guard = openGuard(options)
  const works: Works = {
    agent: openAgent(guard, limits, closing.signal),
    guard,
    limits,
    userAgent: `Carrel/${options.version}`,
    closing: closing.signal,
  }
  return {
    fetch: (url, request) => fetchGuarded(works, url, request),
    async close() {
      closing.abort()
      await works.agent.destroy()
    },
  }
}

const usualLimits: FetchLimits = {
  connectMs: 10_000,
  answerMs: 20_000,
  progress: { bytes: 1_024, ms: 10_000 },
  redirects: 10,
  headerBytes: 32_768,
}

function openAgent(guard: Guard, { connectMs, headerBytes }: FetchLimits, closing: AbortSignal): Agent {
  return new Agent({
    connections: 8,
    maxHeaderSize: headerBytes,
    // Times are kept here, over the whole request, and not by the parts that undici knows.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect({ protocol, hostname, port }, callback) {
      const secure = protocol === 'https:'
      const wanted = { host: plainHost(hostname), port: Number(port) || (secure ? 443 : 80), secure }
      const end = linkAbort(closing)
      const late = new OutOfTime(`${wanted.host} cannot be reached in time.`)
      const timer = setTimeout(() => end.abort(late), connectMs)
      connectGuarded(guard, wanted, end.signal)
        .finally(() => {
          clearTimeout(timer)
          end.release()
        })
        .then(
          (socket) => callback(null, socket),
          (error) => callback(error, null),
        )
    },
  })
}

function plainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

const usualMs = 30_000

async function fetchGuarded(works: Works, text: string, options: FetchOptions): Promise<Fetched> {
  options.signal.throwIfAborted()
  const end = linkAbort(options.signal, works.closing)
  const ms = options.timeMs ?? usualMs
  const timer = setTimeout(() => end.abort(new OutOfTime(`It takes longer than ${ms / 1000} s.`)), ms)
  try {
    return await follow(works, text, { ...options, end })
  } finally {
    clearTimeout(timer)
    end.release()
  }
}

/** A request with the signal that ends it: from the caller, from closing the fetcher, or from its timeout. */
interface RequestOptions extends FetchOptions {
  end: LinkedAbort
}

async function follow(works: Works, text: string, options: RequestOptions): Promise<Fetched> {
  const hops: string[] = []
  for (let target = text, base: URL | undefined; ; ) {
    const url = readWebUrl(target, base)
    if (!(url instanceof URL)) return refused({ url: shownUrl(target), hops }, url)
    const journey = { url: url.href, hops }
    const never = hops.length > 0 ? await notFollowed(works, url, hops, options) : null
    if (never) return refused(journey, never)
    const answer = await fetchOnce(works, url, journey, options)
    if (answer.state !== 'redirect' || options.redirects === 'manual') return answer
    hops.push(url.href)
    target = answer.location
    base = url
  }
}

async function notFollowed(
  { guard, limits }: Works,
  to: URL,
  hops: string[],
  options: RequestOptions,
): Promise<RefusedRequest | null> {
  if (hops.includes(to.href))
    return { code: 'redirect_loop', reason: 'Its redirects lead back to themselves.' }
  if (hops.length > limits.redirects)
    return { code: 'too_many_redirects', reason: `It redirects more than ${limits.redirects} times.` }
  const refusal = refusedHost(guard, hostOf(to))
  if (refusal) return refusal
  const reason = (await options.mayFollow?.(to)) ?? null
  return reason === null ? null : { code: 'not_followed', reason }
}

async function fetchOnce(
  works: Works,
  url: URL,
  journey: Journey,
  options: RequestOptions,
): Promise<Fetched> {
  const at = { url: journey.url, hops: [...journey.hops] }
  let status: number | null = null
  const { signal } = options.end
  const late = new OutOfTime(`${url.host} does not answer in time.`)
  const slow = setTimeout(() => options.end.abort(late), works.limits.answerMs)
  try {
    const isSameSite = journey.hops.every((hop) => new URL(hop).origin === url.origin)
    const response = await request(works, url, options, isSameSite)
    clearTimeout(slow)
    status = response.statusCode
    return await answerOf(works.limits, response, url, at, options, signal)
  } catch (error) {
    options.signal.throwIfAborted()
    if (works.closing.aborted) return { ...at, ...closed, status }
    const cause = signal.aborted ? signal.reason : error
    return { ...at, status, ...outcomeOf(cause, url.hostname, status !== null) } as Refused | Failed
  } finally {
    clearTimeout(slow)
  }
}

const closed = { state: 'failed', code: 'closed', reason: 'Fetching was ended.', retryable: false } as const

function request({ agent, guard, userAgent }: Works, url: URL, options: RequestOptions, isSameSite: boolean) {
  const refusal = refusedHost(guard, hostOf(url))
  if (refusal) throw new NotPermitted(refusal)
  return agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    headers: headersFor(options, userAgent, isSameSite),
    signal: options.end.signal,
  })
}

function headersFor(
  { headers = {}, accept, etag, lastModified }: RequestOptions,
  userAgent: string,
  isSameSite: boolean,
): Record<string, string> {
  const own = isSameSite ? Object.entries(headers).filter(([name]) => !removedHeaders.test(name)) : []
  const [match, since] = [validator(etag), validator(lastModified)]
  return {
    accept: accept ? [...accept, '*/*;q=0.1'].join(', ') : '*/*',
    ...Object.fromEntries(own.map(([name, value]) => [name.toLowerCase(), value])),
    'user-agent': userAgent,
    'accept-encoding': offeredEncodings,
    ...(match ? { 'if-none-match': match } : {}),
    ...(since ? { 'if-modified-since': since } : {}),
  }
}

// Headers that are removed: those that identify the user, change the server of the request, or ask for a part of the body.
const removedHeaders =
  /^(authorization|cookie2?|proxy-.*|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|range|if-.*|x-forwarded-.*|forwarded)$/i
