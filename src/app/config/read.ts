// Each place that configures Carrel, read and checked on its own, so that a message can name the place.
import { Problem, reasonOf } from '../../model/problem.js'
import { readSmallFile } from '../../sources/safe-file.js'
import { didYouMean } from '../../text/nearest.js'
import { complaints, refusal } from './explain.js'
import { readJson } from './json.js'
import { flags, keyNamed, keys, readValue } from './keys.js'
import type { Layer } from './layers.js'
import { type Config, configSchema } from './schema.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** A configuration file as a layer; null if there is none. */
export async function readConfigFile(
  path: string,
  { whose, name }: { whose: 'user' | 'project'; name: string },
): Promise<Layer | null> {
  const text = textOf(path, name)
  if (text === null) return null
  const { value, lineOf } = readJson(text, name)
  return layer(whose, value, (path) => {
    const line = lineOf(path) ?? lineOf(path.slice(0, -1))
    return line === null ? name : `${name}, line ${line}`
  })
}

/** The `CARREL_*` variables as a layer. One that means nothing is an error: a misspelt setting must not pass in silence. */
export function readEnvironment(env: Environment, keyVariables: ReadonlySet<string>): Layer {
  const values: Config = {}
  const byVariable = new Map(keys.map((key) => [key.variable, key]))
  const known = [...byVariable.keys(), ...Object.keys(processVariables)]
  for (const [name, written] of Object.entries(env)) {
    if (!name.startsWith('CARREL_') || !written || Object.hasOwn(processVariables, name)) continue
    const key = byVariable.get(name)
    if (key) put(values, key.path, readValue(key, written))
    else if (!keyVariables.has(name)) throw unknownVariable(name, known)
  }
  return layer('environment', values, (path) => variableFor(path) ?? 'environment')
}

/** `--set KEY=VALUE` flags as a layer, and those keys for which an option of their own was given. */
export function readAssignments(assignments: readonly string[], chosen: readonly string[]): Layer {
  const values: Config = {}
  for (const assignment of [...assignments, ...chosen]) {
    const [, name, written] = /^([^=]*)=(.*)$/s.exec(assignment) ?? []
    if (name === undefined || written === undefined)
      throw new Problem(
        'usage',
        `"--set ${assignment}" has no "=".`,
        'Write --set KEY=VALUE, as in --set watch=off.',
      )
    const key = keyNamed.get(name.trim())
    if (!key) throw unknownSetting(name.trim())
    put(values, key.path, readValue(key, written))
  }
  const options = new Set(chosen.map((assignment) => assignment.split('=')[0]))
  return layer('flags', values, (path) => {
    const name = keyFor(path)?.name ?? path.join('.')
    return options.has(name) ? optionFor(name) : `--set ${name}`
  })
}

/** `excludeTools` is `--exclude-tools`. */
function optionFor(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** A yes-or-no variable such as CARREL_ALLOW_NETWORK. */
export function isOn(env: Environment, name: string): boolean {
  const written = env[name]
  if (!written) return false
  const value = flags.get(written.trim().toLowerCase())
  if (value === undefined)
    throw new Problem('bad_configuration', `${name} must be true or false, not ${JSON.stringify(written)}.`)
  return value
}

/** Variables for one process that are not keys of the file, with their meaning. */
export const processVariables: Readonly<Record<string, string>> = {
  CARREL_ROOT: 'The project folder, as --root.',
  CARREL_DATA: 'The folder of the index, as --data.',
  CARREL_STATE: 'The folder in which Carrel remembers which data folders are yours.',
  CARREL_CONFIG: 'The configuration file, as --config.',
  CARREL_ALLOW_OUTSIDE:
    "Allows the project's configuration to name folders outside the root, as --allow-outside.",
  CARREL_ALLOW_NETWORK:
    "Allows the project's configuration to name servers on other machines, as --allow-network.",
  CARREL_ALLOW_PRIVATE_NETWORK:
    'Allows requests to loopback and private addresses, as --allow-private-network.',
  CARREL_CHROMIUM: 'The browser that renders pages built by scripts.',
  CARREL_LOG_LEVEL: 'How much a server logs on stderr, as --log-level.',
  CARREL_TOKEN: 'The token that clients of "carrel serve" must send.',
  CARREL_DEBUG: 'Prints a stack trace for an unexpected error.',
  CARREL_TEST_OUTPUT: 'For tests: the folder for their output.',
  CARREL_HISTORIES: 'For tests: how many random histories to run.',
}

const longestFile = 1_000_000

function textOf(path: string, name: string): string | null {
  try {
    const read = readSmallFile(path, longestFile)
    if ('text' in read) return read.text
    const reason =
      read.why === 'large' ? 'is larger than a configuration can be' : 'is not a file but something else'
    throw new Problem('bad_configuration', `${name} ${reason}.`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    if (error instanceof Problem) throw error
    const why = (error as NodeJS.ErrnoException).code ?? reasonOf(error)
    const next = 'Let your user read it, or take it away.'
    throw new Problem('bad_configuration', `${path} cannot be read (${why}).`, next, { cause: error })
  }
}

function layer(whose: Layer['whose'], given: unknown, where: Layer['where']): Layer {
  const checked = configSchema.safeParse(given)
  if (!checked.success) throw refusal(complaints(checked.error.issues, given, where))
  return { whose, values: checked.data, where }
}

function put(values: Config, path: readonly string[], value: unknown) {
  const [first = '', second] = path
  const top = values as Record<string, unknown>
  if (second === undefined) top[first] = value
  else top[first] = { ...(top[first] as object | undefined), [second]: value }
}

function keyFor(path: readonly (string | number)[]) {
  return keys.find((key) => key.path.every((step, i) => path[i] === step))
}

function variableFor(path: readonly (string | number)[]): string | undefined {
  return keyFor(path)?.variable
}

function unknownVariable(name: string, known: string[]): Problem {
  const hint = /_(KEY|TOKEN|SECRET)$/.test(name)
    ? 'A key may live in any variable that "keyFrom" names, as in CARREL_EMBEDDING_KEY_FROM.'
    : (didYouMean(name, known) ?? 'Every variable CARREL_* stands for a key of carrel.json.')
  return new Problem('bad_configuration', `Unknown environment variable ${name}.`, hint)
}

function unknownSetting(name: string): Problem {
  const ending = keys.find((key) => key.path.at(-1) === name)?.name
  const hint = ending ? `Did you mean "${ending}"?` : didYouMean(name, keyNamed.keys())
  return new Problem(
    'usage',
    `--set knows no key "${name}".`,
    hint ?? `Known: ${[...keyNamed.keys()].join(', ')}.`,
  )
}
