// A crawl: breadth first through one site, politely, with every address accounted for. It can be stopped anywhere and goes
// on from its ledger.

import { createYielder } from '../../runtime/yield.js'
import { counted } from '../../text/counted.js'
import type { Crawl, CrawlPorts } from './crawl.js'
import { revisit, seedAgain, takeUpKnown } from './discover.js'
import { settle, tellForNow } from './duplicates.js'
import { frontier } from './frontier.js'
import { guides } from './guide-files.js'
import type { Ledger } from './ledger.js'
import { memoryOf } from './memory.js'
import { shelf } from './page-cache.js'
import { type CrawlPlan, verdict } from './plan.js'
import { settleDoubts } from './soft-errors.js'
import { visit } from './visit.js'

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
  const telling = setInterval(() => void ledger.flush().catch((error) => stop.abort(error)), tellMs)
  try {
    await seedAgain(crawl)
    // Only what is written counts: what a page becomes decides about those that gave way to it.
    do {
      await workThrough(crawl)
      await crawl.shelf.flush()
    } while ((await revisit(crawl)) || (await settleDoubts(crawl)) || (await settle(crawl)))
    await passOver(crawl)
    await tellForNow(crawl)
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
      (url) => takeUp(crawl, url),
    ),
    shelf: shelf(ports.keep, ledger, onTrouble),
    stored: new Set((await ports.store.fingerprints(plan.source)).keys()),
    doubts: new Map(),
    gone: new Set(),
    texts: new Map(),
    twins: new Map(),
    shapes: new Map(),
    slow: { delayMs: 0 },
    silence: 0,
  }
  for (const [url, hash] of await memory.all()) if (crawl.stored.has(url)) crawl.texts.set(hash, url)
  ledger.add(plan.start, { depth: 0 })
  await takeUpKnown(crawl)
  await ledger.flush()
  return crawl
}

// A page that is at another address than the one asked for is one page all the same; but a site whose every address leads
// to another must not keep us for ever.
function hasRoom({ tally }: Ledger, { maxPages }: CrawlPlan): boolean {
  const moved = (tally.exclusions.redirect?.count ?? 0) + (tally.exclusions.canonical?.count ?? 0)
  return tally.asked - Math.min(moved, maxPages + 10) < maxPages
}

/** A page counts when it is first asked for. One that gave way to another meanwhile, or that was read, is off the list. */
function takeUp({ ledger: { row, tally }, shelf, doubts }: Crawl, url: string): boolean {
  const { state, attempts } = row(url)!
  if (state !== 'pending' || shelf.holds(url) || doubts.has(url)) return false
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
