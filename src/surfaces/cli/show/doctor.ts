import type { Check } from '../../../model/reports.js'
import { columnsOf, safe } from '../terminal.js'
import { joined, type Look } from './table.js'

/** One line a check, with what to do about it below. */
export function doctorText(checks: readonly Check[], look: Look): string {
  const widest = Math.max(0, ...checks.map((check) => columnsOf(safe(check.name))))
  return joined([...checks.flatMap((check) => lines(check, widest, look)), '', verdict(checks, look)])
}

function lines({ name, state, message, hint }: Check, widest: number, look: Look): string[] {
  const label = safe(name) + ' '.repeat(widest - columnsOf(safe(name)))
  const said = `${mark(state, look)}  ${label}  ${safe(message)}`
  return hint ? [said, `${' '.repeat(widest + 12)}${look.paint.dim(safe(hint))}`] : [said]
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
  return warned > 0 ? `Working, with ${warned} to look at.` : paint.green('All is well.')
}
