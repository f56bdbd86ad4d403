// Discoveries: record one, list them, delete one.
import { type Command, Option } from 'commander'
import type { Discovery } from '../../../answer/memory/records.js'
import { type DiscoveryType, discoveryTypes } from '../../../model/discovery.js'
import { Problem } from '../../../model/problem.js'
import { thousands } from '../../../text/counted.js'
import { didYouMean } from '../../../text/nearest.js'
import { printNotes, printResult, withLibrary } from '../command.js'
import type { Context } from '../context.js'
import { globalFlags, helpText } from '../options.js'
import { oneLine, safe } from '../terminal.js'

export function rememberCommand(program: Command, context: Context) {
  program
    .command('remember')
    .summary('record a discovery for later sessions')
    .description(
      helpText(
        'Records a pattern, rule, decision or issue, so that later sessions find it.',
        [
          'carrel remember --type decision we keep sessions in Postgres',
          'carrel remember --type rule --module api "Handlers validate their input with a schema."',
        ],
        `Carrel removes secrets first. It merges a duplicate with the existing discovery, and marks a discovery that the new
one contradicts as replaced.`,
      ),
    )
    .argument('<TEXT...>', 'one statement, 10 to 1,000 characters')
    .addOption(
      new Option('-t, --type <TYPE>', 'what it is')
        .choices(['pattern', 'rule', 'decision', 'issue'])
        .default('rule'),
    )
    .option('-M, --module <NAME>', 'the module it belongs to: "auth" for src/auth')
    .action(async (words: string[], { type, module }: RememberFlags, command: Command) => {
      const content = words.join(' ')
      const { length } = content.trim()
      if (length < 10 || length > 1_000)
        throw new Problem(
          'usage',
          `A statement has 10 to 1,000 characters, and this one has ${thousands(length)}.`,
          'Write a sentence or two, for example: carrel remember "We rotate keys every quarter."',
        )
      const { recordDiscovery } = await import('../../../toolsets/context/record-discovery.js')
      const recorded = await withLibrary(context, command, (library) =>
        recordDiscovery(library, { type, content, module, from: { by: 'command' } }, context.signal),
      )
      const { discovery, state, supersedes, redacted } = recorded
      const known = state === 'merged' ? `Known already (stated ${discovery.count} times):` : 'Recorded:'
      const replaced = supersedes.length > 0 ? `It replaces: ${supersedes.join(', ')}\n` : ''
      const text = () => `${known} ${safe(discovery.content)}\n${replaced}`
      printResult(context, command, { json: recorded, text, quiet: true })
      const flags = globalFlags(command)
      if (redacted && !flags.json)
        printNotes(context, [{ message: 'Secrets were removed before it was recorded.' }], flags)
    })
}

interface RememberFlags {
  type: DiscoveryType
  module?: string
}

export function memoryCommand(program: Command, context: Context) {
  const memory = program
    .command('memory')
    .usage('[options] COMMAND')
    .summary('list and delete recorded discoveries')
    .description(
      helpText('Lists the discoveries of this project, and deletes one by its id.', [
        'carrel memory list --type decision',
        'carrel memory forget 3f2a9c1e        the start of an id is enough',
      ]),
    )
  memory
    .command('list')
    .summary('list the discoveries, the newest first')
    .description(
      helpText('Lists the discoveries with their ids, the newest first.', [
        'carrel memory list',
        'carrel memory list --module api --json',
      ]),
    )
    .addOption(new Option('-t, --type <TYPE>', 'only of this type').choices([...discoveryTypes]))
    .option('-M, --module <NAME>', 'only of this module')
    .action((flags: ListFlags, command: Command) => list(context, command, flags))
  memory
    .command('forget')
    .summary('delete a discovery')
    .description(
      helpText(
        'Deletes a discovery.',
        ['carrel memory forget 3f2a9c1e'],
        'An earlier discovery that it replaced is valid again.',
      ),
    )
    .argument('<ID>', 'its id, or the start of it (at least 4 characters)')
    .action((id: string, _flags: unknown, command: Command) => forget(context, command, id))
}

interface ListFlags {
  type?: DiscoveryType
  module?: string
}

async function list(context: Context, command: Command, { type, module }: ListFlags) {
  const { allDiscoveries } = await import('../../../answer/memory/records.js')
  const all = await withLibrary(context, command, (library) => allDiscoveries(library), { reading: true })
  const shown = all
    .filter((one) => (type ?? one.type) === one.type && (module ?? one.module) === one.module)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? -1 : 1))
  printResult(context, command, {
    json: shown,
    text: () => (shown.length === 0 ? 'No discovery is recorded.\n' : shown.map(lineOf).join('')),
    quiet: shown.length === 0,
  })
}

function lineOf({ id, type, module, updatedAt, content, supersededBy }: Discovery): string {
  const place = module === null ? type : `${type} in ${module}`
  const replaced = supersededBy === null ? '' : `  (replaced by a newer discovery, ${supersededBy})\n`
  return `${id}  ${updatedAt.slice(0, 10)}  ${safe(place)}\n  ${oneLine(content)}\n${replaced}`
}

async function forget(context: Context, command: Command, written: string) {
  const { allDiscoveries } = await import('../../../answer/memory/records.js')
  const { forgetDiscovery } = await import('../../../answer/memory/statements.js')
  const found = await withLibrary(context, command, async (library) => {
    const one = findDiscovery(await allDiscoveries(library), written)
    if (!(await forgetDiscovery(library, one.id))) throw unknown(written, [])
    return one
  })
  const text = () => `Deleted: ${safe(found.content)}\n`
  printResult(context, command, { json: { forgotten: found }, text, quiet: true })
}

const leastStart = 4

/** Finds a discovery by its id or by a unique start of it. `discoveries:ID.md` is an id too. */
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
  const ids = all.map(({ id }) => id)
  const hint = didYouMean(written, ids) ?? '"carrel memory list" shows the ids.'
  return new Problem('not_found', `There is no discovery "${written.slice(0, 100)}".`, hint)
}
