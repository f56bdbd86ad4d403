// A tool in words, for a prompt: what it does and what it takes, in the order of its schema, with its limits.
import type { AnyTool } from '../../../server/define.js'
import { inputSchemaOf, type JsonSchema } from '../../../server/json-schema.js'

export function describeTool(tool: AnyTool<never>): string {
  const schema = inputSchemaOf(tool)
  const required = new Set((schema.required ?? []) as string[])
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const lines = properties.map(
    ([name, one]) => `  - ${name} (${required.has(name) ? 'required' : 'optional'}): ${said(one)}`,
  )
  return [
    `Tool: ${tool.name}`,
    `Description: ${tool.summary}`,
    ...(lines.length > 0 ? ['Parameters:', ...lines] : []),
  ].join('\n')
}

function said(schema: JsonSchema): string {
  const limits = limitsOf(schema)
  const description = String(schema.description ?? '')
  return limits.length > 0 ? `${description} (${limits.join(', ')})` : description
}

function limitsOf({
  enum: choices,
  minimum,
  maximum,
  minLength,
  maxLength,
  maxItems,
  default: without,
}: JsonSchema): string[] {
  return [
    ...(Array.isArray(choices) ? [`one of ${choices.join(', ')}`] : []),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(typeof minLength === 'number' && minLength > 1 ? [`min ${minLength} chars`] : []),
    ...(maxLength !== undefined ? [`max ${maxLength} chars`] : []),
    ...(maxItems !== undefined ? [`at most ${maxItems}`] : []),
    ...(without !== undefined ? [`default ${JSON.stringify(without)}`] : []),
  ]
}
