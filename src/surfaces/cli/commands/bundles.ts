// A source of the knowledge base as one file, to share a crawl or a set of papers.

import type { Command } from 'commander'
import { counted } from '../../../text/counted.js'
import type { Imported } from '../../../toolsets/knowledge/bundle/import-source.js'
import type { Context } from '../context.js'
import { embedRest } from '../embed.js'
import { bytes } from '../figures.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { tellDone } from '../notes.js'
import { globalFlags, pathTo } from '../options.js'
import { safe, safeLine } from '../terminal.js'

export function bundleCommands(program: Command, context: Context) {
  exportCommand(program, context)
  importCommand(program, context)
}

function exportCommand(program: Command, context: Context) {
  program
    .command('export')
    .summary('write a source to a file')
    .description(
      'Writes a source of the knowledge base (uploads, a crawl, documents of a program) to one file: its documents\nwith their metadata and vectors. "carrel import" reads it on another machine.',
    )
    .argument('<SOURCE>', 'its id or name, as "carrel list" shows it')
    .argument('<FILE>', 'the file to write, such as papers.carrel.gz', pathTo('file'))
    .addHelpText(
      'after',
      '\nExamples:\n  carrel export Uploads uploads.carrel.gz\n  carrel export src_0123456789abcdef docs.carrel.gz --json',
    )
    .action(async (source: string, file: string, _options: object, command: Command) => {
      await withLibrary(context, command, async (library) => {
        const { exportSource } = await import('../../../toolsets/knowledge/bundle/export-source.js')
        const { signal } = context
        const done = await exportSource(library, { source, file, cwd: process.cwd(), signal })
        if (globalFlags(command).json) return writeJson(context, done)
        const said = `Wrote ${counted(done.documents, 'document')} and ${counted(done.vectors, 'vector')} of ${safe(done.source.title)} to ${safe(done.file)} (${bytes(done.bytes)}).\n`
        tellDone(context, said, globalFlags(command))
      })
    })
}

function importCommand(program: Command, context: Context) {
  program
    .command('import')
    .usage('[options] <FILE> | COMMAND')
    .summary('import a source from a file')
    .description(
      'Imports a source that "carrel export" wrote. Vectors of the same model are imported too; others are computed again.\nAn incomplete or damaged file changes nothing.',
    )
    .argument('<FILE>', 'the file', pathTo('file'))
    .option('--as <TITLE>', 'import as a new source with this title')
    .option('--replace', 'replace the existing source')
    .addHelpText(
      'after',
      '\nExamples:\n  carrel import docs.carrel.gz\n  carrel import docs.carrel.gz --replace\n  carrel import docs.carrel.gz --as "Docs of May"',
    )
    .action(async (file: string, options: { as?: string; replace?: boolean }, command: Command) => {
      await withLibrary(context, command, async (library) => {
        const { importSource } = await import('../../../toolsets/knowledge/bundle/import-source.js')
        const { signal } = context
        const flags = globalFlags(command)
        const done = await importSource(library, { file, cwd: process.cwd(), ...options, signal })
        const { embedded = 0 } = await embedRest(context, library, flags, () => {})
        if (flags.json) writeJson(context, { ...done, embedded })
        else tellDone(context, importText(done, embedded), flags, { wrong: done.failed.length > 0 })
        const { added, updated, unchanged, failed } = done
        if (failed.length > 0 && added + updated + unchanged === 0) context.exit(1)
      })
    })
}

function importText(done: Imported, embedded: number): string {
  const { source, added, updated, unchanged, removed, failed, vectors, notes } = done
  const counts = `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${failed.length} failed`
  return [
    `${safe(source.title)} (${source.id}): ${counts}; ${counted(vectors, 'vector')} taken in, ${embedded} made.`,
    ...notes.map((note) => `note: ${safe(note)}`),
    ...failed.slice(0, 20).map(({ path, reason }) => `  ${safeLine(path)}: ${safeLine(reason)}`),
    '',
  ].join('\n')
}
