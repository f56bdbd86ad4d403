import type { Command } from 'commander'
import type { LogLevel } from '../../../server/log.js'
import { counted } from '../../../text/counted.js'
import type { Context, Serving } from '../context.js'
import { settingsFor } from '../library.js'
import { logFlag, logLevelFor } from '../log-level.js'
import { collect, globalFlags, whole } from '../options.js'
import { snippets } from '../paste.js'
import { showProgress } from '../progress.js'
import { safe } from '../terminal.js'
import { toolFlags } from '../tool-flags.js'

interface ServeFlags {
  port?: number
  host?: string
  allowHost?: string[]
  allowOrigin?: string[]
  logLevel?: LogLevel
}

const usualPort = 7373
/** Indexing that takes longer has somebody waiting who would like to look. */
const earlyMs = 3_000

export function serveCommand(program: Command, context: Context) {
  const command = toolFlags(
    program
      .command('serve')
      .summary('serve MCP, the HTTP API and a page to search and read')
      .description(
        'Indexes, watches and serves over HTTP: MCP at /mcp (and /mcp/TOOLSET), tools at /api/tools, metrics at /metrics, and a search page at /.\nIt listens on this machine only. Any other address needs a token (CARREL_TOKEN) and --allow-host.',
      )
      .option(
        '--port <N>',
        `the port; 0 takes a free one (default: ${usualPort}, or a free one when that is taken)`,
        whole(0, 65_535),
      )
      .option('--host <ADDRESS>', 'the address to listen on (default: 127.0.0.1)')
      .option('--allow-host <NAME>', 'a host name that clients may use; may be repeated', collect)
      .option('--allow-origin <ORIGIN>', 'a web origin that may call; may be repeated', collect),
  )
  logFlag(command, 'info')
    .addHelpText(
      'after',
      `
Examples:
  carrel serve                                    this project
  carrel serve --root ~/notes --port 8080         another folder, another port
  carrel serve --toolsets documents --read-only   less to choose from
  CARREL_TOKEN=… carrel serve --host 0.0.0.0 --allow-host desk.example.org`,
    )
    .action(async (options: ServeFlags, command: Command) => {
      const flags = globalFlags(command)
      const logLevel = logLevelFor(context, options.logLevel, flags.quiet ? 'warn' : 'info')
      const settings = await settingsFor(context, command)
      const progress = showProgress(context, flags)
      const serving = await context.services.serve(settings, {
        version: context.version,
        logLevel,
        host: options.host,
        port: options.port ?? usualPort,
        // A port that was asked for must be that one; the usual one may give way.
        anyPort: options.port === undefined,
        // One that is set but empty comes from a secret that did not arrive: it is refused, not taken as none.
        tokens: context.env.CARREL_TOKEN === undefined ? [] : [context.env.CARREL_TOKEN],
        allowedHosts: options.allowHost,
        allowedOrigins: options.allowOrigin,
        signal: context.signal,
        onProgress: progress.update,
        onTrouble: (message) => context.err.write(`note: ${safe(message)}\n`),
      })
      const early = setTimeout(() => {
        progress.end()
        if (!flags.quiet)
          context.err.write(`Open ${serving.url}/ meanwhile: what is indexed is found already.\n`)
      }, earlyMs)
      try {
        await Promise.race([serving.indexed, serving.closed])
        clearTimeout(early)
        if (context.signal.aborted) return
        progress.end()
        if (!flags.quiet) context.err.write(welcome(serving, Boolean(context.env.CARREL_TOKEN)))
        if (flags.json)
          context.out.write(`${JSON.stringify({ url: serving.url, mcp: `${serving.url}/mcp` })}\n`)
        await serving.closed
      } finally {
        clearTimeout(early)
        progress.end()
        await serving.close()
      }
    })
}

function welcome({ url, elsewhere, documents, tools }: Serving, token: boolean): string {
  const others = elsewhere.length > 0 ? `\nand for other machines at ${elsewhere.join(', ')}` : ''
  const lines = snippets(url, { token }).map(
    ({ client, text }) => `  ${client.padEnd(13)} ${text.replaceAll('\n', `\n${' '.repeat(16)}`)}\n`,
  )
  return `
Carrel serves ${counted(documents, 'document')} with ${tools} tools at ${url}${others}
Open ${url}/ in a browser to search and read.

Paste into a client:
${lines.join('')}or let "carrel setup --client NAME --url ${url}/mcp" do it. Ctrl-C stops.

`
}
