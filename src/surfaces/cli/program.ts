// The command line: global options, commands, and error handling.
import { Command, CommanderError, Help, Option } from 'commander'
import { Problem } from '../../model/problem.js'
import { didYouMean } from '../../text/nearest.js'
import { checkCommand } from './commands/check.js'
import { crawlCommand } from './commands/crawl.js'
import { deskCommands } from './commands/desk.js'
import { doctorCommand } from './commands/doctor.js'
import { engineCommand } from './commands/engine.js'
import { evalCommand } from './commands/eval.js'
import { graphCommand } from './commands/graph.js'
import { exportCommand, importCommand } from './commands/import-export.js'
import { indexCommand } from './commands/index-sources.js'
import { memoryCommand, rememberCommand } from './commands/memory.js'
import { packageCommands } from './commands/packages.js'
import { searchCommand } from './commands/search.js'
import { mcpCommand, serveCommand } from './commands/serve.js'
import { setupCommand } from './commands/setup.js'
import { statusCommand } from './commands/status.js'
import { toolCommand } from './commands/tool.js'
import type { Context } from './context.js'
import { reportError } from './failure.js'
import { collect, helpText, pathTo } from './options.js'
import { jsonText } from './terminal.js'

const commands = [
  serveCommand,
  mcpCommand,
  indexCommand,
  searchCommand,
  deskCommands,
  toolCommand,
  rememberCommand,
  memoryCommand,
  packageCommands,
  exportCommand,
  importCommand,
  crawlCommand,
  graphCommand,
  checkCommand,
  statusCommand,
  doctorCommand,
  engineCommand,
  setupCommand,
  evalCommand,
]

/** Runs one command line (without the interpreter and the script) and sets the exit code. */
export async function runProgram(context: Context, argv: readonly string[]): Promise<void> {
  try {
    if (hasFlag(argv, '--help') || hasFlag(argv, '-h')) refuseUnknown(buildProgram(context), argv)
    await buildProgram(context).parseAsync(argv, { from: 'user' })
    if (context.signal.aborted) context.exit(interrupted)
  } catch (error) {
    if (context.signal.aborted) return stopped(context, hasFlag(argv, '--json'))
    if (error instanceof CommanderError && error.exitCode === 0) return
    const [json, color] = [hasFlag(argv, '--json'), !hasFlag(argv, '--no-color')]
    context.exit(reportError(context, error, { json, color }))
  }
}

export function buildProgram(context: Context): Command {
  const program = new Command('carrel')
    .description(
      helpText('Indexes notes, documentation, code and decisions, and finds passages in them.', [
        'carrel index                          index the folder you are in',
        'carrel search how do we rotate keys   ask in your own words',
        `carrel search '"retry budget"' --json an exact phrase, for a program`,
        'carrel status                         what is indexed',
        'carrel doctor                         why something does not work',
      ]),
    )
    .usage('[options] COMMAND')
    .version(context.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help; "carrel COMMAND --help" shows a command with examples')
    .helpCommand(false)
    .configureHelp({ styleTitle: (title) => title, formatHelp })
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
      // `reportError` reports all errors.
      outputError: () => {},
      getOutHelpWidth: () => context.out.columns ?? 100,
      getErrHelpWidth: () => context.err.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .allowExcessArguments(false)
    .addHelpText('after', configurationHelp)
  for (const option of globalOptions()) program.addOption(option)
  for (const command of commands) command(program, context)
  program
    .command('help')
    .argument('[COMMAND...]')
    .summary('show the help of a command')
    .description(helpText('Shows the help of a command.', ['carrel help search', 'carrel help graph check']))
    .action((names: string[]) => named(program, names).help())
  return program
}

/** Puts the description above the usage: what the command does, and examples, come first. */
function formatHelp(command: Command, helper: Help): string {
  const withoutDescription = Object.assign(Object.create(helper) as Help, { commandDescription: () => '' })
  const rest = Help.prototype.formatHelp.call(withoutDescription, command, withoutDescription)
  const globals = command.parent ? `\n${globalOptionsLine(helper)}\n` : ''
  return `${helper.commandDescription(command)}\n\n${rest}${globals}`
}

/** Only the names: agents read the help of several commands in a row. */
function globalOptionsLine(helper: Help): string {
  const names = globalOptions().map(({ long }) => long)
  const line = `Options of every command ("carrel --help" explains them): ${names.join(', ')}`
  return helper.boxWrap(line, helper.helpWidth ?? 100)
}

/** The command of this name. A name may have two parts: `graph check`. */
function named(program: Command, names: readonly string[]): Command {
  return names.reduce((above, name) => {
    const below = above.commands.find((one) => one.name() === name || one.aliases().includes(name))
    if (below) return below
    const known = above.commands.map((one) => one.name())
    const hint = didYouMean(name, known) ?? `The commands are ${known.join(', ')}.`
    throw new Problem('usage', `Unknown command '${name.slice(0, 40)}'.`, hint)
  }, program)
}

/** Refuses unknown commands: for `carrel nope --help` commander would show the help of the program. */
function refuseUnknown(program: Command, argv: readonly string[]) {
  const { operands } = program.parseOptions([...argv])
  const [first = '', second = ''] = operands
  if (first === '') return
  const command = named(program, [first])
  // A command with subcommands needs one of them, unless it has arguments of its own.
  if (second !== '' && command.commands.length > 0 && command.registeredArguments.length === 0)
    named(command, [second])
}

const interrupted = 130

function globalOptions(): Option[] {
  return [
    new Option(
      '--root <DIR>',
      'the project folder (default: the nearest with carrel.json, context.json or .git)',
    ).argParser(pathTo('folder')),
    new Option('--data <DIR>', 'the folder of the index (default: .carrel in the root)').argParser(
      pathTo('folder'),
    ),
    new Option('--config <FILE>', 'the configuration file to use instead of carrel.json').argParser(
      pathTo('file'),
    ),
    new Option('--set <KEY=VALUE>', 'set one key of the configuration for this run; repeatable').argParser(
      collect,
    ),
    new Option('--json', 'print one JSON value on stdout'),
    new Option('-q, --quiet', 'print only answers and errors'),
    new Option('--no-color', 'no colours on a terminal'),
    new Option('--no-share', 'work alone, without the engine that the processes of a project share'),
    new Option('--allow-outside', "allow the project's configuration to name folders outside the root"),
    new Option('--allow-network', "allow the project's configuration to name servers on other machines"),
    new Option('--allow-private-network', 'allow requests to loopback and private addresses'),
    new Option(
      '--allow-agent-files',
      'allow tools to write notes in folders such as .claude and .github, and files such as AGENTS.md',
    ),
  ]
}

const configurationHelp = `
Configuration: carrel.json in the root; every key is also a variable (limits.fileSize is CARREL_LIMITS_FILE_SIZE)
and a flag (--set "limits.fileSize=5 MB"). Flags override variables, and variables override the file.
Exit codes: 0 success, 1 failure, 2 wrong usage or configuration, 130 interrupted.`

// Searched by hand, so that an invalid command line with --json still gets its error as JSON.
function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes(flag)
}

function stopped(context: Context, json: boolean) {
  if (json) context.out.write(jsonText({ error: { code: 'stopped', message: 'Stopped.' } }))
  context.err.write('Stopped.\n')
  context.exit(interrupted)
}
