// What stays in the library while a site changes under it: pages that move, fail, give way to each other or take each
// other's text. Nothing that can be read may be missing, nothing that is gone may stay.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CrawlRequest,
  cancelJob,
  retryJob,
  startCrawl,
  waitForJob,
} from '../../src/toolsets/knowledge/crawls.js'
import type { KnownJob } from '../../src/toolsets/knowledge/jobs.js'
import { addsUp, crawl, ledgerOf, pathsOf, sharedLibrary, siteFor } from './crawling.js'
import { drip, type Pages, page, type Reply, redirect, send } from './site.js'

const { library, close } = await sharedLibrary()
after(close)

const robots = (...lines: string[]) => ['User-agent: *', ...lines].join('\n')
const headed =
  (body: string | Buffer, headers: Record<string, string | string[]>): Reply =>
  (_, res) => {
    res.writeHead(200, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(body), ...headers })
    res.end(body)
  }
const slowly =
  (body: string, ms: number): Reply =>
  async (_, res) => {
    await sleep(ms)
    send(res, body)
  }

interface Case {
  title: string
  /** The site, and what changes before it is crawled again. */
  site: Pages
  later?: Pages
  request?: Partial<CrawlRequest>
  /** The documents at the end, and what the ledger says of some addresses. */
  keeps: string[]
  ledger?: Record<string, string>
  and?: (known: KnownJob, requests: string[]) => unknown
}

function check({ title, site: pages, later, request = {}, keeps, ledger = {}, and }: Case) {
  test(title, async (t) => {
    const site = await siteFor(t, pages)
    let known = await crawl(library, site.url, request)
    if (later) {
      Object.assign(site.pages, later)
      site.requests.length = 0
      known = await crawl(library, site.url, request)
    }
    const rows = await ledgerOf(library, known.job.id)
    const rowsText = JSON.stringify(rows)
    assert.deepEqual(await pathsOf(library, known.job.source), keeps, rowsText)
    for (const [path, state] of Object.entries(ledger)) assert.equal(rows[path], state, rowsText)
    assert.ok(addsUp(known), JSON.stringify(known.tally))
    assert.equal(known.tally.pending, 0)
    await and?.(known, site.requests)
  })
}

const many = Array.from({ length: 60 }, (_, i) => `/p${i}`)
const moved = (to: string) =>
  `<link rel="canonical" href="${to}"><meta http-equiv="refresh" content="0; url=${to}"><p>Moved.</p>`
const gone: Reply = (_, res) => send(res, 'gone', { status: 404 })

