import type { Command } from 'commander'
import { counted } from '../../../text/counted.js'
import type { CheckCounts, CheckReport, RuleNote, Violation } from '../../../toolsets/architecture/check.js'
import { printResult, settingsFor } from '../command.js'
import type { Context } from '../context.js'
import { globalFlags, helpText, whole } from '../options.js'
import { showProgress } from '../progress.js'
import { count, joined, type Paint, safe, safeLine } from '../terminal.js'

export function checkCommand(program: Command, context: Context) {
  program
    .command('check')
    .summary('check the code against the decisions')
    .description(
      helpText(
        'Checks the code against the ```rule blocks of decisions, patterns and guidelines. Needs no index.',
        [
          'carrel check',
          'carrel check --root ~/project',
          `carrel check --json | jq '.violations[] | select(.severity == "error")'`,
        ],
        'Exit code 1: an error was found. Exit code 2: a rule is invalid, can never match, or could not be checked.',
      ),
    )
    .option(
      '--time-limit <seconds>',
      'stop after this time; unfinished rules count as unchecked',
      whole(1, 86_400),
      300,
    )
    .action(async (options: { timeLimit: number }, command: Command) => {
      const settings = await settingsFor(context, command)
      const { checkDecisions } = await import('../../../toolsets/architecture/check.js')
      const progress = showProgress(context, globalFlags(command))
      const report = await checkDecisions(settings, {
        signal: context.signal,
        mostSeconds: options.timeLimit,
        onProgress: (done, total) => progress.say(`Checking: ${count(done)}/${count(total)} files`),
      }).finally(progress.end)
      const text = ({ paint }: { paint: Paint }) => checkText(report, settings.root, paint)
      printResult(context, command, { json: report, text })
      if (report.broken.length + report.unchecked.length > 0) context.exit(2)
      else if (report.counts.errors > 0) context.exit(1)
    })
}

/** `file:line` first, as editors and CI read it; the decision below it. */
export function checkText(
  { violations, broken, unchecked, notes, counts }: CheckReport,
  root: string,
  paint: Paint,
): string {
  return joined([
    ...violations.flatMap((one) => violationLines(one, paint)),
    ...broken.map((one) => noteLine(one, paint.red('broken'))),
    ...unchecked.map((one) => noteLine(one, paint.red('unchecked'))),
    ...notes.map((one) => noteLine(one, paint.dim('note'))),
    ...(violations.length + broken.length + unchecked.length + notes.length > 0 ? [''] : []),
    counts.rules + counts.unread === 0 ? noRules(counts, root) : verdict(counts, paint),
  ])
}

function violationLines(
  { file, line, severity, message, rule, document, documentLine, title, suggestion }: Violation,
  paint: Paint,
): string[] {
  const place = file === null ? document : `${file}${line === null ? '' : `:${line}`}`
  const word = severity === 'error' ? paint.red('error') : paint.yellow('warning')
  return [
    `${paint.bold(safeLine(place))}  ${word}  ${indented(message)}`,
    ...(suggestion ? [`    ${indented(suggestion)}`] : []),
    `    ${paint.dim(safeLine(`${rule}, ${document}:${documentLine} (${title})`))}`,
  ]
}

/** Indents every further line, so that none looks like a line of the report. */
function indented(text: string): string {
  return safe(text).trimEnd().replaceAll('\n', '\n    ')
}

function noteLine({ document, documentLine, rule, message }: RuleNote, word: string): string {
  const text = `${rule === null ? '' : `${safeLine(rule)}: `}${indented(message)}`
  return `${safeLine(document)}:${documentLine}  ${word}  ${text}`
}

function noRules({ documents }: CheckCounts, root: string): string {
  if (documents === 0)
    return `No rules: there are no guidelines, patterns or decisions below ${safeLine(root)}.`
  const found = counted(documents, 'document')
  return documents === 1
    ? `No rules: the only document of architecture has no rule block.`
    : `No rules: none of ${found} of architecture has a rule block.`
}

function verdict(counts: CheckCounts, paint: Paint): string {
  const { files, errors, warnings, broken, unchecked, unread, passed, violated } = counts
  const ran = `${counted(passed + violated, 'rule')} over ${counted(files, 'file')}`
  const found = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(broken > 0 ? [counted(broken, 'broken rule')] : []),
    ...(unchecked > 0 ? [counted(unchecked, 'unchecked rule')] : []),
    ...(unread > 0 ? [counted(unread, 'unread document')] : []),
  ]
  const { lapsed, forSnippets } = counts
  const aside = [
    ...(lapsed > 0 ? [`${lapsed} of superseded or rejected decisions`] : []),
    ...(forSnippets > 0 ? [`${forSnippets} for validate-against-pattern`] : []),
  ]
  const not = aside.length > 0 ? ` Not run: ${aside.join(', ')}.` : ''
  if (found.length === 0) return `${paint.green(`All is well: ${ran}.`)}${not}`
  const paintIt = errors + broken + unchecked + unread > 0 ? paint.red : paint.yellow
  return `${paintIt(`${found.join(', ')}`)} (${ran}).${not}`
}
