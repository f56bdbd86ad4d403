import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addsUp, crawl, ledgerOf, openCrawlLibrary, pathsOf, siteFor } from './crawling.js'
import { bomb, cutShort, drip, endless, flaky, type Pages, page, redirect, send } from './site.js'

const latin = Buffer.from(
  '<!doctype html><title>Bücher</title><meta charset="utf-8"><main><h1>Bücher</h1><p>Größe, Straße, Maß und mehr für alle.</p></main>',
  'latin1',
)
const japanese = Buffer.from(
  '3c68313e8365835883673c2f68313e3c703e82b182ea82cd93fa967b8cea82cc83798381815b835782c582b78142835683748367204a495381422083658358836782cc82bd82df82c982a082e9814221213c2f703e',
  'hex',
)

function hostilePages(elsewhere: string): Pages {
  const thousands = Array.from({ length: 10_000 }, (_, i) => `/many/${i}-${(i * 7919) % 10_007}.html`)
  return {
    '/': page('Home', [
      '/calendar/2026/11',
      '/session?PHPSESSID=1',
      '/session;jsessionid=A?x=1',
      '/spiral/a/b/a/b/a/b',
      '/loop',
      '/to-elsewhere',
      '/to-private',
      '/huge',
      '/bomb',
      '/drip',
      '/latin',
      '/japanese',
      '/picture.html',
      '/zip-as-html',
      '/json',
      '/photo.png',
      '/soft404',
      '/en/guide',
      '/en-us/guide',
      '/secret/x',
      '/late',
      '/cut',
      '/empty',
      '/app',
      '/many',
      `${elsewhere}/straight`,
      'http://127.0.0.2:1/private',
      '//127.0.0.2/scheme-relative',
      'javascript:alert(1)',
      `http://user:password@${new URL(elsewhere).host}/`,
      `/${'x'.repeat(3_000)}`,
      '/deep'.repeat(2),
    ]),
    '/robots.txt': 'User-agent: *\nDisallow: /secret\nSitemap: /sitemap.xml',
    '/sitemap.xml': `<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap><sitemap><loc>${elsewhere}/s.xml</loc></sitemap></sitemapindex>`,
    '/calendar/*': (req, res) => {
      const [, , year, month] = req.url!.split('/')
      const next = Number(month) === 12 ? `${Number(year) + 1}/1` : `${year}/${Number(month) + 1}`
      send(res, page(`Month ${year}/${month}`, [`/calendar/${next}`]))
    },
    '/session': (req, res) =>
      send(res, page('Session', [`/session?PHPSESSID=${Math.random()}&utm_term=${req.url!.length}`])),
    '/spiral/*': page('Spiral'),
    '/loop': redirect('/pool'),
    '/pool': redirect('/loop'),
    '/to-elsewhere': redirect(`${elsewhere}/landed`),
    '/to-private': redirect('http://10.0.0.1/'),
    '/huge': endless(),
    '/bomb': bomb(),
    '/drip': drip(),
    '/latin': (_, res) => send(res, latin, { type: 'text/html; charset=utf-8' }),
    '/japanese': (_, res) => send(res, japanese, { type: 'text/html; charset=shift_jis' }),
    '/picture.html': (_, res) => send(res, Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')),
    '/zip-as-html': (_, res) => send(res, Buffer.from('504b0506000000000000000000000000000000000000', 'hex')),
    '/json': (_, res) => send(res, '{"a":1}', { type: 'application/json' }),
    '/soft404': page('Page not found'),
    '/en/guide': page('Guide'),
    '/en-us/guide': page('Guide'),
    '/late': flaky(1, 503, page('Late')),
    '/cut': cutShort(page('Cut')),
    '/empty': (_, res) => send(res, ''),
    '/app': '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>',
    '/many': page('Many', thousands),
    '/many/*': (req, res) => send(res, page(`One of many ${req.url}`)),
    '/deep/deep': page('Deep'),
  }
}

test('a hostile site: bounded time and memory, every address accounted for, no request to another site', async (t) => {
  const elsewhere = await siteFor(t, { '*': page('Elsewhere') })
  const site = await siteFor(t, hostilePages(elsewhere.url))
  const library = await openCrawlLibrary(t)
  const [started, processor, heap] = [performance.now(), process.cpuUsage(), process.memoryUsage().rss]
  let slowest = 0
  let tick = performance.now()
  const watch = setInterval(() => {
    slowest = Math.max(slowest, performance.now() - tick - 10)
    tick = performance.now()
  }, 10)
  const known = await crawl(library, `${site.url}/`, { maxPages: 60 })
  clearInterval(watch)
  const took = performance.now() - started
  t.diagnostic(
    `${Math.round(took)} ms, ${Math.round(process.cpuUsage(processor).user / 1000)} ms of processor, longest step ${Math.round(slowest)} ms, ${Math.round((process.memoryUsage().rss - heap) / 1e6)} MB more`,
  )
  const ledger = await ledgerOf(library, known.job.id)
  const verdict = (path: string) => ledger[path]
  assert.deepEqual(elsewhere.requests, [])
  assert.ok(addsUp(known), JSON.stringify(known.tally))
  assert.equal(known.tally.pending, 0)
  assert.equal(known.tally.discovered, Object.keys(ledger).length)
  assert.equal(known.job.status, 'completed_with_errors')
  assert.deepEqual(
    {
      session: [verdict('/session'), verdict('/session?x=1')].sort(),
      spiral: verdict('/spiral/a/b/a/b/a/b'),
      loop: [verdict('/loop'), verdict('/pool')],
      elsewhere: verdict('/to-elsewhere'),
      private: verdict('/to-private'),
      huge: verdict('/huge'),
      bomb: verdict('/bomb'),
      drip: verdict('/drip'),
      latin: verdict('/latin'),
      japanese: verdict('/japanese'),
      picture: verdict('/picture.html'),
      zip: verdict('/zip-as-html'),
      json: verdict('/json'),
      photo: verdict('/photo.png'),
      soft404: verdict('/soft404'),
      locales: [verdict('/en/guide'), verdict('/en-us/guide')].sort(),
      secret: verdict('/secret/x'),
      late: verdict('/late'),
      cut: verdict('/cut'),
      empty: verdict('/empty'),
      app: verdict('/app'),
      many: verdict('/many'),
    },
    {
      session: ['crawled', 'excluded duplicate'],
      spiral: 'excluded trap',
      loop: ['excluded redirect', 'failed redirect_loop'],
      elsewhere: 'excluded elsewhere',
      private: 'excluded elsewhere',
      huge: 'failed too_large',
      bomb: 'failed too_large',
      drip: 'failed stalled',
      latin: 'crawled',
      japanese: 'crawled',
      picture: 'excluded kind',
      zip: 'excluded kind',
      json: 'excluded content_type',
      photo: 'excluded kind',
      soft404: 'failed soft_404',
      locales: ['crawled', 'excluded duplicate'],
      secret: 'excluded robots',
      late: 'crawled',
      cut: 'failed truncated',
      empty: 'excluded empty',
      app: 'excluded scripted',
      many: 'crawled',
    },
  )
  assert.equal(Object.keys(ledger).filter((path) => path.startsWith('/many/')).length, 10_000)
  assert.ok(known.tally.exclusions.limit!.count > 9_900)
  const text = async (path: string) =>
    (await library.store.document({ source: known.job.source, path: site.url + path }))!.text
  assert.match(await text('/latin'), /Größe, Straße, Maß/)
  assert.match(await text('/japanese'), /日本語/)
  const paths = await pathsOf(library, known.job.source)
  assert.equal(paths.length, known.tally.crawled)
  assert.ok(took < 60_000, `${took} ms`)
})

test('a calendar without end comes to an end by itself', async (t) => {
  const site = await siteFor(t, {
    '/': page('Home', ['/calendar/1']),
    '/calendar/*': (req, res) => {
      const day = Number(req.url!.split('/')[2])
      send(
        res,
        page(
          `Day ${day}`,
          Array.from({ length: 12 }, (_, i) => `/calendar/${day * 12 + i}`),
        ),
      )
    },
  })
  const library = await openCrawlLibrary(t)
  const known = await crawl(library, site.url, { maxPages: 400 })
  assert.ok(known.tally.crawled < 400 && known.tally.crawled > 150, `${known.tally.crawled}`)
  assert.ok(known.tally.exclusions.trap!.count > 100)
  assert.ok(addsUp(known))
})

test('a site that stops answering is given up, and the rest can be retried', async (t) => {
  let down = false
  const links = Array.from({ length: 40 }, (_, i) => `/p${i}`)
  const site = await siteFor(t, {
    '/': page('Home', links),
    '/p*': (req, res) => {
      if (down) req.socket.destroy()
      else send(res, page(req.url!))
      if (site.requests.length > 15) down = true
    },
  })
  const library = await openCrawlLibrary(t)
  const known = await crawl(library, site.url)
  assert.equal(known.job.status, 'failed')
  assert.match(known.job.error!, /stopped answering/)
  assert.ok(known.tally.pending > 0 && known.tally.failed >= 10)
  assert.ok(addsUp(known))
  site.pages['/p*'] = (req, res) => send(res, page(req.url!))
  const { retryJob, waitForJob } = await import('../../src/toolsets/knowledge/crawls.js')
  await retryJob(library, known.job.id)
  const again = await waitForJob(library, known.job.id, { ms: 60_000, signal: AbortSignal.timeout(60_000) })
  assert.equal(again.job.status, 'completed')
  assert.equal(again.tally.crawled, 41)
  assert.ok(addsUp(again))
})

test('thousands of forbidden addresses are skipped in a moment', async (t) => {
  const library = await openCrawlLibrary(t)
  const site = await siteFor(t, {
    '/': page('Home'),
    '/robots.txt': 'User-agent: *\nDisallow: /x/',
    '/sitemap.xml': (_, res) => send(res, sitemap, { type: 'application/xml' }),
  })
  const urls = Array.from({ length: 6_000 }, (_, i) => `<url><loc>${site.url}/x/${i}</loc></url>`)
  const sitemap = `<urlset>${urls.join('')}</urlset>`
  const before = process.cpuUsage()
  const known = await crawl(library, site.url)
  const { user } = process.cpuUsage(before)
  assert.equal(known.tally.exclusions.robots!.count, 6_000)
  assert.ok(addsUp(known))
  t.diagnostic(`${Math.round(user / 1000)} ms of the processor`)
  assert.ok(user < 6_000_000, `${user / 1000} ms`)
})

test('only the visible text of a page is kept: no control characters, marks of direction or tags', async (t) => {
  const evil = 'Lamp\u202e\u200b\x1b\x07\u{e0041}s of brass stand in the window of the shop.'
  const site = await siteFor(t, {
    '/': `<!doctype html><title>${evil}</title><a href="/a.md">a</a><a href="/b.txt">b</a><p>${evil} &#x202e;&#xe0041;</p>`,
    '/a.md': `# ${evil}\n\n${evil}`,
    '/b.txt': (_, res) => send(res, `${evil}\n\n${evil}`, { type: 'text/plain' }),
  })
  const library = await openCrawlLibrary(t)
  const { job } = await crawl(library, `${site.url}/`)
  const { documents } = await library.store.documents({ sources: [job.source] }, { offset: 0, limit: 10 })
  assert.equal(documents.length, 3)
  for (const { ref, title } of documents) {
    const { text } = (await library.store.document(ref))!
    assert.match(text, /Lamps of brass/)
    assert.doesNotMatch(`${title} ${text}`, /[\x07\x1b\u200b\u202e\u{e0041}]/u)
  }
})
