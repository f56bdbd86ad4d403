// Turns a schema's complaints into sentences a model can correct itself from: which field, what was expected, what was
// given, and the nearest known name for one that is not known.
import type { z } from 'zod'
import { thousands } from '../text/counted.js'
import { nearest } from '../text/nearest.js'
import { redact } from '../text/redact.js'
import { truncate } from '../text/truncate.js'
import type { AnyTool } from './define.js'
import type { Failure, Issue } from './failure.js'

export type Validated<Args> = { args: Args } | { issues: Issue[] }

export function validate<Input extends z.ZodObject>(input: Input, raw: unknown): Validated<z.output<Input>> {
  const given = raw ?? {}
  if (typeof given !== 'object' || Array.isArray(given))
    return { issues: [issueOf('arguments', 'an object with named arguments', given)] }
  const named = withoutNulls(input, given as Record<string, unknown>)
  const strict = input.safeParse(named)
  if (strict.success) return { args: strict.data }
  const mended = input.safeParse(inOwnTypes(named, strict.error.issues))
  if (mended.success) return { args: mended.data }
  const issues = strict.error.issues.slice(0, mostIssues).flatMap((issue) => explain(input, issue, given))
  return { issues: issues.slice(0, mostIssues) }
}

/** Lowers the numbers that are above their maximum. `note` names each of them, or is empty. */
export function clampNumbers<Args extends Record<string, unknown>>(
  args: Args,
  maxima: { readonly [Field in keyof Args]?: number } = {},
): { args: Args; note: string } {
  const above = Object.entries(maxima).filter(([field, most]) => Number(args[field] ?? 0) > Number(most))
  const sentences = above.map(([field, most]) => `${field} is at most ${thousands(Number(most))}.`)
  return { args: { ...args, ...Object.fromEntries(above) }, note: sentences.join(' ') }
}

/** The failure for arguments that did not fit, with the fields the tool knows. */
export function invalidArguments(
  tool: Pick<AnyTool<never>, 'name' | 'wrong'> & { input: z.ZodObject },
  issues: Issue[],
  raw?: unknown,
): Failure {
  const failure = { kind: 'invalid', code: 'invalid_params', tool: tool.name } as const
  for (const { field } of issues) {
    const specified = tool.wrong?.(field, valueAt(raw, [field]))
    if (specified) return { ...failure, ...specified }
  }
  return {
    ...failure,
    message: issues.map((issue) => issue.message).join(' '),
    hint: `${tool.name} takes ${signatureOf(tool.input)}.`,
    issues,
  }
}

const mostIssues = 10

/** Converts `"3"` to 3, `"true"` to true, and one name to a list of names: some programs send them this way. */
function inOwnTypes(args: Record<string, unknown>, issues: readonly ZodIssue[]): Record<string, unknown> {
  let mended: unknown = args
  for (const issue of issues) {
    if (issue.code !== 'invalid_type') continue
    const meant = inType(issue.expected, valueAt(args, issue.path))
    if (meant !== undefined) mended = withValue(mended, issue.path, meant)
  }
  return mended as Record<string, unknown>
}

/** A copy with another value at the path. */
function withValue(value: unknown, path: readonly PropertyKey[], meant: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return meant
  const inner = withValue(valueAt(value, [key]), rest, meant)
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? inner : item))
  return { ...(value as object), [key]: inner }
}

function inType(expected: string, given: unknown): unknown {
  if (typeof given !== 'string') return undefined
  const text = given.trim()
  if (expected === 'array') return text === '' || text.startsWith('[') ? undefined : [given]
  if (expected === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  const isNumber = ['number', 'int'].includes(expected) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)
  return isNumber ? Number(text) : undefined
}

// Clients that make every argument required send null for what the model left out.
function withoutNulls(input: z.ZodObject, raw: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(raw).filter(
    ([key, value]) => value !== null || !mayBeAbsent(ownField(input.shape, key)),
  )
  return Object.fromEntries(entries)
}

// `hasOwn`, because every object inherits "constructor" and "toString".
function ownField(shape: Record<string, unknown> | undefined, key: string): unknown {
  return shape && Object.hasOwn(shape, key) ? shape[key] : undefined
}

function mayBeAbsent(schema: unknown): boolean {
  const field = schema as z.ZodType | undefined
  if (!field?.safeParse(undefined).success) return false
  return !field.safeParse(null).success
}

type ZodIssue = z.core.$ZodIssue

