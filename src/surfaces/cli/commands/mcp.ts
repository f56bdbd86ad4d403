import type { Command } from 'commander'
import type { LogLevel } from '../../../server/log.js'
import type { Context } from '../context.js'
import { settingsFor } from '../library.js'
import { logFlag, logLevelFor } from '../log-level.js'
import { toolFlags } from '../tool-flags.js'

export function mcpCommand(program: Command, context: Context) {
  const command = toolFlags(
    program
      .command('mcp')
      .summary('serve MCP on standard input and output')
      .description(
        'AI clients start this command. It speaks MCP on stdin and stdout, and ends with its client.\nIt answers at once from the existing index, and indexes, watches and embeds in the background.',
      ),
  )
  logFlag(command, 'warn')
    .addHelpText(
      'after',
      `
Examples:
  claude mcp add carrel -- carrel mcp --root .    for Claude Code
  carrel setup --client cursor                    for any of nine clients
  carrel mcp --toolsets documents,graph           fewer tools`,
    )
    .action(async (options: { logLevel?: LogLevel }, command: Command) => {
      const { version, signal } = context
      const logLevel = logLevelFor(context, options.logLevel, 'warn')
      await context.services.mcp(async () => settingsFor(context, command), { version, signal, logLevel })
    })
}
