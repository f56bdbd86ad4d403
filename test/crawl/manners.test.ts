import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { jobMessage, showJob } from '../../src/toolsets/knowledge/tools/crawl-job.js'
import { addsUp, crawl, ledgerOf, pathsOf, sharedLibrary, siteFor } from './crawling.js'
import { flaky, type Pages, page, redirect, send } from './site.js'

// One for all: each site is a source of its own.
const { library, close } = await sharedLibrary()
after(close)

describe('rules of a site for crawlers', () => {
  test('robots.txt: disallowed pages are not fetched, and the delay is kept', async (t) => {
    const site = await siteFor(t, {
      '/robots.txt':
        'User-agent: *\nDisallow: /\n\nUser-agent: Carrel\nCrawl-delay: 0.15\nDisallow: /private\nAllow: /private/open',
      '/': page('Home', ['/private/x', '/private/open', '/a']),
      '/private/open': page('Open'),
      '/a': page('A'),
    })
    const known = await crawl(library, site.url)
    assert.ok(!site.requests.includes('/private/x'))
    assert.equal((await ledgerOf(library, known.job.id))['/private/x'], 'excluded robots')
    // Over all of them: on a busy machine one may be seen late and the next in time.
    const [first, last] = [site.times[1]!, site.times.at(-1)!]
    assert.ok(
      last - first > (site.times.length - 2) * 140,
      `${last - first} ms for ${site.times.length} requests`,
    )
    assert.equal(site.most, 1)
    assert.equal(known.tally.crawled, 3)
  })

  test('robots.txt: rules kept at another host hold, and rules that cannot be read allow nothing', async (t) => {
    const other = await siteFor(t, { '/rules.txt': 'User-agent: *\nDisallow: /private' })
    const pages: Pages = {
      '/': page('Home', ['/private/x', '/b']),
      '/b': page('B'),
      '/private/x': page('X'),
      '/robots.txt': (_, res) => res.writeHead(301, { location: `${other.url}/rules.txt` }).end(),
    }
    const site = await siteFor(t, pages)
    const known = await crawl(library, site.url)
    assert.equal((await ledgerOf(library, known.job.id))['/private/x'], 'excluded robots')
    assert.deepEqual([known.tally.crawled, other.requests], [2, ['/rules.txt']])

    const packed = await siteFor(t, {
      ...pages,
      '/robots.txt': (_, res) =>
        send(res, 'User-agent: *\nDisallow: /', { headers: { 'content-encoding': 'compress' } }),
    })
    assert.match((await crawl(library, packed.url)).job.error!, /robots\.txt could not be read.*packed/)
    assert.deepEqual(packed.requests, ['/robots.txt'])
  })

  test('robots.txt and patterns hold for parameters in the order in which the site writes them', async (t) => {
    const site = await siteFor(t, {
      '/robots.txt': 'User-agent: *\nDisallow: /*?sort=',
      '/': page('Home', ['/list?sort=up&page=2', '/list?page=3&lang=de', '/list?print=1&a=4', '/moved']),
      '/moved': redirect('/list?sort=up&page=5'),
      '/list': (req, res) => send(res, page(req.url!, ['/list?lang=de&page=3'])),
    })
    const known = await crawl(library, site.url, { exclude: ['?print='] })
    assert.deepEqual(await ledgerOf(library, known.job.id), {
      '/': 'crawled',
      '/list?a=4&print=1': 'excluded pattern ?print=',
      '/list?lang=de&page=3': 'crawled',
      '/list?page=2&sort=up': 'excluded robots',
      '/list?page=5&sort=up': 'excluded robots',
      '/moved': 'excluded redirect',
    })
    const again = await crawl(library, site.url, { exclude: ['?print='] })
    assert.deepEqual(await ledgerOf(library, again.job.id), {
      ...(await ledgerOf(library, known.job.id)),
      '/': 'unchanged',
      '/list?lang=de&page=3': 'unchanged',
    })
    const lists = site.requests.filter((path) => path.startsWith('/list'))
    assert.deepEqual(lists, Array(2).fill('/list?lang=de&page=3'))
  })

  test('robots.txt: a 404 allows everything, a 503 nothing, and a retry goes on', async (t) => {
    let down = true
    const site = await siteFor(t, {
      '/robots.txt': (_, res) =>
        send(res, down ? 'down' : 'User-agent: *\nDisallow:', { status: down ? 503 : 200 }),
      '/': page('Home'),
    })
    const known = await crawl(library, site.url)
    assert.equal(known.job.status, 'failed')
    assert.match(known.job.error!, /robots\.txt could not be read/)
    assert.deepEqual(new Set(site.requests), new Set(['/robots.txt']))
    assert.equal(site.requests.length, 4)
    down = false
    const { retryJob, waitForJob } = await import('../../src/toolsets/knowledge/crawls.js')
    await retryJob(library, known.job.id)
    const again = await waitForJob(library, known.job.id, { ms: 9_000, signal: AbortSignal.timeout(9_000) })
    assert.equal(again.job.status, 'completed')
    assert.equal(again.tally.crawled, 1)
  })

  test('noindex, nofollow, X-Robots-Tag and canonical addresses', async (t) => {
    const site = await siteFor(t, {
      '/': page('Home', [
        '/hidden',
        '/dead-end',
        '/headed',
        '/print',
        '/a-names-b',
        '/b-names-a',
        '/to-home',
        '/lost',
      ]),
      '/hidden': page('Hidden', ['/behind-hidden'], '<meta name="robots" content="noindex">'),
      '/behind-hidden': page('Behind hidden'),
      '/dead-end': page('Dead end', ['/never'], '<meta name="ROBOTS" content="nofollow">'),
      '/headed': (_, res) =>
        send(res, page('Headed'), { headers: { 'x-robots-tag': 'otherbot: nofollow, noindex' } }),
      '/headed2': page('x'),
      '/print': page('Print', [], '<link rel="canonical" href="/real?utm_medium=y">'),
      '/real': page('Real'),
      '/a-names-b': page('A names B', [], '<link rel="canonical" href="/b-names-a">'),
      '/b-names-a': page('B names A', [], '<link rel="canonical" href="/a-names-b">'),
      '/to-home': page('To home', [], '<link rel="canonical" href="/">'),
      '/lost': page('Lost', [], '<link rel="canonical" href="/nowhere">'),
    })
    const known = await crawl(library, site.url)
    const ledger = await ledgerOf(library, known.job.id)
    const pair = [ledger['/a-names-b'], ledger['/b-names-a']].sort()
    assert.deepEqual(pair, ['crawled', 'excluded canonical'])
    assert.deepEqual(Object.fromEntries(Object.entries(ledger).filter(([path]) => !path.includes('names'))), {
      '/': 'crawled',
      '/behind-hidden': 'crawled',
      '/dead-end': 'crawled',
      '/headed': 'crawled',
      '/hidden': 'excluded noindex',
      '/lost': 'crawled',
      '/nowhere': 'failed status',
      '/print': 'excluded canonical',
      '/real': 'crawled',
      '/to-home': 'crawled',
    })
    assert.equal(known.job.status, 'completed_with_errors')
    assert.ok(addsUp(known))
  })

  test('canonical addresses in another part of the site than the one that was named', async (t) => {
    const version = (name: string, links: string[]) =>
      page(`${name} of this version`, links, `<link rel="canonical" href="/en/latest/${name}">`)
    const site = await siteFor(t, {
      '/en/v1': redirect('/en/v1/', 301),
      '/en/v1/': version('', ['/en/v1/install', '/en/v1/print']),
      '/en/v1/install': version('install', []),
      '/en/v1/print': page('Print', [], '<link rel="canonical" href="/en/v1/real">'),
      '/en/v1/real': page('Real'),
      '/en/latest/': page('Latest'),
      '/en/latest/install': page('Install the latest'),
    })
    for (const start of ['/en/v1/', '/en/v1']) {
      const { job } = await crawl(library, site.url + start)
      assert.deepEqual(await pathsOf(library, job.source), ['/en/v1/', '/en/v1/install', '/en/v1/real'])
    }
    const { job } = await crawl(library, `${site.url}/en/v1/install`, { recursive: false })
    assert.deepEqual(await pathsOf(library, job.source), ['/en/v1/install'])
  })

  test('sitemaps, in an index that names itself, packed and plain; llms.txt with Markdown in place of pages', async (t) => {
    const { gzipSync } = await import('node:zlib')
    const site = await siteFor(t, {
      '/robots.txt': 'Sitemap: /maps/index.xml',
      '/': page('Home', ['/guide.html']),
      '/maps/index.xml': (req, res) =>
        send(
          res,
          `<?xml version="1.0"?><sitemapindex><sitemap><loc>/maps/index.xml</loc></sitemap>
           <sitemap><loc>/maps/one.xml.gz</loc></sitemap><sitemap><loc>http://127.0.0.2:9999/x.xml</loc></sitemap></sitemapindex>`,
          { type: 'application/xml', headers: { 'x-host': req.headers.host! } },
        ),
      '/maps/one.xml.gz': (_, res) =>
        send(
          res,
          gzipSync(
            '<urlset><url><loc>/orphan?b=2&amp;a=1</loc></url><url><loc>http://127.0.0.2/no</loc></url></urlset>',
          ),
          {
            type: 'application/gzip',
          },
        ),
      '/orphan': page('Orphan'),
      '/llms.txt': '# Docs\n\n- [Guide](/guide.html.md): how to\n- [Elsewhere](http://127.0.0.2/x.md)\n',
      '/guide.html.md': '# Guide\n\nThe guide as it was written, with a [link](/more.html).\n',
      '/guide.html': page('Guide'),
      '/more.html': page('More'),
    })
    const known = await crawl(library, site.url)
    assert.deepEqual(await ledgerOf(library, known.job.id), {
      '/': 'crawled',
      '/guide.html': 'excluded twin',
      '/guide.html.md': 'crawled',
      '/more.html': 'crawled',
      '/orphan?a=1&b=2': 'crawled',
    })
    assert.ok(!site.requests.includes('/guide.html'))
  })

  test('lists are fetched once, however many pages are read at a time, and not if robots.txt forbids them', async (t) => {
    const links = ['/a', '/b', '/c', '/d']
    const lists = ['/llms.txt', '/llms-full.txt', '/sitemap.xml', '/maps/b.xml']
    const site = await siteFor(t, {
      '/': page('Home', links),
      ...Object.fromEntries(links.map((link) => [link, page(`Page ${link}`)])),
      '/sitemap.xml': (_, res) => {
        const index = '<sitemapindex><sitemap><loc>/maps/b.xml</loc></sitemap></sitemapindex>'
        setTimeout(() => send(res, index, { type: 'application/xml' }), 300)
      },
      '/maps/b.xml': '<urlset><url><loc>/listed</loc></url></urlset>',
      '/listed': page('Listed'),
    })
    const requestedLists = async (forbidden: string) => {
      site.pages['/robots.txt'] = `User-agent: *\n${forbidden}`
      site.requests.length = 0
      await crawl(library, site.url, { parallel: 4, delayMs: 0 })
      return site.requests.filter((path) => lists.includes(path))
    }
    assert.deepEqual(await requestedLists('Disallow:'), lists)
    assert.deepEqual(await requestedLists('Disallow: /llms\nDisallow: /maps/'), ['/sitemap.xml'])
    assert.deepEqual(
      await requestedLists('Disallow: /llms\nDisallow: /sitemap.xml\nSitemap: /sitemap.xml'),
      [],
    )
  })

  test('a page comes back when its Markdown version does not come', async (t) => {
    const site = await siteFor(t, {
      '/': page('Home', ['/guide']),
      '/llms.txt': '[Guide](/guide.md)',
      '/guide': page('Guide'),
    })
    const known = await crawl(library, site.url)
    const ledger = await ledgerOf(library, known.job.id)
    assert.deepEqual([ledger['/guide'], ledger['/guide.md']], ['crawled', 'failed status'])
  })

  test('llms-full.txt is one document where there is no llms.txt', async (t) => {
    const full = `# Everything\n\n${'All of it. '.repeat(500)}`
    const site = await siteFor(t, { '/': page('Home'), '/llms-full.txt': full })
    const known = await crawl(library, site.url)
    assert.deepEqual(await pathsOf(library, known.job.source), ['/', '/llms-full.txt'])
  })

  test('429 and 503 are tried again after as long as the server says', async (t) => {
    const site = await siteFor(t, {
      '/': page('Home', ['/busy', '/down', '/always']),
      '/busy': flaky(1, 429, page('Busy'), { 'retry-after': '1' }),
      '/down': flaky(2, 503, page('Down')),
      '/always': (_, res) => send(res, 'no', { status: 500 }),
    })
    const start = performance.now()
    const known = await crawl(library, site.url)
    assert.ok(performance.now() - start > 900)
    const requestsTo = (path: string) => site.requests.filter((one) => one === path).length
    assert.deepEqual([requestsTo('/busy'), requestsTo('/down'), requestsTo('/always')], [2, 3, 4])
    assert.deepEqual([known.tally.crawled, known.tally.failed], [3, 1])
    assert.match(known.tally.failures[0]!.reason, /500.*after 4 tries/)
  })
})

