// Explains errors of a configuration in sentences: the key, its place, the expected and the given value.
import type { z } from 'zod'
import { Problem } from '../../model/problem.js'
import { didYouMean, nearest } from '../../text/nearest.js'
import type { Path } from './json.js'
import { keys, keysAt } from './keys.js'

export interface Complaint {
  sentence: string
  hint?: string | undefined
}

/** Says where a key stands: `carrel.json, line 4` or `CARREL_WATCH`. */
export type Where = (path: Path) => string

/** The schema's issues as complaints. `given` is the value that was checked. */
export function complaints(issues: readonly z.core.$ZodIssue[], given: unknown, where: Where): Complaint[] {
  const flat = issues.flatMap((issue) => unfold(issue, []))
  const misspelt = new Set(flat.flatMap((issue) => meantKeys(issue).map((path) => path.join('\n'))))
  return flat
    .filter((issue) => issue.code === 'unrecognized_keys' || !misspelt.has(issue.path.join('\n')))
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownKey(issue.path as Path, key, where))
        : [wrongValue(issue, given, where)],
    )
}

/** One problem for all complaints: a single one keeps its hint, several become a list. */
export function refusal(found: readonly Complaint[]): Problem {
  const [first] = found
  if (first && found.length === 1) return new Problem('bad_configuration', first.sentence, first.hint)
  const shown = found
    .slice(0, mostShown)
    .map(({ sentence, hint }) => `- ${sentence}${hint ? ` ${hint}` : ''}`)
  const more = found.length > mostShown ? [`- … and ${found.length - mostShown} more.`] : []
  return new Problem(
    'bad_configuration',
    [`The configuration has ${found.length} problems:`, ...shown, ...more].join('\n'),
  )
}

/** `sources[1].path`, as a person would point at it. */
function keyAt(path: Path): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('')
}

/** A value as it was written, short enough for a sentence. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (value !== null && typeof value === 'object') return 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text
}

const mostShown = 10

// A union fails with one list of issues a choice. The choice whose type fits has something to say about its inside.
function unfold(issue: z.core.$ZodIssue, above: PropertyKey[]): z.core.$ZodIssue[] {
  const here = { ...issue, path: [...above, ...issue.path] }
  if (issue.code !== 'invalid_union') return [here]
  const fitting = issue.errors.find((inner) => inner.every((one) => one.path.length > 0 || !wrongType(one)))
  return fitting?.length ? fitting.flatMap((inner) => unfold(inner, here.path)) : [here]
}

function wrongType(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type'
}

// A misspelt required key would otherwise be reported twice: as unknown, and as missing.
function meantKeys(issue: z.core.$ZodIssue): PropertyKey[][] {
  if (issue.code !== 'unrecognized_keys') return []
  return issue.keys.flatMap((key) => {
    const meant = nearest(key, keysAt(issue.path as Path))
    return meant === null ? [] : [[...issue.path, meant]]
  })
}

function unknownKey(path: Path, key: string, where: Where): Complaint {
  const place = where([...path, key])
  if (secret.test(key) && (path[0] === 'embedding' || path[0] === 'rerank'))
    return {
      sentence: `A secret does not belong in the configuration: "${keyAt([...path, key])}" (${place}).`,
      hint: 'Put it into an environment variable and name that variable with "keyFrom".',
    }
  const inside = path.length === 0 ? '' : ` in "${keyAt(path)}"`
  return { sentence: `Unknown key "${key}"${inside} (${place}).`, hint: meant(path, key) }
}

const secret = /^(api[-_]?)?(key|token|secret|password|authorization|bearer)$/i

function meant(path: Path, key: string): string {
  const known = keysAt(path)
  const elsewhere = keys.find(({ path: [...steps] }) => steps.length > 1 && steps.at(-1) === key)
  return (
    didYouMean(key, known) ??
    (elsewhere ? `Did you mean "${elsewhere.name}"?` : `Known here: ${known.join(', ')}.`)
  )
}

function wrongValue(issue: z.core.$ZodIssue, given: unknown, where: Where): Complaint {
  const path = issue.path as Path
  if (issue.code === 'invalid_key') return wrongName(path, issue, where)
  const value = valueAt(given, path)
  const what = path.length === 0 ? 'The configuration' : `"${keyAt(path)}"`
  const actual = secretive(path) ? '' : `, not ${shown(value)}`
  return {
    sentence: `${what} (${where(path)}) must be ${issue.message}${actual}.`,
    hint:
      issue.code === 'invalid_value' && typeof value === 'string'
        ? didYouMean(value, issue.values.map(String))
        : secretive(path)
          ? 'The key itself stays in the environment: write the name of the variable that holds it.'
          : undefined,
  }
}

function wrongName(path: Path, issue: z.core.$ZodIssueInvalidKey, where: Where): Complaint {
  const table = keyAt(path.slice(0, -1))
  const expected = issue.issues[0]?.message ?? 'a name'
  return { sentence: `A key of "${table}" (${where(path)}) must be ${expected}, not ${shown(path.at(-1))}.` }
}

// A user may write the API key itself in place of its variable's name. It must not appear in a log.
function secretive(path: Path): boolean {
  return path.at(-1) === 'keyFrom'
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<PropertyKey, unknown> | undefined)?.[step],
    value,
  )
}
