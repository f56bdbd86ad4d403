import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { guides } from '../../src/ingest/crawl/guide-files.js'
import { pace } from '../../src/ingest/crawl/pace.js'
import type { CrawlPlan } from '../../src/ingest/crawl/plan.js'
import type { Library } from '../../src/services/library.js'
import { allowAll } from '../../src/sources/web/robots.js'
import { longestStep } from '../support/longest-step.js'
import { crawl, ledgerOf, sharedLibrary, siteFor } from './crawling.js'
import { page, type Reply, send } from './site.js'

let library: Library
let close: () => Promise<void>
before(async () => {
  ;({ library, close } = await sharedLibrary())
})
after(() => close())

const xml = { type: 'application/xml' }

/** Says how large it is, and sends nothing. */
function ofSize(bytes: number): Reply {
  return (_, res) => {
    res.writeHead(200, { 'content-type': xml.type, 'content-length': bytes })
    res.flushHeaders()
  }
}

test('a sitemap of 25 MB, half of what the protocol allows, is read', async (t) => {
  const sitemap = `<urlset><!--${' '.repeat(25_000_000)}--><url><loc>/orphan</loc></url></urlset>`
  const site = await siteFor(t, {
    '/': page('Home'),
    '/sitemap.xml': (_, res) => send(res, sitemap, xml),
    '/orphan': page('Orphan'),
  })
  const known = await crawl(library, site.url)
  assert.deepEqual(await ledgerOf(library, known.job.id), { '/': 'crawled', '/orphan': 'crawled' })
  assert.deepEqual(known.tally.notes, [])
})

test('a sitemap that is there and cannot be read is told of, once; one that is not there is not', async (t) => {
  const site = await siteFor(t, { '/': page('Home', ['/a', '/b']), '/a': page('A'), '/b': page('B') })
  const notesOf = async () => (await crawl(library, site.url, { parallel: 4, delayMs: 0 })).tally.notes
  assert.deepEqual(await notesOf(), [])
  site.pages['/sitemap.xml'] = ofSize(50_000_001)
  assert.deepEqual(await notesOf(), [
    `The sitemap ${site.url}/sitemap.xml could not be read. It is larger than the 50 MB that are taken.`,
  ])
  site.pages['/robots.txt'] = 'Sitemap: /none.xml\nSitemap: /one.xml\nSitemap: /two.xml'
  site.pages['/one.xml'] = (_, res) => send(res, 'plain', { ...xml, headers: { 'content-encoding': 'gzip' } })
  site.pages['/two.xml'] = ofSize(60_000_000)
  assert.deepEqual(await notesOf(), [
    `The sitemap ${site.url}/one.xml could not be read. The body cannot be unpacked. 1 more could not be read.`,
  ])
})

test('tens of thousands of addresses give way to others', async (t) => {
  const urls = Array.from(
    { length: 50_000 },
    (_, i) => `<url><loc>/section/${i % 50}/page-${i}?b=1&amp;a=2</loc></url>`,
  )
  const site = await siteFor(t, { '/sitemap.xml': `<urlset>${urls.join('')}</urlset>` })
  const plan = { start: `${site.url}/`, delayMs: 0, parallel: 1 } as CrawlPlan
  const { signal } = new AbortController()
  const { sitemaps } = guides({ fetcher: library.fetcher, pace: pace() }, plan, signal)
  let found: Awaited<ReturnType<typeof sitemaps>> | undefined
  const share = await longestStep(async () => {
    found = await sitemaps(plan.start, allowAll)
  })
  assert.ok(share < 0.3, `${share} of the whole`)
  assert.equal(found?.pages.length, 50_000)
})
