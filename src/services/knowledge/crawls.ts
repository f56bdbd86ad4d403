// Crawls as people and agents start them: a job that is kept, one runner for it among all processes, and a way to stop it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLedger, type PageState } from '../../ingest/crawl/ledger.js'
import { type Pace, pace } from '../../ingest/crawl/pace.js'
import type { CrawlPlan } from '../../ingest/crawl/plan.js'
import { runCrawl } from '../../ingest/crawl/run.js'
import type { KeptPage } from '../../ingest/crawl/shelf.js'
import { ifLeaseIsFree } from '../../ingest/lease.js'
import { Problem, reasonOf } from '../../model/problem.js'
import { refusedUrl } from '../../sources/web/refused-url.js'
import { normaliseUrl } from '../../sources/web/urls.js'
import type { Library } from '../library.js'
import { forgetPage, keepPages } from './crawled-pages.js'
import { deleteSource } from './delete-source.js'
import {
  allJobs,
  type CrawlJob,
  findJob,
  forgetJob,
  isOver,
  type JobStatus,
  jobKind,
  jobOf,
  type KnownJob,
  knownJob,
  pruneJobs,
} from './jobs.js'
import {
  createSource,
  ownSourceOf,
  ownSources,
  type SourceRecord,
  sourceKind,
  touchSource,
} from './sources.js'

export interface CrawlRequest {
  url: string
  recursive: boolean
  maxPages: number
  maxDepth?: number | undefined
  source?: string | undefined
  title?: string | undefined
  include?: readonly string[] | undefined
  exclude?: readonly string[] | undefined
  render?: boolean | undefined
  force?: boolean | undefined
  delayMs?: number | undefined
  parallel?: number | undefined
  /** Before the first further try. */
  backoffMs?: number | undefined
}

/** Starts a crawl, unless the same one is under way already. */
export async function startCrawl(
  library: Library,
  request: CrawlRequest,
): Promise<KnownJob & { already: boolean }> {
  const start = startOf(library, request.url)
  const source = await sourceFor(library, request, start)
  const active = (await allJobs(library)).find(
    (job) => !isOver(job) && job.source === source.id && job.plan.start === start,
  )
  if (active) {
    run(library, active.id)
    return { ...(await knownJob(library, active)), already: true }
  }
  await pruneJobs(library)
  const job: CrawlJob = {
    id: `job_${randomUUID()}`,
    source: source.id,
    plan: planOf(request, start, source.id),
    status: 'pending',
    error: null,
    createdAt: new Date().toISOString(),
    startedAt: null,
    completedAt: null,
  }
  await library.store.records.put(jobKind, job.id, job)
  run(library, job.id)
  return { ...(await begun(library, job)), already: false }
}

// A job is taken up within a moment, unless others are before it: an answer should say that it runs.
async function begun(library: Library, job: CrawlJob): Promise<KnownJob> {
  const waits = runnerOf(library).places === 0
  for (let i = 0; i < (waits ? 0 : 10); i++) {
    const now = await jobOf(library, job.id)
    if (now.status !== 'pending') return knownJob(library, now)
    await sleep(15)
  }
  return knownJob(library, await jobOf(library, job.id))
}

/** In the one spelling. What will certainly be refused is refused now, and not by a job that fails. */
function startOf({ settings }: Library, written: string): string {
  const url = normaliseUrl(written)
  if (url === null) throw badUrl(written.trim())
  const refusal = refusedUrl(url, settings.allow.privateNetwork)
  if (!refusal) return url
  throw new Problem(
    'refused',
    `The URL cannot be crawled: ${refusal.reason}`,
    refusal.code === 'address' && !settings.allow.privateNetwork
      ? 'Provide the URL of a public site, or ask the user to start Carrel with --allow-private-network.'
      : 'Provide the URL of another site.',
  )
}