function explain(input: z.ZodObject, issue: ZodIssue, raw: unknown): Issue[] {
  const field = fieldName(issue.path)
  const given = valueAt(raw, issue.path)
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, mostIssues)
      .map((key) => unknownKey(input, issue.path, key, valueAt(raw, [...issue.path, key])))
  if (given === undefined && issue.code === 'invalid_type')
    return [issueOf(field, expectationOf(issue, schemaAt(input, issue.path)), given)]
  return [issueOf(field, expectationOf(issue, undefined), given)]
}

function issueOf(field: string, expected: string, given: unknown): Issue {
  const shown = show(given)
  return { field, expected, given: shown, message: `${field}: expected ${expected}, got ${shown}.` }
}

function unknownKey(input: z.ZodObject, path: PropertyKey[], key: string, value: unknown): Issue {
  const known = Object.keys((unwrapped(schemaAt(input, path)) as z.ZodObject | undefined)?.shape ?? {})
  const field = fieldName([...path, key])
  const close = nearest(key, known)
  const expected = close ? `"${close}"` : `one of ${known.join(', ') || 'no arguments at all'}`
  const message = close
    ? `${field} is not an argument; did you mean "${close}"?`
    : `${field} is not an argument; the arguments are ${known.join(', ') || 'none'}.`
  return { field, expected, given: show(value), message }
}

function expectationOf(issue: ZodIssue, schema: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeName(issue.expected, schema)
    case 'too_small':
      return bound('at least', issue.origin, Number(issue.minimum), issue.inclusive !== false)
    case 'too_big':
      return bound('at most', issue.origin, Number(issue.maximum), issue.inclusive !== false)
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'invalid_format':
      return `text in the form of ${issue.format === 'regex' ? issue.pattern : `a ${issue.format}`}`
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'invalid_union':
      return unionOf(issue)
    default:
      return quotable(issue.message, 300).replace(/\.$/, '')
  }
}

function unionOf(issue: z.core.$ZodIssueInvalidUnion): string {
  const each = issue.errors.flatMap((issues) =>
    issues.slice(0, 1).map((inner) => expectationOf(inner, undefined)),
  )
  return [...new Set(each)].join(' or ') || 'another form'
}

const names: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function typeName(type: string, schema: unknown): string {
  const description = (schema as z.ZodType | undefined)?.description
  const name = names[type] ?? type
  return description ? `${name} (${truncate(description, 80, '…')})` : name
}

const units: Record<string, string> = { string: ' characters', array: ' items', set: ' items' }

function bound(side: 'at least' | 'at most', origin: string, limit: number, inclusive: boolean): string {
  const unit = units[origin]
  if (unit)
    return `${origin === 'string' ? 'text' : 'a list'} of ${side} ${limit}${limit === 1 ? unit.slice(0, -1) : unit}`
  const relation = inclusive ? side : side === 'at least' ? 'more than' : 'less than'
  return `a ${origin === 'int' ? 'whole ' : ''}number ${relation} ${limit}`
}

function fieldName(path: PropertyKey[]): string {
  const name = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${quotable(String(part))}`))
    .join('')
  return name.replace(/^\./, '') || 'arguments'
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let at = value
  for (const part of path) {
    if (at === null || typeof at !== 'object') return undefined
    at = Object.hasOwn(at, part) ? (at as Record<PropertyKey, unknown>)[part] : undefined
  }
  return at
}

function schemaAt(schema: unknown, path: PropertyKey[]): unknown {
  let at = schema
  for (const part of path) {
    const step = unwrapped(at) as { shape?: Record<string, unknown>; element?: unknown } | undefined
    at = typeof part === 'number' ? step?.element : ownField(step?.shape, String(part))
  }
  return at
}

function unwrapped(schema: unknown): unknown {
  let at = schema as { def?: { innerType?: unknown } } | undefined
  while (at?.def?.innerType) at = at.def.innerType as typeof at
  return at
}

/** What was given, short enough to read and never deeper than one level. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') {
    const text = JSON.stringify(quotable(value))
    return value.length > 20 ? `${text} (${value.length} characters)` : text
  }
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value !== null && typeof value === 'object') return 'an object'
  return String(value)
}

// Masks before it cuts: half a key would not be recognised when the sentence is logged.
function quotable(text: string, most = 60): string {
  return truncate(redact(text.slice(0, 2_000)), most, '…')
}

function signatureOf(input: z.ZodObject): string {
  const fields = Object.entries(input.shape).map(([key, schema]) => {
    const optional = (schema as z.ZodType).safeParse(undefined).success
    return optional ? `${key}?` : key
  })
  return fields.length ? fields.join(', ') : 'no arguments'
}
