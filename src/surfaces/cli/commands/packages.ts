// Packages of documents: add, sync, remove, list and pack.
import type { Command } from 'commander'
import type { PackagePlaces } from '../../../answer/configured-packages.js'
import type { Library } from '../../../answer/library.js'
import { counted } from '../../../text/counted.js'
import type { ListedCollection } from '../../../toolsets/packages/add.js'
import type { PackageReport } from '../../../toolsets/packages/sync.js'
import { printIndexNotes, printResult, withLibrary } from '../command.js'
import type { Context } from '../context.js'
import { globalFlags, helpText, pathTo } from '../options.js'
import { bytes, safe, safeLine } from '../terminal.js'

export function packageCommands(program: Command, context: Context) {
  addCommand(program, context)
  syncCommand(program, context)
  removeCommand(program, context)
  listCommand(program, context)
  packCommand(program, context)
}

function addCommand(program: Command, context: Context) {
  program
    .command('add')
    .usage('<URL> --as <NAME> [options]')
    .summary('add a package of documents')
    .description(
      helpText(
        'Adds a package of documents to context.json and indexes it as a collection.',
        [
          'carrel add ./handbook --as handbook',
          'carrel add vendor/api-docs-2.1.0.tar.gz --as api',
          'carrel add https://docs.example.org/manifest.json --as docs --allow-network',
          `carrel add 'git+https://example.org/docs.git#v2?manifest=docs/manifest.json' --as more --allow-network`,
        ],
        `URL is a folder, a manifest.json or a .tar.gz bundle, on this machine or on the web, or a git repository:
git+https://…, git+ssh://… or git+file://…, with #REF?manifest=PATH. A package that cannot be indexed is not added.`,
      ),
    )
    .argument('<URL>', 'where the package is')
    .requiredOption('--as <NAME>', 'the alias of the collection (required)')
    .option('--global', 'for all your projects, not only this one')
    .action(
      async (url: string, { as: alias, global }: { as: string; global?: boolean }, command: Command) => {
        await withPackages(context, command, async (library, places) => {
          const { addAndSync } = await import('../../../toolsets/packages/add.js')
          const given = { url, alias, global: global ?? false, from: process.cwd(), typed: true }
          const request = { ...given, signal: context.signal }
          printReports(context, command, [await addAndSync(library, places, request)])
        })
      },
    )
}

function syncCommand(program: Command, context: Context) {
  program
    .command('sync')
    .summary('bring packages up to date')
    .description(
      helpText(
        'Updates the packages of context.json: adds, replaces and removes files as their manifests say.',
        ['carrel sync', 'carrel sync handbook', 'carrel sync --locked    on a build server'],
        `A file that fails keeps its stored version; a package that fails changes nothing.
With --locked, the command fails if a file differs from context.lock.`,
      ),
    )
    .argument('[NAME...]', 'only these packages')
    .option('--locked', 'use exactly the commits and bytes of context.lock')
    .action(async (names: string[], { locked }: { locked?: boolean }, command: Command) => {
      await withPackages(context, command, (library, places) =>
        sync(context, command, library, places, {
          ...(names.length > 0 ? { aliases: names } : {}),
          locked: locked ?? false,
        }),
      )
    })
}

function removeCommand(program: Command, context: Context) {
  program
    .command('remove')
    .summary('remove a package')
    .description(
      helpText('Removes a package from context.json and from the index.', ['carrel remove handbook']),
    )
    .argument('<NAME>', 'its alias')
    .action(async (alias: string, _options: object, command: Command) => {
      await withPackages(context, command, async (library, places) => {
        const { removePackage } = await import('../../../toolsets/packages/configured.js')
        const removed = await removePackage(library, places, alias)
        const text = () => `Removed ${safe(alias)} (${safe(removed.url)}).\n`
        printResult(context, command, { json: removed, text, quiet: true })
      })
    })
}

