// The two tools as an agent meets them: what they answer, what they refuse, and whether their advice works.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { executor } from '../../src/server/executor.js'
import { registry } from '../../src/server/registry.js'
import { jobOf } from '../../src/toolsets/knowledge/jobs.js'
import { knowledge } from '../../src/toolsets/knowledge/toolset.js'
import { sharedLibrary, siteFor } from './crawling.js'
import { page, redirect, send } from './site.js'

const { library, close } = await sharedLibrary()
after(close)
const exposed = registry([knowledge], { library })
const runs = executor({ checkOutput: true, rates: false })

interface Job {
  id: string
  source_id: string
  status: string
  [field: string]: unknown
}

interface ToolAnswer {
  success: boolean
  error: string
  suggestion: string
  message: string
  crawl_job: Job
  crawl_jobs: Job[]
  [field: string]: unknown
}

async function call(
  tool: string,
  args: object,
  progress?: (done: number, total?: number) => void,
): Promise<ToolAnswer> {
  const answer = await runs.call(exposed.tool(tool), { library }, args, {
    client: { id: 'test' },
    ...(progress ? { progress } : {}),
  })
  assert.equal(answer.isError, false, answer.text)
  return answer.value as ToolAnswer
}

/** Calls what an answer proposes: `tool(name='value', count=5, list=["…"], …)`. */
async function follow(answer: ToolAnswer): Promise<ToolAnswer> {
  const [, tool, inside] = /(\w+)\(([^)]*)\)/.exec(answer.suggestion) ?? []
  assert.ok(tool, `a call is proposed: ${answer.suggestion}`)
  const args = Object.fromEntries(
    [...inside!.matchAll(/(\w+)=(?:'([^']*)'|(true|\d+|\[[^\]]*\]))/g)].map(([, name, text, other]) => [
      name,
      other === undefined ? text : JSON.parse(other),
    ]),
  )
  return call(tool, args)
}

test('a crawl that is waited for says how it went, and its pages are found and read by the other tools', async (t) => {
  const site = await siteFor(t, {
    '/': page('Lighthouse handbook', ['/lamps', '/gone']),
    '/lamps': page('Trimming lamps'),
  })
  const progress: number[] = []
  const started = await call(
    'crawl_website',
    { url: site.url, recursive: true, title: 'Lights', wait_seconds: 45 },
    (done) => progress.push(done),
  )
  assert.deepEqual(
    {
      ...started,
      crawl_job: {
        ...started.crawl_job,
        id: '',
        source_id: '',
        created_at: '',
        started_at: '',
        completed_at: '',
      },
    },
    {
      success: true,
      crawl_job: {
        id: '',
        source_id: '',
        url: `${site.url}/`,
        status: 'completed_with_errors',
        pages_discovered: 3,
        pages_crawled: 2,
        pages_unchanged: 0,
        pages_failed: 1,
        pages_excluded: 0,
        pages_pending: 0,
        max_pages: 10,
        max_depth: 20,
        recursive: true,
        documents_created: 2,
        documents_removed: 0,
        total_chunks: 2,
        error_message: null,
        created_at: '',
        started_at: '',
        completed_at: '',
        failed_pages: [{ url: `${site.url}/gone`, reason: 'The server answered 404 (not found).' }],
        excluded_pages: [],
      },
      message: 'Crawl completed: 2 pages crawled, 2 documents created, 1 failed',
    },
  )
  assert.ok(progress.length > 0)
  const found = (await call('search_knowledge_base', {
    query: 'trimming lamps',
    search_type: 'hybrid',
  })) as unknown as {
    results: { document_id: string; metadata: { url: string; source_id: string } }[]
  }
  assert.equal(found.results[0]!.metadata.url, `${site.url}/lamps`)
  assert.equal(found.results[0]!.metadata.source_id, started.crawl_job.source_id)
  const document = (await call('manage_document', {
    action: 'get',
    document_id: found.results[0]!.document_id,
  })) as unknown as {
    document: { title: string; url: string; metadata: { fetched_at: string } }
  }
  assert.equal(document.document.title, 'Trimming lamps')
  assert.equal(document.document.url, `${site.url}/lamps`)
  assert.ok(document.document.metadata.fetched_at)
})

