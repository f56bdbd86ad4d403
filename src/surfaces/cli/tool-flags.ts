import type { Command } from 'commander'

/** The options that choose tools. They end up as settings like any other, so the environment has them too. */
export function toolFlags(command: Command): Command {
  const list = (value: string, before: string[] = []) => {
    const names = value.split(',').map((name) => name.trim())
    return [...before, ...names.filter(Boolean)]
  }
  return command
    .option('--toolsets <NAMES>', 'only these toolsets, parted by commas (CARREL_TOOLSETS)', list)
    .option('--tools <NAMES>', 'only these tools (CARREL_TOOLS)', list)
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
