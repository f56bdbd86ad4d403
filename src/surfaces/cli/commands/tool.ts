import type { Command } from 'commander'
import type { Context } from '../context.js'
import { settingsFor } from '../library.js'
import { globalFlags } from '../options.js'
import { toolFlags } from '../tool-flags.js'

export function toolCommand(program: Command, context: Context) {
  toolFlags(
    program
      .command('tool')
      .argument('[NAME]', 'the tool; without it, all tools are listed')
      .argument('[JSON]', 'its arguments as JSON, or - to read them from standard input')
      .summary('call any tool, with the result it has over MCP')
      .description('Calls a tool from the shell. The result on stdout is what an AI client gets.'),
  )
    .addHelpText(
      'after',
      `
Examples:
  carrel tool
  carrel tool documents_search '{"query": "how are retries bounded"}'
  echo '{"query": "retries"}' | carrel tool documents_search -`,
    )
    .action(
      async (name: string | undefined, json: string | undefined, _options: object, command: Command) => {
        const settings = await settingsFor(context, command)
        const { json: asJson, quiet } = globalFlags(command)
        const request = { name, json, asJson, quiet, version: context.version, signal: context.signal }
        context.exit(await context.services.tool(settings, request, { out: context.out, err: context.err }))
      },
    )
}
