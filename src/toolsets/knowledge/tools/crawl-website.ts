import { z } from 'zod'
import type { Call } from '../../../server/define.js'
import { defineTool } from '../../../server/define.js'
import { counted } from '../../../text/counted.js'
import { startCrawl, usualDepth, waitForJob } from '../crawls.js'
import { isOver, type KnownJob } from '../jobs.js'
import { follow, jobMessage, showJob, wholeJob } from './crawl-job.js'
import { failed, type KnowledgeServices, sourceId, unlessBlank } from './fields.js'

const patterns = z.array(z.string().max(500)).max(100).optional()

export const crawlWebsite = defineTool({
  name: 'crawl_website',
  title: 'Crawl a web site',
  summary:
    'Reads a web page, or with recursive a whole site, into the knowledge base: one document a page. Starts a job and answers at once. A site crawled before is brought up to date.',
  effect: 'outside',
  limits: { waitMs: ({ wait_seconds }) => wait_seconds * 1000 },
  clamp: { max_pages: 100, max_depth: 100, wait_seconds: 45 },
  input: z.object({
    url: z.string().max(4_500).describe('Where to start (http or https)'),
    recursive: z.boolean().default(false).describe('Follow links within the site'),
    max_pages: z.int().min(1).default(10).describe('Most pages to fetch, up to 100'),
    source_id: sourceId.describe('Source to add to; a new one if left out'),
    title: z.string().max(1_000).optional().describe('Title of a new source'),
    exclude_patterns: patterns.describe("Skip urls containing one of these, e.g. '/archive/'; * is anything"),
    include_patterns: patterns.describe('Only urls containing one of these'),
    max_depth: z.int().min(0).default(usualDepth).describe('Most links away from the start, up to 100'),
    render: z.boolean().default(false).describe('Run scripts of pages, in an installed Chromium'),
    wait_seconds: z.int().min(0).default(0).describe('Wait for the end, up to 45'),
  }),
  output: z.union([z.object({ success: z.literal(true), crawl_job: wholeJob, message: z.string() }), failed]),
  examples: [
    { title: 'A page of this machine, which needs leave', args: { url: 'http://127.0.0.1:8080/guide' } },
    { title: 'Not a web address', args: { url: 'docs.example.com' } },
  ],
  async run({ library }: KnowledgeServices, args, call): Promise<KnownJob & { already: boolean }> {
    const started = await startCrawl(library, {
      url: args.url,
      recursive: args.recursive,
      maxPages: args.max_pages,
      maxDepth: args.max_depth,
      source: unlessBlank(args.source_id),
      title: unlessBlank(args.title),
      include: args.include_patterns,
      exclude: args.exclude_patterns,
      render: args.render,
    })
    const ms = args.wait_seconds * 1000
    if (ms === 0) return started
    const onProgress = (known: KnownJob) => reportProgress(call, known)
    const known = await waitForJob(library, started.job.id, { ms, signal: call.signal, onProgress })
    return { ...known, already: started.already }
  },
  view: (known) => ({
    success: true as const,
    crawl_job: showJob(known),
    message: messageOf(known),
  }),
})

function reportProgress({ progress }: Call, { job, tally }: KnownJob) {
  const done = tally.discovered - tally.pending
  progress(
    done,
    Math.max(done, Math.min(tally.discovered, job.plan.maxPages)),
    `${counted(tally.crawled, 'page')} crawled`,
  )
}

function messageOf(known: KnownJob & { already: boolean }): string {
  if (isOver(known.job) || known.tally.discovered > 1) return jobMessage(known)
  const started = known.already ? 'This crawl is under way already' : 'Crawl job started'
  return `${started}, use ${follow(known.job)} to check progress`
}
