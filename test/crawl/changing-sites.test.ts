// Sites made up at random, crawled while they change: redirects, canonical addresses, doubles, Markdown versions and failures
// in every mixture. Each crawl must come to an end, add up, and keep what the site says now.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Library } from '../../src/answer/library.js'
import { addsUp, crawl, ledgerOf, openCrawlLibrary } from './crawling.js'
import { openSite, type Pages, page, type Reply, redirect, type Site, send } from './site.js'

const paths = ['/a', '/b', '/c', '/d', '/e']

type Kind = 'page' | 'canonical' | 'redirect' | 'down' | 'gone' | 'empty'
interface Place {
  kind: Kind
  text: string
  to: string
  status: number
  waitMs: number
  markdown: 'none' | 'page' | 'redirect' | 'gone'
}

const place: fc.Arbitrary<Place> = fc.record({
  kind: fc.constantFrom<Kind>(
    'page',
    'page',
    'page',
    'canonical',
    'redirect',
    'redirect',
    'down',
    'gone',
    'empty',
  ),
  text: fc.constantFrom('One', 'Two', 'Three', 'Four'),
  to: fc.constantFrom(...paths),
  status: fc.constantFrom(301, 302),
  waitMs: fc.constantFrom(0, 0, 25),
  markdown: fc.constantFrom('none', 'none', 'none', 'page', 'redirect', 'gone'),
})

const round = fc.record({
  places: fc.tuple(...paths.map(() => place)),
  forbidden: fc.option(fc.constantFrom(...paths), { nil: null }),
  parallel: fc.integer({ min: 1, max: 3 }),
  force: fc.boolean(),
})

test('however a site changes, a crawl ends, its figures add up, and its content stays', async (t) => {
  const library = await openCrawlLibrary(t)
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 3 }), async (rounds) => {
      const site = await openSite({})
      try {
        for (const one of rounds) await crawlRound(library, site, one)
      } finally {
        await site.close()
      }
    }),
    { seed: 20261116, numRuns: 5, endOnFailure: true },
  )
})

type Round = typeof round extends fc.Arbitrary<infer T> ? T : never

async function crawlRound(library: Library, site: Site, { places, forbidden, parallel, force }: Round) {
  const had = await titlesOf(library, site)
  site.pages = pagesOf(places, forbidden)
  const known = await crawl(library, site.url, { parallel, force, delayMs: 0 })
  const rows = await ledgerOf(library, known.job.id)
  const has = await titlesOf(library, site)
  const about = JSON.stringify({ rows, had: [...had], has: [...has] })
  assert.ok(addsUp(known) && known.tally.pending === 0, about)
  assert.equal(known.tally.documents, known.tally.crawled, about)
  assert.ok(!Object.values(rows).some((row) => row === 'excluded limit'), about)
  for (const [i, { kind, text, markdown }] of places.entries()) {
    const path = paths[i]!
    if (path === forbidden) continue
    // So many pages that say the same at once are not believed.
    if (rows[path] === 'failed notice') {
      assert.equal(has.get(path), had.get(path), `${path} stays as it was: ${about}`)
      continue
    }
    if (kind === 'page' && (markdown === 'none' || markdown === 'gone'))
      assert.ok([...has.values()].includes(text), `${path} says ${text}: ${about}`)
    if (kind === 'gone') assert.ok(!has.has(path), `${path} is gone: ${about}`)
    if ((kind === 'down' || kind === 'empty') && rows[path] !== 'excluded twin')
      assert.equal(has.has(path), had.has(path), `${path} cannot be read: ${about}`)
  }
}

async function titlesOf({ store }: Library, { url }: Site): Promise<Map<string, string>> {
  const { documents } = await store.documents({}, { offset: 0, limit: 10_000 })
  const here = documents.filter(({ ref }) => ref.path.startsWith(`${url}/`))
  return new Map(here.map(({ ref, title }) => [new URL(ref.path).pathname, title]))
}

function pagesOf(places: readonly Place[], forbidden: string | null): Pages {
  const pages: Pages = { '/': page('Home', paths) }
  const listed = paths.filter((_, i) => places[i]!.markdown !== 'none')
  if (listed.length > 0) pages['/llms.txt'] = listed.map((path) => `[page](${path}.md)`).join('\n')
  if (forbidden !== null) pages['/robots.txt'] = `User-agent: *\nDisallow: ${forbidden}$`
  for (const [i, one] of places.entries()) {
    const reply = replyOf(one)
    if (reply) pages[paths[i]!] = reply
    if (one.markdown === 'page') pages[`${paths[i]}.md`] = `# ${one.text}\n\nIn plain words.\n`
    if (one.markdown === 'redirect') pages[`${paths[i]}.md`] = redirect(one.to)
  }
  return pages
}

function replyOf({ kind, text, to, status, waitMs }: Place): Reply | null {
  if (kind === 'gone') return null
  return async (req, res) => {
    await sleep(waitMs)
    if (kind === 'redirect') return redirect(to, status)(req, res)
    if (kind === 'down') return send(res, 'down', { status: 500 })
    if (kind === 'empty') return send(res, '')
    send(res, page(text, [], kind === 'canonical' ? `<link rel="canonical" href="${to}">` : ''))
  }
}
