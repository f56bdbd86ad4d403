import type { Command } from 'commander'
import { Problem } from '../../../model/problem.js'
import { printNotes, printResult } from '../command.js'
import type { Context, SetupAnswer } from '../context.js'
import { globalFlags, helpText, oneOf } from '../options.js'
import { safe, safeLine } from '../terminal.js'

interface SetupFlags {
  client?: string
  dryRun?: boolean
  remove?: boolean
  url?: string
  scope?: 'project' | 'user'
  toolsets?: string
}

export function setupCommand(program: Command, context: Context) {
  program
    .command('setup')
    .usage('--client <NAME> [options]')
    .summary('add Carrel to an AI client')
    .description(
      helpText(
        'Adds Carrel to the configuration file of an AI client, and changes nothing else in it.',
        [
          'carrel setup --client claude-code',
          'carrel setup --client cursor --dry-run',
          'carrel setup --client vscode --url http://127.0.0.1:7373/mcp',
          'carrel setup --client cursor --remove',
        ],
        'The client starts the server with the options given here: --data, --config, --set and --allow-…',
      ),
    )
    .option(
      '--client <NAME>',
      'the client (required): claude-code, claude-desktop, cursor, vscode, codex, gemini, windsurf, zed or opencode',
    )
    .option('--remove', 'remove Carrel from the configuration')
    .option('--dry-run', 'show what would change, write nothing')
    .option('--url <URL>', 'connect to a running "carrel serve" at this url instead of starting one')
    .option('--toolsets <NAMES>', 'other tools than the desk: names with commas (desk,graph), or all')
    .option(
      '--scope <SCOPE>',
      'the file to change, if the client has both: project or user',
      oneOf(['project', 'user']),
    )
    .action(async (options: SetupFlags, command: Command) => {
      const flags = globalFlags(command)
      if (!options.client)
        throw new Problem(
          'usage',
          'The client is missing: name it with --client.',
          'For example: carrel setup --client claude-code',
        )
      const { changedLines, result } = await context.services.setup({
        ...flags,
        ...options,
        client: options.client,
      })
      const outcome = outcomes[result.action](options.dryRun ? 'would be' : 'is')
      printResult(context, command, {
        json: { ...result, ...(options.dryRun ? { dryRun: true } : {}) },
        text: () => `${safeLine(result.file)}: ${outcome}\n${safe(changedLines)}`,
        // A dry run shows the change even with --quiet.
        quiet: !options.dryRun,
      })
      if (flags.json) return
      printNotes(
        context,
        result.notes.map((message) => ({ message })),
        flags,
      )
    })
}

const outcomes: Record<SetupAnswer['action'], (verb: 'is' | 'would be') => string> = {
  created: (verb) => `The file ${verb} created.`,
  changed: (verb) => `The file ${verb} changed.`,
  unchanged: () => 'Carrel is in the file already; nothing changes.',
  removed: (verb) => `The entry ${verb} removed.`,
  absent: () => 'Carrel is not in the file; nothing changes.',
}
