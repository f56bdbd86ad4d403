import type { Command } from 'commander'
import type { Context } from '../context.js'
import { embedRest } from '../embed.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { tellDone, tellNotes } from '../notes.js'
import { globalFlags } from '../options.js'
import { showProgress } from '../progress.js'
import { colours, widthOf } from '../terminal.js'

export function indexCommand(program: Command, context: Context) {
  program
    .command('index')
    .summary('bring the index up to date')
    .description(
      'Brings the index up to date with every source: reads new and changed files, removes deleted ones.\nUnchanged files are recognised by size and time and cost next to nothing. Also syncs packages that were never synced.',
    )
    .option('--force', 'read every file again, changed or not')
    .option('--words-only', 'do not embed now; a running server does it in the background')
    .addHelpText(
      'after',
      `
Examples:
  carrel index                      index the project you are in
  carrel index --root ~/notes       another folder
  carrel index --force              after an update of Carrel, or in doubt
  carrel index --json | jq .counts  for a script`,
    )
    .action(async (options: IndexFlags, command: Command) => {
      await index(context, command, options)
    })
}

interface IndexFlags {
  force?: boolean
  wordsOnly?: boolean
}

async function index(context: Context, command: Command, { force = false, wordsOnly = false }: IndexFlags) {
  const flags = globalFlags(command)
  const progress = showProgress(context, flags)
  const { signal } = context
  const notes: string[] = []
  const report = await withLibrary(context, command, async (library) => {
    try {
      const read = await context.services.indexAll(library, { force, signal, onProgress: progress.update })
      const taken = await context.services.syncNewPackages(library, { signal })
      notes.push(...taken.notes)
      const indexed = { ...read, ...(taken.reports.length > 0 ? { packages: taken.reports } : {}) }
      if (wordsOnly || !library.embedder) return indexed
      const start = performance.now()
      const { embedded } = await embedRest(context, library, flags, progress.update)
      // The time of the report is that of reading; this may be ten times as long.
      return {
        ...indexed,
        ...(embedded ? { embedded, embeddingMs: performance.now() - start } : { embedded }),
      }
    } finally {
      progress.end()
    }
  })
  tellNotes(
    context,
    notes.map((message) => ({ code: 'package', message })),
    flags,
  )
  if (flags.json) writeJson(context, report)
  else {
    const { indexText } = await import('../show/index-report.js')
    const { packageText } = await import('../show/package-report.js')
    const paint = colours(context.out, context.env, flags.color)
    const text = indexText(report, { paint, width: widthOf(context.out) })
    tellDone(context, text, flags, { wrong: report.counts.failed > 0 })
    // One that failed is in the notes.
    for (const one of report.packages ?? [])
      if (one.error === null) tellDone(context, packageText(one), flags, { wrong: one.failed.length > 0 })
  }
  // A file that cannot be read is an outcome, told above. A run in which nothing could be is a failure.
  const { failed, stored, unchanged } = report.counts
  if (failed > 0 && stored + unchanged === 0) context.exit(1)
}
