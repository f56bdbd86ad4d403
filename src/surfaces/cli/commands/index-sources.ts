import { type Command, Option } from 'commander'
import type { IndexReport } from '../../../model/reports.js'
import { counted } from '../../../text/counted.js'
import { embedRest, printNotes, printResult, withLibrary } from '../command.js'
import type { Context } from '../context.js'
import { globalFlags, helpText } from '../options.js'
import { showProgress } from '../progress.js'
import {
  bytes,
  clip,
  count,
  duration,
  indented,
  joined,
  type Look,
  safe,
  section,
  table,
} from '../terminal.js'
import { packageText } from './packages.js'

export function indexCommand(program: Command, context: Context) {
  program
    .command('index')
    .summary('bring the index up to date')
    .description(
      helpText(
        'Brings the index up to date: reads new and changed files, and removes deleted ones.',
        [
          'carrel index                      index the project you are in',
          'carrel index --root ~/notes       index another folder',
          'carrel index --wait               wait until everything can be found by meaning, too',
          'carrel index --force              read everything again, for example after an update',
          'carrel index --json | jq .counts  for a script',
        ],
        `Carrel recognises unchanged files by their size and time, and skips them.
The command also syncs packages that were never synced.
It ends when everything can be found by words. The vectors for searching by meaning follow in the background: the engine
embeds, and ends when it is done and nobody uses it. The command waits for them with --wait and --json, and where no engine
may go on: with --no-share, engine.idleMinutes 0, in CI, or as the first process of a container.`,
      ),
    )
    .option('--force', 'read every file again, changed or not')
    .option('--wait', 'wait for the vectors')
    .addOption(
      new Option(
        '--words-only',
        'do not embed now, and start no engine; a running server does it in the background',
      ).conflicts('wait'),
    )
    .action(index)

  async function index({ force = false, wait = false, wordsOnly = false }: IndexFlags, command: Command) {
    const flags = globalFlags(command)
    const progress = showProgress(context, flags)
    const { services, signal } = context
    const notes: string[] = []
    const report = await withLibrary(context, command, async (library, settings) => {
      try {
        const read = await services.indexAll(library, { force, signal, onProgress: progress.update })
        const synced = await services.syncNewPackages(library, { signal })
        notes.push(...synced.notes)
        const indexed = { ...read, ...(synced.reports.length > 0 ? { packages: synced.reports } : {}) }
        if (wordsOnly || !library.embedder) return indexed
        // A script's next step may need the vectors, and its report counts them.
        const waits = wait || flags.json
        const following = waits ? null : await services.embedBehind(library, { settings, flags })
        if (following !== null) return { ...indexed, following }
        const start = performance.now()
        const { embedded } = await embedRest(context, library, flags, progress.update)
        // `ms` in the report is the time for reading; embedding may take ten times as long.
        return {
          ...indexed,
          ...(embedded ? { embedded, embeddingMs: performance.now() - start } : { embedded }),
        }
      } finally {
        progress.end()
      }
    })
    printNotes(
      context,
      notes.map((message) => ({ message })),
      flags,
    )
    // The notes name the packages that failed.
    const packages = (report.packages ?? []).filter(({ error }) => error === null)
    const { failed, stored, unchanged } = report.counts
    printResult(context, command, {
      json: report,
      text: (look) => (flags.quiet && failed === 0 ? '' : indexText(report, look)) + packageLines(),
      quiet: failed === 0 && packages.every((one) => one.failed.length === 0),
    })
    // A file that cannot be read is one outcome of many. A run in which no file could be read is a failure.
    if (failed > 0 && stored + unchanged === 0) context.exit(1)

    function packageLines(): string {
      const shown = packages.filter((one) => !flags.quiet || one.failed.length > 0)
      return shown.map(packageText).join('')
    }
  }
}

interface IndexFlags {
  force?: boolean
  wait?: boolean
  wordsOnly?: boolean
}

interface Embedding {
  embedded?: number | undefined
  embeddingMs?: number
  /** Chunks that are embedded behind this command. */
  following?: number
}

/** One line of counts that add up, the sources, then skipped and failed files with their reasons. */
function indexText(report: IndexReport & Embedding, look: Look): string {
  return joined([
    look.paint.bold(
      `${counted(report.counts.found, 'file')} in ${duration(report.ms)}: ${outcomes(report)}.`,
    ),
    ...embedding(report),
    ...(report.bySource.length > 1 ? ['', ...indented(sources(report))] : []),
    ...skipped(report, look),
    ...section(look.paint.red('Failed'), reasonLines(report.failures, mostFailures)),
    ...section(look.paint.yellow('Indexed in part'), reasonLines(report.inPart, mostFailures)),
    ...notes(report, look),
  ])
}

function outcomes({ counts }: IndexReport): string {
  const parts = [
    counts.stored > 0
      ? `${count(counts.stored)} stored (${counted(counts.chunks, 'chunk')}, ${bytes(counts.bytes)})`
      : '0 stored',
    `${count(counts.unchanged)} unchanged`,
    `${count(counts.skipped)} skipped`,
    `${count(counts.failed)} failed`,
  ]
  const gone = counts.forgotten > 0 ? `; ${count(counts.forgotten)} gone from the index` : ''
  return parts.join(', ') + gone
}

function embedding({ embedded = 0, embeddingMs = 0, following = 0 }: Embedding): string[] {
  if (following > 0)
    return [
      `Vectors of ${counted(following, 'chunk')} follow in the background; \`carrel status\` shows how far.`,
    ]
  return embedded > 0 ? [`${counted(embedded, 'chunk')} embedded in ${duration(embeddingMs)}.`] : []
}

function sources({ bySource }: IndexReport): string[] {
  const head = ['collection', 'files', 'stored', 'unchanged', 'skipped', 'failed', 'gone']
  const rows = bySource.map(({ name, counts: c }) => [
    safe(name),
    ...[c.found, c.stored, c.unchanged, c.skipped, c.failed, c.forgotten].map(count),
  ])
  return table([head, ...rows], [1, 2, 3, 4, 5, 6])
}

function skipped({ skipped }: IndexReport, { paint, width }: Look): string[] {
  const lines = skipped.map(({ reason, count: number, examples }) => {
    const some = examples.length ? ` (${examples.join(', ')}${examples.length < number ? ', …' : ''})` : ''
    return clip(safe(`${count(number)} × ${reason}${some}`), width - 2)
  })
  return section(paint.yellow('Skipped'), lines)
}

const mostFailures = 20

/** A line for each of the first files, with the reason. */
export function reasonLines(files: IndexReport['failures'], most: number): string[] {
  const lines = files
    .slice(0, most)
    .map(({ source, path, reason }) => safe(`${source}:${path}: ${reason}`).replaceAll('\n', ' '))
  const more = files.length - most
  return more > 0 ? [...lines, `… and ${count(more)} more (--json lists all)`] : lines
}

function notes({ notes }: IndexReport, { paint }: Look): string[] {
  return notes.length === 0 ? [] : ['', ...notes.map(({ message }) => paint.yellow(safe(message)))]
}
