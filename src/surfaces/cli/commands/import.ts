import type { Command } from 'commander'
import type { Library } from '../../../answer/library.js'
import { Problem, reasonOf } from '../../../model/problem.js'
import type { ImportOptions, ImportReport } from '../../../toolsets/context/import.js'
import type { Context } from '../context.js'
import { count } from '../figures.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { tellDone } from '../notes.js'
import { globalFlags, pathsTo } from '../options.js'
import { safe, safeLine } from '../terminal.js'

export function importCommand(program: Command, context: Context) {
  const command =
    program.commands.find((one) => one.name() === 'import') ??
    program.command('import').summary('import notes, transcripts or exported sources')
  command
    .command('notes')
    .argument('<FILE...>', 'Markdown or text', pathsTo('file'))
    .summary('record the patterns, rules, decisions and issues in notes')
    .description(
      'Reads notes and records what they state: lists under headings like "Decisions", "Rules", "Patterns" and\n"Known issues", lines like "Decision: …", and sentences like "Never …". Secrets are removed.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  carrel import notes docs/conventions.md\n  carrel import notes notes/*.md --json',
    )
    .action(async (files: string[], _options: object, own: Command) => {
      const { importNotes } = await import('../../../toolsets/context/import.js')
      await importAll(context, own, files, importNotes)
    })
  command
    .command('transcript')
    .argument('<FILE...>', 'JSON lines of Claude Code or Codex', pathsTo('file'))
    .summary("record the patterns, rules, decisions and issues in an agent's sessions")
    .description(
      'Reads transcripts and records what was stated in them, with file, line and time. Only plain statements are\ntaken ("We decided to …", "Never …", "The root cause was …"); secrets are removed. Importing twice adds nothing.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  carrel import transcript ~/.claude/projects/my-project/*.jsonl\n  carrel import transcript ~/.codex/sessions/2026/11/02/rollout.jsonl',
    )
    .action(async (files: string[], _options: object, own: Command) => {
      const { importTranscript } = await import('../../../toolsets/context/import.js')
      await importAll(context, own, files, importTranscript)
    })
}

type Import = (library: Library, file: string, options: ImportOptions) => Promise<ImportReport>

/** A file that cannot be imported is one outcome of several. */
interface NotImported {
  file: string
  error: string
}

async function importAll(context: Context, command: Command, files: readonly string[], bring: Import) {
  const { signal } = context
  const reports = await withLibrary(context, command, async (library) => {
    const all: (ImportReport | NotImported)[] = []
    for (const file of files) {
      try {
        all.push(await bring(library, file, { signal }))
      } catch (error) {
        if (files.length === 1 || signal.aborted || !isOutcome(error)) throw error
        all.push({ file, error: reasonOf(error) })
      }
    }
    return all
  })
  const flags = globalFlags(command)
  if (flags.json) writeJson(context, reports)
  else for (const one of reports) tellDone(context, reportLine(one), flags, { wrong: 'error' in one })
  if (reports.some((report) => 'error' in report)) context.exit(1)
}

/** What was asked cannot be done, or the disk refuses it; anything else is a bug. */
function isOutcome(error: unknown): boolean {
  return error instanceof Problem || (error instanceof Error && 'syscall' in error)
}

function reportLine(report: ImportReport | NotImported): string {
  if ('error' in report)
    return `${safe(`${report.file}: not imported: ${report.error}`).replaceAll('\n', ' ')}\n`
  const { file, statements, recorded, merged, superseded, unreadable, leftOut } = report
  const facts = [
    `${count(recorded)} recorded`,
    ...(merged > 0 ? [`${count(merged)} known already`] : []),
    ...(superseded > 0 ? [`${count(superseded)} superseded`] : []),
    ...(unreadable > 0 ? [`${count(unreadable)} lines unreadable`] : []),
  ]
  if (statements === 0 && leftOut.length === 0 && unreadable === 0)
    return `${safeLine(file)}: no statements found. Under headings like "Decisions" or "Rules" every list item is one.\n`
  return `${safeLine(file)}: ${count(statements)} statements, ${facts.join(', ')}\n${leftOutLine(leftOut)}`
}

const linesShown = 10

function leftOutLine(lines: readonly number[]): string {
  if (lines.length === 0) return ''
  const shown = lines.slice(0, linesShown).join(', ') + (lines.length > linesShown ? ', …' : '')
  return `  left out, since a statement has 10 to 1,000 characters without secrets: line ${shown}\n`
}
