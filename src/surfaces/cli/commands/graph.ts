import { type Command, Option } from 'commander'
import { Problem } from '../../../model/problem.js'
import { counted } from '../../../text/counted.js'
import type { GraphCheck } from '../../../toolsets/graph/check.js'
import type { ExportFormat } from '../../../toolsets/graph/export.js'
import type { Context } from '../context.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { tellOfIndex } from '../notes.js'
import { globalFlags } from '../options.js'
import { showProgress } from '../progress.js'
import { safeLine } from '../terminal.js'

export function graphCommand(program: Command, context: Context) {
  const graph = program
    .command('graph')
    .usage('[options] COMMAND')
    .summary('check and export the links between notes')
    .description('Checks the links between notes, or exports them.')
    .addHelpText('after', '\nExamples:\n  carrel graph check\n  carrel graph export --format dot')
  graph
    .command('check')
    .description('Lists broken links, ambiguous links and notes without links (orphans).')
    .option('--mentions', 'also list titles that are mentioned but not linked; reads every note')
    .addHelpText(
      'after',
      '\nExamples:\n  carrel graph check\n  carrel graph check --mentions\n  carrel graph check --json | jq .broken',
    )
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
          await tellOfIndex(context, command, library)
          return found
        },
        { reading: true },
      )
      if (globalFlags(command).json) return writeJson(context, report)
      context.out.write(checkText(report))
    })
  graph
    .command('export')
    .description('Prints the notes and their links, for other programs.')
    .addOption(new Option('--format <FORMAT>', 'how').choices(['json', 'graphml', 'dot']).default('json'))
    .addHelpText(
      'after',
      '\nExamples:\n  carrel graph export > notes.json\n  carrel graph export --format dot | dot -Tsvg > notes.svg',
    )
    .action(async ({ format }: { format: ExportFormat }, command: Command) => {
      if (globalFlags(command).json && format !== 'json')
        throw new Problem(
          'usage',
          `--json and --format ${format} do not go together.`,
          'Leave one of them out.',
        )
      const { exportGraph } = await import('../../../toolsets/graph/export.js')
      const graph = await withLibrary(
        context,
        command,
        async (library) => {
          await tellOfIndex(context, command, library)
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
