// One page of a crawl: asked for, judged, read, kept.
import { Problem, reasonOf } from '../../model/problem.js'
import type { Arrived, Fetched } from '../../sources/web/fetch.js'
import type { Robots } from '../../sources/web/robots.js'
import { normaliseUrl, siteOf } from '../../sources/web/urls.js'
import { hashOf } from '../../text/hash.js'
import { unpack } from '../task.js'
import type { PageRow } from './ledger.js'
import type { PageMemory } from './memory.js'
import { type PageReading, pageTypes } from './page-task.js'
import { isOnSite, mannersFor } from './plan.js'
import { type Crawl, consider, seedLists, seedSitemaps } from './run.js'

/** Brings one page to its end, or puts it off. Throws only when the crawl is stopped, or for a bug. */
export async function visit(crawl: Crawl, url: string): Promise<void> {
  const robots = await crawl.guides.robotsOf(url)
  if ('unavailable' in robots) return noRobots(crawl, url, robots.unavailable)
  if (!robots.robots.allows(url)) {
    crawl.ledger.tally.asked--
    return crawl.ledger.move(url, {
      state: 'excluded',
      code: 'robots',
      reason: 'robots.txt does not allow it.',
    })
  }
  const before = crawl.stored.has(url) && !crawl.plan.force ? await crawl.memory.of(url) : null
  const asked = {
    fetchedAt: Date.now(),
    attempts: crawl.ledger.row(url)!.attempts + 1,
    before,
    robots: robots.robots,
  }
  const fetched = await ask(crawl, url, robots.robots, before)
  await judgeAnswer(crawl, url, fetched, asked)
}

interface Asked {
  fetchedAt: number
  attempts: number
  before: PageMemory | null
  robots: Robots
}

// Without its rules nothing may be asked of a site. That is a failure of the site, so a later try may do better.
function noRobots(crawl: Crawl, url: string, why: string) {
  crawl.ledger.tally.asked--
  crawl.silence++
  const reason = `robots.txt could not be read, and without it nothing is fetched. ${why}`
  crawl.ledger.move(url, { state: 'failed', code: 'no_robots', reason })
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
      ...{ signal, redirects: 'manual', accept: pageTypes },
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
      return arrived(crawl, url, fetched, asked)
    case 'unchanged':
      return unchanged(crawl, url, asked)
    case 'redirect':
      return redirected(crawl, url, fetched.location, asked)
    case 'refused': {
      const excluded = fetched.code === 'content_type'
      ledger.move(url, {
        state: excluded ? 'excluded' : 'failed',
        attempts,
        code: fetched.code,
        reason: fetched.reason,
      })
      if (excluded) await leave(crawl, url)
      return void reinstate(crawl, url)
    }
    case 'failed':
      return failed(crawl, url, fetched, asked)
  }
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
  if (status === 404 || status === 410) await leave(crawl, url)
  reinstate(crawl, url)
}

async function unchanged(crawl: Crawl, url: string, { attempts }: Asked) {
  const { ledger, plan } = crawl
  const { depth } = ledger.row(url)!
  await seedLists(crawl, url)
  if (plan.recursive) await consider(crawl, await crawl.memory.linksOf(url), { depth: depth + 1 })
  ledger.move(url, { state: 'unchanged', attempts })
  await seedSitemaps(crawl, url)
}

const mostHops = 10

async function redirected(crawl: Crawl, url: string, location: string, asked: Asked) {
  const { ledger, plan } = crawl
  const { attempts } = asked
  const { depth, hops = 0 } = ledger.row(url)!
  const to = normaliseUrl(location, url)
  const fail = (reason: string) =>
    ledger.move(url, { state: 'failed', attempts, code: 'redirect_loop', reason })
  if (to === null) fail('It redirects to something that is no web page.')
  else if (!isOnSite(plan, to))
    ledger.move(url, {
      state: 'excluded',
      attempts,
      code: 'elsewhere',
      reason: `It redirects to another site: ${to}`,
    })
  else if (leadsTo(crawl, to, url)) fail('It redirects in a circle.')
  else if (hops >= mostHops) fail(`It is the end of more than ${mostHops} redirects in a row.`)
  else {
    ledger.move(url, { state: 'excluded', attempts, code: 'redirect', reason: `It redirects to ${to}`, to })
    await consider(crawl, [to], { depth, hops: hops + 1 })
    if (ledger.row(to)?.state === 'pending') crawl.frontier.add(to, first)
    return leave(crawl, url)
  }
  await leave(crawl, url)
  reinstate(crawl, url)
}