test('starts at once, clamps values that are too high, and its advice leads to the job', async (t) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const site = await siteFor(t, { '/': (_, res) => released.then(() => send(res, page('Home'))) })
  const started = await call('crawl_website', { url: site.url, max_pages: 5_000 })
  release()
  assert.ok(['pending', 'running'].includes(started.crawl_job.status), started.crawl_job.status)
  assert.equal(started.crawl_job.max_pages, 100)
  const job = await follow({ ...started, suggestion: started.message })
  assert.equal(job.crawl_job.id, started.crawl_job.id)
  const done = await call('crawl_website', { url: site.url, max_pages: 100, wait_seconds: 1_000 })
  assert.match(done.message, /^Crawl completed/)
})

test('another crawl of an address is refused while one is under way, and the advice leads to that', async (t) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const site = await siteFor(t, { '/': (_, res) => released.then(() => send(res, page('Home'))) })
  const first = await call('crawl_website', { url: site.url })
  const same = await call('crawl_website', { url: site.url, recursive: false, max_pages: 10 })
  assert.equal(same.crawl_job.id, first.crawl_job.id)
  for (const other of [
    { recursive: true },
    { max_pages: 50 },
    { max_depth: 1 },
    { exclude_patterns: ['x'] },
  ]) {
    const refused = await call('crawl_website', { url: site.url, ...other })
    assert.equal(refused.error, 'A crawl of this address with other settings is under way.')
    assert.equal((await follow(refused)).crawl_job.id, first.crawl_job.id)
  }
  release()
  await call('crawl_website', { url: site.url, wait_seconds: 45 })
  const after = await call('crawl_website', { url: site.url, recursive: true, wait_seconds: 45 })
  assert.equal(after.crawl_job.recursive, true)
})

test('an error says why and what to do, and that works', async (t) => {
  const site = await siteFor(t, { '/': page('Home') })
  const { crawl_job: job } = await call('crawl_website', { url: site.url, wait_seconds: 45 })
  const calls: [tool: string, args: object, error: RegExp][] = [
    ['crawl_website', { url: site.url, source_id: 'src_unknown' }, /source_id: src_unknown not found/],
    ['crawl_website', { url: site.url, source_id: job.source_id.slice(0, -1) }, /not found/],
    ['manage_crawl_job', { action: 'get', job_id: 'job_unknown' }, /not found: job_unknown/],
    ['manage_crawl_job', { action: 'get', job_id: job.id.slice(0, -2) }, /not found/],
    ['manage_crawl_job', { action: 'get' }, /job_id required for get/],
    ['manage_crawl_job', { action: 'cancel' }, /job_id required for cancel/],
    ['manage_crawl_job', { action: 'list', source_id: 'nope' }, /not found/],
    ['manage_crawl_job', { action: 'cancel', job_id: job.id }, /completed already/],
    ['manage_crawl_job', { action: 'retry', job_id: job.id }, /No page of the crawl job failed/],
  ]
  for (const [tool, args, error] of calls) {
    const failed = await call(tool, args)
    assert.equal(failed.success, false, JSON.stringify(failed))
    assert.match(failed.error, error)
    const next = await follow(failed)
    assert.equal(next.success, true, `${failed.suggestion} → ${JSON.stringify(next)}`)
  }
})

test('a crawl that is proposed anew reads as far as the one before', async (t) => {
  const site = await siteFor(t, {
    '/': page('Home', ['/docs/a', '/old/b']),
    '/docs/a': page('A'),
    '/old/b': page('B'),
  })
  const request = { url: site.url, recursive: true, max_pages: 7, max_depth: 3, exclude_patterns: ['/old/'] }
  const { crawl_job: first } = await call('crawl_website', { ...request, wait_seconds: 45 })
  const { crawl_job: again } = await follow(
    await call('manage_crawl_job', { action: 'retry', job_id: first.id }),
  )
  const plans = await Promise.all([first.id, again.id].map(async (id) => (await jobOf(library, id)).plan))
  assert.deepEqual(plans[1], plans[0])
  const { crawl_job: page1 } = await call('crawl_website', { url: `${site.url}/docs/a`, wait_seconds: 45 })
  const { suggestion } = await call('manage_crawl_job', { action: 'retry', job_id: page1.id })
  assert.match(suggestion, /url='[^']+', source_id='[^']+'\) to/)
})

