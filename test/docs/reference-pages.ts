// The reference pages, written from the records. A page has the same text about a tool as a client gets.
import type { AnyTool, Prompt, Resource, Toolset } from '../../src/server/define.js'
import { inputSchemaOf, type JsonSchema, outputSchemaOf } from '../../src/server/json-schema.js'
import { defaultRates } from '../../src/server/rate-limit.js'

export interface ReferencePage {
  file: string
  text: string
}

/** One page for each toolset and one that lists them. */
export async function referencePages<Services>(
  toolsets: readonly Toolset<Services>[],
  services: Services,
): Promise<ReferencePage[]> {
  const pages = await Promise.all(toolsets.map((toolset) => toolsetPage(toolset, services)))
  return [{ file: 'README.md', text: indexPage(toolsets) }, ...pages]
}

function indexPage<Services>(toolsets: readonly Toolset<Services>[]): string {
  const sections = toolsets.flatMap((toolset) => [
    `## [${toolset.title}](${toolset.name}.md)`,
    toolset.purpose,
    toolset.tools
      .map(
        (tool) =>
          `- [\`${tool.name}\`](${toolset.name}.md#${tool.name.toLowerCase()}) ${firstSentence(tool.summary)}`,
      )
      .join('\n'),
  ])
  return page('Tools', 'Written from the tools themselves; changes here are overwritten.', ...sections)
}

async function toolsetPage<Services>(toolset: Toolset<Services>, services: Services): Promise<ReferencePage> {
  const prompts =
    typeof toolset.prompts === 'function'
      ? await toolset.prompts(services, toolset.tools)
      : (toolset.prompts ?? [])
  const text = page(
    toolset.title,
    toolset.purpose,
    ...toolset.tools.map((tool) => toolSection(tool)),
    ...group('Resources', (toolset.resources ?? []).map(resourceLine)),
    ...group('Prompts', prompts.map(promptLine)),
  )
  return { file: `${toolset.name}.md`, text }
}

function toolSection<Services>(tool: AnyTool<Services>): string {
  return [
    `## ${tool.name}`,
    tool.summary,
    factsOf(tool),
    table(inputSchemaOf(tool), tool.clamp),
    [`Returns ${returned(outputSchemaOf(tool))}.`, ...describedFields(outputSchemaOf(tool))].join(' '),
    ...tool.examples.map(
      ({ title, args }) => `${title}:\n\n\`\`\`json\n${JSON.stringify(args, null, 2)}\n\`\`\``,
    ),
  ].join('\n\n')
}

const effects = {
  read: 'Reads only.',
  write: 'Writes.',
  outside: 'Reaches outside this machine.',
}

function factsOf<Services>(tool: AnyTool<Services>): string {
  const perMinute = tool.limits?.perMinute ?? defaultRates[tool.name]
  return [
    effects[tool.effect],
    tool.destructive ? 'May lose what was there.' : '',
    tool.idempotent && tool.effect !== 'read' ? 'Doing it twice changes nothing more.' : '',
    `Stopped after ${(tool.limits?.timeMs ?? 10_000) / 1000} s.`,
    perMinute === undefined ? '' : `At most ${perMinute} calls a minute.`,
    tool.clamp
      ? `Lowered to their maximum when larger: ${Object.keys(tool.clamp)
          .map((field) => `\`${field}\``)
          .join(', ')}.`
      : '',
    tool.needs?.length ? `Needs: ${tool.needs.join(', ')}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

function table(schema: JsonSchema, maxima: Record<string, number | undefined> = {}): string {
  const required = (schema.required ?? []) as string[]
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, field]) => [name, { ...field, maximum: field.maximum ?? maxima[name] }],
  )
  const rows = rowsOf({ ...schema, properties: Object.fromEntries(fields) }, '', required)
  return [
    '| Parameter | Type | Default | |',
    '|---|---|---|---|',
    ...(rows.length ? rows : ['| none | | | |']),
  ].join('\n')
}

function rowsOf(schema: JsonSchema, before: string, required: string[]): string[] {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  return fields.flatMap(([name, field]) => {
    const inner = (field.type === 'array' ? field.items : field) as JsonSchema
    const standard =
      field.default === undefined
        ? required.includes(name)
          ? 'required'
          : ''
        : `\`${JSON.stringify(field.default)}\``
    const row = `| \`${before}${name}\` | ${typeOf(field)} | ${standard} | ${cell(String(field.description ?? ''))} |`
    const nested =
      inner?.type === 'object'
        ? rowsOf(
            inner,
            `${before}${name}${field.type === 'array' ? '[].' : '.'}`,
            (inner.required ?? []) as string[],
          )
        : []
    return [row, ...nested]
  })
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as JsonSchema[]).map(typeOf).join(' or ')
  const range = [
    schema.minimum ?? schema.minLength ?? schema.minItems,
    schema.maximum ?? schema.maxLength ?? schema.maxItems,
  ]
  const type =
    schema.type === 'array'
      ? `list of ${typeOf((schema.items ?? {}) as JsonSchema)}`
      : String(schema.type ?? 'any')
  return range.every((end) => end === undefined) ? type : `${type}, ${range[0] ?? ''}..${range[1] ?? ''}`
}

function returned(schema: JsonSchema): string {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  // Beside a list the note is no field of an object.
  const { result: _, note, ...own } = properties
  const names = Object.keys(own).length > 0 ? Object.keys(note ? { ...own, note } : own) : []
  const fields = names.map((name) => `\`${name}\``).join(', ')
  const other = properties.result ? typeOf(properties.result) : ''
  if (names.length === 0) return other || 'an empty object'
  return `an object with ${fields}${other ? `, or ${other}` : ''}`
}

/** A sentence for each field of the answer, at any depth, that has a description. */
function describedFields(schema: JsonSchema): string[] {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const inner = [schema.items, ...((schema.anyOf ?? []) as unknown[])].filter((one) => one !== undefined)
  return [
    ...fields.flatMap(([name, field]) => [
      ...(field.description === undefined ? [] : [`\`${name}\`: ${field.description}.`]),
      ...describedFields(field),
    ]),
    ...inner.flatMap((one) => describedFields(one as JsonSchema)),
  ]
}

function resourceLine<Services>(resource: Resource<Services>): string {
  return `- \`${resource.uri ?? resource.template}\` ${resource.summary}`
}

function promptLine<Services>(prompt: Prompt<Services>): string {
  const args = prompt.arguments.map(({ name, required }) => (required ? name : `${name}?`)).join(', ')
  return `- \`${prompt.name}\`${args ? ` (${args})` : ''} ${prompt.summary}`
}

function group(title: string, lines: string[]): string[] {
  return lines.length ? [`## ${title}`, lines.join('\n')] : []
}

function page(title: string, ...parts: string[]): string {
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
