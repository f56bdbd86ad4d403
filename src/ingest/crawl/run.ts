// A crawl: breadth first through one site, politely, with every address accounted for. It can be stopped anywhere and goes
// on from its ledger.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Fetcher } from '../../sources/web/fetch.js'
import type { Renderer } from '../../sources/web/render.js'
import { htmlTwins, shapeOf } from '../../sources/web/urls.js'
import type { Store } from '../../store/port.js'
import type { ConvertPool } from '../convert/convert-pool.js'
import { type Frontier, frontier } from './frontier.js'
import { type Guides, guides } from './guide-files.js'
import type { Ledger, PageRow } from './ledger.js'
import { type Memory, memoryOf } from './memory.js'
import type { Pace } from './pace.js'
import { type CrawlPlan, isNear, isOnSite, judge, type Verdict, verdict } from './plan.js'
import { type KeepPages, type Shelf, shelf } from './shelf.js'
import { visit } from './visit.js'

export interface CrawlPorts {
  store: Pick<Store, 'records' | 'fingerprints'>
  keep: KeepPages
  /** Takes a page out of the library; false when it was not in it. */
  forget(url: string): Promise<boolean>
  fetcher: Fetcher
  pages: Pick<ConvertPool, 'page'>
  pace: Pace
  /** Where pages are to be shown as their scripts build them. */
  renderer?: Pick<Renderer, 'render'>
}

export interface CrawlEnd {
  state: 'completed' | 'completed_with_errors' | 'failed'
  error: string | null
}

/** A crawl under way: what its parts share. */
export interface Crawl extends CrawlPorts {
  plan: CrawlPlan
  ledger: Ledger
  signal: AbortSignal
  guides: Guides
  memory: Memory
  frontier: Frontier
  shelf: Shelf
  /** Pages of the source that are in the store. */
  stored: Set<string>
  /** Whose text has this hash. */
  texts: Map<string, string>
  /** Pages whose Markdown version is read in their place. */
  twins: Map<string, string>
  /** How many addresses of one shape were taken up. */
  shapes: Map<string, number>
  /** Pages in a row for which the site did not answer. */
  silence: number
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
  const telling = setInterval(() => void ledger.flush().catch((error) => stop.abort(error)), tellMs)
  try {
    await seedAgain(crawl)
    await workThrough(crawl)
    if (await revisit(crawl)) await workThrough(crawl)
    await crawl.shelf.flush()
    await passOver(crawl)
    return endOf(crawl)
  } catch (error) {
    stop.abort(error)
    throw stop.signal.reason
  } finally {
    clearInterval(telling)
    await crawl.shelf.flush().catch(() => {})
    await ledger.flush().catch(() => {})
  }
}

const tellMs = 300

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
      (url) => takeUp(ledger, url),
    ),
    shelf: shelf(ports.keep, ledger, onTrouble),
    stored: new Set((await ports.store.fingerprints(plan.source)).keys()),
    texts: new Map(),
    twins: new Map(),
    shapes: new Map(),
    silence: 0,
  }
  for (const [url, hash] of await memory.all()) if (crawl.stored.has(url)) crawl.texts.set(hash, url)
  ledger.add(plan.start, { depth: 0 })
  const breathe = breather()
  const waiting = [...ledger.rows()].sort(([, a], [, b]) => a.order - b.order)
  for (const [url, { state, depth, listed }] of waiting) {
    count(crawl, url)
    if (listed) noteTwins(crawl, url)
    if (state === 'pending') crawl.frontier.add(url, rankOf(plan, url, depth))
    await breathe()
  }
  await ledger.flush()
  return crawl
}

// A page that is at another address than the one asked for is one page all the same; but a site whose every address leads
// to another must not keep us for ever.
function hasRoom({ tally }: Ledger, { maxPages }: CrawlPlan): boolean {
  const moved = (tally.exclusions.redirect?.count ?? 0) + (tally.exclusions.canonical?.count ?? 0)
  return tally.asked - Math.min(moved, maxPages + 10) < maxPages
}

