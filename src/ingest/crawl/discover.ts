// Decides on the addresses that a crawl meets: which ones to fetch, which to exclude and why, and where to look for more.

import { createYielder } from '../../runtime/yield.js'
import { mostLlmsLinks } from '../../sources/web/sitemap.js'
import { htmlTwins, inOneOrder, shapeOf } from '../../sources/web/urls.js'
import { thousands } from '../../text/counted.js'
import { stands } from './duplicates.js'
import { mostPages, mostSitemaps, type Unread } from './guide-files.js'
import type { PageRow } from './ledger.js'
import type { Crawl } from './plan.js'
import { type CrawlPlan, isNear, isOnSite, judge, type Verdict, verdict } from './plan.js'

/** Continues with the addresses that the ledger has from an earlier run of this crawl. */
export async function resumeKnown(crawl: Crawl): Promise<void> {
  const yieldIfDue = createYielder()
  const waiting = [...crawl.ledger.rows()].sort(([, a], [, b]) => a.order - b.order)
  for (const [url, { state, depth, listed }] of waiting) {
    count(crawl, url)
    if (listed) noteTwins(crawl, url)
    if (state === 'pending') crawl.frontier.add(url, rankOf(crawl.plan, url, depth))
    await yieldIfDue()
  }
}

/** Records addresses as they were written on a page: pending, or excluded with a reason. */
export async function consider(
  crawl: Crawl,
  urls: readonly string[],
  { depth, ...about }: Pick<PageRow, 'depth' | 'hops' | 'listed'>,
): Promise<void> {
  const { ledger, plan } = crawl
  const yieldIfDue = createYielder()
  for (const written of urls) {
    await yieldIfDue()
    const url = inOneOrder(written)
    if (ledger.row(url)) continue
    if (ledger.tally.discovered >= mostAddresses(plan)) return noteMore(crawl)
    const passed = judge(plan, url, depth, written) ?? twinOf(crawl, url) ?? endless(crawl, url, depth)
    ledger.add(url, {
      ...{ depth, ...about },
      ...(written === url ? {} : { written }),
      ...(passed ? { state: 'excluded', ...passed } : {}),
    })
    if (passed) continue
    count(crawl, url)
    crawl.frontier.add(url, rankOf(plan, url, depth))
  }
}

function mostAddresses({ maxPages }: CrawlPlan): number {
  return Math.max(20_000, maxPages * 5)
}

function noteMore({ ledger, plan }: Crawl) {
  ledger.note(
    `The site has more than ${thousands(mostAddresses(plan))} addresses; those met later were not taken up. ` +
      'Should pages be missing, crawl their part of the site from its own address.',
  )
}

function rankOf(plan: CrawlPlan, url: string, depth: number): number {
  return depth * 2 + (isNear(plan, url) ? 0 : 1)
}

function twinOf(crawl: Crawl, url: string): (Verdict & { to: string }) | null {
  const to = crawl.twins.get(url)
  return to === undefined || !stands(crawl, to)
    ? null
    : { ...verdict('twin', `Its Markdown version is read instead: ${to}`), to }
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
  if (listed.cut !== null) noteCutList(crawl, listed.cut)
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
  if ('robots' in robots) {
    const { pages, unread, cut } = await crawl.guides.sitemaps(home, robots.robots)
    noteUnread(crawl, unread)
    if (cut) noteCut(crawl)
    await consider(crawl, pages, { depth: 1 })
  }
  ledger.tally.seeded = true
}

function noteUnread({ ledger }: Crawl, unread: readonly Unread[]) {
  const [first] = unread
  if (!first) return
  const more = unread.length > 1 ? ` ${unread.length - 1} more could not be read.` : ''
  ledger.note(`The sitemap ${first.url} could not be read. ${first.reason}${more}`)
}

function noteCut({ ledger }: Crawl) {
  ledger.note(
    `The sitemaps list more than is read: ${mostSitemaps} sitemaps of 50 MB, and ${thousands(mostPages)} addresses in all. ${whatHelps}`,
  )
}

function noteCutList({ ledger }: Crawl, url: string) {
  ledger.note(`${url} lists more than is read: ${thousands(mostLlmsLinks)} links in 2 MB. ${whatHelps}`)
}

/** Of one page. */
export function noteCutLinks({ ledger }: Crawl, url: string) {
  ledger.note(`${url} has more links than are followed of one page. ${whatHelps}`)
}

const whatHelps =
  'Should pages be missing, crawl them by their own addresses, or from a page that links to them.'

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
export async function seedAgain(crawl: Crawl) {
  if (crawl.ledger.tally.seeded) return
  for (const [url, { state }] of crawl.ledger.rows())
    if (state === 'crawled' || state === 'unchanged') {
      await seedLists(crawl, url)
      return seedSitemaps(crawl, url)
    }
}

/** Adds pages of earlier crawls that no link led to this time, to see whether they still exist. */
export async function revisit(crawl: Crawl): Promise<boolean> {
  const { ledger, plan, stored, suspectPages } = crawl
  if (!plan.recursive || ledger.tally.crawled + ledger.tally.unchanged + suspectPages.size === 0) return false
  const before = ledger.tally.discovered
  const known = [...(await crawl.memory.all()).keys()].filter(
    (url) =>
      stored.has(url) && isOnSite(plan, url) && !ledger.row(url) && judge(plan, url, plan.maxDepth) === null,
  )
  await consider(crawl, known, { depth: plan.maxDepth })
  return ledger.tally.discovered > before
}
