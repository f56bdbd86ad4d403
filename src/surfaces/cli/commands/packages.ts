// Collections that come as packages: add, sync, remove, list and pack.

import type { Command } from 'commander'
import type { PackagePlaces } from '../../../answer/configured-packages.js'
import type { Library } from '../../../answer/library.js'
import { counted } from '../../../text/counted.js'
import type { PackageReport } from '../../../toolsets/packages/sync.js'
import type { Context } from '../context.js'
import { bytes } from '../figures.js'
import { writeJson } from '../json.js'
import { settingsFor } from '../library.js'
import { tellDone, tellOfIndex } from '../notes.js'
import { globalFlags, pathTo } from '../options.js'
import { packageText } from '../show/package-report.js'
import { safe } from '../terminal.js'

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
      'Adds a collection to context.json and indexes it. A package that cannot be indexed is not added.\nURL is a folder, a manifest.json or a .tar.gz bundle, here or on the web,\nor git+https://…, git+ssh://…, git+file://… with #REF?manifest=PATH.',
    )
    .argument('<URL>', 'where the package is')
    .requiredOption('--as <NAME>', 'the alias of the collection (required)')
    .option('--global', 'for all your projects, not only this one')
    .addHelpText(
      'after',
      `
Examples:
  carrel add ./handbook --as handbook
  carrel add vendor/api-docs-2.1.0.tar.gz --as api
  carrel add https://docs.example.org/manifest.json --as docs --allow-network
  carrel add 'git+https://example.org/docs.git#v2?manifest=docs/manifest.json' --as more --allow-network`,
    )
    .action(
      async (url: string, { as: alias, global }: { as: string; global?: boolean }, command: Command) => {
        await withPackages(context, command, async (library, places) => {
          const { addAndSync } = await import('../../../toolsets/packages/add.js')
          const given = { url, alias, global: global ?? false, from: process.cwd(), typed: true }
          const request = { ...given, signal: context.signal }
          tell(context, command, [await addAndSync(library, places, request)])
        })
      },
    )
}

function syncCommand(program: Command, context: Context) {
  program
    .command('sync')
    .summary('bring packages up to date')
    .description(
      'Updates the packages of context.json: adds, replaces and removes files as their manifests say.\nA file that fails keeps its stored version; a package that fails changes nothing.\nWith --locked, the command fails if a file differs from context.lock.',
    )
    .argument('[NAME...]', 'only these packages')
    .option('--locked', 'use exactly the commits and bytes of context.lock')
    .addHelpText(
      'after',
      '\nExamples:\n  carrel sync\n  carrel sync handbook\n  carrel sync --locked    on a build server',
    )
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
    .description('Removes a package from context.json and from the index.')
    .argument('<NAME>', 'its alias')
    .addHelpText('after', '\nExamples:\n  carrel remove handbook')
    .action(async (alias: string, _options: object, command: Command) => {
      await withPackages(context, command, async (library, places) => {
        const { removePackage } = await import('../../../toolsets/packages/configured.js')
        const removed = await removePackage(library, places, alias)
        if (globalFlags(command).json) writeJson(context, removed)
        else tellDone(context, `Removed ${safe(alias)} (${safe(removed.url)}).\n`, globalFlags(command))
      })
    })
}

function listCommand(program: Command, context: Context) {
  program
    .command('list')
    .summary('list collections')
    .description(
      'Lists every collection with its documents, and packages that are configured but not synced yet.',
    )
    .addHelpText('after', "\nExamples:\n  carrel list\n  carrel list --json | jq -r '.[].collection'")
    .action(async (_options: object, command: Command) => {
      await withPackages(context, command, async (library, places) => {
        const { listAll } = await import('../../../toolsets/packages/list.js')
        const all = await listAll(library, places)
        await tellOfIndex(context, command, library)
        if (globalFlags(command).json) return writeJson(context, all)
        for (const { collection, version, documents, location, id, sameAs } of all) {
          const missing = sameAs ? `the same package as ${safe(sameAs)}` : 'not taken in yet: carrel sync'
          const state = id === null ? missing : counted(documents, 'document')
          context.out.write(
            `${safe([collection, version].filter(Boolean).join(' '))}  ${state}  ${safe(location)}\n`,
          )
        }
      })
    })
}

function packCommand(program: Command, context: Context) {
  program
    .command('pack')
    .summary('make a bundle of a folder')
    .description(
      'Makes a .tar.gz bundle of a folder, every file listed with its hash.\nThe folder has a manifest.json with a name, a version and sources.',
    )
    .argument('<FOLDER>', 'the folder, or its manifest.json', pathTo('folder'))
    .option('-o, --output <FILE>', 'where to write it (else NAME-VERSION.tar.gz here)')
    .addHelpText(
      'after',
      '\nExamples:\n  carrel pack ./handbook\n  carrel pack ./handbook -o handbook.tar.gz',
    )
    .action(async (folder: string, { output }: { output?: string }, command: Command) => {
      const { pack } = await import('../../../toolsets/packages/pack.js')
      const packed = await pack(folder, { cwd: process.cwd(), output, signal: context.signal })
      const flags = globalFlags(command)
      if (flags.json) return writeJson(context, packed)
      const said = `Packed ${counted(packed.files, 'file')} into ${safe(packed.file)} (${bytes(packed.bytes)}).\n`
      tellDone(context, said, flags)
    })
}

async function withPackages(
  context: Context,
  command: Command,
  work: (library: Library, places: PackagePlaces) => Promise<void>,
) {
  const settings = await settingsFor(context, command)
  const library = await context.services.open(settings)
  try {
    const { packagePlaces } = await import('../../../answer/configured-packages.js')
    await work(library, packagePlaces(library))
  } finally {
    await library.close()
  }
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
  tell(context, command, reports)
  // Who asks for exact bytes wants to know by the exit code that some were others.
  if (options.locked && reports.some(({ failed }) => failed.length > 0)) context.exit(1)
}

const nonePackages = 'No packages are configured: "carrel add URL --as NAME" adds one.\n'

function tell(context: Context, command: Command, reports: PackageReport[]) {
  const flags = globalFlags(command)
  if (flags.json) writeJson(context, reports)
  else if (reports.length === 0) tellDone(context, nonePackages, flags)
  else
    for (const one of reports)
      tellDone(context, packageText(one), flags, { wrong: one.error !== null || one.failed.length > 0 })
  if (reports.some(({ state }) => state === 'failed')) context.exit(1)
}
