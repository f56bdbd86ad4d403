import type { Command } from 'commander'
import type { Check } from '../../../model/reports.js'
import { printResult, settingsFor } from '../command.js'
import type { Context } from '../context.js'
import { helpText } from '../options.js'
import { columnsOf, joined, type Look, safe } from '../terminal.js'

export function doctorCommand(program: Command, context: Context) {
  program
    .command('doctor')
    .summary('check that everything works')
    .description(
      helpText(
        'Checks what Carrel needs: folders, the database, the models and the machine.',
        [
          'carrel doctor',
          'carrel doctor --repair',
          `carrel doctor --json | jq '.checks[] | select(.state == "failed")'`,
        ],
        'Exit code 1: a check failed.',
      ),
    )
    .option('--trust', 'use a data folder although Carrel cannot tell that it is yours')
    .option('--repair', 'repair what can be repaired; keeps the old database beside the new one')
    .action(async ({ repair = false, trust = false }: DoctorFlags, command: Command) => {
      const checks = await context.services.doctor(await settingsFor(context, command), { repair, trust })
      const healthy = checks.every((check) => check.state !== 'failed')
      printResult(context, command, { json: { healthy, checks }, text: (look) => doctorText(checks, look) })
      if (!healthy) context.exit(1)
    })
}

interface DoctorFlags {
  repair?: boolean
  trust?: boolean
}

/** One line for each check; a hint follows on the next line. */
function doctorText(checks: readonly Check[], look: Look): string {
  const widest = Math.max(0, ...checks.map((check) => columnsOf(safe(check.name))))
  return joined([...checks.flatMap((check) => lines(check, widest, look)), '', verdict(checks, look)])
}

function lines({ name, state, message, hint }: Check, widest: number, look: Look): string[] {
  const label = safe(name) + ' '.repeat(widest - columnsOf(safe(name)))
  const line = `${mark(state, look)}  ${label}  ${safe(message)}`
  return hint ? [line, `${' '.repeat(widest + 12)}${look.paint.dim(safe(hint))}`] : [line]
}

function mark(state: Check['state'], { paint }: Look): string {
  const word = state.padEnd(8)
  if (state === 'failed') return paint.red(word)
  return state === 'warning' ? paint.yellow(word) : paint.green(word)
}

function verdict(checks: readonly Check[], { paint }: Look): string {
  const failed = checks.filter((check) => check.state === 'failed').length
  const warned = checks.filter((check) => check.state === 'warning').length
  if (failed > 0) return paint.red(`${failed} of ${checks.length} checks failed.`)
  return warned > 0
    ? `No check failed; ${warned} ${warned === 1 ? 'needs' : 'need'} a look.`
    : paint.green('All is well.')
}