/** What stands for a page that was asked for is asked for next. */
const first = -1

/** Whether following redirects from one address comes to another. */
function leadsTo({ ledger }: Crawl, from: string, to: string): boolean {
  let at: string | undefined = from
  for (let step = 0; at !== undefined && step <= mostHops; step++) {
    if (at === to) return true
    const row: PageRow | undefined = ledger.row(at)
    at = row?.code === 'redirect' ? row.to : undefined
  }
  return false
}

// --- A page that came.

async function arrived(crawl: Crawl, url: string, fetched: Arrived, asked: Asked) {
  const bytes = await built(crawl, url, fetched, asked)
  if (bytes === null) return
  const bytesHash = hashOf(bytes)
  if (asked.before?.bytesHash === bytesHash) return unchanged(crawl, url, asked)
  const page = await read(crawl, url, fetched, bytes, asked)
  if (page) await kept(crawl, url, page, { fetched, bytes, bytesHash, asked })
}

/** The page as a browser shows it, where that is wanted; null when it could not be shown. */
async function built(
  crawl: Crawl,
  url: string,
  fetched: Arrived,
  { attempts, robots }: Asked,
): Promise<Uint8Array | null> {
  const { renderer, pace, plan, signal, ledger } = crawl
  if (!renderer || !isHtml(fetched)) return fetched.body
  const over = await pace.turn(new URL(url).host, mannersFor(plan, robots), signal)
  const shown = await renderer.render(url, { signal }).finally(over)
  const moved = shown.state === 'ok' && !isOnSite(plan, shown.url)
  if (shown.state === 'ok' && !moved) return Buffer.from(shown.html)
  const reason = shown.state === 'ok' ? `Its scripts lead to another site: ${shown.url}` : shown.reason
  ledger.move(url, {
    state: moved ? 'excluded' : 'failed',
    attempts,
    code: moved ? 'elsewhere' : 'rendering',
    reason,
  })
  return null
}

function isHtml({ headers }: Arrived): boolean {
  return headers.type === null || /html/.test(headers.type)
}

async function read(
  crawl: Crawl,
  url: string,
  { headers, status }: Arrived,
  bytes: Uint8Array,
  asked: Asked,
): Promise<PageReading | null> {
  try {
    return await crawl.pages.page(
      {
        ...{ source: crawl.plan.source, url, site: siteOf(crawl.plan.start), bytes },
        ...{
          type: headers.type,
          charset: headers.charset,
          robots: headers.robots,
          canonical: headers.canonical,
        },
        fetchedAt: asked.fetchedAt,
        details: {
          url,
          fetched_at: new Date(asked.fetchedAt).toISOString(),
          status,
          ...(headers.type === null ? {} : { content_type: headers.type }),
          ...(headers.etag === null ? {} : { etag: headers.etag }),
          ...(headers.lastModified === null ? {} : { last_modified: headers.lastModified }),
        },
      },
      crawl.signal,
    )
  } catch (error) {
    crawl.signal.throwIfAborted()
    if (!(error instanceof Problem) || error.code === 'stopped' || error.code === 'unavailable') throw error
    const state = ['binary', 'unsupported', 'empty'].includes(error.code) ? 'excluded' : 'failed'
    const { attempts } = asked
    crawl.ledger.move(url, {
      state,
      attempts,
      code: state === 'failed' ? error.code : 'kind',
      reason: reasonOf(error),
    })
    // What was read before stays when the page cannot be read now.
    if (state === 'excluded') await leave(crawl, url)
    reinstate(crawl, url)
    return null
  }
}

