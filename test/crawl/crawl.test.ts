import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { documentIdOf } from '../../src/answer/addresses.js'
import { search } from '../../src/answer/search.js'
import { getDocument, updateDocument } from '../../src/toolsets/knowledge/manage-documents.js'
import { addsUp, crawl, ledgerOf, pathsOf, sharedLibrary, siteFor } from './crawling.js'
import { page, type Reply, redirect, send, tagged } from './site.js'

// One for all: each site is a source of its own.
const { library, close } = await sharedLibrary()
after(close)

describe('an ordinary site', () => {
  test('is read page by page, breadth first, with clean Markdown and its address', async (t) => {
    const site = await siteFor(t, {
      '/': page('Home', ['/guide/', '/about.html', '/guide/', '#top', 'mailto:a@example.com']),
      '/guide/': page('Guide', ['install.html', '/guide/use.html?utm_source=x#part', '/']),
      '/guide/install.html': `<!doctype html><title>Install | Docs</title><nav>Everywhere</nav><main><h1>Install</h1>
        <p>Run <code>npm i</code>.</p><pre><code class="language-sh">npm install carrel</code></pre>
        <table><tr><th>Flag</th><th>Means</th></tr><tr><td>-g</td><td>global</td></tr></table></main>`,
      '/guide/use.html': page('Use'),
      '/about.html': page('About'),
    })
    const known = await crawl(library, `${site.url}/`)
    assert.equal(known.job.status, 'completed', JSON.stringify(known))
    assert.ok(addsUp(known))
    assert.deepEqual(await pathsOf(library, known.job.source), [
      '/',
      '/about.html',
      '/guide/',
      '/guide/install.html',
      '/guide/use.html',
    ])
    const ref = { source: known.job.source, path: `${site.url}/guide/install.html` }
    const document = await library.store.document(ref)
    assert.equal(document!.title, 'Install')
    assert.match(document!.text, /```shell\nnpm install carrel\n```/)
    assert.match(document!.text, /\| Flag \| Means \|/)
    assert.doesNotMatch(document!.text, /Everywhere/)
    assert.equal(document!.metadata.url, ref.path)
    assert.match(String(document!.metadata.fetched_at), /^\d{4}-/)
    const order = site.requests.filter((path) => !/robots|llms|sitemap/.test(path))
    assert.equal(order.length, 5)
    assert.equal(order[0], '/')
    assert.ok(order.indexOf('/about.html') < order.indexOf('/guide/use.html'))
  })

  test('is one page without recursive', async (t) => {
    const site = await siteFor(t, { '/a': page('A', ['/b']), '/b': page('B') })
    const known = await crawl(library, `${site.url}/a`, { recursive: false })
    assert.deepEqual(site.requests, ['/robots.txt', '/a'])
    assert.deepEqual([known.job.status, known.tally.discovered, known.tally.crawled], ['completed', 1, 1])
  })

  test('keeps pages apart that differ in a parameter named session', async (t) => {
    const ids = ['9f8a77c01be24d5ea3b6', 'tq2n8v0c5kd1a7r4e9s6b3m1h0']
    const site = await siteFor(t, {
      '/': page('Home', ['/talk?session=1', '/talk?session=2', ...ids.map((id) => `/a?session=${id}`)]),
      '/talk': (req, res) => send(res, page(req.url!)),
      '/a': page('A'),
    })
    const known = await crawl(library, site.url)
    const paths = await pathsOf(library, known.job.source)
    assert.deepEqual(paths.sort(), ['/', '/a', '/talk?session=1', '/talk?session=2'])
    assert.equal(known.tally.discovered, 4)
  })

  test('returns at most as many pages as requested, and reports the rest', async (t) => {
    const links = Array.from({ length: 30 }, (_, i) => `/p${i}`)
    const site = await siteFor(t, {
      '/': page('Home', links),
      '/p*': (req, res) => send(res, page(req.url!)),
    })
    const known = await crawl(library, site.url, { maxPages: 7 })
    assert.equal(site.requests.filter((path) => /^\/p|^\/$/.test(path)).length, 7)
    assert.deepEqual([known.tally.crawled, known.tally.excluded, known.tally.pending], [7, 24, 0])
    assert.match(known.tally.exclusions.limit!.reason, /limit of 7 pages/)
    assert.ok(addsUp(known))
  })

  test('reads pages whose names end like files of another kind, and none of those files', async (t) => {
    const pages = ['/Array.map', '/System.Text.Json', '/core.db', '/wiki/Node.js']
    const files = ['/data.json', '/main.js', '/old.db']
    const assets = ['/a.css', '/a.mjs', '/a.png', '/a.woff2', '/a.zip', '/feed.atom']
    const types = ['application/json', 'text/plain', 'application/octet-stream']
    const site = await siteFor(t, {
      '/': page('Home', [...pages, ...files, ...assets]),
      ...Object.fromEntries(pages.map((path) => [path, page(path)])),
      ...Object.fromEntries(
        files.map(
          (path, i) => [path, (_, res) => send(res, 'words', { type: types[i]! })] as [string, Reply],
        ),
      ),
    })
    const known = await crawl(library, site.url)
    assert.deepEqual(await pathsOf(library, known.job.source), ['/', ...pages])
    const rows = await ledgerOf(library, known.job.id)
    assert.deepEqual(
      files.map((path) => rows[path]),
      files.map(() => 'excluded content_type'),
    )
    assert.ok(assets.every((path) => rows[path] === 'excluded kind' && !site.requests.includes(path)))
  })

  test('heeds patterns and depth', async (t) => {
    const site = await siteFor(t, {
      '/': page('Home', ['/archive/1', '/docs/a', '/blog/x']),
      '/docs/a': page('A', ['/docs/b']),
      '/docs/b': page('B', ['/docs/c']),
      '/docs/c': page('C'),
    })
    const known = await crawl(library, site.url, { exclude: ['/archive/', '/bl*x'], maxDepth: 2 })
    assert.deepEqual(await ledgerOf(library, known.job.id), {
      '/': 'crawled',
      '/archive/1': 'excluded pattern /archive/',
      '/blog/x': 'excluded pattern /bl*x',
      '/docs/a': 'crawled',
      '/docs/b': 'crawled',
      '/docs/c': 'excluded depth',
    })
    const only = await crawl(library, site.url, { include: ['/docs/'], title: 'Only docs' })
    assert.equal(only.tally.crawled, 4)
    assert.equal(only.tally.excluded, 2)
    const both = await crawl(library, site.url, {
      include: ['/docs/'],
      exclude: ['/archive/'],
      title: 'Both',
    })
    assert.deepEqual(
      Object.values(both.tally.exclusions).map(({ reason, count, example }) => [count, example, reason]),
      [
        [1, `${site.url}/archive/1`, 'The address has "/archive/" in it, which is excluded.'],
        [1, `${site.url}/blog/x`, 'The address has none of the patterns that are included.'],
      ],
    )
  })
})

