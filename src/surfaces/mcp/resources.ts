import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { Problem } from '../../model/problem.js'
import { truncate } from '../../text/truncate.js'
import type { Contents, ListedResource, Resource } from '../../tools/define.js'
import { invalidParams } from './errors.js'
import type { Lists } from './lists.js'
import type { Offer, Serving } from './server.js'

const pageSize = 500

export function serveResources<Services>(serving: Serving<Services>) {
  const { server, offerTo } = serving
  server.setRequestHandler('resources/list', async ({ params }, ctx) =>
    page(await serving.run({ name: 'resources/list' }, ctx, () => listed(offerTo(ctx))), params?.cursor),
  )
  server.setRequestHandler('resources/templates/list', (_, ctx) => ({
    resourceTemplates: offerTo(ctx).lists.templates.map(({ resource }) => ({
      ...described(resource),
      uriTemplate: resource.template!,
    })),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const { registry, lists } = offerTo(ctx)
    const { resource, variables } = find(lists, uri)
    const job = { name: `resource ${resource.name}`, timeMs: resource.limits?.timeMs, args: uri }
    const found = await serving.run(job, ctx, (call) =>
      resource.read(registry.services, { uri, variables }, call),
    )
    if (found === null) throw notFound(uri)
    return { contents: [found].flat().map((contents) => wire(contents, uri, resource)) }
  })
}

/** The completer for a template's variable, if it has one. */
export function resourceCompletion<Services>({ lists }: Offer<Services>, uri: string, name: string) {
  const { resource } = lists.templates.find(({ resource }) => resource.template === uri) ?? {}
  if (resource) return resource.complete?.[name]
  if (lists.fixed.has(uri)) return undefined
  throw new Problem('invalid', `There is no resource template ${uri.slice(0, 200)}.`)
}

async function listed<Services>({ lists, registry }: Offer<Services>): Promise<ListedResource[]> {
  const fixed = [...lists.fixed.values()].map((resource) => ({ ...described(resource), uri: resource.uri! }))
  const families = await Promise.all(
    lists.templates.map(async ({ resource }) => {
      const found = (await resource.list?.(registry.services)) ?? []
      return found.map((one) => ({ ...(resource.mimeType && { mimeType: resource.mimeType }), ...one }))
    }),
  )
  return [...fixed, ...families.flat()]
}

function described<Services>(resource: Resource<Services>) {
  return {
    name: resource.name,
    title: resource.title,
    description: resource.summary,
    ...(resource.mimeType && { mimeType: resource.mimeType }),
  }
}

function page(all: ListedResource[], cursor: string | undefined) {
  const start = cursor === undefined ? 0 : Number(cursor)
  if (!Number.isSafeInteger(start) || start < 0)
    throw invalidParams('The cursor is not one that this server gave.')
  const end = start + pageSize
  return { resources: all.slice(start, end), ...(end < all.length && { nextCursor: String(end) }) }
}

function find<Services>(lists: Lists<Services>, uri: string) {
  const fixed = lists.fixed.get(uri)
  if (fixed) return { resource: fixed, variables: {} }
  for (const { resource, patterns } of uri.length <= 2_048 ? lists.templates : [])
    for (const pattern of patterns) {
      const found = pattern.match(uri)
      if (found) return { resource, variables: decoded(found) }
    }
  throw notFound(uri)
}

function notFound(uri: string) {
  return new ResourceNotFoundError(truncate(uri, 2_048, '…'))
}

function decoded(variables: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      decode(Array.isArray(value) ? value.join('/') : value),
    ]),
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function wire<Services>(contents: Contents, uri: string, resource: Resource<Services>) {
  const mimeType = contents.mimeType ?? resource.mimeType
  const place = { uri: contents.uri ?? uri, ...(mimeType && { mimeType }) }
  return contents.blob === undefined
    ? { ...place, text: contents.text ?? '' }
    : { ...place, blob: contents.blob }
}
