// The command line: global options, commands, and error handling.
import { Command, CommanderError, Option } from 'commander'
import { Problem } from '../../model/problem.js'
import { didYouMean } from '../../text/nearest.js'
import { bundleCommands } from './commands/bundles.js'
import { checkCommand } from './commands/check.js'
import { crawlCommand } from './commands/crawl.js'
import { doctorCommand } from './commands/doctor.js'
import { evalCommand } from './commands/eval.js'
import { graphCommand } from './commands/graph.js'
import { importCommand } from './commands/import.js'
import { indexCommand } from './commands/index-sources.js'
import { mcpCommand } from './commands/mcp.js'
import { memoryCommand } from './commands/memory.js'
import { packageCommands } from './commands/packages.js'
import { rememberCommand } from './commands/remember.js'
import { searchCommand } from './commands/search.js'
import { serveCommand } from './commands/serve.js'
import { setupCommand } from './commands/setup.js'
import { statusCommand } from './commands/status.js'
import { toolCommand } from './commands/tool.js'
import type { Context } from './context.js'
import { helpHint, tellFailure } from './failure.js'
import { writeJson } from './json.js'
import { collect, pathTo } from './options.js'

const commands = [
  serveCommand,
  mcpCommand,
  indexCommand,
  searchCommand,
  toolCommand,
  rememberCommand,
  memoryCommand,
  packageCommands,
  bundleCommands,
  importCommand,
  crawlCommand,
  graphCommand,
  checkCommand,
  statusCommand,
  doctorCommand,
  setupCommand,
  evalCommand,
]

/** Runs one command line (without the interpreter and the script) and sets the exit code. */
export async function runProgram(context: Context, argv: readonly string[]): Promise<void> {
  try {
    if (asks(argv, '--help') || asks(argv, '-h')) refuseUnknown(buildProgram(context), argv)
    await buildProgram(context).parseAsync(argv, { from: 'user' })
    if (context.signal.aborted) context.exit(interrupted)
  } catch (error) {
    if (context.signal.aborted) return stopped(context, asks(argv, '--json'))
    if (error instanceof CommanderError && error.exitCode === 0) return
    context.exit(
      tellFailure(context, error, { json: asks(argv, '--json'), color: !asks(argv, '--no-color') }),
    )
  }
}

export function buildProgram(context: Context): Command {
  const program = new Command('carrel')
    .description(
      'Indexes notes, documentation, code and decisions, and finds passages in them.\nThe index is derived: "carrel index --force" rebuilds it from your files and from what you added.',
    )
    .usage('[options] COMMAND')
    .version(context.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help; "carrel COMMAND --help" shows a command with examples')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => title })
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
      // `tellFailure` reports all errors.
      outputError: () => {},
      getOutHelpWidth: () => context.out.columns ?? 100,
      getErrHelpWidth: () => context.err.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .allowExcessArguments(false)
    .addHelpText('after', teaching)
  for (const option of globalOptions()) program.addOption(option)
  for (const command of commands) command(program, context)
  program
    .command('help')
    .argument('[COMMAND...]')
    .description('show the help of a command')
    .action((names: string[]) => named(program, names).help())
  return program
}

/** The command of this name. A name may have two parts: `graph check`. */
function named(program: Command, names: readonly string[]): Command {
  return names.reduce((above, name) => {
    const below = above.commands.find((one) => one.name() === name || one.aliases().includes(name))
    if (below) return below
    const known = above.commands.map((one) => one.name())
    throw new Problem('usage', `Unknown command '${name.slice(0, 40)}'.`, didYouMean(name, known) ?? helpHint)
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
    new Option('--allow-outside', "allow the project's configuration to name folders outside the root"),
    new Option('--allow-network', "allow the project's configuration to name servers on other machines"),
    new Option('--allow-private-network', 'allow requests to loopback and private addresses'),
    new Option(
      '--allow-agent-files',
      'allow tools to write notes in folders such as .claude and .github, and files such as AGENTS.md',
    ),
  ]
}

const teaching = `
Examples:
  carrel index                          index the folder you are in
  carrel search how do we rotate keys   ask in your own words
  carrel search '"retry budget"' --json an exact phrase, for a program
  carrel status                         what is indexed
  carrel doctor                         why something does not work

Configuration: carrel.json in the root; every key is also a variable (limits.fileSize is CARREL_LIMITS_FILE_SIZE)
and a flag (--set "limits.fileSize=5 MB"). Flags override variables, and variables override the file.
Exit codes: 0 success, 1 failure, 2 wrong usage or configuration, 130 interrupted.`

// Searched by hand, so that an invalid command line with --json still gets its error as JSON.
function asks(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes(flag)
}

function stopped(context: Context, json: boolean) {
  if (json) writeJson(context, { error: { code: 'stopped', message: 'Stopped.' } })
  context.err.write('Stopped.\n')
  context.exit(interrupted)
}