describe('a page that was read stays while it cannot be read', () => {
  const refreshed = (title: string, later: Pages, keeps: string[], ledger: Record<string, string> = {}) =>
    check({ title, site: { '/': page('Home', ['/a']), '/a': page('A') }, later, keeps, ledger })

  refreshed(
    'it leads to a page that fails',
    { '/a': redirect('/maint'), '/maint': (_, res) => send(res, 'down', { status: 503 }) },
    ['/', '/a'],
    { '/a': 'failed redirect', '/maint': 'failed status' },
  )
  refreshed(
    'it leads for good to a page that fails, by way of another',
    {
      '/a': redirect('/b', 301),
      '/b': redirect('/c', 308),
      '/c': (_, res) => send(res, '', { status: 500 }),
    },
    ['/', '/a'],
  )
  for (const status of [302, 303, 307])
    refreshed(`it leads elsewhere for now (${status})`, { '/a': redirect('http://127.0.0.2:9/x', status) }, [
      '/',
      '/a',
    ])
  refreshed('it leads to itself', { '/a': redirect('/a') }, ['/', '/a'], { '/a': 'failed redirect_loop' })
  refreshed('it leads in a circle', { '/a': redirect('/b'), '/b': redirect('/a') }, ['/', '/a'])
  for (const status of [302, 303, 307])
    refreshed(
      `it leads to a page that says something else, for now (${status})`,
      { '/a': redirect('/login?next=a', status), '/login': page('Log in') },
      ['/', '/a', '/login?next=a'],
      { '/a': 'failed redirect' },
    )
  refreshed(
    'it leads there by way of one that moved for good',
    { '/a': redirect('/b', 301), '/b': redirect('/notice'), '/notice': page('Works') },
    ['/', '/a', '/notice'],
    { '/a': 'failed redirect', '/b': 'excluded redirect' },
  )
  refreshed(
    'it names a canonical page that leads to a login for now',
    {
      '/a': page('A', [], '<link rel="canonical" href="/b">'),
      '/b': redirect('/login'),
      '/login': page('Log in'),
    },
    ['/', '/a', '/login'],
    { '/a': 'failed canonical' },
  )
  refreshed('it is sent as data', { '/a': (_, res) => send(res, '{}', { type: 'application/json' }) }, [
    ...['/', '/a'],
  ])
  refreshed(
    'it is sent as a picture',
    { '/a': (_, res) => send(res, Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')) },
    ['/', '/a'],
    { '/a': 'failed kind' },
  )
  refreshed('it is empty', { '/a': '' }, ['/', '/a'], { '/a': 'excluded empty' })
  refreshed(
    'it is nothing without its scripts',
    { '/a': '<html><body><div id="app"></div><script src="/x.js"></script></body></html>' },
    ['/', '/a'],
    { '/a': 'excluded scripted' },
  )
  refreshed(
    'it leads to a page that nobody may ask for',
    { '/robots.txt': robots('Disallow: /no'), '/a': redirect('/no') },
    ['/', '/a'],
  )
  refreshed(
    'it names a canonical page that fails, and fails itself when it is requested again',
    {
      '/a': (() => {
        let times = 0
        return (_, res) =>
          times++ === 0
            ? send(res, page('A', [], '<link rel="canonical" href="/b">'))
            : send(res, '', { status: 500 })
      })(),
    },
    ['/', '/a'],
  )
})

test('a site that leads every reader to a notice for a while loses nothing, and says so', async (t) => {
  const guide = ['/a', '/b', '/c']
  const whole = { '/': page('Home', guide), ...Object.fromEntries(guide.map((path) => [path, page(path)])) }
  const site = await siteFor(t, { ...whole })
  const { job } = await crawl(library, site.url)
  for (const path of ['/', ...guide]) site.pages[path] = redirect('/notice')
  site.pages['/notice'] = page('Down for works')
  const down = await crawl(library, site.url)
  assert.equal(down.job.status, 'completed_with_errors')
  assert.equal(down.tally.removed, 0)
  assert.deepEqual(down.tally.failures[0], {
    url: `${site.url}/`,
    reason: `It redirects to ${site.url}/notice (for now). Its earlier text is kept.`,
  })
  assert.deepEqual(await pathsOf(library, job.source), ['/', ...guide, '/notice'])
  Object.assign(site.pages, whole, { '/notice': gone })
  const up = await crawl(library, site.url)
  assert.deepEqual([up.job.status, up.tally.unchanged, up.tally.removed], ['completed_with_errors', 4, 1])
  assert.deepEqual(await pathsOf(library, job.source), ['/', ...guide])
})

describe('pages that suddenly say the same stay as they were', () => {
  const guide = ['/a', '/b', '/c', '/d']
  const whole = { '/': page('Home', guide), ...Object.fromEntries(guide.map((path) => [path, page(path)])) }
  const all = (paths: string[], reply: string) => Object.fromEntries(paths.map((path) => [path, reply]))
  const titles = async ({ job }: KnownJob) => {
    const { documents } = await library.store.documents({ sources: [job.source] }, { offset: 0, limit: 99 })
    return documents.map(({ title }) => title)
  }
  const unharmed = (title: string, later: Pages, given: Partial<Case> = {}) =>
    check({
      ...{ title, site: { ...whole }, later, keeps: ['/', ...guide] },
      and: async (known) => {
        assert.deepEqual(await titles(known), ['Home', ...guide])
        assert.equal(known.tally.removed, 0)
        assert.match(known.tally.failures[0]!.reason, /other pages .* earlier text is kept\.$/)
      },
      ...given,
    })

  unharmed('some of them', all(guide, page('Just a moment')), { ledger: { '/a': 'failed notice' } })
  unharmed('all of them, when each is read anew', all(guide, page('Just a moment')), {
    request: { force: true },
  })
  unharmed('all of them, from the first on, where nothing leads to the others', {
    ...all(['/', ...guide], page('Just a moment')),
  })
  unharmed('what another page says, that says so still', all(guide, page('Home', guide)))
  unharmed(
    'besides one that is new, which has nothing to say either',
    { ...all([...guide, '/e'], page('Just a moment')), '/': page('Home', [...guide, '/e']) },
    { ledger: { '/': 'crawled', '/e': 'failed notice' }, request: { parallel: 1 } },
  )
  check({
    title: 'but two that become one are one',
    site: { ...whole },
    later: all(['/a', '/b'], page('Both')),
    keeps: ['/', '/a', '/c', '/d'],
    request: { parallel: 1 },
  })
  check({
    title: 'and pages that change, each in its own way, are read',
    site: { '/': page('Home', many), ...Object.fromEntries(many.map((path) => [path, page(path)])) },
    later: Object.fromEntries(many.map((path) => [path, page(`${path} changed`)])),
    keeps: ['/', ...many].sort(),
    and: async (known) => {
      assert.deepEqual([known.tally.crawled, known.tally.unchanged], [many.length, 1])
      assert.ok((await titles(known)).slice(1).every((title) => title.endsWith('changed')))
    },
  })
})

describe('a page that was read leaves', () => {
  for (const [title, last] of Object.entries({
    'is not found': gone,
    'says that nothing is there': page('404 Not Found'),
  }))
    check({
      title: `when it leads to one that ${title}, by way of another`,
      site: { '/': page('Home', ['/a']), '/a': page('A') },
      later: { '/a': redirect('/old'), '/old': redirect('/404', 301), '/404': last },
      keeps: ['/'],
      ledger: { '/a': 'excluded redirect' },
    })

  const refreshed = (title: string, later: Pages, keeps: string[]) =>
    check({
      title,
      site: { '/': page('Home', ['/a']), '/a': page('A') },
      later,
      keeps,
      and: ({ tally }) => assert.equal(tally.removed, 1),
    })

  for (const status of [301, 302])
    refreshed(
      `when it leads to one that is read (${status})`,
      { '/a': redirect('/b', status), '/b': page('A') },
      ['/', '/b'],
    )
  refreshed(
    'when it leads there for good, by way of others',
    { '/a': redirect('/b', 301), '/b': redirect('/', 308) },
    ['/'],
  )
  refreshed(
    'when it leads there as pages without a server do',
    { '/a': moved('/b'), '/b': page('A, and how it went on') },
    ['/', '/b'],
  )
  for (const status of [301, 308])
    refreshed(
      `when it leads elsewhere for good (${status})`,
      { '/a': redirect('http://127.0.0.2:9/x', status) },
      ['/'],
    )
  refreshed(
    'when its canonical page is read',
    { '/a': page('A', [], '<link rel="canonical" href="/b">'), '/b': page('A') },
    ['/', '/b'],
  )
  refreshed('when its text is at another address, which did not change', { '/a': page('Home', ['/a']) }, [
    '/',
  ])
  refreshed(
    'when its Markdown version is read',
    { '/llms.txt': '[A](/a.md)', '/a.md': '# A\n\nIn plain words.' },
    ['/', '/a.md'],
  )
  refreshed(
    'when its Markdown version is read, which is at another address for now',
    { '/llms.txt': '[A](/a.md)', '/a.md': redirect('/en/a.md'), '/en/a.md': '# A\n\nIn plain words.' },
    ['/', '/en/a.md'],
  )
})

describe('pages that point at each other', () => {
  check({
    title: 'a canonical address that leads back',
    site: {
      '/': page('Home', ['/page']),
      '/page': page('Page', [], '<link rel="canonical" href="/page/">'),
      '/page/': redirect('/page', 301),
    },
    keeps: ['/', '/page'],
    ledger: { '/page/': 'excluded redirect' },
  })
  check({
    title: 'a canonical address that leads back by way of others',
    site: {
      '/': page('Home', ['/a']),
      '/a': redirect('/b'),
      '/b': page('Page', [], '<link rel="canonical" href="/c">'),
      '/c': redirect('/d'),
      '/d': redirect('/a'),
    },
    keeps: ['/', '/b'],
  })
  check({
    title: 'a canonical address that leads to a page that fails',
    site: {
      '/': page('Home', ['/a']),
      '/a': page('A', [], '<link rel="canonical" href="/b">'),
      '/b': redirect('/c'),
    },
    keeps: ['/', '/a'],
    ledger: { '/b': 'excluded redirect', '/c': 'failed status' },
  })
  check({
    title: 'a canonical address that leads to one that is not wanted',
    site: {
      '/': page('Home', ['/a']),
      '/a': page('A', [], '<link rel="canonical" href="/b">'),
      '/b': redirect('/no/c'),
    },
    request: { exclude: ['/no/'] },
    keeps: ['/', '/a'],
  })
  check({
    title: 'a canonical address that nobody may ask for',
    site: {
      '/robots.txt': robots('Disallow: /secret/'),
      '/': page('Home', ['/page']),
      '/page': page('Page', [], '<link rel="canonical" href="/secret/page">'),
    },
    keeps: ['/', '/page'],
    ledger: { '/secret/page': 'excluded robots' },
  })
})

describe('a Markdown version that is not read leaves its page to be read', () => {
  const twin = (title: string, pages: Pages, given: Partial<Case> = {}) =>
    check({
      title,
      site: {
        '/': page('Home', ['/foo']),
        '/llms.txt': '[Foo](/foo.md)',
        '/foo': page('Foo'),
        '/foo.md': '# Foo\n\nThe same in plain words.',
        ...pages,
      },
      keeps: ['/', '/foo'],
      ...given,
    })

  twin(
    'it leads to the page',
    { '/foo.md': redirect('/foo') },
    { ledger: { '/foo.md': 'excluded redirect' } },
  )
  twin(
    'it leads to some other page',
    { '/foo.md': redirect('/hello'), '/hello': page('Hello') },
    { keeps: ['/', '/foo', '/hello'] },
  )
  twin(
    'its address is excluded',
    {},
    { request: { exclude: ['.md'] }, ledger: { '/foo.md': 'excluded pattern .md' } },
  )
  twin(
    'robots.txt forbids it',
    { '/robots.txt': robots('Disallow: /*.md$') },
    { ledger: { '/foo.md': 'excluded robots' } },
  )
  twin(
    'but not one that only moved',
    { '/foo.md': redirect('/en/foo.md'), '/en/foo.md': '# Foo\n\nThe same in plain words.' },
    { keeps: ['/', '/en/foo.md'], ledger: { '/foo': 'excluded twin' } },
  )
})

describe('results of a refresh', () => {
  check({
    title: 'a page that nothing leads to any more is requested when all others changed',
    site: { '/': page('Home', ['/b']), '/b': page('B') },
    later: { '/': page('Home changed'), '/b': gone },
    keeps: ['/'],
    ledger: { '/b': 'failed status' },
  })
  check({
    title: 'a text that moved to a page which had another',
    site: { '/': page('Home', ['/a', '/b']), '/a': page('One'), '/b': page('Two') },
    later: { '/a': page('Two'), '/b': slowly(page('Three'), 150) },
    keeps: ['/', '/a', '/b'],
    and: async ({ job }) => {
      const { documents } = await library.store.documents({ sources: [job.source] }, { offset: 0, limit: 9 })
      assert.deepEqual(documents.map(({ title }) => title).sort(), ['Home', 'Three', 'Two'])
    },
  })
  check({
    title: 'texts that three pages passed on in a ring',
    site: {
      '/': page('Home', ['/a', '/b', '/c']),
      '/a': page('One'),
      '/b': page('Two'),
      '/c': page('Three'),
    },
    later: { '/a': page('Two'), '/b': page('Three'), '/c': page('One') },
    request: { parallel: 1 },
    keeps: ['/', '/a', '/b', '/c'],
    ledger: { '/a': 'crawled', '/b': 'crawled', '/c': 'crawled' },
  })
  check({
    title: 'a double whose other changed is no double any more',
    site: { '/': page('Home', ['/d1', '/d2']), '/d1': page('Double'), '/d2': page('Double') },
    later: { '/d1': slowly(page('Single'), 150), '/d2': page('Double') },
    request: { parallel: 2 },
    keeps: ['/', '/d1', '/d2'],
  })
  check({
    title: 'a double whose other changed, when everything is read anew',
    site: { '/': page('Home', ['/d1', '/d2']), '/d1': page('Double'), '/d2': page('Double') },
    later: { '/d1': slowly(page('Single'), 150), '/d2': page('Double') },
    request: { parallel: 2, force: true },
    keeps: ['/', '/d1', '/d2'],
  })
  check({
    title: 'a double whose other gives way is no double any more',
    site: {
      '/': page('Home', ['/d1', '/d2', '/e']),
      '/d1': page('Double'),
      '/d2': page('Double'),
      '/e': page('E'),
    },
    later: { '/d1': slowly(page('E', [], '<link rel="canonical" href="/e">'), 150) },
    request: { parallel: 2 },
    keeps: ['/', '/d2', '/e'],
  })
})

test('a crawl that is stopped between a page and the one it leads to loses neither, and goes on', async (t) => {
  const site = await siteFor(t, { '/': page('Home', ['/old']), '/old': page('Moved') })
  const { job } = await crawl(library, site.url)
  Object.assign(site.pages, { '/old': redirect('/new', 301), '/new': drip() })
  const request = { url: site.url, recursive: true, maxPages: 100, backoffMs: 15 }
  const second = (await startCrawl(library, request)).job
  while (!site.requests.includes('/new')) await sleep(10)
  await cancelJob(library, second.id)
  assert.deepEqual(await pathsOf(library, job.source), ['/', '/old'])
  site.pages['/new'] = page('Moved')
  while (!(await retryJob(library, second.id).catch(() => null))) await sleep(20)
  const known = await waitForJob(library, second.id, { ms: 9_000, signal: AbortSignal.timeout(9_000) })
  assert.deepEqual(await pathsOf(library, job.source), ['/', '/new'])
  assert.deepEqual(await ledgerOf(library, second.id), {
    '/': 'unchanged',
    '/old': 'excluded redirect',
    '/new': 'crawled',
  })
  assert.ok(addsUp(known))
})

describe('a page is fetched once', () => {
  const to = (path: string) =>
    Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`/r${i}`, redirect(path)]))
  const links = Object.keys(to('/'))
  const once = (path: string) => (known: KnownJob, requests: string[]) => {
    assert.equal(requests.filter((one) => one === path).length, 1, requests.join(' '))
    assert.equal(known.tally.documents, known.tally.crawled)
  }
  check({
    title: 'though others lead to it while it is being written',
    site: { '/': page('Home', [...links, '/x', '/y']), '/x': page('X'), '/y': page('Y'), ...to('/') },
    keeps: ['/', '/x', '/y'],
    and: once('/'),
  })
  check({
    title: 'and again when its time has come, though others lead to it while it waits',
    site: {
      '/': page('Home', ['/busy', ...links]),
      '/busy': (() => {
        let times = 0
        return (_, res) => (times++ === 0 ? send(res, '', { status: 500 }) : send(res, page('Busy')))
      })(),
      ...to('/busy'),
    },
    request: { backoffMs: 150 },
    keeps: ['/', '/busy'],
    and: (known, requests) => {
      assert.equal(requests.filter((one) => one === '/busy').length, 2, requests.join(' '))
      assert.equal(known.tally.documents, known.tally.crawled)
    },
  })
})

