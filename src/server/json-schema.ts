// The JSON Schema for clients. Some clients (Gemini among them) refuse `$ref`, `const`, `exclusiveMinimum` and lists of
// types, so there are none; and it is short, because clients send it with every request.
import { z } from 'zod'
import type { AnyTool } from './define.js'

export type JsonSchema = Record<string, unknown>

const inputs = new WeakMap<z.ZodType, JsonSchema>()
const outputs = new WeakMap<z.ZodType, JsonSchema>()

export function inputSchemaOf(tool: Pick<AnyTool<never>, 'input'>): JsonSchema {
  return remembered(inputs, tool.input, () => flat(convert(tool.input, 'input')) as JsonSchema)
}

/** The schema of `structuredContent`, which is always an object: other results sit under `result`. */
export function outputSchemaOf(tool: Pick<AnyTool<never>, 'output'>): JsonSchema {
  return remembered(outputs, tool.output, () =>
    withNote(wrapped(flat(apart(convert(tool.output, 'output'))) as JsonSchema)),
  )
}

function remembered(
  memory: WeakMap<z.ZodType, JsonSchema>,
  key: z.ZodType,
  make: () => JsonSchema,
): JsonSchema {
  const known = memory.get(key)
  if (known) return known
  const made = make()
  memory.set(key, made)
  return made
}

function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    cycles: 'throw',
    unrepresentable: 'any',
  }) as JsonSchema
}

/** Splits a list of types into alternatives: an answer may be null. (For an argument, null means that it is missing.) */
function apart(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(apart)
  if (node === null || typeof node !== 'object') return node
  const entries = Object.entries(node).map(([key, value]) =>
    key === 'type' && Array.isArray(value)
      ? ['anyOf', value.map((one) => ({ type: one }))]
      : [key, apart(value)],
  )
  return Object.fromEntries(entries)
}

const largest = Number.MAX_SAFE_INTEGER
const dropped = new Set(['$schema', '$id', 'additionalProperties'])

function flat(node: unknown, property = false): unknown {
  if (Array.isArray(node)) return node.map((item) => flat(item))
  if (node === null || typeof node !== 'object') return node
  const entries = Object.entries(node)
    .filter(([key, value]) => property || !(dropped.has(key) && isEmptyRule(value)))
    .map(([key, value]) => [
      key,
      key === 'default' || key === 'enum' ? value : flat(value, key === 'properties'),
    ])
  const schema = Object.fromEntries(entries) as JsonSchema
  return property ? schema : plain(schema)
}

/** A flag, or a schema that anything fits. */
function isEmptyRule(value: unknown): boolean {
  return typeof value !== 'object' || (value !== null && Object.keys(value).length === 0)
}

/** Bounds that only keep abuse out: no call that is meant comes near them, and a model pays to read them. */
const guards = { maxLength: new Set([4_500, 20_000]), maxItems: new Set([100]) }

function plain(schema: JsonSchema): JsonSchema {
  if ('const' in schema) {
    schema.enum = [schema.const]
    delete schema.const
  }
  closeBound(schema, 'exclusiveMinimum', 'minimum', 1)
  closeBound(schema, 'exclusiveMaximum', 'maximum', -1)
  if (schema.minimum === -largest) delete schema.minimum
  if (schema.maximum === largest) delete schema.maximum
  if (guards.maxLength.has(Number(schema.maxLength))) delete schema.maxLength
  if (guards.maxItems.has(Number(schema.maxItems))) delete schema.maxItems
  if (Array.isArray(schema.type)) branch(schema, schema.type as string[])
  if (typeof schema.pattern === 'string' && 'format' in schema) delete schema.pattern
  return schema
}

// Some clients take no list of types, but all take alternatives.
function branch(schema: JsonSchema, types: readonly string[]) {
  delete schema.type
  schema.anyOf = types.map((type) => ({ type }))
}

// A bound that excludes its end becomes one that includes the next whole number; for fractions the end itself.
function closeBound(schema: JsonSchema, from: string, to: string, step: number) {
  const limit = schema[from]
  if (typeof limit !== 'number') return
  delete schema[from]
  schema[to] = schema.type === 'integer' ? limit + step : limit
}

/** Any answer may have a note. */
function withNote(schema: JsonSchema): JsonSchema {
  const properties = schema.properties as Record<string, JsonSchema> | undefined
  return { ...schema, properties: { ...properties, note: properties?.note ?? { type: 'string' } } }
}

function wrapped(schema: JsonSchema): JsonSchema {
  const branches = schema.anyOf as JsonSchema[] | undefined
  if (schema.type === 'object') return schema
  if (!branches?.some((branch) => branch.type === 'object'))
    return { type: 'object', properties: { result: schema }, required: ['result'] }
  return merged(branches)
}

/** An object or something else (a sentence, null): the object's fields, none required, beside `result`. */
function merged(branches: JsonSchema[]): JsonSchema {
  const objects = branches.filter((branch) => branch.type === 'object')
  const others = branches.filter((branch) => branch.type !== 'object')
  const properties = Object.assign({}, ...objects.map((branch) => branch.properties))
  if (others.length) properties.result = others.length === 1 ? others[0] : { anyOf: others }
  return { type: 'object', properties }
}
