// Starting, following, cancelling and retrying crawls: each is a stored job, which any process may run.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { longUrl } from '../../answer/checked-fields.js'
import type { Library } from '../../answer/library.js'
import {
  lockSources,
  makeSource,
  ownSourceOf,
  ownSources,
  type SourceRecord,
} from '../../answer/source-records.js'
import { openLedger, type PageState } from '../../ingest/crawl/ledger.js'
import type { CrawlPlan } from '../../ingest/crawl/plan.js'
import { Problem } from '../../model/problem.js'
import { ifLeaseIsFree } from '../../runtime/lease.js'
import { refusedUrl } from '../../sources/web/connect.js'
import { normaliseUrl } from '../../sources/web/urls.js'
import {
  allJobs,
  type CrawlJob,
  isFromHere,
  isOver,
  jobKind,
  jobOf,
  type KnownJob,
  keepCounts,
  knownJob,
  pruneJobs,
} from './jobs.js'
import { mostPages, planForm } from './plan-form.js'
import { mustWait, resumeCrawls, runJob, stopJob } from './run-crawls.js'

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
  const { job, already } = await lockSources(library, () => openJob(library, request, start))
  runJob(library, job.id)
  return { ...(await begun(library, job)), already }
}

async function openJob(
  library: Library,
  request: CrawlRequest,
  start: string,
): Promise<{ job: CrawlJob; already: boolean }> {
  // Before a source is made for it: a crawl that is refused leaves no empty source.
  planOf(library, request, start, request.source ?? 'new')
  const source = await sourceFor(library, request, start)
  const plan = planOf(library, request, start, source.id)
  const active = await sameUnderWay(library, plan)
  if (active) return { job: active, already: true }
  await pruneJobs(library)
  const job: CrawlJob = {
    id: `job_${randomUUID()}`,
    source: source.id,
    plan,
    status: 'pending',
    error: null,
    createdAt: new Date().toISOString(),
    startedAt: null,
    completedAt: null,
    origin: library.origin,
  }
  await library.store.records.put(jobKind, job.id, job)
  return { job, already: false }
}

/** The unfinished crawl with this plan. Throws if there is one of the same address with another plan. */
async function sameUnderWay(library: Library, plan: CrawlPlan): Promise<CrawlJob | undefined> {
  const active = (await allJobs(library)).filter(
    (job) =>
      !isOver(job) && isFromHere(library, job) && job.source === plan.source && job.plan.start === plan.start,
  )
  const same = active.find((job) => isDeepStrictEqual(job.plan, plan))
  if (same || !active[0]) return same
  throw new Problem(
    'other_crawl',
    'A crawl of this address with other settings is under way.',
    `${followOrStop(active[0])} In a shell, "carrel crawl --resume" brings it to its end.`,
  )
}

function followOrStop({ id }: CrawlJob): string {
  return `Use manage_crawl_job(action='get', job_id='${id}') to follow it, or action='cancel' to stop it.`
}

// Waits a moment for the job to start, unless it has to wait for others, so that the answer says that it runs.
async function begun(library: Library, job: CrawlJob): Promise<KnownJob> {
  const waits = mustWait(library)
  for (let i = 0; i < (waits ? 0 : 10); i++) {
    const now = await jobOf(library, job.id)
    if (now.status !== 'pending') return knownJob(library, now)
    await sleep(15)
  }
  return knownJob(library, await jobOf(library, job.id))
}

/** The normalised address. One that is certain to be refused is refused here and not by a job that fails. */
function startOf({ settings }: Library, written: string): string {
  const url = normaliseUrl(written)
  if (url === null) throw badUrl(written.trim())
  const refusal = refusedUrl(url, settings.allow.privateNetwork)
  if (!refusal) return url
  throw new Problem(
    'refused',
    `The URL cannot be crawled: ${refusal.reason}`,
    refusedUrl(url, true) === null
      ? 'Provide the URL of a public site, or ask the user to start Carrel with --allow-private-network.'
      : 'Provide the URL of another site.',
  )
}

