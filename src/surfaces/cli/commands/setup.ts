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
      'Adds Carrel to the configuration of a client and keeps every other byte. With --dry-run it only shows the change.\nThe client starts the server with the options given here: --data, --config, --set and --allow-…',
    )
    .option(
      '--client <NAME>',
      'the client (required): claude-code, claude-desktop, cursor, vscode, codex, gemini, windsurf, zed or opencode',
    )
    .option('--remove', 'remove Carrel from the configuration')
    .option('--dry-run', 'show what would change, write nothing')
    .option('--url <URL>', 'connect to a running "carrel serve" at this url instead of starting one')
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
      // A dry run shows the change even with --quiet.
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