function listCommand(program: Command, context: Context) {
  program
    .command('list')
    .summary('list collections')
    .description(
      helpText('Lists the collections with their documents, and packages that are not synced yet.', [
        'carrel list',
        "carrel list --json | jq -r '.[].collection'",
      ]),
    )
    .action(async (_options: object, command: Command) => {
      await withPackages(context, command, async (library, places) => {
        const { listAll } = await import('../../../toolsets/packages/add.js')
        const all = await listAll(library, places)
        await printIndexNotes(context, command, library)
        printResult(context, command, { json: all, text: () => all.map(listLine).join('') })
      })
    })
}

function listLine({ collection, version, documents, location, id, sameAs }: ListedCollection): string {
  const missing = sameAs ? `the same package as ${safe(sameAs)}` : 'not synced yet: carrel sync'
  const state = id === null ? missing : counted(documents, 'document')
  return `${safe([collection, version].filter(Boolean).join(' '))}  ${state}  ${safe(location)}\n`
}

function packCommand(program: Command, context: Context) {
  program
    .command('pack')
    .summary('make a bundle of a folder')
    .description(
      helpText(
        'Makes a .tar.gz bundle of a folder, with the hash of every file.',
        ['carrel pack ./handbook', 'carrel pack ./handbook -o handbook.tar.gz'],
        'The folder needs a manifest.json with a name, a version and sources.',
      ),
    )
    .argument('<FOLDER>', 'the folder, or its manifest.json', pathTo('folder'))
    .option('-o, --output <FILE>', 'the file to write (default: NAME-VERSION.tar.gz in this folder)')
    .action(async (folder: string, { output }: { output?: string }, command: Command) => {
      const { pack } = await import('../../../toolsets/packages/pack.js')
      const packed = await pack(folder, { cwd: process.cwd(), output, signal: context.signal })
      const text = () =>
        `Packed ${counted(packed.files, 'file')} into ${safe(packed.file)} (${bytes(packed.bytes)}).\n`
      printResult(context, command, { json: packed, text, quiet: true })
    })
}

async function withPackages(
  context: Context,
  command: Command,
  work: (library: Library, places: PackagePlaces) => Promise<void>,
) {
  const { packagePlaces } = await import('../../../answer/configured-packages.js')
  await withLibrary(context, command, (library) => work(library, packagePlaces(library)))
}

async function sync(
  context: Context,
  command: Command,
  library: Library,
  places: PackagePlaces,
  options: { aliases?: string[]; locked?: boolean },
) {
  const { syncPackages } = await import('../../../toolsets/packages/sync.js')
  const reports = await syncPackages(library, places, { ...options, signal: context.signal })
  printReports(context, command, reports)
  // With --locked, a script learns from the exit code that a file differs.
  if (options.locked && reports.some(({ failed }) => failed.length > 0)) context.exit(1)
}

function printReports(context: Context, command: Command, reports: PackageReport[]) {
  const none = 'No packages are configured: "carrel add URL --as NAME" adds one.\n'
  const hasFailed = ({ error, failed }: PackageReport) => error !== null || failed.length > 0
  const shown = globalFlags(command).quiet ? reports.filter(hasFailed) : reports
  printResult(context, command, {
    json: reports,
    text: () => (reports.length === 0 ? none : shown.map(packageText).join('')),
    quiet: shown.length === 0,
  })
  if (reports.some(({ state }) => state === 'failed')) context.exit(1)
}

/** The outcome of a sync, with the files that failed. */
export function packageText(report: PackageReport): string {
  if (report.error !== null) return `${safe(report.alias)}: failed, nothing changed. ${safe(report.error)}\n`
  const { added, updated, unchanged, removed, skipped, failed } = report
  const counts = `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed`
  const others = `${skipped.length} skipped, ${failed.length} failed`
  const troubles = failed.slice(0, 20).map(({ path, reason }) => `  ${safeLine(path)}: ${safeLine(reason)}\n`)
  return `${safe(report.alias)}: ${counts}, ${others}.\n${troubles.join('')}`
}