describe('facts that are only in headers', () => {
  const russian = Buffer.from([...Buffer.from('<title>T</title><p>'), 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
  check({
    title: 'noindex on a line of its own, behind one for somebody else',
    site: {
      '/': page('Home', ['/a', '/b']),
      '/a': headed(page('A'), { 'x-robots-tag': ['googlebot: nofollow', 'noindex'] }),
      '/b': headed(page('B'), { 'x-robots-tag': ['carrel: nofollow', 'otherbot: noindex'] }),
    },
    keeps: ['/', '/b'],
    ledger: { '/a': 'excluded noindex' },
  })
  check({
    title: 'noindex that came later, with the same bytes',
    site: { '/': page('Home', ['/a']), '/a': page('A') },
    later: { '/a': headed(page('A'), { 'x-robots-tag': 'noindex' }) },
    keeps: ['/'],
    ledger: { '/a': 'excluded noindex' },
  })
  check({
    title: 'noindex that came later, on an answer that nothing changed',
    site: {
      '/': page('Home', ['/a', '/b']),
      '/a': headed(page('A'), { etag: '"1"' }),
      '/b': headed(page('B'), { etag: '"2"' }),
    },
    later: {
      '/a': (_, res) => res.writeHead(304, { etag: '"1"', 'x-robots-tag': 'noindex' }).end(),
      '/b': (_, res) => res.writeHead(304, { etag: '"2"', 'x-robots-tag': 'otherbot: noindex' }).end(),
    },
    keeps: ['/', '/b'],
    ledger: { '/a': 'excluded noindex', '/b': 'unchanged' },
  })
  check({
    title: 'an encoding that was put right',
    site: { '/': headed(russian, { 'content-type': 'text/html; charset=iso-8859-1' }) },
    later: { '/': headed(russian, { 'content-type': 'text/html; charset=windows-1251' }) },
    keeps: ['/'],
    ledger: { '/': 'crawled' },
    and: async ({ job }) => {
      const ref = { source: job.source, path: `${job.plan.start}` }
      assert.match((await library.store.document(ref))!.text, /Привет/)
    },
  })
  check({
    title: 'nothing: then the page is unchanged',
    site: { '/': headed(page('Home'), { 'x-robots-tag': ['noarchive', 'otherbot: none'] }) },
    later: { '/': headed(page('Home'), { 'x-robots-tag': ['noarchive', 'otherbot: none'] }) },
    keeps: ['/'],
    ledger: { '/': 'unchanged' },
  })
})
