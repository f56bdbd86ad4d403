import { type Command, InvalidArgumentError } from 'commander'

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
    .option('--tools <NAMES>', 'only these tools (CARREL_TOOLS)', some('tools'))
    .option('--exclude-tools <NAMES>', 'not these tools (CARREL_EXCLUDE_TOOLS)', list)
    .option('--read-only', 'no tools that write or access the network (CARREL_READ_ONLY)')
}

export interface ToolFlags {
  toolsets?: string[]
  tools?: string[]
  excludeTools?: string[]
  readOnly?: boolean
}

/** The options in the form of `--set KEY=VALUE`. Repeated options add up. */
export function chosenTools({ readOnly, toolsets, tools, excludeTools }: ToolFlags): string[] {
  const named = Object.entries({ toolsets, tools, excludeTools }).flatMap(([key, names]) =>
    names ? [`${key}=${JSON.stringify(names)}`] : [],
  )
  return [...named, ...(readOnly ? ['readOnly=true'] : [])]
}
