// Handles a fetched page: renders it if scripts build it, reads it, judges it and stores it.
import { Problem, reasonOf } from '../../model/problem.js'
import type { Arrived, FetchedHeaders } from '../../sources/web/fetch.js'
import { type Robots, readPageRules } from '../../sources/web/robots.js'
import { siteOf } from '../../sources/web/urls.js'
import { hashOf } from '../../text/hash.js'
import type { PageReading } from '../convert/page-task.js'
import { unpack } from '../task.js'
import { consider, noteCutLinks, seedLists, seedSitemaps } from './discover.js'
import { gaveWay, noPage, reinstate, release, stands, vanish } from './duplicates.js'
import type { PageMemory } from './memory.js'
import { redirected, unchanged } from './outcomes.js'
import type { Crawl } from './plan.js'
import { type CrawlPlan, isOnSite, leavesPart, mannersFor } from './plan.js'
import { storeOrHold } from './soft-errors.js'

/** The request that a page answers. */
export interface PageRequest {
  fetchedAt: number
  attempts: number
  /** The memory of the page's document from an earlier crawl. */
  before: PageMemory | null
  robots: Robots
}

export async function handlePage(crawl: Crawl, url: string, fetched: Arrived, request: PageRequest) {
  const bytes = await built(crawl, url, fetched, request)
  if (bytes === null) return
  const bytesHash = hashOf(bytes, JSON.stringify(readingHeaders(fetched)))
  if (!crawl.plan.force && request.before?.bytesHash === bytesHash) return unchanged(crawl, url, request)
  const page = await read(crawl, url, fetched, bytes, request)
  if (page) await storePage(crawl, url, page, { fetched, bytes, bytesHash, request })
}

/** The page as a browser shows it, where that is wanted; null when it could not be shown. */
async function built(
  crawl: Crawl,
  url: string,
  fetched: Arrived,
  { attempts, robots }: PageRequest,
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
  reinstate(crawl, url)
  return null
}

/** The headers that change how a page is read. */
function readingHeaders({ headers: { type, charset, robots, canonical } }: Arrived) {
  return { type, charset, robots, canonical }
}

function isHtml({ headers }: Arrived): boolean {
  return headers.type === null || /html/.test(headers.type)
}

