// Pages that are not kept anew: unchanged, redirected or gone; and what that means for the pages beside them.
import { normaliseUrl } from '../../sources/web/urls.js'
import type { Crawl } from './crawl.js'
import { consider, seedLists, seedSitemaps } from './discover.js'
import type { PageRow } from './ledger.js'
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

export async function redirected(
  crawl: Crawl,
  url: string,
  location: string,
  { attempts }: Pick<PageRow, 'attempts'>,
) {
  const { ledger, plan } = crawl
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
export const first = -1

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

/** A document of an earlier crawl goes when its page is gone; pages that only said the same are not doubles any more. */
export async function leave(crawl: Crawl, url: string) {
  if (!crawl.stored.delete(url)) return
  const memory = await crawl.memory.of(url)
  if (memory && crawl.texts.get(memory.textHash) === url) crawl.texts.delete(memory.textHash)
  if (await crawl.forget(url)) crawl.ledger.tally.removed++
  await crawl.memory.forget(url)
  reinstate(crawl, url, 'duplicate')
}

/** Pages that gave way to this one are asked for after all, since it came to nothing. */
export function reinstate({ ledger, frontier }: Crawl, url: string, ...codes: string[]) {
  const gave = codes.length > 0 ? codes : ['canonical', 'twin']
  for (const [other, { to, code, depth }] of ledger.rows())
    if (to === url && gave.includes(code ?? '')) {
      ledger.move(other, { state: 'pending' })
      frontier.add(other, depth * 2)
    }
}