async function kept(
  crawl: Crawl,
  url: string,
  page: PageReading,
  {
    fetched,
    bytes,
    bytesHash,
    asked,
  }: { fetched: Arrived; bytes: Uint8Array; bytesHash: string; asked: Asked },
) {
  const { ledger, plan, texts } = crawl
  const { attempts } = asked
  const { depth } = ledger.row(url)!
  if (page.refresh !== null && page.chars < 1_000) return redirected(crawl, url, page.refresh, asked)
  if (page.canonical !== null && isCredible(url, page.canonical))
    await consider(crawl, [page.canonical], { depth })
  const passed = passedOver(crawl, url, page)
  const links = page.nofollow ? [] : page.links
  if (!passed) await seedLists(crawl, url)
  if (plan.recursive && (!passed || followed.has(passed.code)))
    await consider(crawl, links, { depth: depth + 1 })
  if (passed) return passOver(crawl, url, passed, attempts)
  if (asked.before && texts.get(asked.before.textHash) === url) texts.delete(asked.before.textHash)
  texts.set(page.textHash, url)
  const { etag, lastModified } = fetched.headers
  const { textHash, chunks } = page
  await crawl.shelf.put({
    document: unpack(page.document),
    name: page.name,
    bytes: page.kept ?? bytes,
    row: { state: 'crawled', attempts, chunks },
    records: crawl.memory.records(url, { etag, lastModified, bytesHash, textHash, chunks }, links),
  })
  await seedSitemaps(crawl, url)
}

async function passOver(crawl: Crawl, url: string, { failed, ...change }: Passed, attempts: number) {
  crawl.ledger.move(url, { state: failed ? 'failed' : 'excluded', attempts, ...change })
  if (change.code === 'canonical') crawl.frontier.add(change.to!, first)
  await leave(crawl, url)
  reinstate(crawl, url)
}

interface Passed {
  code: string
  reason: string
  to?: string
  failed?: true
}

/** Of these the links are followed all the same. */
const followed = new Set(['noindex', 'scripted', 'empty'])

/** Why a page that came is not kept. */
function passedOver(crawl: Crawl, url: string, page: PageReading): Passed | null {
  const { plan, texts } = crawl
  if (page.noindex) return { code: 'noindex', reason: 'The page asks not to be indexed.' }
  if (page.missing)
    return {
      code: 'soft_404',
      reason: 'The page says that there is nothing here (a 404 in words).',
      failed: true,
    }
  if (page.canonical !== null && givesWay(crawl, url, page.canonical))
    return { code: 'canonical', reason: `Its canonical address is ${page.canonical}`, to: page.canonical }
  if (page.scripted)
    return {
      code: 'scripted',
      reason: plan.render
        ? 'It has no text, even with its scripts run.'
        : 'It has no text before its scripts run; crawl with render=true.',
    }
  if (page.chars === 0) return { code: 'empty', reason: 'It has no text.' }
  const same = texts.get(page.textHash)
  if (same !== undefined && same !== url)
    return { code: 'duplicate', reason: `It has the same text as ${same}`, to: same }
  return null
}

/** Sites that name their home page on every page mean nothing by it. */
function isCredible(url: string, canonical: string): boolean {
  return new URL(canonical).pathname !== '/' || /^\/(?:index\.\w+)?$/.test(new URL(url).pathname)
}

// Of two pages that name each other, and of one that names a page that came to nothing, something must stay.
function givesWay({ ledger }: Crawl, url: string, canonical: string): boolean {
  const state = ledger.row(canonical)?.state
  return isCredible(url, canonical) && (state === 'pending' || state === 'crawled' || state === 'unchanged')
}

/** A document of an earlier crawl goes when its page is gone; pages that only said the same are not doubles any more. */
async function leave(crawl: Crawl, url: string) {
  if (!crawl.stored.delete(url)) return
  const memory = await crawl.memory.of(url)
  if (memory && crawl.texts.get(memory.textHash) === url) crawl.texts.delete(memory.textHash)
  if (await crawl.forget(url)) crawl.ledger.tally.removed++
  await crawl.memory.forget(url)
  reinstate(crawl, url, 'duplicate')
}

/** Pages that gave way to this one are asked for after all, since it came to nothing. */
function reinstate({ ledger, frontier }: Crawl, url: string, ...codes: string[]) {
  const gave = codes.length > 0 ? codes : ['canonical', 'twin']
  for (const [other, { to, code, depth }] of ledger.rows())
    if (to === url && gave.includes(code ?? '')) {
      ledger.move(other, { state: 'pending' })
      frontier.add(other, depth * 2)
    }
}
