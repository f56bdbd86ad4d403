import { z } from 'zod'
import { sourceOf } from '../../../answer/source-records.js'
import { defineTool } from '../../../server/define.js'
import { counted } from '../../../text/counted.js'
import { cancelJob, retryJob } from '../crawls.js'
import { getJob, type JobList, jobStates, type KnownJob, listJobs } from '../jobs.js'
import { briefJob, follow, jobFields, jobMessage, showJob, wholeJob } from './crawl-job.js'
import {
  failed,
  type KnowledgeServices,
  page,
  paged,
  pageFields,
  pageMaxima,
  pageOf,
  perPage,
  required,
  sourceId,
  unknownChoice,
  unlessBlank,
} from './fields.js'

const input = z.object({
  action: z.enum(['get', 'list', 'cancel', 'retry']).describe('retry: the pages that failed'),
  job_id: z.string().max(200).optional().describe('For get, cancel, retry'),
  source_id: sourceId.describe('For list: jobs of this source'),
  status: z.enum(jobStates).optional().describe('For list: jobs in this state'),
  page,
  per_page: perPage,
})

type Result = { action: 'get' | 'cancel' | 'retry'; known: KnownJob } | { action: 'list'; list: JobList }

export const manageCrawlJob = defineTool({
  name: 'manage_crawl_job',
  title: 'Manage crawl jobs',
  summary:
    'Shows, lists, cancels or retries crawl jobs. Every url met is crawled, unchanged, failed, excluded or pending.',
  effect: 'write',
  input,
  clamp: pageMaxima,
  wrong: unknownChoice('action', ['get', 'list', 'cancel', 'retry'], 'Unknown action'),
  output: z.union([
    z.object({ success: z.literal(true), crawl_job: wholeJob, message: z.string() }),
    z.object({
      success: z.literal(true),
      crawl_jobs: z.array(jobFields),
      ...pageFields,
    }),
    failed,
  ]),
  examples: [
    { title: 'All jobs', args: { action: 'list' } },
    {
      title: 'A job that is not there',
      args: { action: 'get', job_id: 'job_00000000-0000-4000-8000-000000000000' },
    },
  ],
  run: ({ library }: KnowledgeServices, args): Promise<Result> => actions[args.action](library, args),
  view: (result, args) => show(result, args),
})

type Args = z.output<typeof input>
type Action = (library: KnowledgeServices['library'], args: Args) => Promise<Result>

const actions: Record<Args['action'], Action> = {
  async get(library, args) {
    return { action: 'get', known: await getJob(library, idOf(args)) }
  },
  async list(library, { source_id, status, ...args }) {
    const named = unlessBlank(source_id)
    const source = named === undefined ? undefined : (await sourceOf(library, named)).id
    return { action: 'list', list: await listJobs(library, { source, status, ...pageOf(args) }) }
  },
  async cancel(library, args) {
    return { action: 'cancel', known: await cancelJob(library, idOf(args)) }
  },
  async retry(library, args) {
    return { action: 'retry', known: await retryJob(library, idOf(args)) }
  },
}

function idOf({ action, job_id }: Args): string {
  return required(job_id, 'job_id', action, "Provide job_id; manage_crawl_job(action='list') shows the ids.")
}

function show(result: Result, args: Args) {
  if (result.action !== 'list') {
    const { known, action } = result
    const message =
      action === 'retry'
        ? `Trying ${counted(known.tally.pending, 'page')} again, use ${follow(known.job)} to check progress`
        : jobMessage(known)
    return { success: true as const, crawl_job: showJob(known), message }
  }
  const { jobs, total } = result.list
  return {
    success: true as const,
    crawl_jobs: jobs.map(briefJob),
    ...paged(args, jobs, total),
  }
}
