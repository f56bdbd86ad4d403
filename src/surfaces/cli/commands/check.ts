import type { Command } from 'commander'
import type { Context } from '../context.js'
import { writeJson } from '../json.js'
import { settingsFor } from '../library.js'
import { globalFlags } from '../options.js'
import { colours } from '../terminal.js'

export function checkCommand(program: Command, context: Context) {
  program
    .command('check')
    .summary('hold the code against the decisions')
    .description(
      'Runs the rules that decisions, patterns and guidelines carry in ```rule blocks over the code base. Needs no index.\nEnds with 1 if an error is found, with 2 if a rule is broken or could not be checked at all.',
    )
    .addHelpText(
      'after',
      `
Examples:
  carrel check
  carrel check --root ~/project
  carrel check --json | jq '.violations[] | select(.severity == "error")'`,
    )
    .action(async (_options: object, command: Command) => {
      const flags = globalFlags(command)
      const settings = await settingsFor(context, command)
      const { checkDecisions } = await import('../../../services/architecture/check.js')
      const report = await checkDecisions(settings, { signal: context.signal })
      if (flags.json) writeJson(context, report)
      else {
        const { checkText } = await import('../show/check-report.js')
        context.out.write(checkText(report, settings.root, colours(context.out, context.env, flags.color)))
      }
      if (report.broken.length + report.unchecked.length > 0) context.exit(2)
      else if (report.counts.errors > 0) context.exit(1)
    })
}