describe('a second crawl', () => {
  test('makes conditional requests; reads changed pages and removes those that are gone', async (t) => {
    let text = 'First'
    const site = await siteFor(t, {
      '/': tagged(() => page('Home', ['/same', '/changes', '/gone', '/plain'])),
      '/same': tagged(() => page('Same', ['/deep'])),
      '/deep': tagged(() => page('Deep')),
      '/changes': tagged(() => page(`Changes ${text}`)),
      '/gone': page('Gone'),
      '/plain': page('Plain'),
      '/unlinked': page('Unlinked'),
      '/sitemap.xml': '<urlset><url><loc>/unlinked</loc></url></urlset>',
    })
    const first = await crawl(library, site.url)
    assert.deepEqual([first.tally.crawled, first.tally.failed], [7, 0])
    text = 'Second'
    delete site.pages['/gone']
    delete site.pages['/sitemap.xml']
    delete site.pages['/unlinked']
    const second = await crawl(library, site.url)
    assert.equal(second.job.source, first.job.source)
    assert.deepEqual(await ledgerOf(library, second.job.id), {
      '/': 'unchanged',
      '/same': 'unchanged',
      '/deep': 'unchanged',
      '/plain': 'unchanged',
      '/changes': 'crawled',
      '/gone': 'failed status',
      '/unlinked': 'failed status',
    })
    assert.equal(second.tally.removed, 2)
    assert.deepEqual(await pathsOf(library, first.job.source), ['/', '/changes', '/deep', '/plain', '/same'])
    const ref = { source: first.job.source, path: `${site.url}/changes` }
    assert.match((await library.store.document(ref))!.text, /Second/)
    assert.ok(addsUp(second))
  })

  test('keeps the title, the address and the fields that a user gave a page', async (t) => {
    const site = await siteFor(t, { '/': page('Home', [], '<meta name="description" content="First.">') })
    const { job } = await crawl(library, site.url)
    const address = { document: documentIdOf({ source: job.source, path: `${site.url}/` }) }
    await updateDocument(library, address, {
      title: 'Walrus handbook',
      url: 'https://example.com/walrus',
      metadata: { owner: 'me', status: null },
    })
    for (const text of ['Second', 'Third']) {
      site.pages['/'] = page(`${text} home`, [], `<meta name="description" content="${text}.">`)
      const { tally } = await crawl(library, site.url)
      assert.equal(tally.crawled, 1)
      const { title, url, metadata, ref } = await getDocument(library, address)
      assert.deepEqual([title, url], ['Walrus handbook', 'https://example.com/walrus'])
      const { owner, status, description } = metadata
      assert.deepEqual([owner, status, description], ['me', undefined, `${text}.`])
      assert.match((await library.store.document(ref))!.text, new RegExp(`about ${text} home`))
      const { hits } = await search(library, { query: 'walrus' })
      assert.equal(hits.length, 1, 'found by that title')
    }
    await updateDocument(library, address, { metadata: { owner: null } })
    site.pages['/'] = page('Fourth home')
    await crawl(library, site.url)
    const { metadata } = await getDocument(library, address)
    assert.deepEqual([metadata.owner, metadata.description], [undefined, undefined])
  })

  test('follows links of a page that was read without them, though it did not change', async (t) => {
    const site = await siteFor(t, { '/': tagged(() => page('Home', ['/a'])), '/a': page('A') })
    await crawl(library, site.url, { recursive: false })
    const second = await crawl(library, site.url)
    assert.deepEqual([second.tally.unchanged, second.tally.crawled], [1, 1])
  })

  test('a page that moved is kept at its new address', async (t) => {
    const site = await siteFor(t, { '/': page('Home', ['/new', '/old']), '/old': page('Moved') })
    await crawl(library, site.url)
    site.pages['/new'] = page('Moved')
    site.pages['/old'] = redirect('/new', 301)
    const second = await crawl(library, site.url, { parallel: 1 })
    assert.deepEqual(await pathsOf(library, second.job.source), ['/', '/new'])
    assert.ok(addsUp(second))
  })

  test('a page that fails temporarily keeps its document', async (t) => {
    const site = await siteFor(t, { '/': page('Home', ['/a']), '/a': page('A') })
    await crawl(library, site.url)
    site.pages['/a'] = (_, res) => send(res, 'down', { status: 500 })
    const second = await crawl(library, site.url)
    assert.equal(second.tally.failed, 1)
    assert.deepEqual(await pathsOf(library, second.job.source), ['/', '/a'])
  })

  test('a document that a user deleted is read again and does not count as unchanged', async (t) => {
    const site = await siteFor(t, { '/': tagged(() => page('Home')) })
    const first = await crawl(library, site.url)
    const { forgetPage } = await import('../../src/toolsets/knowledge/crawled-pages.js')
    assert.ok(await forgetPage(library, first.job.source, `${site.url}/`))
    const second = await crawl(library, site.url)
    assert.deepEqual([second.tally.crawled, second.tally.unchanged], [1, 0])
  })
})

