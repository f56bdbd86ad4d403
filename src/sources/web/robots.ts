// Reads robots.txt (RFC 9309): which pages may be read, the crawl delay, and the sitemaps.
import parser from 'robots-parser'
import { plainSigns } from './urls.js'

// The package's types describe a module of ES, but it is a function of CommonJS.
const robotsParser = parser as unknown as typeof parser.default

/** The name we go by in robots.txt and in X-Robots-Tag. */
export const agent = 'carrel'

export interface Robots {
  allows(url: string): boolean
  /** Between two requests, in ms; 0 if the file names no delay. */
  delayMs: number
  /** As written: may be anything. */
  sitemaps: string[]
}

/** RFC 9309: beyond this many bytes nothing has to be read. */
const mostRobotsBytes = 500 * 1024

export const allowAll: Robots = { allows: () => true, delayMs: 0, sitemaps: [] }

/** Reads the robots.txt of an origin. */
export function readRobots(origin: string, bytes: Uint8Array): Robots {
  const text = textOf(bytes)
  const parsed = robotsParser(`${origin}/robots.txt`, text)
  const wild = wildcards(text)
  const delay = parsed.getCrawlDelay(agent) ?? 0
  return {
    allows: remembering(
      (url) =>
        url === `${origin}/robots.txt` ||
        (wild * url.length <= mostSteps && parsed.isAllowed(plainSigns(url), agent) !== false),
    ),
    delayMs: delay > 0 ? Math.min(delay * 1000, longestDelay) : 0,
    sitemaps: parsed.getSitemaps().slice(0, mostSitemaps),
  }
}

/** Of comparing a long address with long rules full of wildcards: some 3 ns each. Whatever takes more is not allowed. */
const mostSteps = 16_000_000

/** The signs of all rules with wildcards, each of which may be compared with each sign of an address. */
function wildcards(text: string): number {
  const rules = text.split('\n').filter((line) => line.includes('*') && /^\s*(?:dis)?allow\s*:/i.test(line))
  return rules.reduce((sum, rule) => sum + rule.length, 0)
}

const longestDelay = 300_000
const mostSitemaps = 50
/** Reading so many takes 40 ms, comparing an address with them 1.5 ms. A site with more for us alone is not read. */
const mostRules = 10_000
const longestRule = 500
const nothing = 'User-agent: *\nDisallow: /'

// Half a megabyte of wildcards would take longer to apply to a page than fetching the page. A file that is cut here still
// forbids at least what it forbade before.
function textOf(bytes: Uint8Array): string {
  const text = byMark(bytes.subarray(0, mostRobotsBytes))
  let rules = 0
  const lines: string[] = []
  for (const line of forUs(text.split(/\r\n|\r|\n/))) {
    if (!/^\s*(?:dis)?allow\s*:/i.test(line)) lines.push(line.slice(0, 2_000))
    else if (++rules <= mostRules) lines.push(shortened(line))
  }
  return rules > mostRules ? nothing : lines.join('\n')
}

/** UTF-8, as it should be, or UTF-16 with a byte order mark, as some editors save it. */
function byMark(bytes: Uint8Array): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)
  return new TextDecoder(mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8').decode(bytes)
}

/** Without the rules of groups that are for others alone: large sites have hundreds of those. */
function* forUs(lines: readonly string[]): Generator<string> {
  let ours = false
  let naming = false
  for (const line of lines) {
    const [, word = '', value = ''] = /^([^:#]*):([^#]*)/.exec(line) ?? []
    const key = word.trim().toLowerCase()
    if (key === '') continue
    if (key === 'user-agent') ours = (naming && ours) || names.has(value.split('/')[0]!.trim().toLowerCase())
    naming = key === 'user-agent'
    const isRule = key === 'allow' || key === 'disallow'
    // Cut short, a rule that allows would allow more.
    if (!isRule || (ours && !(key === 'allow' && plainSigns(line).length > longestRule))) yield line
  }
}

const names = new Set([agent, '*'])

function shortened(line: string): string {
  const plain = plainSigns(line.replace(/\*{2,}/g, '*'))
  return plain.length <= longestRule ? plain : plain.slice(0, longestRule)
}

function remembering(decide: (url: string) => boolean): (url: string) => boolean {
  const known = new Map<string, boolean>()
  return (url) => {
    const before = known.get(url)
    if (before !== undefined) return before
    const answer = decide(url)
    if (known.size > 50_000) known.clear()
    known.set(url, answer)
    return answer
  }
}

export interface PageRules {
  noindex: boolean
  nofollow: boolean
}

/** Reads `meta name=robots` or X-Robots-Tag: `noindex`, `none`, `otherbot: noindex`, several joined by commas. */
export function readPageRules(...lines: (string | null)[]): PageRules {
  const words = lines.flatMap((line) => wordsForUs(line ?? ''))
  const has = (...names: string[]) => names.some((name) => words.includes(name))
  return { noindex: has('noindex', 'none'), nofollow: has('nofollow', 'none') }
}

// A name in front (`googlebot: noindex, nofollow`) holds for the words behind it, up to the next name.
function wordsForUs(line: string): string[] {
  let ours = true
  return line
    .slice(0, 2_000)
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? []
      if (name !== undefined && !withValue.has(name)) ours = name === agent || name === '*'
      return ours ? [(name !== undefined && !withValue.has(name) ? rest! : part).trim()] : []
    })
}

const withValue = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after'])
