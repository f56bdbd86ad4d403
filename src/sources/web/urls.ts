// Normalises web addresses for a crawl: one spelling for each page, so that no page is fetched twice.

/** The normal form of an address; null if it is no web page. */
export function normaliseUrl(written: string, base?: string): string | null {
  const url = tidyUrl(written, base)
  return url === null ? null : inOneOrder(url)
}

/** The same parameters in another order are the same page. */
export function inOneOrder(url: string): string {
  const at = url.indexOf('?') + 1
  return at === 0 ? url : url.slice(0, at) + url.slice(at).split('&').sort().join('&')
}

/** The normal form, but with the parameters in their order: a site's rule about `?sort=` means the written form. */
export function tidyUrl(written: string, base?: string): string | null {
  if (written.length > longestUrl) return null
  if (!URL.canParse(written.trim(), base)) return null
  const url = new URL(written.trim(), base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  if (url.username || url.password || url.hostname === '') return null
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  url.pathname = tidyPath(url.pathname)
  url.search = tidyQuery(url.search)
  return url.href.length > longestUrl ? null : url.href
}

export const longestUrl = 2_000

// Session ids may be in the path as well; a doubled slash is an error in joining two paths.
function tidyPath(path: string): string {
  return plainSigns(path)
    .replace(/;([a-z]+)=([^/;]*)/gi, (part, name: string, value: string) =>
      isNoise(name, value) ? '' : part,
    )
    .replace(/\/{2,}/g, '/')
}

/** Escapes of signs that need none as the signs, the others in capitals: `/%64ocs/%c3%bc` is `/docs/%C3%BC`. */
export function plainSigns(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(sign) ? sign : code.toUpperCase()
  })
}

function tidyQuery(query: string): string {
  if (query === '') return ''
  const parameters = query
    .slice(1)
    .split('&')
    .filter((part) => {
      const name = part.split('=', 1)[0]!
      return part !== '' && !isNoise(name, part.slice(name.length + 1))
    })
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

/** Parameters that identify the visitor or the referrer, never the page. */
function isNoise(written: string, value: string): boolean {
  const name = written.toLowerCase()
  if (maybeNoise.has(name)) return looksMadeUp(value)
  return noise.has(name) || /^(?:utm_|mtm_|pk_|hsa_|aspsessionid)/.test(name)
}

const noise = new Set(
  `phpsessid jsessionid asp.net_sessionid cfid cftoken zenid oscsid
  gclid dclid gbraid wbraid fbclid msclkid yclid twclid igshid mc_cid mc_eid _ga _gl _hsenc _hsmi vero_id wickedid
  mkt_tok s_kwcid`.split(/\s+/),
)

/** These name pages too: `/talk?session=2`. */
const maybeNoise = new Set('sid sessid sessionid session_id session spm scid trk'.split(' '))

/** Long, with letters and digits in turns, as only programs write; or in four parts and more, as counters of clicks are. */
function looksMadeUp(value: string): boolean {
  if (/^[\w-]+(?:\.[\w-]+){3,}$/.test(value)) return true
  const plain = value.replace(/[^a-z\d]/gi, '')
  const turns = plain.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0
  return plain.length >= 16 && turns >= 5
}

/**
 * The site of an address: the host, with or without `www.`, over http or https. Another port is another site, except for
 * the two standard ones.
 */
export function siteOf(url: string): string {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^www\./, '')
  return port === '' ? host : `${host}:${port}`
}

export function originOf(url: string): string {
  return new URL(url).origin
}

/** The folder of a page, with its origin: the pages below it concern the same subject. */
export function folderOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.slice(0, pathname.lastIndexOf('/') + 1)
}

/** Whether an address has one of these words in it; `*` stands for anything. */
export function matchesAny(url: string, patterns: readonly string[]): string | null {
  return patterns.find((pattern) => matches(url, pattern)) ?? null
}

function matches(url: string, pattern: string): boolean {
  let at = 0
  for (const part of pattern.split('*')) {
    const found = url.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}

/** Why an address looks like one of endlessly many that a program makes up; null when it does not. */
export function trapOf(url: string): string | null {
  const { pathname } = new URL(url)
  const parts = pathname.split('/').filter(Boolean)
  if (parts.length > deepestPath) return `Its path has ${parts.length} parts.`
  if (repeats(parts)) return 'Its path repeats itself.'
  return null
}

const deepestPath = 20

/** The same stretch of a path three times in a row: `/a/b/a/b/a/b`. */
function repeats(parts: readonly string[]): boolean {
  for (let size = 1; size <= 3; size++)
    for (let at = 0; at + size * 3 <= parts.length; at++) {
      const stretch = (from: number) => parts.slice(from, from + size).join('/')
      if (stretch(at) === stretch(at + size) && stretch(at) === stretch(at + size * 2)) return true
    }
  return false
}

/** The shape of generated addresses: the path, without numbers and the values of the query. */
export function shapeOf(url: string): string {
  const { origin, pathname, search } = new URL(url)
  const names = search
    .slice(1)
    .split('&')
    .map((part) => part.split('=', 1)[0])
  return `${origin}${pathname.replace(/\d+/g, '#')}${search === '' ? '' : `?${names.join('&')}`}`
}

/** Where a page would be whose Markdown version is at this address; none when it is no such version. */
export function htmlTwins(markdown: string): string[] {
  const url = new URL(markdown)
  const path = /^(.*)\.(?:md|mdx|markdown)$/.exec(url.pathname)?.[1]
  if (path === undefined || url.search !== '') return []
  const folder = path.replace(/\/index(?:\.html?)?$/, '/')
  const paths = folder === path ? [path, `${path}/`, `${path}.html`] : [folder, path, `${folder}index.html`]
  return [...new Set(paths)].map((one) => url.origin + one)
}
