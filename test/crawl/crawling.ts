// A library on an empty project that may crawl this machine, and crawls run to their end in it.
import type { TestContext } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import type { Settings } from '../../src/model/settings.js'
import { type FetchLimits, openFetcher } from '../../src/sources/web/fetch.js'
import { type CrawlRequest, startCrawl, waitForJob } from '../../src/toolsets/knowledge/crawls.js'
import type { KnownJob } from '../../src/toolsets/knowledge/jobs.js'
import { openForTest, settingsFor, temporaryFolder } from '../support/world.js'
import { openSite, type Pages, type Site } from './site.js'

export function crawlSettings(root: string): Settings {
  const base = settingsFor(root)
  return {
    ...base,
    // The sites are ours, so the crawl need not be polite.
    limits: { ...base.limits, crawlPauseMs: 0 },
    sources: [],
    allow: { outside: false, network: false, privateNetwork: true },
  }
}

/** Times of a fetcher that waits for nobody. */
export const hasty = { connectMs: 2_000, answerMs: 1_500, progress: { bytes: 100, ms: 300 } }

export async function openCrawlLibrary(
  t: TestContext,
  root = temporaryFolder(t),
  limits: Partial<FetchLimits> = hasty,
): Promise<Library> {
  const library = await openForTest(crawlSettings(root))
  const fetcher = openFetcher({ version: 'test', allowPrivateNetwork: true, limits })
  t.after(async () => {
    await library.close()
    await fetcher.close()
  })
  return { ...library, fetcher }
}

/** One library for a file of tests. */
export async function sharedLibrary(): Promise<{ library: Library; close(): Promise<void> }> {
  const undo: (() => unknown)[] = []
  const library = await openCrawlLibrary({ after: (work: () => unknown) => undo.push(work) } as never)
  return {
    library,
    async close() {
      for (const work of undo.toReversed()) await work()
    },
  }
}

export async function siteFor(t: TestContext, pages: Pages): Promise<Site> {
  const site = await openSite(pages)
  t.after(() => site.close())
  return site
}

/** Crawls to the end. */
export async function crawl(
  library: Library,
  url: string,
  request: Partial<CrawlRequest> = {},
): Promise<KnownJob> {
  const { job } = await startCrawl(library, {
    ...{ url, recursive: true, maxPages: 100, backoffMs: 15 },
    ...request,
  })
  return waitForJob(library, job.id, { ms: 60_000, signal: AbortSignal.timeout(60_000) })
}

/** The paths of a source's documents. */
export async function pathsOf({ store }: Library, source: string): Promise<string[]> {
  const { documents } = await store.documents({ sources: [source] }, { offset: 0, limit: 10_000 })
  return documents.map(({ ref }) => new URL(ref.path).pathname + new URL(ref.path).search)
}

export function addsUp({ tally }: KnownJob): boolean {
  const { discovered, crawled, unchanged, failed, excluded, pending } = tally
  const passed = Object.values(tally.exclusions).reduce((sum, { count }) => sum + count, 0)
  return discovered === crawled + unchanged + failed + excluded + pending && passed === excluded
}

/** What the ledger says of each path. */
export async function ledgerOf({ store }: Library, id: string): Promise<Record<string, string>> {
  const rows = await store.records.all<{ state: string; code?: string }>(`~crawl-pages/${id}`)
  return Object.fromEntries(
    rows.map(({ id: url, value }) => [
      new URL(url).pathname + new URL(url).search,
      [value.state, value.code].filter(Boolean).join(' '),
    ]),
  )
}
