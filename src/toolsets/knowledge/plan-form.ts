// The limits of a crawl's plan: the same for a new plan and for a stored one.
import { z } from 'zod'
import type { CrawlPlan } from '../../ingest/crawl/plan.js'

export const mostPages = 50_000

const text = z.string().max(10_000)
const wait = z.number().min(0).max(600_000)

export const planForm: z.ZodType<CrawlPlan> = z.object({
  source: text.min(1),
  start: text.regex(/^https?:\/\//),
  recursive: z.boolean(),
  maxPages: z.int().min(1).max(mostPages),
  maxDepth: z.int().min(0).max(100),
  include: z.array(text).max(1_000),
  exclude: z.array(text).max(1_000),
  render: z.boolean(),
  force: z.boolean(),
  delayMs: wait,
  parallel: z.int().min(1).max(16),
  backoffMs: wait,
})
