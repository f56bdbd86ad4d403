// The answers to list requests, cached for each registry: the SDK would convert every schema on every request.
import { type Tool as ListedTool, type ServerCapabilities, UriTemplate } from '@modelcontextprotocol/server'
import { annotationsOf, type Resource } from '../../server/define.js'
import { inputSchemaOf, outputSchemaOf } from '../../server/json-schema.js'
import type { Registry } from '../../server/registry.js'

export interface Template<Services> {
  resource: Resource<Services>
  patterns: UriTemplate[]
}

export interface Lists<Services> {
  tools: ListedTool[]
  fixed: Map<string, Resource<Services>>
  templates: Template<Services>[]
  capabilities: ServerCapabilities
}

const known = new WeakMap<object, Lists<never>>()

export function listsOf<Services>(registry: Registry<Services>, watches: boolean): Lists<Services> {
  const found = known.get(registry) as Lists<Services> | undefined
  if (found) return found
  const made = makeLists(registry, watches)
  known.set(registry, made as Lists<never>)
  return made
}

function makeLists<Services>(registry: Registry<Services>, watches: boolean): Lists<Services> {
  const fixed = registry.resources.filter((resource) => resource.uri !== undefined)
  const templates = registry.resources.filter((resource) => resource.template !== undefined)
  return {
    tools: [...registry.tools.values()].map(({ tool }) => ({
      name: tool.name,
      title: tool.title,
      description: tool.summary,
      inputSchema: inputSchemaOf(tool) as ListedTool['inputSchema'],
      ...(!tool.plain && { outputSchema: outputSchemaOf(tool) as ListedTool['outputSchema'] }),
      annotations: annotationsOf(tool),
    })),
    fixed: new Map(fixed.map((resource) => [resource.uri!, resource])),
    templates: templates.map((resource) => ({
      resource,
      patterns: [resource.template!, ...(resource.alsoAt ?? [])].map((template) => new UriTemplate(template)),
    })),
    capabilities: capabilitiesOf(registry, watches),
  }
}

// The list of tools never changes while a server runs, so clients may cache it.
function capabilitiesOf<Services>(registry: Registry<Services>, watches: boolean): ServerCapabilities {
  const completes = registry.hasPrompts || registry.resources.some((resource) => resource.complete)
  return {
    tools: { listChanged: false },
    ...(registry.resources.length > 0 && { resources: { subscribe: watches, listChanged: watches } }),
    ...(registry.hasPrompts && { prompts: { listChanged: watches } }),
    ...(completes && { completions: {} }),
  }
}