describe('redirects', () => {
  test('are followed within the site, to another name of it, and no further', async (t) => {
    const elsewhere = await siteFor(t, { '*': page('Elsewhere') })
    const site = await siteFor(t, {
      '/': page('Home', ['/old', '/away', '/private', '/loop1', '/self', '/chain0']),
      '/old': redirect('/new?PHPSESSID=1', 301),
      '/new': page('New'),
      '/away': redirect(`${elsewhere.url}/x`),
      '/private': redirect('http://169.254.169.254/latest/meta-data/'),
      '/loop1': redirect('/loop2'),
      '/loop2': redirect('/loop1'),
      '/self': redirect('/self?jsessionid=7'),
      '/chain*': (req, res) => redirect(`/chain${Number(req.url!.slice(6)) + 1}`)(req, res),
      '/robots.txt': 'User-agent: *\nDisallow: /chain3$',
    })
    const known = await crawl(library, site.url)
    assert.deepEqual(await ledgerOf(library, known.job.id), {
      '/': 'crawled',
      '/old': 'excluded redirect',
      '/new': 'crawled',
      '/away': 'excluded elsewhere',
      '/private': 'excluded elsewhere',
      '/loop1': 'excluded redirect',
      '/loop2': 'failed redirect_loop',
      '/self': 'failed redirect_loop',
      '/chain0': 'excluded redirect',
      '/chain1': 'excluded redirect',
      '/chain2': 'excluded redirect',
      '/chain3': 'excluded robots',
    })
    assert.deepEqual(elsewhere.requests, [])
    assert.ok(addsUp(known))
  })

  test('and canonical addresses take no page from the limit', async (t) => {
    const site = await siteFor(t, {
      '/guide': redirect('/guide/', 301),
      '/guide/': page('Guide', [], '<link rel="canonical" href="/guide/index.html">'),
      '/guide/index.html': page('Guide'),
    })
    const known = await crawl(library, `${site.url}/guide`, { recursive: false, maxPages: 1 })
    assert.deepEqual(await pathsOf(library, known.job.source), ['/guide/index.html'])
    assert.equal(known.job.status, 'completed')
    assert.ok(addsUp(known))
  })

  test('without end, from everywhere, come to an end', async (t) => {
    const links = Array.from({ length: 300 }, (_, i) => `/go/${i}/0`)
    const site = await siteFor(t, {
      '/': page('Home', links),
      '/go/*': (req, res) => {
        const [, , from, hop] = req.url!.split('/')
        redirect(`/go/${from}/${Number(hop) + 1}`)(req, res)
      },
    })
    const known = await crawl(library, site.url, { maxPages: 20 })
    assert.ok(site.requests.length < 80, `${site.requests.length}`)
    assert.ok(addsUp(known))
    assert.equal(known.tally.pending, 0)
  })

  test('of the start to another site end the crawl with a reason', async (t) => {
    const elsewhere = await siteFor(t, { '*': page('Elsewhere') })
    const site = await siteFor(t, { '/': redirect(`${elsewhere.url}/docs`) })
    const known = await crawl(library, site.url)
    assert.equal(known.job.status, 'failed')
    assert.match(known.job.error!, /another site: http:\/\/127\.0\.0\.1:\d+\/docs/)
    assert.deepEqual(elsewhere.requests, [])
  })
})
