import type { Dispatcher } from 'undici'
import { encodingsOf, readBody, tooLarge } from './body.js'
import type { Failed, Fetched, FetchedHeaders, FetchLimits, FetchOptions, Journey, Refused } from './fetch.js'
import { isWanted, one, type RawHeaders, readHeaders, validator } from './response-headers.js'
import type { RefusedRequest } from './web-url.js'

const usualBytes = 10_000_000

/** Turns a response into an answer, and reads its body only if it is wanted. */
export async function answerOf(
  { progress }: FetchLimits,
  { statusCode: status, headers: raw, body }: Dispatcher.ResponseData,
  url: URL,
  at: Journey,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<Fetched> {
  const headers = readHeaders(raw as RawHeaders, url)
  const early = withoutBody(status, raw as RawHeaders, headers, at, url, options)
  if (early) {
    // Few bytes are read away to keep the connection; more are not worth it.
    void body.dump({ limit: 65_536, signal: AbortSignal.timeout(2_000) }).catch(() => {})
    return early
  }
  const maxBytes = options.maxBytes ?? usualBytes
  const encodings = encodingsOf(one(raw as RawHeaders, 'content-encoding'))
  const reason = encodings === null ? 'It is packed in a way that is not known here.' : null
  if (reason !== null || Number(one(raw as RawHeaders, 'content-length')) > maxBytes) {
    body.on('error', () => {}).destroy()
    return refused(
      at,
      reason
        ? { code: 'content_encoding', reason }
        : { code: 'too_large', reason: tooLarge(maxBytes).message },
      status,
    )
  }
  const stop = () => body.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const { bytes, wireBytes } = await readBody(body, encodings!, {
      maxBytes,
      progress,
    })
    return { ...at, state: 'ok', status, headers, body: bytes, wireBytes }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const moved = new Set([301, 302, 303, 307, 308])

/** The answer, where its body does not matter. */
function withoutBody(
  status: number,
  raw: RawHeaders,
  headers: FetchedHeaders,
  at: Journey,
  url: URL,
  { accept, etag, lastModified }: FetchOptions,
): Fetched | null {
  const location = moved.has(status) ? locationOf(raw, url) : null
  if (location !== null) return { ...at, state: 'redirect', status, location, headers }
  if (status === 304 && (validator(etag) || validator(lastModified)))
    return { ...at, state: 'unchanged', status, headers }
  if (status < 200 || status > 299 || status === 206) return notGiven(status, headers, at)
  if (isWanted(headers.type, accept)) return null
  return refused(at, { code: 'content_type', reason: `It is ${headers.type}, which is not read.` }, status)
}

function locationOf(raw: RawHeaders, url: URL): string | null {
  const written = one(raw, 'location')
  if (written === null) return null
  // Header bytes arrive one a character; where they are UTF-8, they are read as such.
  const bytes = Buffer.from(written, 'latin1')
  const text = bytes.toString('utf8').includes('\ufffd') ? written : bytes.toString('utf8')
  return URL.canParse(text, url.href) ? new URL(text, url).href : text
}

function notGiven(status: number, headers: FetchedHeaders, at: Journey): Failed {
  const retryable =
    status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501 && status !== 505)
  const name = names[status]
  return {
    ...at,
    state: 'failed',
    code: 'status',
    status,
    reason: `The server answered ${status}${name ? ` (${name})` : ''}.`,
    retryable,
    ...(headers.retryAfterMs === null ? {} : { retryAfterMs: headers.retryAfterMs }),
    headers,
  }
}

const names: Record<number, string> = {
  401: 'it wants a login',
  403: 'forbidden',
  404: 'not found',
  410: 'gone',
  429: 'too many requests',
  500: 'an error of its own',
  503: 'unavailable',
}

export function refused(
  at: Journey,
  { code, reason }: RefusedRequest,
  status: number | null = null,
): Refused {
  return { url: at.url, hops: [...at.hops], state: 'refused', code, reason, status }
}