function badUrl(written: string): Problem {
  const [, plain] = /^https?:\/\/[^/?#]*@([^\s]+)$/i.exec(written) ?? []
  if (plain !== undefined)
    return new Problem(
      'bad_url',
      'The URL carries a name or a password, and those are not sent.',
      `Leave them out: url='https://${plain.slice(0, 200)}'.`,
    )
  const host = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?$/.exec(written)?.[0] ?? 'docs.example.com/'
  return new Problem(
    'bad_url',
    'Invalid URL: must start with http:// or https://',
    `Provide a fully qualified URL, such as url='https://${host.slice(0, 200)}'.`,
  )
}

// A site that was crawled before keeps its source, so that a second crawl is an update and not a second copy.
async function sourceFor(
  library: Library,
  { source, title }: CrawlRequest,
  start: string,
): Promise<SourceRecord> {
  if (source !== undefined) return ownSourceOf(library, source)
  const own = await ownSources(library)
  const same = own.find(
    (one) =>
      one.type === 'crawl' &&
      one.url !== null &&
      normaliseUrl(one.url) === start &&
      (title === undefined || one.title === title.replace(/\s+/gu, ' ').trim()),
  )
  if (same) return same
  return createSource(library, {
    title: title ?? `Crawled: ${new URL(start).host}`,
    url: start,
    type: 'crawl',
  })
}

export const mostPages = 50_000
const usualDepth = 20

function planOf(request: CrawlRequest, start: string, source: string): CrawlPlan {
  // A server on this very machine is in nobody's way.
  const near = isLoopback(start)
  return {
    ...{ source, start, recursive: request.recursive },
    maxPages: Math.max(1, Math.min(request.maxPages, mostPages)),
    maxDepth: request.maxDepth ?? usualDepth,
    include: (request.include ?? []).filter((pattern) => pattern !== ''),
    exclude: (request.exclude ?? []).filter((pattern) => pattern !== ''),
    render: request.render ?? false,
    force: request.force ?? false,
    delayMs: request.delayMs ?? (near ? 0 : 250),
    parallel: request.parallel ?? (near ? 4 : 2),
    backoffMs: request.backoffMs ?? 1_000,
  }
}

function isLoopback(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

// --- Running.

interface Runner {
  pace: Pace
  /** Jobs that this process runs or is about to run. */
  active: Map<string, AbortController>
  places: number
  waiting: (() => void)[]
}

const runners = new WeakMap<object, Runner>()
const mostAtOnce = 3

function runnerOf({ store }: Library): Runner {
  const known = runners.get(store)
  if (known) return known
  const made: Runner = { pace: pace(), active: new Map(), places: mostAtOnce, waiting: [] }
  runners.set(store, made)
  return made
}

/** Takes a job up, unless this process has it already; another process that has it keeps it. */
function run(library: Library, id: string) {
  const runner = runnerOf(library)
  // One that was stopped just now is on its way out.
  if (runner.active.get(id)?.signal.aborted === false) return
  const stop = new AbortController()
  runner.active.set(id, stop)
  library.tasks.start(async (closing) => {
    const signal = AbortSignal.any([closing, stop.signal])
    try {
      await inPlace(runner, signal, () =>
        ifLeaseIsFree(library.store.leases, `crawl:${id}`, { signal }, (held) => runJob(library, id, held)),
      )
    } finally {
      if (runner.active.get(id) === stop) runner.active.delete(id)
    }
  })
}

async function inPlace(runner: Runner, signal: AbortSignal, work: () => Promise<unknown>) {
  while (runner.places === 0) {
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        runner.waiting = runner.waiting.filter((one) => one !== go)
        reject(signal.reason)
      }
      const go = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      runner.waiting.push(go)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
  signal.throwIfAborted()
  runner.places--
  try {
    await work()
  } finally {
    runner.places++
    runner.waiting.shift()?.()
  }
}

async function runJob(library: Library, id: string, signal: AbortSignal) {
  const { records } = library.store
  const job = await records.update<CrawlJob>(jobKind, id, (now) =>
    now && !isOver(now)
      ? { ...now, status: 'running', startedAt: now.startedAt ?? new Date().toISOString() }
      : now,
  )
  if (!job || isOver(job)) return
  const gone = new AbortController()
  const watching = setInterval(() => void watch(library, id, gone), watchMs)
  const stopped = AbortSignal.any([signal, gone.signal])
  try {
    const end = await crawlFor(library, job, stopped)
    await finish(library, id, end.state, end.error)
  } catch (error) {
    // Stopped from outside: cancelled, or to go on in another process.
    if (!stopped.aborted) await finish(library, id, 'failed', reasonOf(error))
  } finally {
    clearInterval(watching)
    await leaveNothing(library, job)
  }
}

// What was on its way in while a source was deleted must not outlive it.
async function leaveNothing(library: Library, { id, source }: CrawlJob) {
  const { records } = library.store
  if ((await records.get<SourceRecord>(sourceKind, source)) === null) await deleteSource(library, source)
  if ((await findJob(library, id)) === null) await forgetJob(library, id)
}

/** A job may be cancelled, or go with its source, by any process. */
const watchMs = 250

async function watch(library: Library, id: string, gone: AbortController) {
  const job = await findJob(library, id).catch(() => undefined)
  if (job === null || (job && isOver(job))) gone.abort(new Problem('cancelled', 'The crawl was cancelled.'))
}

async function crawlFor(library: Library, { id, source, plan }: CrawlJob, signal: AbortSignal) {
  const ledger = await openLedger(library.store.records, id)
  const ports = {
    store: library.store,
    keep: (pages: readonly KeptPage[]) => keepPages(library, source, pages),
    forget: (url: string) => forgetPage(library, source, url),
    fetcher: library.fetcher,
    pages: library.readers.converting,
    pace: runnerOf(library).pace,
    ...(plan.render ? { renderer: library.renderer } : {}),
  }
  return runCrawl(ports, plan, ledger, signal)
}

async function finish(library: Library, id: string, status: JobStatus, error: string | null) {
  const completedAt = new Date().toISOString()
  const job = await library.store.records.update<CrawlJob>(jobKind, id, (now) =>
    now && !isOver(now) ? { ...now, status, error, completedAt } : now,
  )
  if (job) await touchSource(library, job.source)
}

// --- What was left behind by processes that ended.

/** Takes up every job that is not over and that nobody runs. `left`: those that need a network this process may not ask. */
export async function resumeCrawls(library: Library): Promise<{ taken: CrawlJob[]; left: CrawlJob[] }> {
  const open = (await allJobs(library)).filter((job) => !isOver(job)).reverse()
  const may = ({ plan }: CrawlJob) => refusedUrl(plan.start, library.settings.allow.privateNetwork) === null
  const taken = open.filter(may)
  for (const { id } of taken) run(library, id)
  return { taken, left: open.filter((job) => !may(job)) }
}

const lookMs = 15_000

/** For a server: goes on with what others left, now and whenever another process dies. */
export function keepCrawling(library: Library, onTrouble: (error: unknown) => void): { close(): void } {
  const look = () => void resumeCrawls(library).catch(onTrouble)
  const timer = setInterval(look, lookMs).unref()
  look()
  return { close: () => clearInterval(timer) }
}

// --- Waiting, cancelling, trying again.

const pollMs = 150
const looksUntilTakeover = 20

/** Waits until a job is over, or for so long. */
export async function waitForJob(
  library: Library,
  id: string,
  options: { ms: number; signal: AbortSignal; onProgress?: (known: KnownJob) => void },
): Promise<KnownJob> {
  const until = performance.now() + options.ms
  for (let look = 1; ; look++) {
    // Whoever runs it may have died.
    if (look % looksUntilTakeover === 0) await resumeCrawls(library)
    const known = await knownJob(library, await jobOf(library, id))
    options.onProgress?.(known)
    if (isOver(known.job) || performance.now() >= until) return known
    await sleep(Math.min(pollMs, Math.max(1, until - performance.now())), undefined, {
      signal: options.signal,
    })
  }
}

export async function cancelJob(library: Library, id: string): Promise<KnownJob> {
  const before = await jobOf(library, id)
  let cancelled = false
  const completedAt = new Date().toISOString()
  await library.store.records.update<CrawlJob>(jobKind, id, (now) => {
    cancelled = now !== null && !isOver(now)
    return cancelled ? { ...now!, status: 'cancelled', completedAt } : now
  })
  if (!cancelled)
    throw new Problem(
      'over',
      `The crawl job is ${(await jobOf(library, before.id)).status} already, so there is nothing to cancel.`,
      `Use manage_crawl_job(action='get', job_id='${id}') to see what it did.`,
    )
  runnerOf(library).active.get(id)?.abort(new Problem('cancelled', 'The crawl was cancelled.'))
  return knownJob(library, await jobOf(library, id))
}

/** Asks once more for the pages that failed, and for those that a cancelled job did not come to. */
export async function retryJob(library: Library, id: string): Promise<KnownJob> {
  const job = await jobOf(library, id)
  if (!isOver(job))
    throw new Problem(
      'not_over',
      `The crawl job is still ${job.status}.`,
      `Use manage_crawl_job(action='get', job_id='${id}') to follow it, or action='cancel' to stop it.`,
    )
  const again = await ifLeaseIsFree(library.store.leases, `crawl:${id}`, {}, () => putBack(library, job))
  if (again === null)
    throw new Problem('busy', 'The crawl job is just being stopped.', 'Call again in a second.')
  if (!again)
    throw new Problem(
      'nothing_failed',
      'No page of the crawl job failed, so there is nothing to try again.',
      `Use crawl_website(url='${job.plan.start}', source_id='${job.source}') to crawl the site once more; pages that did not change cost nothing.`,
    )
  run(library, id)
  return knownJob(library, await jobOf(library, id))
}

async function putBack(library: Library, job: CrawlJob): Promise<boolean> {
  const ledger = await openLedger(library.store.records, job.id)
  // A crawl that failed because its start was passed over (by robots.txt, by a redirect) begins there again.
  const again = (url: string, state: PageState) =>
    state === 'failed' || (job.status === 'failed' && url === job.plan.start && state === 'excluded')
  const failed = [...ledger.rows()].filter(([url, { state }]) => again(url, state))
  for (const [url] of failed) ledger.move(url, { state: 'pending', attempts: 0 })
  if (ledger.tally.pending === 0) return false
  await ledger.flush()
  await library.store.records.update<CrawlJob>(jobKind, job.id, (now) =>
    now && isOver(now) ? { ...now, status: 'pending', error: null, completedAt: null } : now,
  )
  return true
}
