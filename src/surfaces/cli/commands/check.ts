import type { Command } from 'commander'
import type { Context } from '../context.js'
import { count } from '../figures.js'
import { writeJson } from '../json.js'
import { settingsFor } from '../library.js'
import { globalFlags, whole } from '../options.js'
import { showProgress } from '../progress.js'
import { colours } from '../terminal.js'

export function checkCommand(program: Command, context: Context) {
  program
    .command('check')
    .summary('check the code against the decisions')
    .description(
      'Checks the code base against the ```rule blocks of decisions, patterns and guidelines. Needs no index.\nExit code 1: an error was found. Exit code 2: a rule is invalid, can never match, or could not be checked.',
    )
    .addHelpText(
      'after',
      `
Examples:
  carrel check
  carrel check --root ~/project
  carrel check --json | jq '.violations[] | select(.severity == "error")'`,
    )
    .option(
      '--time-limit <seconds>',
      'stop after this time; unfinished rules count as unchecked',
      whole(1, 86_400),
      300,
    )
    .action(async (options: { timeLimit: number }, command: Command) => {
      const flags = globalFlags(command)
      const settings = await settingsFor(context, command)
      const { checkDecisions } = await import('../../../toolsets/architecture/check.js')
      const progress = showProgress(context, flags)
      const report = await checkDecisions(settings, {
        signal: context.signal,
        mostSeconds: options.timeLimit,
        onProgress: (done, total) => progress.say(`Checking: ${count(done)}/${count(total)} files`),
      }).finally(progress.end)
      if (flags.json) writeJson(context, report)
      else {
        const { checkText } = await import('../show/check-report.js')
        context.out.write(checkText(report, settings.root, colours(context.out, context.env, flags.color)))
      }
      if (report.broken.length + report.unchecked.length > 0) context.exit(2)
      else if (report.counts.errors > 0) context.exit(1)
    })
}
