import type { Command } from 'commander'
import { Problem } from '../../../model/problem.js'
import type { Context, SetupAnswer } from '../context.js'
import { writeJson } from '../json.js'
import { tellDone, tellNote } from '../notes.js'
import { globalFlags, oneOf } from '../options.js'
import { safe, safeLine } from '../terminal.js'

interface SetupFlags {
  client?: string
  dryRun?: boolean
  remove?: boolean
  url?: string
  scope?: 'project' | 'user'
}

export function setupCommand(program: Command, context: Context) {
  program
    .command('setup')
    .usage('--client <NAME> [options]')
    .summary('add Carrel to an AI client')
    .description(
      'Writes Carrel into the configuration of a client, keeping every other byte of it. With --dry-run it only shows the change.\nThe client starts the server with the options given here: --data, --config, --set and those that allow.',
    )
    .option(
      '--client <NAME>',
      'the client (needed): claude-code, claude-desktop, cursor, vscode, codex, gemini, windsurf, zed or opencode',
    )
    .option('--remove', 'take it out again')
    .option('--dry-run', 'show what would change, write nothing')
    .option('--url <URL>', 'reach a running "carrel serve" at this address instead of starting one')
    .option('--scope <SCOPE>', 'project or user, where the client has both', oneOf(['project', 'user']))
    .addHelpText(
      'after',
      `
Examples:
  carrel setup --client claude-code
  carrel setup --client cursor --dry-run
  carrel setup --client vscode --url http://127.0.0.1:7373/mcp
  carrel setup --client cursor --remove`,
    )
    .action(async (options: SetupFlags, command: Command) => {
      const flags = globalFlags(command)
      if (!options.client)
        throw new Problem(
          'usage',
          'Which client? Name it with --client.',
          'For example: carrel setup --client claude-code',
        )
      const { changedLines, result } = await context.services.setup({
        ...flags,
        ...options,
        client: options.client,
      })
      if (flags.json) return writeJson(context, { ...result, ...(options.dryRun ? { dryRun: true } : {}) })
      const told = outcomes[result.action](options.dryRun ? 'would be' : 'is')
      const said = `${safeLine(result.file)}: ${told}\n${safe(changedLines)}`
      // Who asks what would change wants to see it.
      tellDone(context, said, options.dryRun ? {} : flags)
      for (const note of result.notes) tellNote(context, note, flags)
    })
}

const outcomes: Record<SetupAnswer['action'], (verb: 'is' | 'would be') => string> = {
  created: (verb) => `The file ${verb} created.`,
  changed: (verb) => `The file ${verb} changed.`,
  unchanged: () => 'Carrel is in it already; nothing changes.',
  removed: (verb) => `The entry ${verb} removed.`,
  absent: () => 'Carrel is not in it; nothing changes.',
}
