// Rules that every tool record must keep. Tests run this over all toolsets; nothing runs it at start-up.
import type { z } from 'zod'
import type { AnyTool, Prompt, Resource, Toolset } from '../../src/server/define.js'
import { inputSchemaOf, type JsonSchema, outputSchemaOf } from '../../src/server/json-schema.js'
import { validate } from '../../src/server/validate.js'

/** Everything wrong with a toolset's records, one sentence each. */
export function flawsOf<Services>(toolset: Toolset<Services>): string[] {
  const prompts = typeof toolset.prompts === 'function' ? [] : (toolset.prompts ?? [])
  return [
    ...toolset.tools.flatMap((tool) => toolFlaws(tool).map((flaw) => `${tool.name}: ${flaw}`)),
    ...(toolset.resources ?? []).flatMap((one) =>
      resourceFlaws(one).map((flaw) => `resource ${one.name}: ${flaw}`),
    ),
    ...prompts.flatMap((one) => promptFlaws(one).map((flaw) => `prompt ${one.name}: ${flaw}`)),
  ]
}

function toolFlaws<Services>(tool: AnyTool<Services>): string[] {
  return [
    ...when(!/^[a-zA-Z][\w-]{0,63}$/.test(tool.name), 'the name has characters that clients refuse'),
    ...when(tool.title.length < 3 || tool.title.length > 60, 'the title needs 3 to 60 characters'),
    ...when(tool.summary.length < 20, 'the summary says too little'),
    ...when(
      tool.summary.length > 600,
      `the summary has ${tool.summary.length} characters, and 600 are allowed`,
    ),
    ...when((tool.limits?.timeMs ?? 0) > 30_000, 'no tool gets more than 30 s'),
    ...when(tool.effect === 'read' && (tool.destructive ?? false), 'what only reads cannot destroy'),
    ...when(tool.examples.length === 0, 'there is no example'),
    ...tool.examples.flatMap((example) => exampleFlaws(tool, example)),
    ...schemaFlaws(withClamps(tool), 'arguments'),
    ...looseObjects(tool.input, 'arguments'),
    ...when(outputSchemaOf(tool).type !== 'object', 'the output schema is no object'),
  ]
}

function exampleFlaws<Services>(
  tool: AnyTool<Services>,
  { title, args }: { title: string; args: unknown },
): string[] {
  const result = validate(tool.input, args)
  return 'issues' in result
    ? result.issues.map((issue) => `the example "${title}" is wrong: ${issue.message}`)
    : []
}

const unportable = [
  '$ref',
  'const',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'allOf',
  'not',
  'if',
  'patternProperties',
]

/** The input schema, in which a number that the tool clamps has its maximum. */
function withClamps<Services>(tool: AnyTool<Services>): JsonSchema {
  const schema = inputSchemaOf(tool)
  const maxima: Record<string, number | undefined> = tool.clamp ?? {}
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, field]) => [name, maxima[name] === undefined ? field : { ...field, maximum: maxima[name] }],
  )
  return { ...schema, properties: Object.fromEntries(fields) }
}

/** Portable, described and bounded, all the way down. */
function schemaFlaws(schema: JsonSchema, at: string): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const branches = [...((schema.anyOf ?? []) as JsonSchema[]), ...((schema.oneOf ?? []) as JsonSchema[])]
  const unbounded =
    schema.type === 'integer' && (schema.minimum === undefined || schema.maximum === undefined)
  return [
    ...unportable
      .filter((word) => word in schema)
      .map((word) => `${at} uses "${word}", which not every client reads`),
    ...when(Array.isArray(schema.type), `${at} has several types`),
    ...when(unbounded && !schema.enum, `${at} is a whole number without both bounds`),
    ...properties.flatMap(([name, inner]) => [
      ...when(!inner.description, `${at}.${name} is not described`),
      ...schemaFlaws(inner, `${at}.${name}`),
    ]),
    ...(schema.items ? schemaFlaws(schema.items as JsonSchema, `${at}[]`) : []),
    ...branches.flatMap((branch) => schemaFlaws(branch, at)),
  ]
}

/** Objects inside the arguments that would swallow a misspelt name. */
function looseObjects(schema: unknown, at: string): string[] {
  const def = (schema as { def?: Def }).def
  if (!def) return []
  const inner = [def.innerType, def.element, ...(def.options ?? [])].filter(Boolean)
  const shape = Object.entries(def.shape ?? {})
  return [
    ...when(
      def.type === 'object' && def.catchall?.def.type !== 'never',
      `${at} lets unknown names through; use z.strictObject`,
    ),
    ...shape.flatMap(([name, field]) => looseObjects(field, `${at}.${name}`)),
    ...inner.flatMap((one) => looseObjects(one, at)),
  ]
}

interface Def {
  type: string
  innerType?: unknown
  element?: unknown
  options?: unknown[]
  shape?: Record<string, unknown>
  catchall?: z.ZodType
}

function resourceFlaws<Services>(resource: Resource<Services>): string[] {
  return [
    ...when(
      (resource.uri === undefined) === (resource.template === undefined),
      'it needs either a uri or a template',
    ),
    ...when(
      !/^[a-z][a-z0-9+.-]*:\/\//.test(resource.uri ?? resource.template ?? ''),
      'the address has no scheme',
    ),
    ...when(resource.summary.length < 10, 'the summary says too little'),
  ]
}

function promptFlaws<Services>(prompt: Prompt<Services>): string[] {
  return [
    ...when(prompt.summary.length < 10, 'the summary says too little'),
    ...prompt.arguments
      .filter(({ description }) => !description)
      .map(({ name }) => `${name} is not described`),
  ]
}

function when(flawed: boolean, flaw: string): string[] {
  return flawed ? [flaw] : []
}