/** A page counts when it is first asked for. One that gave way to another meanwhile is off the list. */
function takeUp({ row, tally }: Ledger, url: string): boolean {
  const { state, attempts } = row(url)!
  if (state !== 'pending') return false
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

// --- What is taken up.

/** Takes up addresses that were met: to be asked for, or passed over with a reason. */
export async function consider(
  crawl: Crawl,
  urls: readonly string[],
  { depth, ...about }: Pick<PageRow, 'depth' | 'hops' | 'listed'>,
): Promise<void> {
  const { ledger, plan } = crawl
  const breathe = breather()
  for (const url of urls) {
    await breathe()
    if (ledger.row(url)) continue
    if (ledger.tally.discovered >= mostAddresses(plan)) return noteMore(crawl)
    const passed = judge(plan, url, depth) ?? twinOf(crawl, url) ?? endless(crawl, url, depth)
    ledger.add(url, { depth, ...about, ...(passed ? { state: 'excluded', ...passed } : {}) })
    if (passed) continue
    count(crawl, url)
    crawl.frontier.add(url, rankOf(plan, url, depth))
  }
}

function mostAddresses({ maxPages }: CrawlPlan): number {
  return Math.max(20_000, maxPages * 5)
}

function noteMore({ ledger, plan }: Crawl) {
  const note = `The site has more than ${mostAddresses(plan)} addresses; those met later were not taken up.`
  if (!ledger.tally.notes.includes(note)) ledger.tally.notes.push(note)
}

function rankOf(plan: CrawlPlan, url: string, depth: number): number {
  return depth * 2 + (isNear(plan, url) ? 0 : 1)
}

function twinOf({ twins }: Crawl, url: string): (Verdict & { to: string }) | null {
  const to = twins.get(url)
  return to === undefined ? null : { ...verdict('twin', `Its Markdown version is read instead: ${to}`), to }
}

// A calendar has a next page for ever. Many pages of one shape near the start are a large site; far away from it they may
// be made up as one goes, and must not take all the pages there are to ask for.
const farAway = 4
const mostOfShape = ({ maxPages }: CrawlPlan) => Math.max(100, Math.floor(maxPages * 0.6))

function endless({ shapes, plan }: Crawl, url: string, depth: number): Verdict | null {
  const most = mostOfShape(plan)
  if (depth < farAway || (shapes.get(shapeOf(url)) ?? 0) < most) return null
  return verdict(
    'trap',
    `More than ${most} addresses are made like this one; it looks like one of endlessly many.`,
  )
}

function count({ shapes }: Crawl, url: string) {
  const shape = shapeOf(url)
  shapes.set(shape, (shapes.get(shape) ?? 0) + 1)
}

// --- Where to begin besides the start.

/** Before the links of the first page are followed: the pages that the site lists for readers like us. */
export async function seedLists(crawl: Crawl, home: string): Promise<void> {
  const { ledger, plan } = crawl
  if (ledger.tally.seeded || !plan.recursive) return
  const listed = await crawl.guides.llms(home)
  for (const url of listed.pages) noteTwins(crawl, url)
  await consider(crawl, listed.pages, { depth: 1, listed: true })
  await giveWay(crawl)
  if (listed.full !== null) await consider(crawl, [listed.full], { depth: 1 })
}

/** After them: whatever else there is. */
export async function seedSitemaps(crawl: Crawl, home: string): Promise<void> {
  const { ledger, plan } = crawl
  if (ledger.tally.seeded || !plan.recursive) return
  const robots = await crawl.guides.robotsOf(home)
  if ('robots' in robots)
    await consider(crawl, await crawl.guides.sitemaps(home, robots.robots), { depth: 1 })
  ledger.tally.seeded = true
}

function noteTwins({ twins }: Crawl, markdown: string) {
  for (const twin of htmlTwins(markdown)) twins.set(twin, markdown)
}

/** Pages that were met before their Markdown versions were. */
async function giveWay(crawl: Crawl) {
  const { ledger } = crawl
  for (const [url, row] of ledger.rows()) {
    const twin = twinOf(crawl, url)
    if (twin && row.state === 'pending' && row.attempts === 0 && url !== crawl.plan.start)
      ledger.move(url, { state: 'excluded', ...twin })
  }
}

/** A crawl that was killed between its first page and the lists begins with the lists. */
async function seedAgain(crawl: Crawl) {
  if (crawl.ledger.tally.seeded) return
  for (const [url, { state }] of crawl.ledger.rows())
    if (state === 'crawled' || state === 'unchanged') {
      await seedLists(crawl, url)
      return seedSitemaps(crawl, url)
    }
}

/** Pages of earlier crawls that nothing led to this time: whether they are still there. */
async function revisit(crawl: Crawl): Promise<boolean> {
  const { ledger, plan, stored } = crawl
  if (!plan.recursive || ledger.tally.crawled + ledger.tally.unchanged === 0) return false
  const before = ledger.tally.discovered
  const known = [...(await crawl.memory.all()).keys()].filter(
    (url) =>
      stored.has(url) && isOnSite(plan, url) && !ledger.row(url) && judge(plan, url, plan.maxDepth) === null,
  )
  await consider(crawl, known, { depth: plan.maxDepth })
  return ledger.tally.discovered > before
}

// --- How it ended.

async function passOver({ ledger, plan, silence }: Crawl) {
  if (silence >= longestSilence) return
  const breathe = breather()
  const limit = verdict('limit', `The limit of ${plan.maxPages} pages was reached before it.`)
  for (const [url, { state }] of ledger.rows()) {
    if (state === 'pending') ledger.move(url, { state: 'excluded', ...limit })
    await breathe()
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

/** Gives way to other work now and then. */
function breather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < 8) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}