function badUrl(written: string): Problem {
  const [, scheme, plain] = /^(https?):\/\/[^/?#]*@([^\s]+)$/i.exec(written) ?? []
  if (scheme !== undefined && plain !== undefined)
    return new Problem(
      'bad_url',
      'The URL carries a name or a password, and those are not sent.',
      `Leave them out: url='${scheme.toLowerCase()}://${plain.slice(0, 200)}'.`,
    )
  const long = /^https?:/i.test(written) ? longUrl(written) : null
  if (long) return long
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
  return makeSource(library, {
    title: title ?? `Crawled: ${new URL(start).host}`,
    url: start,
    type: 'crawl',
  })
}

export { mostPages }

/** How many links away from the start a crawl goes by default. */
export const usualDepth = 20

function planOf({ settings }: Library, request: CrawlRequest, start: string, source: string): CrawlPlan {
  return checkedPlan({
    ...{ source, start, recursive: request.recursive },
    maxPages: Math.max(1, Math.min(request.maxPages, mostPages)),
    maxDepth: request.maxDepth ?? usualDepth,
    include: (request.include ?? []).filter((pattern) => pattern !== ''),
    exclude: (request.exclude ?? []).filter((pattern) => pattern !== ''),
    render: request.render ?? false,
    force: request.force ?? false,
    delayMs: request.delayMs ?? settings.limits.crawlPauseMs,
    parallel: request.parallel ?? 2,
    backoffMs: request.backoffMs ?? 1_000,
  })
}

function checkedPlan(plan: CrawlPlan): CrawlPlan {
  const checked = planForm.safeParse(plan)
  if (checked.success) return plan
  const [issue] = checked.error.issues
  throw new Problem(
    'invalid_params',
    `The crawl cannot be planned like this: ${issue?.path.join('.')}: ${issue?.message}.`,
    'Give a value within the limits.',
  )
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
    // The process that runs it may have died.
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
  stopJob(library, id)
  await stopped(library, id)
  await keepCounts(library, id)
  return knownJob(library, await jobOf(library, id))
}

/** Pages that were read before a job is cancelled are still stored, which takes a moment; then its counts are final. */
async function stopped({ store }: Library, id: string): Promise<void> {
  for (let look = 0; look < looksUntilStopped; look++) {
    if ((await store.leases.holder(`crawl:${id}`)) === null) return
    await sleep(pollMs)
  }
}

const looksUntilStopped = 20

/** Asks once more for the pages that failed, and for those that a cancelled job did not come to. */
export async function retryJob(library: Library, id: string): Promise<KnownJob> {
  const job = await jobOf(library, id)
  if (!isOver(job)) throw new Problem('not_over', `The crawl job is still ${job.status}.`, followOrStop(job))
  const again = await ifLeaseIsFree(library.store.leases, `crawl:${id}`, {}, () => putBack(library, job))
  if (again === null)
    throw new Problem('busy', 'The crawl job is just being stopped.', 'Call again in a second.')
  if (!again)
    throw new Problem(
      'nothing_failed',
      'No page of the crawl job failed, so there is nothing to try again.',
      `Use ${callOf(job.plan)} to crawl the site once more; pages that did not change cost nothing.`,
    )
  runJob(library, id)
  return knownJob(library, await jobOf(library, id))
}

/** The call that repeats a crawl, with all of its settings. */
function callOf({ start, source, ...plan }: CrawlPlan): string {
  const list = (name: string, patterns: readonly string[]) =>
    patterns.length > 0 ? [`${name}=${JSON.stringify(patterns)}`] : []
  const reach = [
    ...['recursive=true', `max_pages=${plan.maxPages}`],
    ...(plan.maxDepth === usualDepth ? [] : [`max_depth=${plan.maxDepth}`]),
    ...list('include_patterns', plan.include),
    ...list('exclude_patterns', plan.exclude),
  ]
  const all = [`url='${start}'`, `source_id='${source}'`, ...(plan.recursive ? reach : [])]
  return `crawl_website(${[...all, ...(plan.render ? ['render=true'] : [])].join(', ')})`
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
    now && isOver(now)
      ? { ...now, status: 'pending', error: null, completedAt: null, origin: library.origin }
      : now,
  )
  return true
}