async function read(
  crawl: Crawl,
  url: string,
  fetched: Arrived,
  bytes: Uint8Array,
  request: PageRequest,
): Promise<PageReading | null> {
  const { headers, status } = fetched
  try {
    return await crawl.pages.page(
      {
        ...{ source: crawl.plan.source, url, site: siteOf(crawl.plan.start), bytes },
        ...readingHeaders(fetched),
        fetchedAt: request.fetchedAt,
        details: {
          url,
          fetched_at: new Date(request.fetchedAt).toISOString(),
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
    const { attempts } = request
    const reason = reasonOf(error)
    if (['binary', 'unsupported', 'empty'].includes(error.code))
      noPage(crawl, url, { attempts, code: 'kind', reason })
    else crawl.ledger.move(url, { state: 'failed', attempts, code: error.code, reason })
    reinstate(crawl, url)
    return null
  }
}

async function storePage(
  crawl: Crawl,
  url: string,
  page: PageReading,
  {
    fetched,
    bytes,
    bytesHash,
    request,
  }: { fetched: Arrived; bytes: Uint8Array; bytesHash: string; request: PageRequest },
) {
  const { ledger, plan } = crawl
  const { attempts } = request
  const { depth } = ledger.row(url)!
  if (page.refresh !== null && page.chars < 1_000)
    return redirected(
      crawl,
      url,
      // Sites of mere files have no other way to say that a page moved, and name its new address twice.
      { location: page.refresh, forGood: page.refresh === page.canonical },
      request,
    )
  if (page.canonical !== null && isCredible(plan, url, page.canonical))
    await consider(crawl, [page.canonical], { depth })
  const passed = excludedPaths(crawl, url, page)
  if (!passed) claimText(crawl, url, page, request)
  const links = page.nofollow ? [] : page.links
  if (!passed) await seedLists(crawl, url)
  if (plan.recursive && (!passed || followed.has(passed.code))) {
    if (page.linksCut && !page.nofollow) noteCutLinks(crawl, url)
    await consider(crawl, links, { depth: depth + 1 })
  }
  if (passed) return passOver(crawl, url, passed, request)
  const { etag, lastModified } = fetched.headers
  const { textHash, chunks } = page
  const toStore = {
    document: unpack(page.document),
    name: page.name,
    bytes: page.textBytes ?? bytes,
    row: { state: 'crawled' as const, attempts, chunks },
    records: crawl.memory.records(url, { etag, lastModified, bytesHash, textHash, chunks }, links),
  }
  await storeOrHold(crawl, toStore, { textHash, chars: page.chars, before: request.before })
  await seedSitemaps(crawl, url)
}

/** Must run before the next await: another worker may handle a page with the same text, or with this page's earlier text. */
function claimText(crawl: Crawl, url: string, { textHash }: PageReading, { before }: PageRequest) {
  if (before?.textHash !== textHash) release(crawl, url, before)
  crawl.texts.set(textHash, url)
}

/** The page has not changed, but the headers of this answer may say `noindex` all the same. */
export async function stillThere(crawl: Crawl, url: string, headers: FetchedHeaders, request: PageRequest) {
  if (!readPageRules(...headers.robots).noindex) return unchanged(crawl, url, request)
  if (crawl.plan.recursive)
    await consider(crawl, await crawl.memory.linksOf(url), { depth: crawl.ledger.row(url)!.depth + 1 })
  return passOver(crawl, url, noindex, request)
}

async function passOver(
  crawl: Crawl,
  url: string,
  { failed, ...change }: Passed,
  { attempts, before }: PageRequest,
) {
  crawl.ledger.move(url, { state: failed ? 'failed' : 'excluded', attempts, ...change })
  if (change.to !== undefined) return gaveWay(crawl, url, change.to, before)
  if (final.has(change.code)) await vanish(crawl, url)
  reinstate(crawl, url)
}

interface Passed {
  code: string
  reason: string
  to?: string
  failed?: true
}

const noindex: Passed = { code: 'noindex', reason: 'The page asks not to be indexed.' }

/** Pages that are not indexed, but whose links are followed. */
const followed = new Set(['noindex', 'scripted', 'empty'])

/** Reasons to remove a page's document. A page without text is none: it may be broken just now. */
const final = new Set(['noindex', 'soft_404'])

/** Why a page is not indexed; null if it is. */
function excludedPaths(crawl: Crawl, url: string, page: PageReading): Passed | null {
  const { plan } = crawl
  if (page.noindex) return noindex
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
  const same = ownerOf(crawl, page.textHash)
  if (same !== undefined && same !== url)
    return { code: 'duplicate', reason: `It has the same text as ${same}`, to: same }
  return null
}

/**
 * Some sites wrongly give their home page as the canonical address of every page; and a crawl of one version stays in it.
 */
function isCredible(plan: CrawlPlan, url: string, canonical: string): boolean {
  if (leavesPart(plan, url, canonical)) return false
  return new URL(canonical).pathname !== '/' || /^\/(?:index\.\w+)?$/.test(new URL(url).pathname)
}

// Not if the canonical page gave way to this one or failed: one of them must stay.
function givesWay(crawl: Crawl, url: string, canonical: string): boolean {
  return isCredible(crawl.plan, url, canonical) && stands(crawl, canonical)
}

/** The page that owns a text. A page that gave way owns none, though its document may still be there. */
function ownerOf({ texts, ledger }: Crawl, textHash: string): string | undefined {
  const owner = texts.get(textHash)
  return owner !== undefined && ledger.row(owner)?.to === undefined ? owner : undefined
}
