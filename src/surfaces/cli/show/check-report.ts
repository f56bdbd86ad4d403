import { counted } from '../../../text/counted.js'
import type { CheckCounts, CheckReport, RuleNote, Violation } from '../../../toolsets/architecture/check.js'
import { type Paint, safe, safeLine } from '../terminal.js'
import { joined } from './table.js'

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

/** Of a text with several lines none passes for one of the report's. */
function indented(text: string): string {
  return safe(text).trimEnd().replaceAll('\n', '\n    ')
}

function noteLine({ document, documentLine, rule, message }: RuleNote, word: string): string {
  const said = `${rule === null ? '' : `${safeLine(rule)}: `}${indented(message)}`
  return `${safeLine(document)}:${documentLine}  ${word}  ${said}`
}

function noRules({ documents }: CheckCounts, root: string): string {
  if (documents === 0)
    return `No rules: there are no guidelines, patterns or decisions below ${safeLine(root)}.`
  const found = counted(documents, 'document')
  return documents === 1
    ? `No rules: ${found} of architecture was read, and it has no rule block.`
    : `No rules: ${found} of architecture were read, and none has a rule block.`
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
    ...(lapsed > 0 ? [`${lapsed} of decisions that no longer hold`] : []),
    ...(forSnippets > 0 ? [`${forSnippets} for validate-against-pattern`] : []),
  ]
  const not = aside.length > 0 ? ` Not run: ${aside.join(', ')}.` : ''
  if (found.length === 0) return `${paint.green(`All is well: ${ran}.`)}${not}`
  const paintIt = errors + broken + unchecked + unread > 0 ? paint.red : paint.yellow
  return `${paintIt(`${found.join(', ')}`)} (${ran}).${not}`
}
