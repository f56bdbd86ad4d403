// The plan of a crawl, and its decision on an address before it is fetched.
import { formatOf, officeFormatOf } from '../../parse/formats.js'
import type { Fetcher } from '../../sources/web/fetch.js'
import type { Renderer } from '../../sources/web/render.js'
import type { Robots } from '../../sources/web/robots.js'
import { folderOf, matchesAny, siteOf, trapOf } from '../../sources/web/urls.js'
import type { Store } from '../../store/port.js'
import { counted } from '../../text/counted.js'
import type { ConvertPool } from '../convert/convert-pool.js'
import { htmlTypes, pageTypes } from '../convert/page-task.js'
import type { Frontier } from './frontier.js'
import type { Guides } from './guide-files.js'
import type { Ledger } from './ledger.js'
import type { Memory } from './memory.js'
import type { Manners, Pace } from './pace.js'
import type { PageBuffer, StorePages } from './page-buffer.js'
import type { SuspectPage } from './soft-errors.js'

export interface CrawlPlan {
  source: string
  /** In the one spelling. */
  start: string
  /** Follow links; otherwise the start is the only page. */
  recursive: boolean
  /** The most pages to fetch, successfully or not. */
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

/** A site with a crawl delay gets one request at a time. */
export function mannersFor({ delayMs, parallel }: CrawlPlan, robots: Robots | null): Manners {
  const robotsDelay = robots?.delayMs ?? 0
  return robotsDelay > 0 ? { delayMs: Math.max(robotsDelay, delayMs), parallel: 1 } : { delayMs, parallel }
}

/** Why a page is passed over: a code to group by and a sentence. */
export interface Verdict {
  code: string
  reason: string
}

/** Why an address is excluded by the plan alone; null if it may be fetched. Patterns also match the site's own spelling. */
export function judge(plan: CrawlPlan, url: string, depth: number, written = url): Verdict | null {
  if (url === plan.start) return null
  const has = (patterns: readonly string[]) => matchesAny(url, patterns) ?? matchesAny(written, patterns)
  const excluded = has(plan.exclude)
  // One sentence reports all pages of a group, so it must be true of each.
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

// False for the endings of pictures, archives, programs and styles. An address with no ending or an unknown one is fetched;
// its content type decides.
function isPage(url: string): boolean {
  const file = new URL(url).pathname
  if (inNames.test(file)) return true
  if (/\.(?:css|mjs|rss|atom|webmanifest)$/i.test(file)) return false
  return officeFormatOf(file) !== null || formatOf(file) !== null
}

// Node.js, System.Text.Json, java.util.Map, Array.max: pages about things have the names of the things.
const inNames =
  /\.(?:arrow|class|db|dot|feather|hex|js|json|key|lib|map|mat|max|model|node|numbers|obj|orc|pages|pickle|sqlite|sys|weights|xml)$/i

/** The content types that an address may have: HTML alone if its ending is that of another kind of file. */
export function typesAt({ start }: CrawlPlan, url: string): readonly string[] {
  return url !== start && inNames.test(new URL(url).pathname) ? htmlTypes : pageTypes
}

/** Pages of the part of the site that was named come before others just as far away. */
export function isNear(plan: CrawlPlan, url: string): boolean {
  return url.startsWith(folderOf(plan.start))
}

/** Otherwise in their order: the end of a long list may be cut off. */
export function nearFirst({ start }: CrawlPlan, urls: readonly string[]): string[] {
  const folder = folderOf(start)
  return [...urls.filter((url) => url.startsWith(folder)), ...urls.filter((url) => !url.startsWith(folder))]
}

/**
 * Whether an address lies outside the part of the site that the plan names (the folder of the start, or the addresses below
 * it), while the page lies inside. In documentation with several versions, all but one name another version as canonical.
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

// A crawl under way, as its parts see it.

export interface Crawl extends CrawlPorts {
  plan: CrawlPlan
  ledger: Ledger
  signal: AbortSignal
  guides: Guides
  memory: Memory
  frontier: Frontier
  pageBuffer: PageBuffer
  /** Pages that were read and are not written yet, by address: they may be a notice. */
  suspectPages: Map<string, SuspectPage>
  /** Pages of the source that are in the store. */
  stored: Set<string>
  /** Addresses that are certain to have no page. */
  gone: Set<string>
  /** Whose text has this hash. */
  texts: Map<string, string>
  /** Pages whose Markdown version is read in their place, if it can be. */
  twins: Map<string, string>
  /** How many addresses of each shape the crawl has accepted. */
  shapes: Map<string, number>
  /** The long delay that a note has reported; 0 if there is none. */
  slow: { delayMs: number }
  /** Pages in a row for which the site did not answer. */
  silence: number
}

export interface CrawlPorts {
  store: Pick<Store, 'records' | 'fingerprints'>
  storePages: StorePages
  /** Takes a page out of the library; false when it was not in it. */
  forget(url: string): Promise<boolean>
  fetcher: Fetcher
  pages: Pick<ConvertPool, 'page'>
  pace: Pace
  /** Told once that the site wants so long a delay that the crawl does hardly anything but wait. */
  onSlow(): void
  /** Where pages are to be shown as their scripts build them. */
  renderer?: Pick<Renderer, 'render'>
}
