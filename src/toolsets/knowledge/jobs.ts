// The records of crawl jobs, and the errors for unknown ones.

import type { Library } from '../../answer/library.js'
import { emptyTally, rowsKind, type Tally, tallyKind } from '../../ingest/crawl/ledger.js'
import { forgetMemory } from '../../ingest/crawl/memory.js'
import type { CrawlPlan } from '../../ingest/crawl/plan.js'
import { Problem } from '../../model/problem.js'
import { nearest } from '../../text/nearest.js'

export const jobStates = [
  'pending',
  'running',
  'completed',
  'completed_with_errors',
  'failed',
  'cancelled',
] as const
export type JobStatus = (typeof jobStates)[number]

export interface CrawlJob {
  /** `job_` and a UUID. */
  id: string
  source: string
  plan: CrawlPlan
  status: JobStatus
  error: string | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  /** The final figures. The ledger may be lost with the index. */
  tally?: Tally
  /** The id of the data folder that it was begun in. */
  origin?: string | null
}

export const jobKind = 'crawl-job'

/** A job, and how far it is. */
export interface KnownJob {
  job: CrawlJob
  tally: Tally
}

export function isOver({ status }: CrawlJob): boolean {
  return status !== 'pending' && status !== 'running'
}

/** Whether a job was begun in this data folder, by its user. One that came with the folder from elsewhere is never run. */
export function isFromHere({ origin }: Pick<Library, 'origin'>, job: CrawlJob): boolean {
  return origin !== null && job.origin === origin
}

/** Newest first. */
export async function allJobs({ store }: Library): Promise<CrawlJob[]> {
  const jobs = (await store.records.all<CrawlJob>(jobKind)).map(({ value }) => value)
  return jobs.sort((a, b) =>
    a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? -1 : 1,
  )
}

export async function findJob({ store }: Library, id: string): Promise<CrawlJob | null> {
  return store.records.get<CrawlJob>(jobKind, id)
}

export async function jobOf(library: Library, id: string): Promise<CrawlJob> {
  const found = await findJob(library, id)
  if (found) return found
  const close = nearest(
    id,
    (await allJobs(library)).map((job) => job.id),
  )
  const meant = close === null ? '' : `Did you mean job_id='${close}'? `
  throw new Problem(
    'unknown_job',
    `Crawl job not found: ${id.length > 100 ? `${id.slice(0, 100)}…` : id}`,
    `${meant}Use manage_crawl_job(action='list') to see the jobs.`,
  )
}

export async function knownJob(library: Library, job: CrawlJob): Promise<KnownJob> {
  const stored = (await library.store.records.get<Tally>(tallyKind, job.id)) ?? job.tally
  const tally = stored ?? (isOver(job) ? { ...emptyTally(), notes: [lost] } : atItsStart())
  if (job.status !== 'pending' || (await running(library)) < mostAtOnce) return { job, tally }
  return { job, tally: { ...tally, notes: [...tally.notes, waits] } }
}

/** Of a job that is over, with the job: the ledger may be lost with the index. */
export async function keepCounts({ store }: Library, id: string): Promise<void> {
  const tally = await store.records.get<Tally>(tallyKind, id)
  await store.records.update<CrawlJob>(jobKind, id, (now) =>
    now && isOver(now) && tally ? { ...now, tally } : now,
  )
}

const lost = 'What became of its pages is not known any more.'

// Before its first moment a job has met nothing but its start.
function atItsStart(): Tally {
  return { ...emptyTally(), discovered: 1, pending: 1 }
}

/** Crawls that run at a time in one process. */
export const mostAtOnce = 3
const waits = `The crawl waits for others to end: ${mostAtOnce} run at a time.`

async function running(library: Library): Promise<number> {
  return (await allJobs(library)).filter(({ status }) => status === 'running').length
}

export async function getJob(library: Library, id: string): Promise<KnownJob> {
  return knownJob(library, await jobOf(library, id))
}

export interface JobList {
  jobs: KnownJob[]
  total: number
}

export async function listJobs(
  library: Library,
  wanted: { source?: string | undefined; status?: JobStatus | undefined; offset: number; limit: number },
): Promise<JobList> {
  const all = (await allJobs(library)).filter(
    ({ source, status }) =>
      (wanted.source === undefined || source === wanted.source) &&
      (wanted.status === undefined || status === wanted.status),
  )
  const shown = all.slice(wanted.offset, wanted.offset + wanted.limit)
  return { jobs: await Promise.all(shown.map((job) => knownJob(library, job))), total: all.length }
}

export async function forgetJob({ store }: Library, id: string): Promise<void> {
  await store.records.delete(jobKind, id)
  await store.records.delete(tallyKind, id)
  await store.records.clear(rowsKind(id))
}

const mostJobs = 100

/** Jobs that are long over leave with their ledgers. */
export async function pruneJobs(library: Library): Promise<void> {
  const over = (await allJobs(library)).filter(isOver)
  for (const { id } of over.slice(mostJobs)) await forgetJob(library, id)
}

/** Removes a source's jobs and the memory of its pages. A runner notices that its job is gone, and stops. */
export async function forgetCrawls(library: Library, source: string): Promise<void> {
  for (const job of await allJobs(library)) if (job.source === source) await forgetJob(library, job.id)
  await forgetMemory(library.store, source)
}
