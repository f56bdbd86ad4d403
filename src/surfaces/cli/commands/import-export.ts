// `carrel export` writes a source to one file; `carrel import` reads it, and records what notes and transcripts state.
import type { Command } from 'commander'
import type { Library } from '../../../answer/library.js'
import { Problem, reasonOf } from '../../../model/problem.js'
import { counted } from '../../../text/counted.js'
import type { ImportOptions, ImportReport } from '../../../toolsets/context/import.js'
import type { Imported } from '../../../toolsets/knowledge/bundle/import-source.js'
import { embedRest, printResult, withLibrary } from '../command.js'
import type { Context } from '../context.js'
import { globalFlags, helpText, pathsTo, pathTo } from '../options.js'
import { bytes, count, joined, safe, safeLine } from '../terminal.js'

export function exportCommand(program: Command, context: Context) {
  program
    .command('export')
    .summary('write a source to a file')
    .description(
      helpText(
        'Writes a source of the knowledge base to one file: its documents with their metadata and vectors.',
        [
          'carrel export Uploads uploads.carrel.gz',
          'carrel export src_0123456789abcdef docs.carrel.gz --json',
        ],
        'A source is a crawl, your uploads, or the documents of a program. "carrel import" reads the file on another machine.',
      ),
    )
    .argument('<SOURCE>', 'its id or name, as "carrel list" shows it')
    .argument('<FILE>', 'the file to write, such as papers.carrel.gz', pathTo('file'))
    .action(async (source: string, file: string, _options: object, command: Command) => {
      await withLibrary(context, command, async (library) => {
        const { exportSource } = await import('../../../toolsets/knowledge/bundle/export-source.js')
        const { signal } = context
        const done = await exportSource(library, { source, file, cwd: process.cwd(), signal })
        const contents = `${counted(done.documents, 'document')} and ${counted(done.vectors, 'vector')}`
        const text = () =>
          `Wrote ${contents} of ${safe(done.source.title)} to ${safe(done.file)} (${bytes(done.bytes)}).\n`
        printResult(context, command, { json: done, text, quiet: true })
      })
    })
}

export function importCommand(program: Command, context: Context) {
  const command = program
    .command('import')
    .usage('[options] <FILE> | COMMAND')
    .summary('import a source from a file, or statements from notes')
    .description(
      helpText(
        'Imports a source that "carrel export" wrote.',
        [
          'carrel import docs.carrel.gz',
          'carrel import docs.carrel.gz --replace',
          'carrel import docs.carrel.gz --as "Docs of May"',
        ],
        `Vectors of the same model are imported too; others are computed again. An incomplete or damaged file changes
nothing. "carrel import notes" and "carrel import transcript" record what notes and agents' sessions state.`,
      ),
    )
    .argument('<FILE>', 'the file', pathTo('file'))
    .option('--as <TITLE>', 'import as a new source with this title')
    .option('--replace', 'replace the existing source')
    .action(async (file: string, options: { as?: string; replace?: boolean }, command: Command) => {
      await withLibrary(context, command, async (library) => {
        const { importSource } = await import('../../../toolsets/knowledge/bundle/import-source.js')
        const { signal } = context
        const done = await importSource(library, { file, cwd: process.cwd(), ...options, signal })
        const { embedded = 0 } = await embedRest(context, library, globalFlags(command), () => {})
        const { added, updated, unchanged, failed } = done
        const [json, text] = [{ ...done, embedded }, () => importText(done, embedded)]
        printResult(context, command, { json, text, quiet: failed.length === 0 })
        if (failed.length > 0 && added + updated + unchanged === 0) context.exit(1)
      })
    })
  command
    .command('notes')
    .argument('<FILE...>', 'Markdown or text', pathsTo('file'))
    .summary('record the patterns, rules, decisions and issues in notes')
    .description(
      helpText(
        'Records the patterns, rules, decisions and issues that notes state.',
        ['carrel import notes docs/conventions.md', 'carrel import notes notes/*.md --json'],
        `A statement is a list item under a heading like "Decisions", "Rules", "Patterns" or "Known issues", a line like
"Decision: …", or a sentence like "Never …". Carrel removes secrets.`,
      ),
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
      helpText(
        "Records the patterns, rules, decisions and issues that an agent's sessions state, with file, line and time.",
        [
          'carrel import transcript ~/.claude/projects/my-project/*.jsonl',
          'carrel import transcript ~/.codex/sessions/2026/11/02/rollout.jsonl',
        ],
        `Only plain statements count ("We decided to …", "Never …", "The root cause was …"). Carrel removes secrets.
Importing a transcript twice adds nothing.`,
      ),
    )
    .action(async (files: string[], _options: object, own: Command) => {
      const { importTranscript } = await import('../../../toolsets/context/import.js')
      await importAll(context, own, files, importTranscript)
    })
}

function importText(done: Imported, embedded: number): string {
  const { source, added, updated, unchanged, removed, failed, vectors, notes } = done
  const counts = `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${failed.length} failed`
  return joined([
    `${safe(source.title)} (${source.id}): ${counts}; ${counted(vectors, 'vector')} imported, ${embedded} computed.`,
    ...notes.map((note) => `note: ${safe(note)}`),
    ...failed.slice(0, 20).map(({ path, reason }) => `  ${safeLine(path)}: ${safeLine(reason)}`),
  ])
}

type Import = (library: Library, file: string, options: ImportOptions) => Promise<ImportReport>

/** The outcome for a file that cannot be imported. */
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
  const failed = reports.filter((report) => 'error' in report)
  const shown = globalFlags(command).quiet ? failed : reports
  printResult(context, command, { json: reports, text: () => shown.map(reportLine).join('') })
  if (failed.length > 0) context.exit(1)
}

/** A Problem or an error of the disk is an outcome; anything else is a bug. */
function isOutcome(error: unknown): boolean {
  return error instanceof Problem || (error instanceof Error && 'syscall' in error)
}

function reportLine(report: ImportReport | NotImported): string {
  if ('error' in report) return `${safeLine(`${report.file}: not imported: ${report.error}`)}\n`
  const { file, statements, recorded, merged, superseded, unreadable, leftOut } = report
  const facts = [
    `${count(recorded)} recorded`,
    ...(merged > 0 ? [`${count(merged)} known already`] : []),
    ...(superseded > 0 ? [`${count(superseded)} superseded`] : []),
    ...(unreadable > 0 ? [`${count(unreadable)} lines unreadable`] : []),
  ]
  if (statements === 0 && leftOut.length === 0 && unreadable === 0)
    return `${safeLine(file)}: no statements found. A list item under a heading like "Decisions" or "Rules" is one.\n`
  return `${safeLine(file)}: ${count(statements)} statements, ${facts.join(', ')}\n${leftOutLine(leftOut)}`
}

const linesShown = 10

function leftOutLine(lines: readonly number[]): string {
  if (lines.length === 0) return ''
  const shown = lines.slice(0, linesShown).join(', ') + (lines.length > linesShown ? ', …' : '')
  return `  skipped, because a statement has 10 to 1,000 characters without secrets: line ${shown}\n`
}
