// The files in which a site tells crawlers what to do: robots.txt, sitemaps, llms.txt. None of them is a page.
import { setTimeout as sleep } from 'node:timers/promises'
import { createYielder } from '../../runtime/yield.js'
import type { Failed, Fetched, Fetcher, FetchOptions, Refused } from '../../sources/web/fetch.js'
import { allowAll, type Robots, readRobots } from '../../sources/web/robots.js'
import { mostLlmsBytes, mostSitemapBytes, readLlms, readSitemap } from '../../sources/web/sitemap.js'
import { folderOf, originOf, tidyUrl } from '../../sources/web/urls.js'
import type { Pace } from './pace.js'
import { type CrawlPlan, isOnSite, mannersFor, nearFirst } from './plan.js'

export interface Guides {
  /** Null: the file could not be fetched, and until it can, no page of the site may be fetched. */
  robotsOf(url: string): Promise<{ robots: Robots } | { unavailable: string }>
  llms(home: string): Promise<ListedByLlms>
  sitemaps(home: string, robots: Robots): Promise<Listed>
}

/** The pages that llms.txt lists, or the address of its long form. */
export interface ListedByLlms {
  /** On the same site, in order. */
  pages: string[]
  full: string | null
  /** The file that lists more pages than the crawl uses. */
  cut: string | null
}

/** The pages that all sitemaps list. */
export interface Listed {
  /** On the same site, in order, those of the part that was named first. */
  pages: string[]
  /** The sitemaps that could not be read. */
  unread: Unread[]
  /** The sitemaps list more pages than the crawl uses. */
  cut: boolean
}

export interface Unread {
  url: string
  /** A sentence for people. */
  reason: string
}

export interface GuidePorts {
  fetcher: Fetcher
  pace: Pace
}

