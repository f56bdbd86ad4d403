import { type Command, Option } from 'commander'
import type { DiscoveryType } from '../../../model/discovery.js'
import { Problem } from '../../../model/problem.js'
import type { Context } from '../context.js'
import { writeJson } from '../json.js'
import { withLibrary } from '../library.js'
import { tellDone, tellNote } from '../notes.js'
import { globalFlags } from '../options.js'
import { safe } from '../terminal.js'

interface RememberFlags {
  type: DiscoveryType
  module?: string
}

export function rememberCommand(program: Command, context: Context) {
  program
    .command('remember')
    .summary('record a discovery for later sessions')
    .description(
      'Records a pattern, rule, decision or issue, which context_search then finds. A duplicate is merged with the existing\ndiscovery, a contradicted discovery is marked as replaced by the newer one, and secrets are removed first.',
    )
    .argument('<TEXT...>', 'one statement, 10 to 1,000 characters')
    .addOption(
      new Option('-t, --type <TYPE>', 'what it is')
        .choices(['pattern', 'rule', 'decision', 'issue'])
        .default('pattern'),
    )
    .option('-M, --module <NAME>', 'the module it belongs to: "auth" for src/auth')
    .addHelpText(
      'after',
      `
Examples:
  carrel remember --type decision we keep sessions in Postgres
  carrel remember --type rule --module api "Handlers validate their input with a schema."`,
    )
    .action(async (words: string[], { type, module }: RememberFlags, command: Command) => {
      const content = words.join(' ')
      const { length } = content.trim()
      if (length < 10 || length > 1_000)
        throw new Problem(
          'usage',
          `A statement has 10 to 1,000 characters, and this one has ${length.toLocaleString('en-US')}.`,
          'Say it in a sentence or two, as in: carrel remember "We rotate keys every quarter."',
        )
      const { recordDiscovery } = await import('../../../toolsets/context/record-discovery.js')
      const recorded = await withLibrary(context, command, (library) =>
        recordDiscovery(library, { type, content, module, from: { by: 'command' } }, context.signal),
      )
      const flags = globalFlags(command)
      if (flags.json) return writeJson(context, recorded)
      const { discovery, state, supersedes, redacted } = recorded
      const said = [
        state === 'merged' ? `Known already (stated ${discovery.count} times):` : 'Recorded:',
        safe(discovery.content),
      ].join(' ')
      tellDone(context, `${said}\n`, flags)
      if (supersedes.length > 0)
        tellDone(context, `Replaced by this newer discovery: ${supersedes.join(', ')}\n`, flags)
      if (redacted) tellNote(context, 'Secrets were taken out before it was kept.', flags)
    })
}
