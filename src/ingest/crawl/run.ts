// Runs a crawl: fetches each page and judges the answer.

import { createYielder } from '../../runtime/yield.js'
import type { Fetched } from '../../sources/web/fetch.js'
import type { Robots } from '../../sources/web/robots.js'
import { counted } from '../../text/counted.js'
import { resumeKnown, revisit, seedAgain } from './discover.js'
import { failTemporary, noPage, reinstate, settle, vanish } from './duplicates.js'
import { frontier } from './frontier.js'
import { guides } from './guide-files.js'
import { handlePage, type PageRequest, stillThere } from './handle-page.js'
import type { Ledger } from './ledger.js'
import { memoryOf, type PageMemory } from './memory.js'
import { redirected } from './outcomes.js'
import { pageBuffer } from './page-buffer.js'
import type { Crawl, CrawlPorts } from './plan.js'
import { type CrawlPlan, mannersFor, typesAt, verdict } from './plan.js'
import { resolveSuspects } from './soft-errors.js'

/** Brings one page to its end, or puts it off. Throws only when the crawl is stopped, or for a bug. */
export async function visit(crawl: Crawl, url: string): Promise<void> {
  const robots = await crawl.guides.robotsOf(url)
  if ('unavailable' in robots) return noRobots(crawl, url, robots.unavailable)
  if (!allowed(crawl, url, robots.robots)) {
    crawl.ledger.tally.asked--
    crawl.ledger.move(url, { state: 'excluded', code: 'robots', reason: 'robots.txt does not allow it.' })
    return reinstate(crawl, url)
  }
  noteDelay(crawl, robots.robots)
  const before = crawl.stored.has(url) ? await crawl.memory.of(url) : null
  const request = {
    fetchedAt: Date.now(),
    attempts: crawl.ledger.row(url)!.attempts + 1,
    before,
    robots: robots.robots,
  }
  const fetched = await ask(crawl, url, robots.robots, crawl.plan.force ? null : before)
  await judgeAnswer(crawl, url, fetched, request)
}

const longDelay = 10_000

function noteDelay({ ledger, plan, slow, onSlow }: Crawl, robots: Robots) {
  const { delayMs } = mannersFor(plan, robots)
  if (delayMs < longDelay || slow.delayMs === delayMs) return
  if (slow.delayMs === 0) onSlow()
  slow.delayMs = delayMs
  const asks = robots.delayMs === delayMs ? ', as robots.txt asks' : ''
  ledger.note(`${Math.round(delayMs / 1000)} s pass between two requests to the site${asks}.`)
}

// A rule about `?sort=` is meant for the links that the site writes so, in whatever order we ask.
function allowed({ ledger }: Crawl, url: string, { allows }: Robots): boolean {
  const { written = url } = ledger.row(url)!
  return allows(url) && allows(written)
}

// Without its robots.txt no page of a site may be fetched. The failure is the site's, so a later try may succeed.
function noRobots(crawl: Crawl, url: string, why: string) {
  crawl.ledger.tally.asked--
  crawl.silence++
  const reason = `robots.txt could not be read, and without it nothing is fetched. ${why}`
  crawl.ledger.move(url, { state: 'failed', code: 'no_robots', reason })
  reinstate(crawl, url)
}

async function ask(
  { plan, pace, fetcher, signal }: Crawl,
  url: string,
  robots: Robots,
  before: PageMemory | null,
): Promise<Fetched> {
  const over = await pace.turn(new URL(url).host, mannersFor(plan, robots), signal)
  try {
    return await fetcher.fetch(url, {
      ...{ signal, redirects: 'manual', accept: typesAt(plan, url) },
      etag: before?.etag ?? null,
      lastModified: before?.lastModified ?? null,
    })
  } finally {
    over()
  }
}

async function judgeAnswer(crawl: Crawl, url: string, fetched: Fetched, request: PageRequest): Promise<void> {
  const { ledger } = crawl
  const { attempts } = request
  if (fetched.state !== 'failed') crawl.silence = 0
  switch (fetched.state) {
    case 'ok':
      return handlePage(crawl, url, fetched, request)
    case 'unchanged':
      return stillThere(crawl, url, fetched.headers, request)
    case 'redirect':
      return redirected(
        crawl,
        url,
        { location: fetched.location, forGood: isForGood(fetched.status) },
        request,
      )
    case 'refused': {
      const { code, reason } = fetched
      if (code === 'content_type') noPage(crawl, url, { attempts, code, reason })
      else ledger.move(url, { state: 'failed', attempts, code, reason })
      return void reinstate(crawl, url)
    }
    case 'failed':
      return failed(crawl, url, fetched, request)
  }
}

function isForGood(status: number): boolean {
  return status === 301 || status === 308
}

const retries = 3
/** A server that wants to be left alone for longer is left alone. */
const longestRest = 120_000

async function failed(
  crawl: Crawl,
  url: string,
  fetched: Extract<Fetched, { state: 'failed' }>,
  request: PageRequest,
) {
  const { ledger, plan, pace, frontier } = crawl
  const { attempts } = request
  const { status, reason, retryAfterMs } = fetched
  const wait = Math.max(retryAfterMs ?? 0, plan.backoffMs * 2 ** (attempts - 1))
  if (fetched.retryable && attempts <= retries && wait <= longestRest) {
    ledger.move(url, { attempts })
    if (status === 429 || status === 503) pace.rest(new URL(url).host, retryAfterMs ?? wait)
    return frontier.later(url, wait)
  }
  if (status === null || status >= 500 || status === 429) crawl.silence++
  else crawl.silence = 0
  const tried = attempts > 1 ? ` (after ${attempts} tries)` : ''
  const asks = wait > longestRest ? ` It asks to be left alone for ${Math.round(wait / 1000)} s.` : ''
  ledger.move(url, { state: 'failed', attempts, code: fetched.code, reason: `${reason}${tried}${asks}` })
  if (status === 404 || status === 410) await vanish(crawl, url)
  reinstate(crawl, url)
}

