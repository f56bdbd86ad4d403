// The two servers: `carrel serve` over HTTP, and `carrel mcp` on standard input and output.
import type { Command } from 'commander'
import { Problem } from '../../../model/problem.js'
import type { LogLevel } from '../../../server/log.js'
import { counted } from '../../../text/counted.js'
import { settingsFor } from '../command.js'
import type { Context, Serving } from '../context.js'
import { collect, globalFlags, helpText, oneOf, toolFlags, whole } from '../options.js'
import { snippets } from '../paste.js'
import { showProgress } from '../progress.js'
import { safe } from '../terminal.js'

interface ServeFlags {
  port?: number
  host?: string
  allowHost?: string[]
  allowOrigin?: string[]
  logLevel?: LogLevel
}

const usualPort = 7373
/** If indexing takes longer, the command prints the address at once. */
const earlyMs = 3_000

export function serveCommand(program: Command, context: Context) {
  const command = toolFlags(
    program
      .command('serve')
      .summary('serve MCP, the HTTP API and a page to search and read')
      .description(
        helpText(
          'Serves a search page, MCP and an HTTP API, and keeps the index up to date.',
          [
            'carrel serve                                    this project',
            'carrel serve --root ~/notes --port 8080         another folder, another port',
            'carrel serve --toolsets documents --read-only   fewer tools',
            'CARREL_TOKEN=… carrel serve --host 0.0.0.0 --allow-host desk.example.org',
          ],
          `The page is at /, MCP at /mcp (and /mcp/TOOLSET), the API at /api (described in /api/openapi.json), metrics at
/metrics. Only this machine can connect. Any other address needs a token (CARREL_TOKEN) and --allow-host.`,
        ),
      )
      .option(
        '--port <N>',
        `the port; 0 takes a free one (default: ${usualPort}, or a free one when that is in use)`,
        whole(0, 65_535),
      )
      .option('--host <ADDRESS>', 'the address to listen on (default: 127.0.0.1)')
      .option('--allow-host <NAME>', 'a host name that clients may use; repeatable', collect)
      .option('--allow-origin <ORIGIN>', 'a web origin that may call; repeatable', collect),
  )
  logFlag(command, 'info').action(async (options: ServeFlags, command: Command) => {
    const flags = globalFlags(command)
    const logLevel = logLevelFor(context, options.logLevel, flags.quiet ? 'warn' : 'info')
    const settings = await settingsFor(context, command)
    const progress = showProgress(context, flags)
    const serving = await context.services.serve(settings, {
      version: context.version,
      logLevel,
      host: options.host,
      port: options.port ?? usualPort,
      // The default port may be replaced by a free one; a port that the user names may not.
      anyPort: options.port === undefined,
      share: flags.share ?? true,
      // An empty CARREL_TOKEN is a secret that was not set: the server refuses it instead of serving without one.
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
        context.err.write(`Open ${serving.url}/ meanwhile: search finds what is indexed already.\n`)
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
${lines.join('')}or let "carrel setup --client NAME --url ${url}/mcp/desk" do it. Ctrl-C stops.

`
}

export function mcpCommand(program: Command, context: Context) {
  const command = toolFlags(
    program
      .command('mcp')
      .summary('serve MCP on standard input and output')
      .description(
        helpText(
          'Serves MCP on standard input and output, for an AI client that starts it.',
          [
            'claude mcp add carrel -- carrel mcp --root .    for Claude Code',
            'carrel setup --client cursor                    for any of nine clients',
            'carrel mcp --toolsets documents,graph           fewer tools',
          ],
          `It answers at once from the existing index, and updates the index in the background. It ends with its client.`,
        ),
      ),
  )
  logFlag(command, 'warn').action(async (given: { logLevel?: LogLevel }, command: Command) => {
    const { version, signal } = context
    const logLevel = logLevelFor(context, given.logLevel, 'warn')
    const share = globalFlags(command).share ?? true
    const options = { version, signal, logLevel, share }
    await context.services.mcp(async () => settingsFor(context, command), options)
  })
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[]

/** Adds the option for how much a server logs on stderr. */
function logFlag(command: Command, usual: LogLevel): Command {
  return command.option(
    '--log-level <LEVEL>',
    `how much to log on stderr: ${levels.join(', ')}; info logs every call (CARREL_LOG_LEVEL; default: ${usual})`,
    oneOf(levels),
  )
}

/** The flag overrides the variable, and the variable overrides the server's default. */
function logLevelFor({ env }: Context, flag: LogLevel | undefined, usual: LogLevel): LogLevel {
  const written = env.CARREL_LOG_LEVEL?.trim().toLowerCase()
  if (flag || !written) return flag ?? usual
  const level = levels.find((one) => one === written)
  if (level) return level
  throw new Problem(
    'bad_configuration',
    `CARREL_LOG_LEVEL must be one of ${levels.join(', ')}, not ${JSON.stringify(env.CARREL_LOG_LEVEL)}.`,
    'Set it to info to log every call, or unset it.',
  )
}