export function guides({ fetcher, pace }: GuidePorts, plan: CrawlPlan, signal: AbortSignal): Guides {
  const known = new Map<string, Promise<{ robots: Robots } | { unavailable: string }>>()
  const read = new Map<string, Robots>()

  const onSite = (to: URL) => {
    if (!isOnSite(plan, to.href)) return 'It leads to another site.'
    return read.get(to.origin)?.allows(to.href) === false
      ? 'It leads to where robots.txt forbids to go.'
      : null
  }

  async function ask(
    url: string,
    maxBytes: number,
    { accept, mayFollow = onSite }: Pick<FetchOptions, 'accept' | 'mayFollow'> = {},
  ): Promise<Fetched> {
    const manners = mannersFor(plan, read.get(originOf(url)) ?? null)
    const over = await pace.turn(new URL(url).host, manners, signal)
    try {
      return await fetcher.fetch(url, {
        ...{ signal, maxBytes, mayFollow, redirects: 'follow', timeMs: patience },
        ...(accept ? { accept } : {}),
      })
    } finally {
      over()
    }
  }

  /** To robots.txt, all guides but itself are addresses like others. Null: it keeps this one to itself. */
  async function askIfAllowed(...[url, ...how]: Parameters<typeof ask>): Promise<Fetched | null> {
    const rules = await robotsOf(url)
    return 'robots' in rules && rules.robots.allows(url) ? ask(url, ...how) : null
  }

  function robotsOf(url: string) {
    const origin = originOf(url)
    const before = known.get(origin)
    if (before) return before
    const answer = askRobots(origin)
    known.set(origin, answer)
    return answer
  }

  async function askRobots(origin: string): Promise<{ robots: Robots } | { unavailable: string }> {
    for (let attempt = 0; ; attempt++) {
      const fetched = await ask(`${origin}/robots.txt`, mostRobotsFile, { mayFollow: anywhere })
      const answer = robotsFrom(origin, fetched)
      if (answer !== null && 'robots' in answer) read.set(origin, answer.robots)
      if (answer !== null) return answer
      const { reason, retryAfterMs } = fetched as Extract<Fetched, { state: 'failed' }>
      if (attempt >= retries) return { unavailable: reason }
      await sleep(Math.min(retryAfterMs ?? plan.backoffMs * 2 ** attempt, longestRetry), undefined, {
        signal,
      })
    }
  }

  return {
    robotsOf,
    llms: once(async (home) => {
      const folders = [...new Set([`${originOf(home)}/`, folderOf(home)])]
      for (const folder of folders) {
        const listed = await linksOf(`${folder}llms.txt`)
        if (listed.pages.length > 0 || listed.cut !== null) return listed
      }
      for (const folder of folders)
        if (await isText(`${folder}llms-full.txt`))
          return { pages: [], full: `${folder}llms-full.txt`, cut: null }
      return { pages: [], full: null, cut: null }
    }),
    sitemaps: once(async (home, robots: Robots) => {
      const named = robots.sitemaps.length > 0 ? robots.sitemaps : [`${originOf(home)}/sitemap.xml`]
      const waiting = await here(named, home)
      const seen = new Set(waiting)
      const pages = new Set<string>()
      const unread: Unread[] = []
      let cut = false
      let at = 0
      for (; at < waiting.length && at < mostSitemaps && pages.size <= mostPages; at++) {
        const fetched = await askIfAllowed(waiting[at]!, mostSitemapBytes)
        if (isMissed(fetched)) unread.push({ url: waiting[at]!, reason: fetched.reason })
        if (fetched?.state !== 'ok') continue
        const sitemap = await readSitemap(fetched.body, signal)
        cut ||= sitemap.cut
        for (const url of await here(sitemap.pages, waiting[at]!)) pages.add(url)
        for (const url of await here(sitemap.sitemaps, waiting[at]!))
          if (!seen.has(url)) {
            seen.add(url)
            waiting.push(url)
          }
      }
      cut ||= at < waiting.length || pages.size > mostPages
      return { pages: nearFirst(plan, [...pages]).slice(0, mostPages), unread, cut }
    }),
  }

  async function linksOf(url: string): Promise<ListedByLlms> {
    const fetched = await askIfAllowed(url, mostLlmsBytes)
    const tooLarge = fetched?.state === 'refused' && fetched.code === 'too_large'
    const { links, cut } = fetched?.state === 'ok' ? readLlms(fetched.body) : { links: [], cut: tooLarge }
    return { pages: await here(links, url), full: null, cut: cut ? url : null }
  }

  /** Whether there is one. A kilobyte tells; the page itself is fetched when its turn comes. */
  async function isText(url: string): Promise<boolean> {
    const fetched = await askIfAllowed(url, 1_000, {
      accept: ['text/plain', 'text/markdown', 'application/octet-stream'],
    })
    return fetched?.state === 'ok' || (fetched?.state === 'refused' && fetched.code === 'too_large')
  }

  /** Tidied, on this site, each once. */
  async function here(written: readonly string[], base: string): Promise<string[]> {
    const yieldIfDue = createYielder(signal)
    const urls = new Set<string>()
    for (const one of written) {
      const url = tidyUrl(one, base)
      if (url !== null && isOnSite(plan, url)) urls.add(url)
      await yieldIfDue()
    }
    return [...urls]
  }
}

/** Whether a file may exist although it was not received. Most sites have none, and answer with a status that says so. */
function isMissed(fetched: Fetched | null): fetched is Refused | Failed {
  return fetched !== null && 'code' in fetched && fetched.code !== 'status'
}

/** Runs the work once for each site: pages that are read at the same time all need the lists of their site. */
function once<A extends unknown[], R>(work: (home: string, ...more: A) => Promise<R>): typeof work {
  let answer: Promise<R> | null = null
  return (...args) => {
    answer ??= work(...args)
    return answer
  }
}

/** RFC 9309: rules may be at another host, and apply to the one that redirects there. */
const anywhere = () => null

const patience = 20_000
const retries = 3
const longestRetry = 60_000
const mostRobotsFile = 5_000_000
export const mostSitemaps = 30
export const mostPages = 50_000

/**
 * RFC 9309: a file that is not there, or that redirects lead nowhere to, allows everything; a server that fails, or cannot
 * be reached, and rules that cannot be read allow nothing. Null: ask again.
 */
function robotsFrom(origin: string, fetched: Fetched): { robots: Robots } | { unavailable: string } | null {
  if (fetched.state === 'ok') return { robots: readRobots(origin, fetched.body) }
  if (fetched.state === 'refused') {
    const nowhere = fetched.code === 'redirect_loop' || fetched.code === 'too_many_redirects'
    return nowhere ? { robots: allowAll } : { unavailable: fetched.reason }
  }
  if (fetched.state !== 'failed') return { robots: allowAll }
  const { status, retryable, reason } = fetched
  if (status !== null && status >= 400 && status < 500 && status !== 429) return { robots: allowAll }
  return retryable ? null : { unavailable: reason }
}
