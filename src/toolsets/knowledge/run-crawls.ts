// Crawls under way: one runner for a job among all processes, a few at once, and whatever others left behind.

import { type Library, libraryState } from '../../answer/library.js'
import { type SourceRecord, sourceKind, touchSource } from '../../answer/source-records.js'
import { openLedger, type Tally, tallyKind } from '../../ingest/crawl/ledger.js'
import { type Pace, pace } from '../../ingest/crawl/pace.js'
import type { PageToStore } from '../../ingest/crawl/page-buffer.js'
import { runCrawl } from '../../ingest/crawl/run.js'
import { Problem, reasonOf } from '../../model/problem.js'
import { ifLeaseIsFree } from '../../runtime/lease.js'
import { createSemaphore, type Semaphore } from '../../runtime/semaphore.js'
import { refusedUrl } from '../../sources/web/connect.js'
import { forgetPage, storePages } from './crawled-pages.js'
import { deleteSource } from './delete-source.js'
import {
  allJobs,
  type CrawlJob,
  findJob,
  forgetJob,
  isFromHere,
  isOver,
  type JobStatus,
  jobKind,
  mostAtOnce,
} from './jobs.js'

/** Takes a job up, unless this process has it already; another process that has it keeps it. */
export function runJob(library: Library, id: string) {
  const runner = runnerOf(library)
  // One that was stopped just now is on its way out.
  if (runner.active.get(id)?.signal.aborted === false) return
  const stop = new AbortController()
  runner.active.set(id, stop)
  library.tasks.start(async (closing) => {
    const signal = AbortSignal.any([closing, stop.signal])
    try {
      await inPlace(runner, signal, (onSlow) =>
        ifLeaseIsFree(library.store.leases, `crawl:${id}`, { signal }, (held) =>
          crawlJob(library, id, { signal: held, onSlow }),
        ),
      )
    } finally {
      if (runner.active.get(id) === stop) runner.active.delete(id)
    }
  })
}

/** Whether a job that is started now has to wait for others. */
export function mustWait(library: Library): boolean {
  return runnerOf(library).places.inside >= mostAtOnce
}

/** Stops a job that this process runs. Others see for themselves that it was cancelled. */
export function stopJob(library: Library, id: string) {
  runnerOf(library).active.get(id)?.abort(cancelled())
}

/**
 * Runs every unfinished job that no process runs. `left`: jobs that need a network which this process may not use. Jobs from
 * another data folder are cancelled; `retry` starts them again.
 */
export async function resumeCrawls(library: Library): Promise<{ started: CrawlJob[]; left: CrawlJob[] }> {
  const unfinished = (await allJobs(library)).filter((job) => !isOver(job)).reverse()
  for (const job of unfinished)
    if (!isFromHere(library, job)) await finish(library, job.id, 'cancelled', notHere)
  const open = unfinished.filter((job) => isFromHere(library, job))
  const may = ({ plan }: CrawlJob) => refusedUrl(plan.start, library.settings.allow.privateNetwork) === null
  const started = open.filter(may)
  for (const { id } of started) runJob(library, id)
  return { started, left: open.filter((job) => !may(job)) }
}

const notHere = 'The crawl began in another data folder, so it is not continued. Retry it to crawl the rest.'

const lookMs = 15_000

/** For a server: continues unfinished jobs of other processes, now and whenever one of them dies. */
export function keepCrawling(library: Library, onTrouble: (error: unknown) => void): { close(): void } {
  const look = () => void resumeCrawls(library).catch(onTrouble)
  const timer = setInterval(look, lookMs).unref()
  look()
  return { close: () => clearInterval(timer) }
}

interface Runner {
  pace: Pace
  /** Jobs that this process runs or is about to run. */
  active: Map<string, AbortController>
  places: Semaphore
  /** Crawls that left the semaphore early, since they only wait for their host. */
  slow: number
}

const runnerOf = libraryState(
  'crawl runner',
  (): Runner => ({
    pace: pace(),
    active: new Map(),
    places: createSemaphore({ places: mostAtOnce }),
    slow: 0,
  }),
)
const mostSlow = 20

/** Does the work inside the semaphore. The work may call `onSlow` to leave it early. */
async function inPlace(
  runner: Runner,
  signal: AbortSignal,
  work: (onSlow: () => void) => Promise<unknown>,
): Promise<void> {
  await runner.places.enter(signal)
  let slow = false
  try {
    signal.throwIfAborted()
    await work(() => {
      if (slow || runner.slow >= mostSlow) return
      slow = true
      runner.slow++
      runner.places.leave()
    })
  } finally {
    if (slow) runner.slow--
    else runner.places.leave()
  }
}

interface Running {
  signal: AbortSignal
  onSlow(): void
}

async function crawlJob(library: Library, id: string, { signal, onSlow }: Running) {
  const { records } = library.store
  const job = await records.update<CrawlJob>(jobKind, id, (now) =>
    now && !isOver(now) && isFromHere(library, now)
      ? { ...now, status: 'running', startedAt: now.startedAt ?? new Date().toISOString() }
      : now,
  )
  if (!job || isOver(job) || !isFromHere(library, job)) return
  const gone = new AbortController()
  const watching = setInterval(() => void watch(library, id, gone), watchMs)
  const stopped = AbortSignal.any([signal, gone.signal])
  try {
    const end = await crawlFor(library, job, { signal: stopped, onSlow })
    await finish(library, id, end.state, end.error)
  } catch (error) {
    // Stopped from outside: cancelled, or to go on in another process.
    if (!stopped.aborted) await finish(library, id, 'failed', reasonOf(error))
  } finally {
    clearInterval(watching)
    await leaveNothing(library, job)
  }
}

// Removes pages that were being stored while their source was deleted.
async function leaveNothing(library: Library, { id, source }: CrawlJob) {
  const { records } = library.store
  if ((await records.get<SourceRecord>(sourceKind, source)) === null) await deleteSource(library, source)
  if ((await findJob(library, id)) === null) await forgetJob(library, id)
}

/** A job may be cancelled, or go with its source, by any process. */
const watchMs = 250

async function watch(library: Library, id: string, gone: AbortController) {
  const job = await findJob(library, id).catch(() => undefined)
  if (job === null || (job && isOver(job))) gone.abort(cancelled())
}

async function crawlFor(library: Library, { id, source, plan }: CrawlJob, { signal, onSlow }: Running) {
  const ledger = await openLedger(library.store.records, id)
  const ports = {
    store: library.store,
    storePages: (pages: readonly PageToStore[]) => storePages(library, source, pages),
    forget: (url: string) => forgetPage(library, source, url),
    fetcher: library.fetcher,
    pages: library.readers.converting,
    pace: runnerOf(library).pace,
    onSlow,
    ...(plan.render ? { renderer: library.renderer } : {}),
  }
  return runCrawl(ports, plan, ledger, signal)
}

async function finish(library: Library, id: string, status: JobStatus, error: string | null) {
  const completedAt = new Date().toISOString()
  const { records } = library.store
  const tally = await records.get<Tally>(tallyKind, id)
  const job = await records.update<CrawlJob>(jobKind, id, (now) =>
    now && !isOver(now) ? { ...now, status, error, completedAt, ...(tally && { tally }) } : now,
  )
  if (job) await touchSource(library, job.source)
}

function cancelled(): Problem {
  return new Problem('cancelled', 'The crawl was cancelled.')
}
