// One page of a crawl: asked for, and its answer judged.
import type { Fetched } from '../../sources/web/fetch.js'
import type { Robots } from '../../sources/web/robots.js'
import type { Crawl } from './crawl.js'
import { noPage, reinstate, vanish } from './duplicates.js'
import { type Asked, handlePage, stillThere } from './handle-page.js'
import type { PageMemory } from './memory.js'
import { redirected } from './outcomes.js'
import { mannersFor, typesAt } from './plan.js'

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
  const asked = {
    fetchedAt: Date.now(),
    attempts: crawl.ledger.row(url)!.attempts + 1,
    before,
    robots: robots.robots,
  }
  const fetched = await ask(crawl, url, robots.robots, crawl.plan.force ? null : before)
  await judgeAnswer(crawl, url, fetched, asked)
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

// Without its rules nothing may be asked of a site. That is a failure of the site, so a later try may do better.
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

async function judgeAnswer(crawl: Crawl, url: string, fetched: Fetched, asked: Asked): Promise<void> {
  const { ledger } = crawl
  const { attempts } = asked
  if (fetched.state !== 'failed') crawl.silence = 0
  switch (fetched.state) {
    case 'ok':
      return handlePage(crawl, url, fetched, asked)
    case 'unchanged':
      return stillThere(crawl, url, fetched.headers, asked)
    case 'redirect':
      return redirected(crawl, url, { location: fetched.location, forGood: isForGood(fetched.status) }, asked)
    case 'refused': {
      const { code, reason } = fetched
      if (code === 'content_type') noPage(crawl, url, { attempts, code, reason })
      else ledger.move(url, { state: 'failed', attempts, code, reason })
      return void reinstate(crawl, url)
    }
    case 'failed':
      return failed(crawl, url, fetched, asked)
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
  asked: Asked,
) {
  const { ledger, plan, pace, frontier } = crawl
  const { attempts } = asked
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
