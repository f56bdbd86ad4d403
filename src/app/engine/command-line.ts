// Which command lines an engine runs for other processes, read without loading the command line's parser.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const shared = new Set(['find', 'uses', 'read', 'grep', 'outline', 'search', 'tool', 'mcp'])
const withValue = new Set(['--root', '--data', '--config', '--set'])
const marks = ['carrel.json', 'context.json', '.git']

/** Whether a command line that worked alone starts an engine for the next one. `mcp` is the engine itself. */
export function startsEngine(argv: readonly string[]): boolean {
  const { command = 'mcp' } = readSharedCommand(argv) ?? {}
  return command !== 'mcp'
}

/** Whether it is one of the commands that people and agents wait for, shared or not. */
export function answersQuestions(argv: readonly string[]): boolean {
  return readSharedCommand(argv.filter((word) => word !== '--no-share')) !== null
}

export interface SharedCommand {
  command: string
  /** The options that say where the project is. */
  root: string | undefined
  data: string | undefined
}

/** Null: the process does this itself. */
export function readSharedCommand(argv: readonly string[]): SharedCommand | null {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  const given = new Map<string, string>()
  let command: string | undefined
  for (let i = 0; i < words.length; i++) {
    const [name = '', ...value] = words[i]!.split('=')
    if (name === '--no-share') return null
    if (withValue.has(name)) given.set(name, value.length > 0 ? value.join('=') : (words[++i] ?? ''))
    else if (!name.startsWith('-')) command ??= name
  }
  if (command === undefined || !shared.has(command)) return null
  return { command, root: given.get('--root'), data: given.get('--data') }
}

/** The data folder as far as the command line tells. It may be wrong: an engine takes a command only after it has read
 * the settings that go with it. */
export function guessDataFolder({ root, data }: SharedCommand): string {
  const cwd = process.cwd()
  const named = data || process.env.CARREL_DATA
  return named ? resolve(cwd, named) : join(rootFolder(cwd, root || process.env.CARREL_ROOT), '.carrel')
}

function rootFolder(cwd: string, given: string | undefined): string {
  if (given) return resolve(cwd, given)
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder
    if (folder === dirname(folder)) return cwd
  }
}
