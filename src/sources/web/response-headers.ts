import type { FetchedHeaders } from './fetch.js'

export type RawHeaders = Record<string, string | string[] | undefined>

/** The few headers that readers of a response need, understood. */
export function readHeaders(raw: RawHeaders, url: URL, now = Date.now()): FetchedHeaders {
  const type = contentType(one(raw, 'content-type'))
  return {
    ...type,
    etag: validator(one(raw, 'etag')),
    lastModified: validator(one(raw, 'last-modified')),
    retryAfterMs: retryAfter(one(raw, 'retry-after'), now),
    canonical: canonicalOf(all(raw, 'link'), url),
    robots: all(raw, 'x-robots-tag'),
  }
}

/** Whether a content type is one of the wanted ones. */
export function isWanted(type: string | null, wanted: readonly string[] | undefined): boolean {
  if (type === null || wanted === undefined) return true
  return wanted.some((one) => {
    const plain = one.toLowerCase()
    return plain === '*/*' || plain === type || (plain.endsWith('/*') && type.startsWith(plain.slice(0, -1)))
  })
}

/** A validator that can be sent back as it came. */
export function validator(value: string | null | undefined): string | null {
  return value && /^[\x20-\x7e]{1,1000}$/.test(value) ? value : null
}

export function one(raw: RawHeaders, name: string): string | null {
  const value = raw[name]
  return (Array.isArray(value) ? value[0] : value)?.trim() || null
}

function all(raw: RawHeaders, name: string): string[] {
  const value = raw[name]
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

function contentType(value: string | null): Pick<FetchedHeaders, 'type' | 'charset'> {
  const [, type = ''] = /^\s*([\w.+-]+\/[\w.+-]+)\s*(?:;|$)/.exec(value ?? '') ?? []
  const [, charset = ''] = /;\s*charset\s*=\s*"?\s*([\w.:+-]{1,40})/i.exec(value ?? '') ?? []
  return { type: type.toLowerCase() || null, charset: charset.toLowerCase() || null }
}

const longestWaitMs = 24 * 3_600_000

function retryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestWaitMs) : null
}

// Read bit by bit: a link header may hold commas inside its urls.
function canonicalOf(values: readonly string[], url: URL): string | null {
  const links = values
    .join(', ')
    .slice(0, 20_000)
    .matchAll(/<([^<>]{1,4000})>((?:\s*;[^<>,]{0,500}){0,10})/g)
  for (const [, target = '', parameters = ''] of links)
    if (/;\s*rel\s*=\s*"?[^";]*\bcanonical\b/i.test(parameters) && URL.canParse(target, url.href))
      return new URL(target, url).href
  return null
}
