// The published JSON Schema of carrel.json, for editors. `npm run schema` writes it; a test keeps it current.
import { z } from 'zod'
import { keys } from './keys.js'
import { configSchema } from './schema.js'

/** The schema as the text of its file. */
export function configJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' }) as Node
  for (const key of keys) describeVariable(schema, key.path, key.variable)
  const whole = { $schema, $id: 'carrel.schema.json', title: 'Configuration of Carrel', ...schema }
  return `${JSON.stringify(whole, null, 2)}\n`
}

interface Node {
  $schema?: string
  description?: string
  properties?: Record<string, Node>
}

function describeVariable(schema: Node, path: readonly string[], variable: string) {
  const node = path.reduce<Node | undefined>((inner, step) => inner?.properties?.[step], schema)
  if (node) node.description = `${node.description} (${variable})`
}
