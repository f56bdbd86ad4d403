import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { guides } from '../../src/ingest/crawl/guide-files.js'
import { pace } from '../../src/ingest/crawl/pace.js'
import type { CrawlPlan } from '../../src/ingest/crawl/plan.js'
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

test('a sitemap that cannot be read is reported once; a missing one is not', async (t) => {
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

const locations = (tag: string, count: number, at: string) =>
  Array.from({ length: count }, (_, i) => `<${tag}><loc>${at}${i}</loc></${tag}>`).join('')
const indexOf = (count: number) => `<sitemapindex>${locations('sitemap', count, '/map-')}</sitemapindex>`

test('sitemaps that are only read in part are reported, with the next step', async (t) => {
  const site = await siteFor(t, {
    '/': page('Home'),
    '/sitemap.xml': indexOf(29),
    '/map-*': (req, res) => send(res, `<urlset>${locations('url', 1, `/of${req.url}-`)}</urlset>`, xml),
  })
  const notesOf = async () => (await crawl(library, site.url, { maxPages: 2 })).tally.notes
  assert.deepEqual(await notesOf(), [])
  site.pages['/sitemap.xml'] = indexOf(30)
  assert.deepEqual(await notesOf(), [
    'The sitemaps list more than is read: 30 sitemaps of 50 MB, and 50,000 addresses in all. Should pages be missing, crawl them by their own addresses, or from a page that links to them.',
  ])
})

test('of one sitemap and of all of them fifty thousand addresses are read, and it is known where there are more', async (t) => {
  const map = (count: number, at: string) => `<urlset>${locations('url', count, at)}</urlset>`
  const site = await siteFor(t, { '/sitemap.xml': map(50_001, '/a') })
  const found = async () => {
    const { pages, cut } = await sitemapsOf(site.url)
    return [pages.length, cut]
  }
  assert.deepEqual(await found(), [50_000, true])
  site.pages['/sitemap.xml'] = indexOf(2)
  site.pages['/map-0'] = map(49_999, '/a')
  site.pages['/map-1'] = map(2, '/b')
  assert.deepEqual(await found(), [50_000, true])
  site.pages['/map-1'] = map(1, '/b')
  assert.deepEqual(await found(), [50_000, false])
})

function sitemapsOf(url: string) {
  const plan = { start: `${url}/`, delayMs: 0, parallel: 1 } as CrawlPlan
  const { signal } = new AbortController()
  return guides({ fetcher: library.fetcher, pace: pace() }, plan, signal).sitemaps(plan.start, allowAll)
}

test('tens of thousands of addresses give way to others', async (t) => {
  const urls = Array.from(
    { length: 50_000 },
    (_, i) => `<url><loc>/section/${i % 50}/page-${i}?b=1&amp;a=2</loc></url>`,
  )
  const site = await siteFor(t, { '/sitemap.xml': `<urlset>${urls.join('')}</urlset>` })
  let found: Awaited<ReturnType<typeof sitemapsOf>> | undefined
  const share = await longestStep(async () => {
    found = await sitemapsOf(site.url)
  })
  assert.ok(share < 0.3, `${share} of the whole`)
  assert.equal(found?.pages.length, 50_000)
})

test('if there are too many addresses, those of the requested part come first', async (t) => {
  const site = await siteFor(t, {
    '/part/': page('Part'),
    '/part/last': page('Last'),
    '/sitemap.xml': `<urlset>${locations('url', 20_000, '/other/')}<url><loc>/part/last</loc></url></urlset>`,
  })
  const { job, tally } = await crawl(library, `${site.url}/part/`, { maxPages: 2 })
  assert.equal((await ledgerOf(library, job.id))['/part/last'], 'crawled')
  assert.deepEqual(tally.notes, [
    'The site has more than 20,000 addresses; those met later were not taken up. Should pages be missing, crawl their part of the site from its own address.',
  ])
})

test('an llms.txt and a page that are only read in part are reported, with the next step', async (t) => {
  const linked = (count: number) => Array.from({ length: count }, (_, i) => `[${i}](/to/${i})`).join('\n')
  const site = await siteFor(t, { '/': page('Home'), '/llms.txt': linked(5_000) })
  const notesOf = async () =>
    (await crawl(library, site.url, { maxPages: 1, force: true })).tally.notes.map((note) => {
      const [what, help] = note.replaceAll(site.url, '').split(' Should pages be missing, ')
      assert.equal(help, 'crawl them by their own addresses, or from a page that links to them.')
      return what
    })
  const cut = '/llms.txt lists more than is read: 5,000 links in 2 MB.'
  assert.deepEqual(await notesOf(), [])
  site.pages['/llms.txt'] = linked(5_001)
  assert.deepEqual(await notesOf(), [cut])
  site.pages['/llms.txt'] = ofSize(2_000_001)
  assert.deepEqual(await notesOf(), [cut])
  delete site.pages['/llms.txt']
  site.pages['/'] = page(
    'Home',
    Array.from({ length: 10_001 }, (_, i) => `/to/${i}`),
  )
  assert.deepEqual(await notesOf(), ['/ has more links than are followed of one page.'])
})
