import { type Command, Option } from 'commander'
import { Problem } from '../../../model/problem.js'
import { counted } from '../../../text/counted.js'
import type { GraphCheck } from '../../../toolsets/graph/check.js'
import type { ExportFormat } from '../../../toolsets/graph/export.js'
import { printIndexNotes, printResult, withLibrary } from '../command.js'
import type { Context } from '../context.js'
import { globalFlags, helpText } from '../options.js'
import { showProgress } from '../progress.js'
import { safeLine } from '../terminal.js'

export function graphCommand(program: Command, context: Context) {
  const graph = program
    .command('graph')
    .usage('[options] COMMAND')
    .summary('check and export the links between notes')
    .description(
      helpText('Checks the links between notes, or exports them.', [
        'carrel graph check',
        'carrel graph export --format dot',
      ]),
    )
  graph
    .command('check')
    .description(
      helpText('Lists broken links, ambiguous links and notes without links (orphans).', [
        'carrel graph check',
        'carrel graph check --mentions',
        'carrel graph check --json | jq .broken',
      ]),
    )
    .option('--mentions', 'also list titles that are mentioned but not linked; reads every note')
    .action(async ({ mentions = false }: { mentions?: boolean }, command: Command) => {
      const { checkGraph } = await import('../../../toolsets/graph/check.js')
      const progress = showProgress(context, globalFlags(command))
      const onProgress = (done: number, total: number) =>
        progress.say(`Looking for mentions: ${done} of ${counted(total, 'note')}`)
      const report = await withLibrary(
        context,
        command,
        async (library) => {
          const found = await checkGraph(library, { mentions, signal: context.signal, onProgress }).finally(
            progress.end,
          )
          await printIndexNotes(context, command, library)
          return found
        },
        { reading: true },
      )
      printResult(context, command, { json: report, text: () => checkText(report) })
    })
  graph
    .command('export')
    .description(
      helpText('Prints the notes and their links, for other programs.', [
        'carrel graph export > notes.json',
        'carrel graph export --format dot | dot -Tsvg > notes.svg',
      ]),
    )
    .addOption(
      new Option('--format <FORMAT>', 'the output format')
        .choices(['json', 'graphml', 'dot'])
        .default('json'),
    )
    .action(async ({ format }: { format: ExportFormat }, command: Command) => {
      if (globalFlags(command).json && format !== 'json')
        throw new Problem(
          'usage',
          `--json and --format ${format} cannot be combined.`,
          'Leave one of them out.',
        )
      const { exportGraph } = await import('../../../toolsets/graph/export.js')
      const graph = await withLibrary(
        context,
        command,
        async (library) => {
          await printIndexNotes(context, command, library)
          return exportGraph(library, format)
        },
        { reading: true },
      )
      context.out.write(graph)
    })
}

const mostShown = 20

export function checkText(report: GraphCheck): string {
  const parts = [
    part('broken link', '', report.broken, ({ id, line, link }) => `${id}:${line}  ${link}`),
    part(
      'ambiguous link',
      '',
      report.ambiguous,
      ({ id, line, link, candidates }) => `${id}:${line}  ${link}  (${candidates.join(', ')})`,
    ),
    part('note', ' without links', report.orphans, (id) => id),
    report.mentions &&
      part(
        'title',
        ' mentioned but not linked',
        report.mentions,
        ({ id, line, title }) => `${id}:${line}  ${title}`,
      ),
  ]
  return `${counted(report.notes, 'note')}, ${counted(report.links, 'link')}\n${parts.filter(Boolean).join('')}`
}

function part<T>(noun: string, rest: string, items: readonly T[], show: (item: T) => string): string {
  const more = items.length > mostShown ? `  … and ${items.length - mostShown} more (--json lists all)\n` : ''
  return `\n${counted(items.length, noun)}${rest}\n${items
    .slice(0, mostShown)
    .map((item) => `  ${safeLine(show(item))}\n`)
    .join('')}${more}`
}