test('one page is one page in every sentence', async (t) => {
  const site = await siteFor(t, { '/': page('Home', ['/a']) })
  const wanted = { url: site.url, recursive: true, wait_seconds: 45 }
  const { crawl_job: limited } = await call('crawl_website', { ...wanted, max_pages: 1 })
  assert.deepEqual(limited.excluded_pages, [
    { reason: 'The limit of 1 page was reached before it.', count: 1, example: `${site.url}/a` },
  ])
  const { crawl_job: failed } = await call('crawl_website', wanted)
  assert.equal(failed.pages_failed, 1)
  const { message } = await call('manage_crawl_job', { action: 'retry', job_id: failed.id })
  assert.match(message, /^Trying 1 page again/)
})

test('a job says so when more pages failed than it lists', async (t) => {
  const site = await siteFor(t, {
    '/': page(
      'Home',
      Array.from({ length: 21 }, (_, i) => `/gone-${i}`),
    ),
  })
  const { crawl_job: job } = await call('crawl_website', {
    ...{ url: site.url, recursive: true, max_pages: 50, wait_seconds: 45 },
  })
  assert.deepEqual([job.pages_failed, (job.failed_pages as unknown[]).length], [21, 20])
  assert.deepEqual(job.notes, ['failed_pages lists 20 of 21 pages that failed.'])
})

test('a blank title of a crawl counts as left out', async (t) => {
  const site = await siteFor(t, { '/': page('Home') })
  const { crawl_job: job } = await call('crawl_website', { url: site.url, title: ' ', wait_seconds: 45 })
  assert.equal(job.status, 'completed')
})

test('a url without its password is proposed as it was written', async (t) => {
  const site = await siteFor(t, { '/b': page('B') })
  const url = `${site.url}/b`.replace('http://', 'HTTP://user:pw@')
  const { success, suggestion } = await call('crawl_website', { url })
  assert.equal(success, false)
  assert.equal(suggestion, `Leave them out: url='${site.url}/b'.`)
})

test('invalid and forbidden addresses are refused at once', async () => {
  for (const url of [
    'docs.example.com',
    'ftp://example.com/',
    'file:///etc/passwd',
    '',
    'http://',
    'https://user:secret@example.com/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'http://0.0.0.0/',
    'http://2852039166/',
  ]) {
    const refused = await call('crawl_website', { url })
    assert.equal(refused.success, false, url)
    assert.ok(refused.suggestion.length > 10 && !refused.error.includes('secret'), refused.error)
  }
  assert.equal((await call('manage_crawl_job', { action: 'list', status: 'failed' })).total_count, 0)
})

test('a crawl that fails says so, and why', async (t) => {
  const site = await siteFor(t, {
    '/': redirect('http://127.0.0.2:1/docs'),
    '/robots.txt': 'User-agent: *\nDisallow: /closed',
  })
  const away = await call('crawl_website', { url: site.url, wait_seconds: 45 })
  assert.equal(away.crawl_job.status, 'failed')
  assert.match(away.message, /redirects to another site: http:\/\/127\.0\.0\.2:1\/docs/)
  const closed = await call('crawl_website', { url: `${site.url}/closed/x`, wait_seconds: 45 })
  assert.match(closed.message, /robots\.txt does not allow it/)
  const refused = await call('crawl_website', { url: 'http://127.0.0.1:1/', wait_seconds: 45 })
  assert.equal(refused.success, false)
})

test('jobs are listed newest first, by state and by source, twenty a page', async (t) => {
  const site = await siteFor(t, { '*': (req, res) => send(res, page(req.url!)) })
  const made: string[] = []
  for (let i = 0; i < 3; i++) {
    const { crawl_job } = await call('crawl_website', { url: `${site.url}/${i}`, wait_seconds: 45 })
    made.unshift(crawl_job.id)
  }
  const list = await call('manage_crawl_job', { action: 'list', per_page: 500 })
  assert.deepEqual([list.per_page, list.page], [20, 1])
  assert.deepEqual(
    list.crawl_jobs.slice(0, 3).map(({ id }) => id),
    made,
  )
  const second = await call('manage_crawl_job', { action: 'list', per_page: 2, page: 2 })
  assert.equal(second.crawl_jobs[0]!.id, made[2])
  const one = await call('manage_crawl_job', {
    action: 'list',
    source_id: list.crawl_jobs[0]!.source_id,
    status: 'completed',
  })
  assert.deepEqual([one.total_count, one.crawl_jobs[0]!.id], [1, made[0]])
})