describe('the pause between two requests', () => {
  const pages = {
    '/': page('Start', ['/a', '/b', '/c']),
    ...Object.fromEntries(['/a', '/b', '/c'].map((path) => [path, page(`Page ${path}`)])),
  }

  test('is kept on this machine too, unless the configuration says otherwise', async (t) => {
    const site = await siteFor(t, pages)
    const pausing = (crawlPauseMs: number) => ({
      ...library,
      settings: { ...library.settings, limits: { ...library.settings.limits, crawlPauseMs } },
    })
    const { job } = await crawl(pausing(60), site.url)
    assert.equal(job.plan.delayMs, 60)
    // Over all of them: on a busy machine one may be seen late and the next in time.
    const took = site.times.at(-1)! - site.times[1]!
    assert.ok(took > (site.times.length - 2) * 50, `${took} ms for ${site.times.length} requests`)
    const quick = await crawl(pausing(0), site.url)
    assert.equal(quick.job.plan.delayMs, 0)
    const slower = await crawl(pausing(60), site.url, { delayMs: 5 })
    assert.equal(slower.job.plan.delayMs, 5, 'a crawl that names a pause has that one')
  })
})

describe('the depth limit', () => {
  test('is reported in the job, with the pages beyond it', async (t) => {
    const site = await siteFor(t, {
      '/': page('Start', ['/1']),
      '/1': page('One', ['/2']),
      '/2': page('Two'),
    })
    const deep = await crawl(library, site.url, { maxDepth: 1 })
    assert.equal(showJob(deep).max_depth, 1)
    assert.match(jobMessage(deep), /1 page lies more than 1 link away from the start \(max_depth\)/)
    const whole = await crawl(library, site.url)
    assert.equal(showJob(whole).max_depth, 20)
    assert.doesNotMatch(jobMessage(whole), /max_depth/)
  })
})
