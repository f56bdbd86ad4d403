import type { Command } from 'commander'
import type { Library } from '../../../answer/library.js'
import { Problem } from '../../../model/problem.js'
import type { IndexProgress } from '../../../model/reports.js'
import type { CrawlRequest } from '../../../toolsets/knowledge/crawls.js'
import type { KnownJob } from '../../../toolsets/knowledge/jobs.js'
import type { Context, GlobalFlags } from '../context.js'
import { embedRest } from '../embed.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { tellDone, tellNote } from '../notes.js'
import { collect, globalFlags, whole } from '../options.js'
import { type Progress, showProgress } from '../progress.js'
import { colours, widthOf } from '../terminal.js'

export function crawlCommand(program: Command, context: Context) {
  program
    .command('crawl')
    .usage('[options] <URL> | --resume')
    .summary('index a web site')
    .description(
      'Crawls a web site and indexes each page as a document. Stays on the site and obeys its robots.txt.\nCrawling a site again updates it: unchanged pages are not downloaded, deleted pages are removed.\nAn interrupted crawl continues with --resume, or by itself in the next server.',
    )
    .argument('[URL]', 'where to start (required without --resume)')
    .option('--page', 'only this page, no links')
    .option('--max-pages <N>', 'maximum number of pages to request (100)', whole(1, 50_000))
    .option('--max-depth <N>', 'maximum number of links from the start (20)', whole(0, 100))
    .option('--exclude <PATTERN>', 'skip urls that contain this, * for anything; repeatable', collect)
    .option('--include <PATTERN>', 'only urls that contain this; repeatable', collect)
    .option('--title <TITLE>', 'title of the new source (default: the host)')
    .option('--source <ID>', 'add to this source')
    .option('--render', 'render the pages with an installed Chromium')
    .option('--force', 'read every page again, changed or not')
    .option(
      '--delay <MS>',
      'pause between two requests (250, or limits.crawlPauseMs; a longer delay in robots.txt wins)',
      whole(0, 600_000),
    )
    .option('--parallel <N>', 'concurrent requests (2)', whole(1, 16))
    .option('--resume', 'continue interrupted crawls')
    .option('--words-only', 'do not embed now; a running server does it in the background')
    .addHelpText(
      'after',
      `
Examples:
  carrel crawl https://docs.example.com/ --title "Example docs"
  carrel crawl https://docs.example.com/v2/ --include /v2/ --exclude /archive/ --max-pages 500
  carrel crawl https://docs.example.com/guide --page
  carrel crawl --resume`,
    )
    .action(async (url: string | undefined, flags: CrawlFlags, command: Command) => {
      if ((url === undefined) === !flags.resume)
        throw new Problem(
          'usage',
          url === undefined ? 'A URL to start from is missing.' : '--resume takes no URL.',
          'carrel crawl --help shows how.',
        )
      await crawl(context, command, url, flags)
    })
}

interface CrawlFlags {
  page?: boolean
  maxPages?: number
  maxDepth?: number
  exclude?: string[]
  include?: string[]
  title?: string
  source?: string
  render?: boolean
  force?: boolean
  delay?: number
  parallel?: number
  resume?: boolean
  wordsOnly?: boolean
}

async function crawl(context: Context, command: Command, url: string | undefined, flags: CrawlFlags) {
  const global = globalFlags(command)
  const progress = showProgress(context, global)
  const done = await withLibrary(context, command, async (library) => {
    try {
      const jobs = await runAll(
        context,
        library,
        global,
        progress,
        url === undefined ? null : requestOf(url, flags),
      )
      if (!flags.wordsOnly && library.embedder) await embedRest(context, library, global, progress.update)
      return jobs
    } finally {
      progress.end()
    }
  })
  if (global.json) {
    const { showJob } = await import('../../../toolsets/knowledge/tools/crawl-job.js')
    writeJson(context, url === undefined ? done.map(showJob) : showJob(done[0]!))
  } else {
    const { crawlText } = await import('../show/crawl-report.js')
    const look = { paint: colours(context.out, context.env, global.color), width: widthOf(context.out) }
    for (const known of done)
      tellDone(context, crawlText(known, look), global, { wrong: hasFailed(known) || known.tally.failed > 0 })
    if (done.length === 0) tellDone(context, 'No crawl was interrupted.\n', global)
  }
  if (done.some(hasFailed)) context.exit(1)
}

function hasFailed({ job: { status } }: KnownJob): boolean {
  return status === 'failed' || status === 'cancelled'
}

function requestOf(url: string, flags: CrawlFlags): CrawlRequest {
  const { maxDepth, exclude, include, title, source, render, force, parallel } = flags
  return {
    ...{ url, recursive: !flags.page, maxPages: flags.maxPages ?? 100, delayMs: flags.delay },
    ...{ maxDepth, exclude, include, title, source, render, force, parallel },
  }
}

async function runAll(
  context: Context,
  library: Library,
  flags: GlobalFlags,
  progress: Progress,
  request: CrawlRequest | null,
): Promise<KnownJob[]> {
  const { signal } = context
  const { resumeCrawls } = await import('../../../toolsets/knowledge/run-crawls.js')
  const { startCrawl, waitForJob } = await import('../../../toolsets/knowledge/crawls.js')
  const { taken, left } = request
    ? { taken: [(await startCrawl(library, request).catch(tellTyped)).job], left: [] }
    : await resumeCrawls(library)
  for (const { plan } of left) tellNote(context, `${plan.start} needs --allow-private-network.`, flags)
  const done: KnownJob[] = []
  for (const { id } of taken) {
    const onProgress = (known: KnownJob) => progress.update(progressOf(known))
    try {
      done.push(await waitForJob(library, id, { ms: Number.POSITIVE_INFINITY, signal, onProgress }))
    } catch (error) {
      if (signal.aborted) tellNote(context, 'The crawl can go on: carrel crawl --resume', flags)
      throw error
    }
  }
  return done
}

/** The Problems' hints name tool calls, for agents. Here they name commands. */
function tellTyped(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  throw new Problem(error.code, error.message, hints[error.code] ?? error.hint)
}

const sourceHint = '"carrel list" shows what there is; without --source, the site gets a source of its own.'
const hints: Readonly<Record<string, string>> = {
  bad_url: 'Write it whole, as in: carrel crawl https://docs.example.com/',
  refused: 'Name another site, or add --allow-private-network where that is the reason.',
  other_crawl: '"carrel crawl --resume" brings it to its end.',
  unknown_source: sourceHint,
  configured_source: sourceHint,
  memory_source: sourceHint,
}

function progressOf({ job, tally }: KnownJob): IndexProgress {
  const done = tally.crawled + tally.unchanged + tally.failed
  const total = Math.min(job.plan.maxPages, done + tally.pending)
  const subject = new URL(job.plan.start).host
  return { phase: 'crawling', subject, done, total: Math.max(done, total), chunks: tally.chunks, bytes: 0 }
}
