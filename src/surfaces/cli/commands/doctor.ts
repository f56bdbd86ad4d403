import type { Command } from 'commander'
import type { Context } from '../context.js'
import { writeJson } from '../json.js'
import { settingsFor } from '../library.js'
import { globalFlags } from '../options.js'
import { colours, widthOf } from '../terminal.js'

export function doctorCommand(program: Command, context: Context) {
  program
    .command('doctor')
    .summary('check that everything works')
    .description(
      'Checks everything Carrel needs: folders, the database, the models, the machine. Exit code 1: something is broken.',
    )
    .option('--trust', 'use a data folder although it is not known to be yours')
    .option('--repair', 'repair what can be repaired; keeps the old database beside the new one')
    .addHelpText(
      'after',
      `
Examples:
  carrel doctor
  carrel doctor --repair
  carrel doctor --trust
  carrel doctor --json | jq '.checks[] | select(.state == "failed")'`,
    )
    .action(async ({ repair, trust }: { repair?: boolean; trust?: boolean }, command: Command) => {
      const flags = globalFlags(command)
      const settings = await settingsFor(context, command)
      const checks = await context.services.doctor(settings, {
        repair: repair ?? false,
        trust: trust ?? false,
      })
      const healthy = checks.every((check) => check.state !== 'failed')
      if (flags.json) writeJson(context, { healthy, checks })
      else {
        const { doctorText } = await import('../show/doctor.js')
        const paint = colours(context.out, context.env, flags.color)
        context.out.write(doctorText(checks, { paint, width: widthOf(context.out) }))
      }
      if (!healthy) context.exit(1)
    })
}
