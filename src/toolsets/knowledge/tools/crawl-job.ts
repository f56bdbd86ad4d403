// A crawl job as the tools show it.

import { z } from 'zod'
import { counted } from '../../../text/counted.js'
import { type CrawlJob, isOver, jobStates, type KnownJob } from '../jobs.js'

export const jobFields = z.object({
  id: z.string(),
  source_id: z.string(),
  url: z.string(),
  status: z.enum(jobStates),
  pages_discovered: z.int(),
  pages_crawled: z.int(),
  pages_unchanged: z.int(),
  pages_failed: z.int(),
  pages_excluded: z.int(),
  pages_pending: z.int(),
  max_pages: z.int(),
  max_depth: z.int(),
  recursive: z.boolean(),
  documents_created: z.int(),
  documents_removed: z.int(),
  total_chunks: z.int(),
  error_message: z.string().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
})

/** With the pages that failed, and why others were passed over. */
export const wholeJob = jobFields.extend({
  failed_pages: z.array(z.object({ url: z.string(), reason: z.string() })),
  excluded_pages: z.array(z.object({ reason: z.string(), count: z.int(), example: z.string() })),
  notes: z.array(z.string()).optional(),
})

export function briefJob({ job, tally }: KnownJob): z.input<typeof jobFields> {
  return {
    id: job.id,
    source_id: job.source,
    url: job.plan.start,
    status: job.status,
    pages_discovered: tally.discovered,
    pages_crawled: tally.crawled,
    pages_unchanged: tally.unchanged,
    pages_failed: tally.failed,
    pages_excluded: tally.excluded,
    pages_pending: tally.pending,
    max_pages: job.plan.maxPages,
    max_depth: job.plan.maxDepth,
    recursive: job.plan.recursive,
    documents_created: tally.documents,
    documents_removed: tally.removed,
    total_chunks: tally.chunks,
    error_message: job.error,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
  }
}

export function showJob(known: KnownJob): z.input<typeof wholeJob> {
  const { failed, failures, exclusions } = known.tally
  const listed =
    failed > failures.length ? [`failed_pages lists ${failures.length} of ${failed} pages that failed.`] : []
  const notes = [...known.tally.notes, ...listed]
  return {
    ...briefJob(known),
    failed_pages: failures,
    // The reason of one page stands for those passed over for the like.
    excluded_pages: Object.values(exclusions).map(({ reason, count, example }) => ({
      reason,
      count,
      example,
    })),
    ...(notes.length > 0 ? { notes } : {}),
  }
}

/** One sentence on how far a job is, with the next step. */
export function jobMessage({ job, tally }: KnownJob): string {
  const done = `${counted(tally.crawled, 'page')} crawled, ${counted(tally.documents, 'document')} created`
  const rest = [
    tally.unchanged > 0 ? `${tally.unchanged} unchanged` : '',
    tally.failed > 0 ? `${tally.failed} failed` : '',
    tally.removed > 0 ? `${tally.removed} gone` : '',
    tooDeep(job, tally.exclusions.depth?.count ?? 0),
  ].filter(Boolean)
  const all = [done, ...rest].join(', ')
  if (!isOver(job)) return `Crawl ${job.status}: ${all}; use ${follow(job)} to check progress`
  if (job.status === 'failed') return `Crawl failed: ${job.error ?? 'no reason is known'}`
  return `Crawl ${job.status === 'cancelled' ? 'cancelled' : 'completed'}: ${all}`
}

function tooDeep({ plan }: CrawlJob, count: number): string {
  if (count === 0) return ''
  const pages = `${counted(count, 'page')} ${count === 1 ? 'lies' : 'lie'}`
  return `${pages} more than ${counted(plan.maxDepth, 'link')} away from the start (max_depth)`
}

export function follow({ id }: CrawlJob): string {
  return `manage_crawl_job(action='get', job_id='${id}')`
}
