// The keys as data, derived from the schema: their paths, their environment variables, and how text becomes a value.
import type { z } from 'zod'
import { configSchema } from './schema.js'

export interface Key {
  path: readonly string[]
  /** `limits.fileSize` */
  name: string
  /** `CARREL_LIMITS_FILE_SIZE` */
  variable: string
  kind: 'flag' | 'number' | 'list' | 'table' | 'text'
}

/** Every key that holds a value, in the order of the schema. */
export const keys: readonly Key[] = leaves(configSchema, []).filter((key) => key.name !== '$schema')

export const keyNamed = new Map(keys.map((key) => [key.name, key]))

/** The keys that may stand in the object at a path; none where no object belongs. */
export function keysAt(path: readonly (string | number)[]): string[] {
  let schema: z.core.$ZodType | undefined = configSchema
  for (const step of path) schema = schema && inside(schema, step)
  return schema ? Object.keys(shapeOf(schema) ?? {}) : []
}

/** Parses a key's value from the environment or a flag. An invalid value stays text, which the schema refuses. */
export function readValue(key: Key, written: string): unknown {
  const trimmed = written.trim()
  if (key.kind === 'flag') return flags.get(trimmed.toLowerCase()) ?? written
  if (key.kind === 'number') return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : written
  if (key.kind === 'text') return written
  if (trimmed.startsWith(key.kind === 'list' ? '[' : '{')) {
    const value = json(trimmed)
    if (value !== undefined) return value
  }
  // A comma inside the braces of a pattern, as in *.{md,txt}, parts nothing.
  const items = trimmed
    .split(/,(?![^{]*\})/)
    .map((item) => item.trim())
    .filter(Boolean)
  // An empty list must be written as []: a value that is empty by accident would empty the index.
  if (items.length === 0) return written
  return key.kind === 'list' ? items : Object.fromEntries(items.map(pair))
}

/** How "yes" and "no" may be written in the environment. */
export const flags = new Map<string, boolean>([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
])

function pair(item: string): [string, unknown] {
  const [name = '', value = ''] = item.split('=', 2).map((half) => half.trim())
  return [name, /^\d+$/.test(value) ? Number(value) : value]
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function leaves(schema: z.core.$ZodType, path: string[]): Key[] {
  const shape = shapeOf(schema)
  if (shape) return Object.entries(shape).flatMap(([name, inner]) => leaves(inner, [...path, name]))
  return [{ path, name: path.join('.'), variable: variableOf(path), kind: kindOf(schema) }]
}

function variableOf(path: string[]): string {
  const words = path.map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase())
  return `CARREL_${words.join('_')}`
}

function kindOf(schema: z.core.$ZodType): Key['kind'] {
  const { type } = bare(schema)._zod.def
  if (type === 'boolean') return 'flag'
  if (type === 'number') return 'number'
  if (type === 'array') return 'list'
  return type === 'record' ? 'table' : 'text'
}

function inside(schema: z.core.$ZodType, step: string | number): z.core.$ZodType | undefined {
  const { def } = bare(schema)._zod as unknown as { def: { element?: z.core.$ZodType } }
  return typeof step === 'number' ? def.element : shapeOf(schema)?.[step]
}

/** The keys of an object, or of the object among a union's choices. */
function shapeOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType> | undefined {
  const { def } = bare(schema)._zod as unknown as {
    def: { shape?: Record<string, z.core.$ZodType>; options?: z.core.$ZodType[] }
  }
  return def.shape ?? def.options?.map(shapeOf).find(Boolean)
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod as unknown as { def: { type: string; innerType?: z.core.$ZodType } }
  return def.type === 'optional' && def.innerType ? bare(def.innerType) : schema
}
