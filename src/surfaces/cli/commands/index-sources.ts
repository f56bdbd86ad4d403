import type { Command } from 'commander'
import type { Context } from '../context.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { globalFlags } from '../options.js'
import { showProgress } from '../progress.js'
import { colours, widthOf } from '../terminal.js'

export function indexCommand(program: Command, context: Context) {
  program
    .command('index')
    .summary('bring the index up to date')
    .description(
      'Brings the index up to date with every source: new and changed files are read, files that are gone leave.\nUnchanged files are recognised by size and time and cost next to nothing.',
    )
    .option('--force', 'read every file again, changed or not')
    .addHelpText(
      'after',
      `
Examples:
  carrel index                      index the project you are in
  carrel index --root ~/notes       another folder
  carrel index --force              after an update of Carrel, or in doubt
  carrel index --json | jq .counts  for a script`,
    )
    .action(async ({ force }: { force?: boolean }, command: Command) => {
      await index(context, command, force ?? false)
    })
}

async function index(context: Context, command: Command, force: boolean) {
  const flags = globalFlags(command)
  const progress = showProgress(context, flags)
  const { signal } = context
  const report = await withLibrary(context, command, (library) =>
    context.services
      .indexAll(library, { force, signal, onProgress: progress.update })
      .finally(() => progress.end()),
  )
  if (flags.json) writeJson(context, report)
  else {
    const { indexText } = await import('../show/index-report.js')
    const paint = colours(context.out, context.env, flags.color)
    context.out.write(indexText(report, { paint, width: widthOf(context.out) }))
  }
  // A file that cannot be read is an outcome, told above. A run in which nothing could be is a failure.
  const { failed, stored, unchanged } = report.counts
  if (failed > 0 && stored + unchanged === 0) context.exit(1)
}
