// What a crawl was asked to do, and what it makes of an address before it is asked for.

import { formatOf, officeFormatOf } from '../../parse/formats.js'
import type { Robots } from '../../sources/web/robots.js'
import { folderOf, matchesAny, siteOf, trapOf } from '../../sources/web/urls.js'
import { counted } from '../../text/counted.js'
import { htmlTypes, pageTypes } from '../convert/page-task.js'
import type { Manners } from './pace.js'

export interface CrawlPlan {
  source: string
  /** In the one spelling. */
  start: string
  /** Follow links; otherwise the start is the only page. */
  recursive: boolean
  /** How many pages are asked for at most, whatever becomes of them. */
  maxPages: number
  /** How many links away from the start. */
  maxDepth: number
  /** Only addresses with one of these in them; all when empty. */
  include: readonly string[]
  exclude: readonly string[]
  /** Let an installed Chromium build each page. */
  render: boolean
  /** Read pages anew that look unchanged. */
  force: boolean
  /** Between two requests to one host (ms). */
  delayMs: number
  /** Requests to one host at a time. */
  parallel: number
  /** Before the first of three further tries; doubled each time. */
  backoffMs: number
}

/** A site that asks for a delay is asked one page at a time. */
export function mannersFor({ delayMs, parallel }: CrawlPlan, robots: Robots | null): Manners {
  const asked = robots?.delayMs ?? 0
  return asked > 0 ? { delayMs: Math.max(asked, delayMs), parallel: 1 } : { delayMs, parallel }
}

/** Why a page is passed over: a code to group by and a sentence. */
export interface Verdict {
  code: string
  reason: string
}

/** What is known without asking: null when the page may be asked for. Patterns hold for the site's spelling as well. */
export function judge(plan: CrawlPlan, url: string, depth: number, written = url): Verdict | null {
  if (url === plan.start) return null
  const has = (patterns: readonly string[]) => matchesAny(url, patterns) ?? matchesAny(written, patterns)
  const excluded = has(plan.exclude)
  // Pages are told of in groups with one sentence, which must be true of each.
  if (excluded !== null)
    return verdict(`pattern ${excluded}`, `The address has "${excluded}" in it, which is excluded.`)
  if (plan.include.length > 0 && has(plan.include) === null)
    return verdict('not_included', 'The address has none of the patterns that are included.')
  if (!isPage(url)) return verdict('kind', 'It is not a kind of file that is read.')
  const trap = trapOf(url)
  if (trap !== null) return verdict('trap', `${trap} It looks like one of endlessly many.`)
  if (depth > plan.maxDepth)
    return verdict('depth', `It is more than ${counted(plan.maxDepth, 'link')} away from the start.`)
  return null
}

export function verdict(code: string, reason: string): Verdict {
  return { code, reason }
}

// By the ending alone: pictures, archives, programs and styles. A page without one, or with one that nobody knows, is asked
// for; its content type decides.
function isPage(url: string): boolean {
  const file = new URL(url).pathname
  if (inNames.test(file)) return true
  if (/\.(?:css|mjs|rss|atom|webmanifest)$/i.test(file)) return false
  return officeFormatOf(file) !== null || formatOf(file) !== null
}

// Node.js, System.Text.Json, java.util.Map, Array.max: pages about things have the names of the things.
const inNames =
  /\.(?:arrow|class|db|dot|feather|hex|js|json|key|lib|map|mat|max|model|node|numbers|obj|orc|pages|pickle|sqlite|sys|weights|xml)$/i

/** What an address may bring: one that ends like a file of another kind, a page in HTML and nothing else. */
export function typesAt({ start }: CrawlPlan, url: string): readonly string[] {
  return url !== start && inNames.test(new URL(url).pathname) ? htmlTypes : pageTypes
}

/** Pages of the part of the site that was named come before others just as far away. */
export function isNear(plan: CrawlPlan, url: string): boolean {
  return url.startsWith(folderOf(plan.start))
}

/** In their order otherwise: of a long list, the end may not be taken up. */
export function nearFirst({ start }: CrawlPlan, urls: readonly string[]): string[] {
  const folder = folderOf(start)
  return [...urls.filter((url) => url.startsWith(folder)), ...urls.filter((url) => !url.startsWith(folder))]
}

/**
 * Whether an address leads a page out of the part of the site that was named: the folder of the start, or what is below
 * the start itself. Of documentation in several versions, all but one name another as the canonical one.
 */
export function leavesPart({ start }: CrawlPlan, url: string, other: string): boolean {
  const [from, to, named] = [url, other, start].map((address) => new URL(address!).pathname)
  const below = `${named!.replace(/\/$/, '')}/`
  const folder = below.slice(0, named!.lastIndexOf('/') + 1)
  const leaves = (part: string) => from!.startsWith(part) && !`${to}/`.startsWith(part)
  return leaves(folder) || leaves(below)
}

export function isOnSite(plan: CrawlPlan, url: string): boolean {
  return siteOf(url) === siteOf(plan.start)
}