// A crawl: breadth first through one site, politely, with every address accounted for. It can be stopped anywhere and goes
// on from its ledger.

export interface CrawlEnd {
  state: 'completed' | 'completed_with_errors' | 'failed'
  error: string | null
}

export async function runCrawl(
  ports: CrawlPorts,
  plan: CrawlPlan,
  ledger: Ledger,
  given: AbortSignal,
): Promise<CrawlEnd> {
  const stop = new AbortController()
  const signal = AbortSignal.any([given, stop.signal])
  const crawl = await begin(ports, plan, ledger, signal, (error) => stop.abort(error))
  const flushing = setInterval(() => void ledger.flush().catch((error) => stop.abort(error)), flushMs)
  try {
    await seedAgain(crawl)
    // Pages are written first: whether a page was stored decides about those that gave way to it.
    do {
      await workThrough(crawl)
      await crawl.pageBuffer.flush()
    } while ((await revisit(crawl)) || (await resolveSuspects(crawl)) || (await settle(crawl)))
    await passOver(crawl)
    await failTemporary(crawl)
    return endOf(crawl)
  } catch (error) {
    stop.abort(error)
    throw stop.signal.reason
  } finally {
    clearInterval(flushing)
    await crawl.pageBuffer.flush().catch(() => {})
    await ledger.flush().catch(() => {})
  }
}

const flushMs = 300

async function begin(
  ports: CrawlPorts,
  plan: CrawlPlan,
  ledger: Ledger,
  signal: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<Crawl> {
  const memory = memoryOf(ports.store, plan.source)
  const crawl: Crawl = {
    ...ports,
    ...{ plan, ledger, signal, memory },
    guides: guides(ports, plan, signal),
    frontier: frontier(
      () => hasRoom(ledger, plan),
      (url) => shouldFetch(crawl, url),
    ),
    pageBuffer: pageBuffer(ports.storePages, ledger, onTrouble),
    stored: new Set((await ports.store.fingerprints(plan.source)).keys()),
    suspectPages: new Map(),
    gone: new Set(),
    texts: new Map(),
    twins: new Map(),
    shapes: new Map(),
    slow: { delayMs: 0 },
    silence: 0,
  }
  for (const [url, hash] of await memory.all()) if (crawl.stored.has(url)) crawl.texts.set(hash, url)
  ledger.add(plan.start, { depth: 0 })
  await resumeKnown(crawl)
  await ledger.flush()
  return crawl
}

// A page that moved to another address counts once. There is a limit to that, since on some sites every address leads to
// another.
function hasRoom({ tally }: Ledger, { maxPages }: CrawlPlan): boolean {
  const moved = (tally.exclusions.redirect?.count ?? 0) + (tally.exclusions.canonical?.count ?? 0)
  return tally.asked - Math.min(moved, maxPages + 10) < maxPages
}

/** Whether to fetch a page now: not if it gave way or was read in the meantime. It counts when it is first fetched. */
function shouldFetch({ ledger: { row, tally }, pageBuffer, suspectPages }: Crawl, url: string): boolean {
  const { state, attempts } = row(url)!
  if (state !== 'pending' || pageBuffer.holds(url) || suspectPages.has(url)) return false
  if (attempts === 0) tally.asked++
  return true
}

async function workThrough(crawl: Crawl) {
  const others = new AbortController()
  const signal = AbortSignal.any([crawl.signal, others.signal])
  const work = async () => {
    for (let url = await crawl.frontier.take(signal); url !== null; url = await crawl.frontier.take(signal)) {
      try {
        await visit(crawl, url)
        if (crawl.silence >= longestSilence) crawl.frontier.stop()
      } finally {
        crawl.frontier.done(url)
      }
    }
  }
  const workers = Array.from({ length: crawl.plan.parallel }, () =>
    work().catch((error) => {
      others.abort(error)
      throw error
    }),
  )
  const ended = await Promise.allSettled(workers)
  crawl.signal.throwIfAborted()
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed) throw others.signal.reason
}

/** A site that does not answer so many pages in a row will not answer the rest. */
const longestSilence = 10

async function passOver({ ledger, plan, silence }: Crawl) {
  if (silence >= longestSilence) return
  const yieldIfDue = createYielder()
  const limit = verdict('limit', `The limit of ${counted(plan.maxPages, 'page')} was reached before it.`)
  for (const [url, { state }] of ledger.rows()) {
    if (state === 'pending') ledger.move(url, { state: 'excluded', ...limit })
    await yieldIfDue()
  }
}

function endOf({ ledger, plan, silence }: Crawl): CrawlEnd {
  const { crawled, unchanged, failed, failures } = ledger.tally
  if (crawled + unchanged === 0) {
    const { reason } = ledger.row(plan.start)!
    return { state: 'failed', error: failures[0]?.reason ?? reason ?? 'No page could be read.' }
  }
  if (silence >= longestSilence)
    return { state: 'failed', error: `The site stopped answering: ${failures.at(-1)?.reason ?? ''}`.trim() }
  return { state: failed > 0 ? 'completed_with_errors' : 'completed', error: null }
}
