import type { Command } from 'commander'
import type { Library } from '../../../answer/library.js'
import { Problem } from '../../../model/problem.js'
import type { IndexProgress } from '../../../model/reports.js'
import { counted } from '../../../text/counted.js'
import type { CrawlRequest } from '../../../toolsets/knowledge/crawls.js'
import type { KnownJob } from '../../../toolsets/knowledge/jobs.js'
import { embedRest, printNotes, printResult, withLibrary } from '../command.js'
import type { Context, GlobalFlags } from '../context.js'
import { collect, globalFlags, helpText, whole } from '../options.js'
import { type Progress, showProgress } from '../progress.js'
import { clip, count, duration, joined, type Look, safeLine, section } from '../terminal.js'

export function crawlCommand(program: Command, context: Context) {
  program
    .command('crawl')
    .usage('[options] <URL> | --resume')
    .summary('index a web site')
    .description(
      helpText(
        'Crawls a web site and indexes each page as a document.',
        [
          'carrel crawl https://docs.example.com/ --title "Example docs"',
          'carrel crawl https://docs.example.com/v2/ --include /v2/ --exclude /archive/ --max-pages 500',
          'carrel crawl https://docs.example.com/guide --page',
          'carrel crawl --resume',
        ],
        `The crawler stays on the site and obeys its robots.txt. Crawling a site again updates it: unchanged pages are not
downloaded, deleted pages are removed. An interrupted crawl continues with --resume, or in the next server.`,
      ),
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
    .action(async (url: string | undefined, flags: CrawlFlags, command: Command) => {
      if ((url === undefined) === !flags.resume)
        throw new Problem(
          'usage',
          url === undefined ? 'A URL to start from is missing.' : '--resume takes no URL.',
          'carrel crawl --help shows examples.',
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
  const jobs = await withLibrary(context, command, async (library) => {
    try {
      const request = url === undefined ? null : requestOf(url, flags)
      const done = await runAll(context, library, global, progress, request)
      if (!flags.wordsOnly && library.embedder) await embedRest(context, library, global, progress.update)
      return done
    } finally {
      progress.end()
    }
  })
  const { showJob } = await import('../../../toolsets/knowledge/tools/crawl-job.js')
  const shown = jobs.filter((known) => !global.quiet || hasFailed(known) || known.tally.failed > 0)
  printResult(context, command, {
    json: url === undefined ? jobs.map(showJob) : showJob(jobs[0]!),
    text: (look) =>
      jobs.length === 0
        ? 'No crawl was interrupted.\n'
        : shown.map((known) => crawlText(known, look)).join(''),
    quiet: shown.length === 0,
  })
  if (jobs.some(hasFailed)) context.exit(1)
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
  const { started, left } = request
    ? { started: [(await startCrawl(library, request).catch(withCommandHint)).job], left: [] }
    : await resumeCrawls(library)
  printNotes(
    context,
    left.map(({ plan }) => ({ message: `${plan.start} needs --allow-private-network.` })),
    flags,
  )
  const done: KnownJob[] = []
  for (const { id } of started) {
    const onProgress = (known: KnownJob) => progress.update(progressOf(known))
    try {
      done.push(await waitForJob(library, id, { ms: Number.POSITIVE_INFINITY, signal, onProgress }))
    } catch (error) {
      if (signal.aborted)
        printNotes(context, [{ message: 'To continue the crawl: carrel crawl --resume' }], flags)
      throw error
    }
  }
  return done
}

/** Rethrows a Problem with a hint that names commands: its own hint names tools, for agents. */
function withCommandHint(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  throw new Problem(error.code, error.message, hints[error.code] ?? error.hint)
}

const sourceHint = '"carrel list" shows the sources. Without --source, the site gets a source of its own.'
const hints: Readonly<Record<string, string>> = {
  bad_url: 'Write the whole url, for example: carrel crawl https://docs.example.com/',
  refused: 'Name another site, or allow private addresses with --allow-private-network.',
  other_crawl: '"carrel crawl --resume" finishes it.',
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

/** One line of counts that add up, then failed and excluded urls with their reasons. */
function crawlText(known: KnownJob, look: Look): string {
  const { job, tally } = known
  const { paint } = look
  const failures = tally.failures.map(({ url, reason }) => safeLine(`${url}: ${reason}`))
  const more = tally.failed > failures.length ? [`… and ${count(tally.failed - failures.length)} more`] : []
  return joined([
    paint.bold(`${safeLine(job.plan.start)}: ${headline(known)}`),
    ...(job.error === null ? [] : [paint.red(safeLine(job.error))]),
    ...section(paint.red('Failed'), tally.failed === 0 ? [] : [...failures, ...more]),
    ...section(paint.yellow('Excluded'), exclusions(known, look)),
    ...tally.notes.map((note) => paint.yellow(safeLine(note))),
  ])
}

function headline(known: KnownJob): string {
  const { job, tally } = known
  const stored = `${counted(tally.documents, 'document')}, ${counted(tally.chunks, 'chunk')}`
  const parts = [
    `${count(tally.crawled)} crawled (${stored})`,
    `${count(tally.unchanged)} unchanged`,
    `${count(tally.failed)} failed`,
    `${count(tally.excluded)} excluded`,
    ...(tally.pending > 0 ? [`${count(tally.pending)} pending`] : []),
  ]
  const gone = tally.removed > 0 ? `; ${count(tally.removed)} gone from the index` : ''
  const end = job.status.replaceAll('_', ' ')
  return `${end}, ${addresses(tally.discovered)} in ${tookOf(known)}: ${parts.join(', ')}${gone}.`
}

function addresses(number: number): string {
  return `${count(number)} address${number === 1 ? '' : 'es'}`
}

function tookOf({ job }: KnownJob): string {
  const from = Date.parse(job.startedAt ?? job.createdAt)
  const to = job.completedAt === null ? Date.now() : Date.parse(job.completedAt)
  return duration(Math.max(0, to - from))
}

function exclusions({ tally }: KnownJob, { width }: Look): string[] {
  return Object.values(tally.exclusions).map(({ count: number, reason, example }) =>
    clip(safeLine(`${count(number)} × ${reason} (${example})`), Math.max(width - 2, 100)),
  )
}
