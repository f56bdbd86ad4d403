import type { Command } from 'commander'
import type { Context } from '../context.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { globalFlags } from '../options.js'
import { colours, widthOf } from '../terminal.js'

export function statusCommand(program: Command, context: Context) {
  program
    .command('status')
    .summary('show what is indexed')
    .description(
      'Shows the collections with their documents and passages, and what the last run could not read.',
    )
    .addHelpText(
      'after',
      `
Examples:
  carrel status
  carrel status --root ~/notes
  carrel status --json | jq .documents`,
    )
    .action(async (_options: object, command: Command) => {
      const flags = globalFlags(command)
      const facts = await withLibrary(context, command, (library) => context.services.status(library), {
        reading: true,
      })
      if (flags.json) return writeJson(context, facts)
      const { statusText } = await import('../show/status.js')
      const paint = colours(context.out, context.env, flags.color)
      context.out.write(statusText(facts, { paint, width: widthOf(context.out) }))
    })
}
