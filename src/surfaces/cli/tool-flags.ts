import type { Command } from 'commander'

/** The options that choose tools. They end up as settings like any other, so the environment has them too. */
export function toolFlags(command: Command): Command {
  const list =
    (key: string) =>
    (value: string, before: string[] = []) => {
      const names = value.split(',').map((name) => name.trim())
      return [...before, `${key}=${JSON.stringify(names.filter(Boolean))}`]
    }
  return command
    .option('--toolsets <NAMES>', 'only these toolsets, parted by commas (CARREL_TOOLSETS)', list('toolsets'))
    .option('--tools <NAMES>', 'only these tools (CARREL_TOOLS)', list('tools'))
    .option('--exclude-tools <NAMES>', 'not these tools (CARREL_EXCLUDE_TOOLS)', list('excludeTools'))
    .option('--read-only', 'no tool that writes or reaches outside (CARREL_READ_ONLY)')
}

export interface ToolFlags {
  toolsets?: string[]
  tools?: string[]
  excludeTools?: string[]
  readOnly?: boolean
}

/** Those options as `--set KEY=VALUE` would give them. */
export function chosenTools({ toolsets = [], tools = [], excludeTools = [], readOnly }: ToolFlags): string[] {
  return [...toolsets, ...tools, ...excludeTools, ...(readOnly ? ['readOnly=true'] : [])]
}
