import type { Command } from 'commander'
import { settingsFor } from '../command.js'
import type { Context } from '../context.js'
import { globalFlags, helpText, whole } from '../options.js'

/** The desk's verbs: each calls the tool of its name and prints its text. */
export function deskCommands(program: Command, context: Context) {
  const call = async (command: Command, name: string, args: Record<string, unknown>) => {
    const settings = await settingsFor(context, command)
    const { json: asJson, quiet } = globalFlags(command)
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))
    const request = { name, json: JSON.stringify(given), asJson, quiet }
    const desk = {
      ...settings,
      tools: { ...settings.tools, toolsets: ['desk'], only: null, rateLimits: null },
    }
    const { version, signal, out, err, stdin } = context
    context.exit(await context.services.tool(desk, { ...request, version, signal }, { out, err, stdin }))
  }
  const verb = (name: string, summary: string, does: string, examples: string[]) =>
    program
      .command(name)
      .summary(summary)
      .description(helpText(does, examples))
      .option('--budget <NUMBER>', 'characters of the answer', whole(200, 50_000))

  verb(
    'find',
    'ask in your own words; the best functions and sections come whole',
    'Finds what answers a question, in code, documents, decisions and memory.',
    [
      'carrel find which class decides whether a url may be fetched',
      'carrel find retry budget --in src --kind code',
    ],
  )
    .argument('<QUESTION...>', 'what to look for')
    .option('--in <PLACES>', 'folders or globs, with commas; ! excludes')
    .option('--kind <KIND>', 'code, docs or all')
    .action((words: string[], flags, command: Command) =>
      call(command, 'find', { ...flags, question: words.join(' ') }),
    )
  verb(
    'uses',
    'where a name is defined, and every line that uses it',
    'Lists the definitions of a name and every line that has it, each with its function.',
    ['carrel uses parseHeader', 'carrel uses Client.send --in src'],
  )
    .argument('<NAME...>', 'functions, classes, constants or settings')
    .option('--in <PLACES>', 'folders or globs, with commas; ! excludes')
    .action((names: string[], flags, command: Command) =>
      call(command, 'uses', { ...flags, name: names.join(',') }),
    )
  verb(
    'read',
    'numbered lines of a range, a function or a section',
    'Reads parts of files: path:10-60, path#Class.method, path#Heading, a bare name, or a path.',
    ['carrel read src/server.ts:10-60', 'carrel read src/client.ts#Client.send docs/conventions.md#Names'],
  )
    .argument('<ADDRESS...>', 'what to read; several at once')
    .action((at: string[], flags, command: Command) => call(command, 'read', { ...flags, at }))
  verb(
    'grep',
    'matching lines, each with its function; tests apart',
    'Finds lines by a regular expression. Tests and generated files are only counted.',
    ["carrel grep 'retry(Budget|Count)' --in src", "carrel grep TODO --in '!docs' --context 2"],
  )
    .argument('<PATTERN>', 'a regular expression')
    .option('--in <PLACES>', 'folders or globs, with commas; ! excludes')
    .option('--kind <KIND>', 'code, docs or all')
    .option('--tests', 'show matches in tests and generated files, too')
    .option('-C, --context <LINES>', 'lines around each match', whole(0, 200))
    .option('-i, --ignore-case', 'any case of letters')
    .action((pattern: string, { ignoreCase, ...flags }, command: Command) =>
      call(command, 'grep', { ...flags, pattern, case_sensitive: ignoreCase ? false : undefined }),
    )
  verb(
    'outline',
    'the names or headings of a file; the entries of a folder',
    'Shows what is in a file, with lines, or in a folder, with counts.',
    ['carrel outline src/server.ts', 'carrel outline docs --match install'],
  )
    .argument('[PATH]', 'a file or folder (default: the project)')
    .option('--match <TEXT>', 'only names with this text')
    .action((path: string | undefined, flags, command: Command) =>
      call(command, 'outline', { ...flags, path }),
    )
}
