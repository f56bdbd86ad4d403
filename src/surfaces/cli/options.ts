// Help texts and option values. An invalid value is a usage error that says what is expected.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { thousands } from '../../text/counted.js'
import { didYouMean } from '../../text/nearest.js'
import type { GlobalFlags } from './context.js'

/** A command's help: what it does in a sentence, the usual examples, then what else to know. */
export function helpText(does: string, examples: readonly string[], more = ''): string {
  const heading = examples.length === 1 ? 'Example:' : 'Examples:'
  return [does, '', heading, ...examples.map((line) => `  ${line}`), ...(more ? ['', more] : [])].join('\n')
}

/** For a repeatable option. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** Refuses an empty path, for example from an unset variable: it would mean the current folder. */
export function pathTo(what: 'folder' | 'file') {
  return (text: string): string => {
    if (text.trim() !== '') return text
    throw new InvalidArgumentError(`The path of a ${what} is expected.`)
  }
}

/** The same for a repeatable argument. */
export function pathsTo(what: 'folder' | 'file') {
  const one = pathTo(what)
  return (text: string, before: string[] = []): string[] => [...before, one(text)]
}

export function whole(least: number, most: number) {
  return (text: string): number => {
    const value = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`A whole number from ${least} to ${thousands(most)} is expected.`)
  }
}

export function oneOf<T extends string>(values: readonly T[]) {
  return (text: string): T => {
    const value = values.find((one) => one === text.trim().toLowerCase())
    if (value) return value
    throw new InvalidArgumentError(
      `One of ${values.join(', ')} is expected. ${didYouMean(text, values) ?? ''}`,
    )
  }
}

export const modes = ['text', 'vector', 'hybrid', 'rerank'] as const

/** The options given before or after the command's name. */
export function globalFlags(command: Command): GlobalFlags {
  const flags = command.optsWithGlobals<GlobalFlags & ToolFlags>()
  const chosen = chosenTools(flags)
  return chosen.length > 0 ? { ...flags, chosen } : flags
}

/** Adds the options that choose tools. They are ordinary settings, so environment variables work too. */
export function toolFlags(command: Command): Command {
  const list = (value: string, before: string[] = []) => {
    const names = value.split(',').map((name) => name.trim())
    return [...before, ...names.filter(Boolean)]
  }
  // An empty value, for example from an unset variable, would leave no tools.
  const some = (what: string) => (value: string, before?: string[]) => {
    if (/[^,\s]/.test(value)) return list(value, before)
    throw new InvalidArgumentError(`The names of ${what} are expected.`)
  }
  return command
    .option(
      '--toolsets <NAMES>',
      'only these toolsets, separated by commas (CARREL_TOOLSETS)',
      some('toolsets'),
    )
    .addOption(
      new Option(
        '--profile <NAME>',
        'a set of tools made for a purpose: desk, seven plain lookup tools',
      ).choices(['desk']),
    )
    .option('--tools <NAMES>', 'only these tools (CARREL_TOOLS)', some('tools'))
    .option('--exclude-tools <NAMES>', 'not these tools (CARREL_EXCLUDE_TOOLS)', list)
    .option('--read-only', 'no tools that write or access the network (CARREL_READ_ONLY)')
}

export interface ToolFlags {
  profile?: string
  toolsets?: string[]
  tools?: string[]
  excludeTools?: string[]
  readOnly?: boolean
}

/** The options in the form of `--set KEY=VALUE`. Repeated options add up. */
export function chosenTools({ profile, readOnly, tools, excludeTools, ...flags }: ToolFlags): string[] {
  const toolsets = profile ? [...new Set([profile, ...(flags.toolsets ?? [])])] : flags.toolsets
  const named = Object.entries({ toolsets, tools, excludeTools }).flatMap(([key, names]) =>
    names ? [`${key}=${JSON.stringify(names)}`] : [],
  )
  return [...named, ...(readOnly ? ['readOnly=true'] : [])]
}
