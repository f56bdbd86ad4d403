// Parses option values. An invalid value is a usage error that says what is expected.
import { type Command, InvalidArgumentError } from 'commander'
import { didYouMean } from '../../text/nearest.js'
import type { GlobalFlags } from './context.js'
import { chosenTools, type ToolFlags } from './tool-flags.js'

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
    throw new InvalidArgumentError(
      `A whole number from ${least} to ${most.toLocaleString('en-US')} is expected.`,
    )
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
