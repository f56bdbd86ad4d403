import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Library } from '../../src/answer/library.js'
import { ownSources } from '../../src/answer/source-records.js'
import { runBackgroundWork } from '../../src/app/background.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { cancelJob, retryJob, startCrawl, waitForJob } from '../../src/toolsets/knowledge/crawls.js'
import { deleteSource } from '../../src/toolsets/knowledge/delete-source.js'
import { documentRecords } from '../../src/toolsets/knowledge/document-records.js'
import { allJobs, type CrawlJob, getJob } from '../../src/toolsets/knowledge/jobs.js'
import { resumeCrawls } from '../../src/toolsets/knowledge/run-crawls.js'
import { projectRoot, temporaryFolder } from '../support/world.js'
import { addsUp, crawl, openCrawlLibrary, pathsOf, siteFor } from './crawling.js'
import { drip, page, type Site, send } from './site.js'

interface Child {
  process: ChildProcess
  messages: { started?: string[]; ended?: string }[]
  over: Promise<unknown>
}

function startChild(t: TestContext, ...args: string[]): Child {
  const child = spawn(process.execPath, [join(projectRoot, 'dist/test/crawl/child.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const messages: Child['messages'] = []
  createInterface({ input: child.stdout! }).on('line', (line) => messages.push(JSON.parse(line)))
  return { process: child, messages, over: once(child, 'exit') }
}

/** Pages that link to the next ones, so that the frontier grows as it goes. */
async function bigSite(t: TestContext, size: number, delayMs = 0): Promise<Site> {
  const site = await siteFor(t, {
    '/': page('Home', ['/p/1', '/p/2']),
    '/p/*': async (req, res) => {
      const n = Number(req.url!.slice(3))
      const next = [n * 2 + 1, n * 2 + 2].filter((one) => one < size).map((one) => `/p/${one}`)
      if (delayMs > 0) await sleep(delayMs)
      send(res, page(`Page ${n}`, next))
    },
  })
  return site
}

function requestCounts(site: Site): Map<string, number> {
  const times = new Map<string, number>()
  for (const path of site.requests) times.set(path, (times.get(path) ?? 0) + 1)
  return times
}

async function until(holds: () => boolean, what: string) {
  for (let i = 0; i < 1_200; i++) {
    if (holds()) return
    await sleep(25)
  }
  assert.fail(what)
}

test('kill -9 during a crawl of 500 pages: a restarted server continues by itself, fetches each page at most once more, and loses or doubles none', async (t) => {
  const root = temporaryFolder(t)
  const site = await bigSite(t, 500)
  const child = startChild(t, root, site.url, '1000')
  await until(() => site.requests.length > 150, 'it got under way')
  child.process.kill('SIGKILL')
  await child.over
  const before = site.requests.length
  assert.ok(before < 400, `${before} pages were requested before the kill`)

  const library = await openCrawlLibrary(t, root)
  const halfway = await getJob(library, child.messages[0]!.started![0]!)
  assert.equal(halfway.job.status, 'running')
  assert.ok(addsUp(halfway), JSON.stringify(halfway.tally))
  const live = runBackgroundWork(library)
  t.after(() => live.close())
  const known = await waitForJob(library, halfway.job.id, { ms: 60_000, signal: AbortSignal.timeout(60_000) })
  assert.equal(known.job.status, 'completed')
  assert.ok(addsUp(known))
  assert.equal(known.tally.crawled + known.tally.unchanged, 500)

  const times = requestCounts(site)
  assert.ok(Math.max(...times.values()) <= 2, 'once more at most')
  const twice = [...times].filter(([path, count]) => count > 1 && path.startsWith('/p/'))
  t.diagnostic(`${before} requests before the kill, ${twice.length} pages requested twice`)
  assert.ok(twice.length < 60, `${twice.length}`)
  const paths = await pathsOf(library, known.job.source)
  assert.equal(paths.length, 500)
  assert.equal(new Set(paths).size, 500)
  assert.equal((await documentRecords(library, known.job.source)).length, 500)
  assert.deepEqual(auditIndex(library.settings.data), [])
})

test('two processes and one job: one runs it, the others wait for its end', async (t) => {
  const root = temporaryFolder(t)
  const site = await bigSite(t, 120, 15)
  const first = startChild(t, root, site.url, '500')
  await until(() => site.requests.length > 10, 'it got under way')
  const second = startChild(t, root)
  const library = await openCrawlLibrary(t, root)
  await resumeCrawls(library)
  await first.over
  await second.over
  assert.equal(first.messages.at(-1)!.ended, 'completed')
  assert.equal(second.messages.at(-1)!.ended, 'completed')
  assert.deepEqual(
    [...requestCounts(site)].filter(([, count]) => count > 1),
    [],
    'every page was requested once',
  )
  const [job] = await allJobs(library)
  assert.equal((await pathsOf(library, job!.source)).length, 120)
})

test('a process that may not use private networks does not continue a crawl in one', async (t) => {
  const root = temporaryFolder(t)
  const site = await bigSite(t, 10)
  const library = await openCrawlLibrary(t, root)
  const strict = {
    ...library,
    settings: { ...library.settings, allow: { ...library.settings.allow, privateNetwork: false } },
  }
  const { job } = await crawl(library, site.url)
  await library.store.records.put('crawl-job', job.id, { ...job, status: 'running', completedAt: null })
  assert.deepEqual(
    (await resumeCrawls(strict)).left.map(({ id }) => id),
    [job.id],
  )
  assert.equal((await getJob(library, job.id)).job.status, 'running')
})

test('a job is cancelled at once, from another process too, and its connections with it', async (t) => {
  const root = temporaryFolder(t)
  let open = 0
  const site = await siteFor(t, {
    '/': page('Home', ['/a', '/b', '/c']),
    '*': (req, res) => {
      if (/robots|llms|sitemap/.test(req.url!)) return send(res, '', { status: 404 })
      open++
      res.on('close', () => open--)
      return drip()(req, res)
    },
  })
  const cancels = async (library: Library, id: string) => {
    await until(() => open === 3, 'pages are under way')
    const start = performance.now()
    const { job } = await cancelJob(library, id)
    assert.equal(job.status, 'cancelled')
    await until(() => open === 0, 'the connections were closed')
    const took = performance.now() - start
    await sleep(300)
    const after = await getJob(library, id)
    assert.ok(addsUp(after))
    assert.deepEqual([after.tally.pending, after.tally.crawled], [3, 1])
    await assert.rejects(cancelJob(library, id), /nothing to cancel/)
    return took
  }
  const library = await openCrawlLibrary(t, root, {})
  const { job } = await startCrawl(library, { url: site.url, recursive: true, maxPages: 50, parallel: 4 })
  assert.ok((await cancels(library, job.id)) < 2_000)

  const child = startChild(t, root, `${site.url}/?other`, '50')
  await until(() => child.messages.length > 0, 'the child started')
  assert.ok((await cancels(library, child.messages[0]!.started![0]!)) < 5_000)
  await until(() => child.messages.at(-1)?.ended === 'cancelled', 'the child saw it')

  site.pages['*'] = (req, res) => send(res, page(req.url!))
  await retryJob(library, job.id)
  const again = await waitForJob(library, job.id, { ms: 60_000, signal: AbortSignal.timeout(60_000) })
  assert.equal(again.job.status, 'completed')
  assert.equal(again.tally.pending, 0)
})

test('a cancelled job keeps its final figures, even if the index is lost', async (t) => {
  const site = await bigSite(t, 200, 10)
  const library = await openCrawlLibrary(t)
  const { job } = await startCrawl(library, { url: site.url, recursive: true, maxPages: 200 })
  await until(() => site.requests.length > 30, 'it got under way')
  const { tally } = await cancelJob(library, job.id)
  await sleep(600)
  assert.deepEqual((await getJob(library, job.id)).tally, tally)
  assert.equal((await pathsOf(library, job.source)).length, tally.crawled)
  await library.store.records.delete('~crawl-tally', job.id)
  assert.deepEqual((await getJob(library, job.id)).tally, tally)
})

test('the numbers add up at every moment of a crawl', async (t) => {
  const site = await bigSite(t, 80, 5)
  const library = await openCrawlLibrary(t)
  const { job } = await startCrawl(library, { url: site.url, recursive: true, maxPages: 60 })
  let looks = 0
  await waitForJob(library, job.id, {
    ms: 20_000,
    signal: AbortSignal.timeout(20_000),
    onProgress: (known) => {
      looks++
      assert.ok(addsUp(known), JSON.stringify(known.tally))
    },
  })
  assert.ok(looks > 2)
})

test('a source that is deleted takes its crawl with it', async (t) => {
  const site = await bigSite(t, 200, 20)
  const library = await openCrawlLibrary(t)
  const { job } = await startCrawl(library, { url: site.url, recursive: true, maxPages: 500 })
  await until(() => site.requests.length > 20, 'it got under way')
  await deleteSource(library, job.source)
  await sleep(600)
  const before = site.requests.length
  await sleep(300)
  assert.equal(site.requests.length, before, 'nothing more is requested')
  assert.deepEqual([await allJobs(library), await library.store.sources()], [[], []])
  assert.deepEqual(await library.store.records.all(`~crawl-pages/${job.id}`), [])
  assert.deepEqual(await library.store.records.all(`~crawled/${job.source}`), [])
  assert.deepEqual(await documentRecords(library), [])
  assert.deepEqual(auditIndex(library.settings.data), [])
})

test('the same crawl is not started twice, and three run at a time', async (t) => {
  const site = await bigSite(t, 30, 30)
  const library = await openCrawlLibrary(t)
  const start = (path: string) => startCrawl(library, { url: site.url + path, recursive: true, maxPages: 10 })
  const [one, same] = [await start('/'), await start('/#there')]
  assert.equal(one.job.id, same.job.id)
  assert.equal(same.already, true)
  const others = [await start('/p/1'), await start('/p/2'), await start('/p/3')]
  await sleep(100)
  const waiting = await getJob(library, others[2]!.job.id)
  assert.equal(waiting.job.status, 'pending')
  assert.deepEqual(waiting.tally.notes, ['The crawl waits for others to end: 3 run at a time.'])
  for (const { job } of [one, ...others]) {
    const known = await waitForJob(library, job.id, { ms: 60_000, signal: AbortSignal.timeout(60_000) })
    assert.equal(known.job.status, 'completed')
    assert.deepEqual(known.tally.notes, [])
  }
})

test('calls at once for one crawl start one, into one source', async (t) => {
  const site = await bigSite(t, 10, 30)
  const root = temporaryFolder(t)
  const [library, other] = [await openCrawlLibrary(t, root), await openCrawlLibrary(t, root)]
  const request = { url: site.url, recursive: true, maxPages: 10 }
  const started = await Promise.all([library, library, other].map((one) => startCrawl(one, request)))
  assert.equal(new Set(started.map(({ job }) => job.id)).size, 1)
  assert.equal(started.filter(({ already }) => !already).length, 1)
  assert.equal((await ownSources(library)).length, 1)
})

test('pages that are kept come back when the index is lost, without asking anybody', async (t) => {
  const root = temporaryFolder(t)
  const site = await bigSite(t, 5)
  const library = await openCrawlLibrary(t, root)
  const { job, tally } = await crawl(library, site.url)
  const before = await library.store.document({ source: job.source, path: `${site.url}/p/1` })
  await library.close()
  const { rmSync } = await import('node:fs')
  for (const name of ['index.sqlite', 'index.sqlite-wal', 'index.sqlite-shm'])
    rmSync(join(library.settings.data, name), { force: true })
  const requestsBefore = site.requests.length
  const again = await openCrawlLibrary(t, root)
  const { indexAll } = await import('../../src/app/index-all.js')
  await indexAll(again, {})
  assert.equal(site.requests.length, requestsBefore)
  const after = await again.store.document({ source: job.source, path: `${site.url}/p/1` })
  assert.deepEqual(
    [after!.title, after!.text, after!.format, after!.hash],
    [before!.title, before!.text, 'html', before!.hash],
  )
  assert.equal((await pathsOf(again, job.source)).length, 5)
  assert.deepEqual((await getJob(again, job.id)).tally, tally)
})

test('a job that is over without a word of its pages has none that wait', async (t) => {
  const library = await openCrawlLibrary(t)
  const site = await bigSite(t, 2)
  const { job } = await crawl(library, site.url)
  const { tally: _, ...before } = (await library.store.records.get<CrawlJob>('crawl-job', job.id))!
  await library.store.records.put('crawl-job', job.id, before)
  await library.store.records.delete('~crawl-tally', job.id)
  const { tally } = await getJob(library, job.id)
  assert.deepEqual([tally.discovered, tally.pending], [0, 0])
  assert.deepEqual(tally.notes, ['What became of its pages is not known any more.'])
})

test('a long delay is reported, does not apply to the first page, and blocks no other crawl', async (t) => {
  const library = await openCrawlLibrary(t)
  const pages = {
    '/robots.txt': 'User-agent: *\nCrawl-delay: 200',
    '/': page('Home', ['/a']),
    '/a': page('A'),
  }
  const one = await siteFor(t, pages)
  const known = await crawl(library, one.url, { recursive: false })
  assert.deepEqual([known.job.status, known.tally.crawled], ['completed', 1])
  assert.deepEqual(known.tally.notes, ['200 s pass between two requests to the site, as robots.txt asks.'])
  const slow = await Promise.all([1, 2, 3].map(() => siteFor(t, pages)))
  const request = { recursive: true, maxPages: 9, delayMs: 0 }
  for (const { url } of slow) await startCrawl(library, { ...request, url })
  await until(() => slow.every(({ requests }) => requests.includes('/')), 'their first pages are requested')
  const quick = await siteFor(t, { '/': page('Quick') })
  assert.equal((await crawl(library, quick.url)).job.status, 'completed')
  const still = (await allJobs(library)).filter(({ status }) => status === 'running')
  assert.equal(still.length, 3)
  for (const { id } of still) await cancelJob(library, id)
})
