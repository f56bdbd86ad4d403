import { type Command, InvalidArgumentError } from 'commander'

/** The options that choose tools. They end up as settings like any other, so the environment has them too. */
export function toolFlags(command: Command): Command {
  const list = (value: string, before: string[] = []) => {
    const names = value.split(',').map((name) => name.trim())
    return [...before, ...names.filter(Boolean)]
  }
  // A variable that was never set would leave nothing to offer.
  const some = (what: string) => (value: string, before?: string[]) => {
    if (/[^,\s]/.test(value)) return list(value, before)
    throw new InvalidArgumentError(`The names of ${what} are expected.`)
  }
  return command
    .option('--toolsets <NAMES>', 'only these toolsets, parted by commas (CARREL_TOOLSETS)', some('toolsets'))
    .option('--tools <NAMES>', 'only these tools (CARREL_TOOLS)', some('tools'))
    .option('--exclude-tools <NAMES>', 'not these tools (CARREL_EXCLUDE_TOOLS)', list)
    .option('--read-only', 'no tool that writes or reaches outside (CARREL_READ_ONLY)')
}

export interface ToolFlags {
  toolsets?: string[]
  tools?: string[]
  excludeTools?: string[]
  readOnly?: boolean
}

/** Those options as `--set KEY=VALUE` would give them; what was given more than once counts each time. */
export function chosenTools({ readOnly, toolsets, tools, excludeTools }: ToolFlags): string[] {
  const named = Object.entries({ toolsets, tools, excludeTools }).flatMap(([key, names]) =>
    names ? [`${key}=${JSON.stringify(names)}`] : [],
  )
  return [...named, ...(readOnly ? ['readOnly=true'] : [])]
}
