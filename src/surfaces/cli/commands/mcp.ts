import type { Command } from 'commander'
import type { Context } from '../context.js'
import { settingsFor } from '../library.js'
import { toolFlags } from '../tool-flags.js'

export function mcpCommand(program: Command, context: Context) {
  toolFlags(
    program
      .command('mcp')
      .summary('serve MCP on standard input and output')
      .description(
        'What an AI client starts: speaks MCP on stdin and stdout, and ends with its client.\nIt answers at once from what is indexed, and indexes, watches and embeds behind.',
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  claude mcp add carrel -- carrel mcp --root .    for Claude Code
  carrel setup --client cursor                    for any of nine clients
  carrel mcp --toolsets documents,graph           less to choose from`,
    )
    .action(async (_options: object, command: Command) => {
      const { version, signal } = context
      await context.services.mcp(async () => settingsFor(context, command), { version, signal })
    })
}
