// Prompts: the built-in ones and the project's, expanded on request.

import { architectureDocuments, mayBeCalled } from '../../../answer/architecture/documents.js'
import { type Kind, kindNamed } from '../../../answer/architecture/places.js'
import type { Library } from '../../../answer/library.js'
import type { AnyTool, Complete, Prompt, PromptAnswer } from '../../../server/define.js'
import { inputSchemaOf, type JsonSchema } from '../../../server/json-schema.js'
import { builtInPrompts } from '../prompts/built-in.js'
import { expander } from '../prompts/expand.js'
import { type ProjectPrompt, readPrompts } from '../prompts/prompt-files.js'
import { openWorkflow } from '../workflows.js'
import type { ArchitectureServices } from './fields.js'

/** The project's own first in line: one by the name of a built-in prompt takes its place. */
export async function architecturePrompts(
  services: ArchitectureServices | undefined,
  offered: readonly AnyTool<never>[],
): Promise<Prompt<ArchitectureServices>[]> {
  // The generator of the reference has no library: it lists the prompts that every project has.
  const { prompts } = services ? await readPrompts(services.library.settings.root) : { prompts: [] }
  const used = new Set(prompts.map(({ name }) => name))
  const builtIn = builtInPrompts((tool) => offered.some(({ name }) => name === tool))
  const all = [...builtIn.filter(({ name }) => !used.has(name)), ...prompts]
  return all.sort((a, b) => (a.name < b.name ? -1 : 1)).map((prompt) => toPrompt(prompt, offered))
}

function toPrompt(prompt: ProjectPrompt, offered: readonly AnyTool<never>[]): Prompt<ArchitectureServices> {
  return {
    name: prompt.name,
    title: prompt.title ?? prompt.name,
    summary: prompt.summary,
    arguments: prompt.arguments.map(({ name, description, required, complete }) => {
      const kind = complete === null ? kindInName(name) : kindNamed(complete)
      return { name, description, required, ...(kind ? { complete: namesOf(kind) } : {}) }
    }),
    get: (services, args) => answer(prompt, services, args, offered),
  }
}

async function answer(
  prompt: ProjectPrompt,
  { library }: ArchitectureServices,
  given: Record<string, string>,
  offered: readonly AnyTool<never>[],
): Promise<PromptAnswer> {
  const workflow = await openWorkflow(library, { prompt: prompt.name, arguments: given })
  const absent = prompt.arguments.map(({ name }) => [name, ''] as const)
  const expand = expander(library, {
    args: { ...Object.fromEntries(absent), ...given, workflow_id: workflow.id },
    describeTool: (name) => {
      const tool = offered.find((one) => one.name === name)
      return tool ? describeTool(tool) : null
    },
  })
  const messages: PromptAnswer['messages'] = []
  for (const { role, parts } of prompt.messages)
    messages.push({ role, content: { type: 'text', text: await expand(parts) } })
  return { description: prompt.summary, messages, _meta: { workflow_id: workflow.id } }
}

/** An argument called after a kind of document is completed with their names. */
function kindInName(name: string): Kind | null {
  const [, word] = /^(pattern|guideline|adr|decision)s?(?:_?(?:name|id|uri))?$/i.exec(name) ?? []
  return word === undefined || (word === 'decision' && name === 'decision') ? null : kindNamed(word)
}

function namesOf(kind: Kind): Complete<ArchitectureServices> {
  return ({ library }, value) => completions(library, kind, value)
}

/** Names that begin with the written text, then those that contain it, also in the title or the file's name. */
export async function completions(library: Library, kind: Kind, written: string): Promise<string[]> {
  const wanted = written.trim().toLowerCase()
  const all = (await architectureDocuments(library)).filter((one) => one.kind === kind)
  const begin = all.filter(({ name }) => name.toLowerCase().startsWith(wanted))
  const have = all.filter((one) => !begin.includes(one) && mayBeCalled(one, wanted))
  return [...begin, ...have].map(({ name }) => name)
}

// Describes a tool for a prompt: its summary and its parameters with their limits, in the order of the schema.
function describeTool(tool: AnyTool<never>): string {
  const schema = inputSchemaOf(tool)
  const required = new Set((schema.required ?? []) as string[])
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const lines = properties.map(
    ([name, one]) => `  - ${name} (${required.has(name) ? 'required' : 'optional'}): ${described(one)}`,
  )
  return [
    `Tool: ${tool.name}`,
    `Description: ${tool.summary}`,
    ...(lines.length > 0 ? ['Parameters:', ...lines] : []),
  ].join('\n')
}

function described(schema: JsonSchema): string {
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
