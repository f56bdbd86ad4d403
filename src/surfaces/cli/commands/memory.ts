import { type Command, Option } from 'commander'
import type { Discovery } from '../../../answer/memory/discoveries.js'
import { type DiscoveryType, discoveryTypes } from '../../../model/discovery.js'
import { Problem } from '../../../model/problem.js'
import { didYouMean } from '../../../text/nearest.js'
import type { Context } from '../context.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { tellDone } from '../notes.js'
import { globalFlags } from '../options.js'
import { safe } from '../terminal.js'

export function memoryCommand(program: Command, context: Context) {
  const memory = program
    .command('memory')
    .usage('[options] COMMAND')
    .summary('list and delete recorded discoveries')
    .description('Lists the discoveries of this project, and deletes one by its id.')
    .addHelpText(
      'after',
      `
Examples:
  carrel memory list --type decision
  carrel memory forget 3f2a9c1e        the start of an id is enough`,
    )
  memory
    .command('list')
    .summary('list the discoveries, the newest first')
    .description('Lists the discoveries with their ids, the newest first.')
    .addOption(new Option('-t, --type <TYPE>', 'only of this type').choices([...discoveryTypes]))
    .option('-M, --module <NAME>', 'only of this module')
    .addHelpText('after', '\nExamples:\n  carrel memory list\n  carrel memory list --module api --json')
    .action((flags: ListFlags, command: Command) => list(context, command, flags))
  memory
    .command('forget')
    .summary('delete a discovery')
    .description('Deletes a discovery. An earlier discovery that it replaced holds again.')
    .argument('<ID>', 'its id, or the start of it (at least 4 characters)')
    .addHelpText('after', '\nExample:\n  carrel memory forget 3f2a9c1e')
    .action((id: string, _flags: unknown, command: Command) => forget(context, command, id))
}

interface ListFlags {
  type?: DiscoveryType
  module?: string
}

async function list(context: Context, command: Command, { type, module }: ListFlags) {
  const { allDiscoveries } = await import('../../../answer/memory/discoveries.js')
  const all = await withLibrary(context, command, (library) => allDiscoveries(library), { reading: true })
  const shown = all
    .filter((one) => (type ?? one.type) === one.type && (module ?? one.module) === one.module)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? -1 : 1))
  const flags = globalFlags(command)
  if (flags.json) return writeJson(context, shown)
  if (shown.length === 0) return tellDone(context, 'No discovery is recorded.\n', flags)
  context.out.write(shown.map(lineOf).join(''))
}

function lineOf({ id, type, module, updatedAt, content, supersededBy }: Discovery): string {
  const place = module === null ? type : `${type} in ${module}`
  const replaced = supersededBy === null ? '' : `  (replaced by a newer discovery, ${supersededBy})\n`
  return `${id}  ${updatedAt.slice(0, 10)}  ${safe(place)}\n  ${safe(content.replace(/\s+/g, ' '))}\n${replaced}`
}

async function forget(context: Context, command: Command, written: string) {
  const { allDiscoveries } = await import('../../../answer/memory/discoveries.js')
  const { forgetDiscovery } = await import('../../../answer/memory/edit-discovery.js')
  const found = await withLibrary(context, command, async (library) => {
    const one = findDiscovery(await allDiscoveries(library), written)
    if (!(await forgetDiscovery(library, one.id))) throw unknown(written, [])
    return one
  })
  const flags = globalFlags(command)
  if (flags.json) return writeJson(context, { forgotten: found })
  tellDone(context, `Forgotten: ${safe(found.content)}\n`, flags)
}

const leastStart = 4

/** By its id, or by the start of it if no other id starts like this. `discoveries:ID.md` is an id too. */
function findDiscovery(all: readonly Discovery[], written: string): Discovery {
  const id = written
    .trim()
    .toLowerCase()
    .replace(/^discoveries:/, '')
    .replace(/\.md$/, '')
  const exact = all.find((one) => one.id === id)
  if (exact) return exact
  const starting = id.length < leastStart ? [] : all.filter((one) => one.id.startsWith(id))
  if (starting.length === 1) return starting[0]!
  if (starting.length > 1)
    throw new Problem(
      'ambiguous',
      `${starting.length} discoveries have an id that starts with "${id}".`,
      `Write more of it: ${starting
        .slice(0, 3)
        .map((one) => one.id)
        .join(', ')}.`,
    )
  throw unknown(written, all)
}

function unknown(written: string, all: readonly Discovery[]): Problem {
  const near = didYouMean(
    written,
    all.map(({ id }) => id),
  )
  return new Problem(
    'not_found',
    `There is no discovery "${written.slice(0, 100)}".`,
    near ?? '"carrel memory list" shows the ids.',
  )
}
