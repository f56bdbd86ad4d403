import type { Command } from 'commander'
import { settingsFor } from '../command.js'
import type { Context } from '../context.js'
import { globalFlags, helpText, toolFlags } from '../options.js'

export function toolCommand(program: Command, context: Context) {
  toolFlags(
    program
      .command('tool')
      .argument('[NAME]', 'the tool; without it, all tools are listed')
      .argument('[JSON]', 'its arguments as JSON, or - to read them from standard input')
      .summary('call any tool, with the result it has over MCP')
      .description(
        helpText('Calls a tool from the shell, and prints the result that an AI client gets.', [
          `carrel tool documents_search '{"query": "how are retries bounded"}'`,
          `echo '{"query": "retries"}' | carrel tool documents_search -`,
          'carrel tool                       list all tools',
        ]),
      ),
  ).action(async (name: string | undefined, json: string | undefined, _options: object, command: Command) => {
    const settings = await settingsFor(context, command)
    const { json: asJson, quiet } = globalFlags(command)
    const request = { name, json, asJson, quiet, version: context.version, signal: context.signal }
    context.exit(await context.services.tool(settings, request, context))
  })
}
