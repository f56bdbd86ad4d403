// Pages that are not stored again: unchanged or redirected.
import { inOneOrder, tidyUrl } from '../../sources/web/urls.js'
import { consider, seedLists, seedSitemaps } from './discover.js'
import { gaveWay, leadsTo, leave, reinstate } from './duplicates.js'
import type { PageRow } from './ledger.js'
import type { PageMemory } from './memory.js'
import type { Crawl } from './plan.js'
import { isOnSite } from './plan.js'

export async function unchanged(crawl: Crawl, url: string, { attempts }: Pick<PageRow, 'attempts'>) {
  const { ledger, plan } = crawl
  const { depth } = ledger.row(url)!
  await seedLists(crawl, url)
  if (plan.recursive) await consider(crawl, await crawl.memory.linksOf(url), { depth: depth + 1 })
  ledger.move(url, { state: 'unchanged', attempts })
  await seedSitemaps(crawl, url)
}

const mostHops = 10

/** A page that leads to another, for now or for good. */
export async function redirected(
  crawl: Crawl,
  url: string,
  { location, forGood }: { location: string; forGood: boolean },
  { attempts, before }: Pick<PageRow, 'attempts'> & { before: PageMemory | null },
) {
  const { ledger, plan } = crawl
  const { depth, hops = 0 } = ledger.row(url)!
  const written = tidyUrl(location, url)
  const to = written === null ? null : inOneOrder(written)
  // It may lead to a login or a maintenance page, so the page's document stays.
  const forNow = forGood ? {} : { forNow: true as const }
  const fail = (reason: string) =>
    ledger.move(url, { state: 'failed', attempts, code: 'redirect_loop', reason })
  if (written === null || to === null) fail('It redirects to something that is no web page.')
  else if (!isOnSite(plan, to)) {
    const reason = `It redirects to another site: ${to}`
    ledger.move(url, { state: 'excluded', attempts, code: 'elsewhere', reason, ...forNow })
    if (forGood) await leave(crawl, url)
  } else if (leadsTo(crawl, to, url)) fail('It redirects in a circle.')
  else if (hops >= mostHops) fail(`It is the end of more than ${mostHops} redirects in a row.`)
  else {
    const reason = `It redirects to ${to}`
    ledger.move(url, { state: 'excluded', attempts, code: 'redirect', reason, to, ...forNow })
    await consider(crawl, [written], { depth, hops: hops + 1 })
    return gaveWay(crawl, url, to, before)
  }
  reinstate(crawl, url)
}
