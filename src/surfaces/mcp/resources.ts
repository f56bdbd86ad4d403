import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { Problem } from '../../model/problem.js'
import type { Contents, ListedResource, Resource } from '../../server/define.js'
import { nearest } from '../../text/nearest.js'
import { oneLine } from '../../text/one-line.js'
import { percentDecoded } from '../../text/percent-decoded.js'
import { truncate } from '../../text/truncate.js'
import { foreignCursor, refuseCursor } from './errors.js'
import type { Lists, Offer, Serving } from './server.js'

const pageSize = 500

export function serveResources<Services>(serving: Serving<Services>) {
  const { server, offerTo } = serving
  server.setRequestHandler('resources/list', async ({ params }, ctx) =>
    page(await serving.run({ name: 'resources/list' }, ctx, () => listed(offerTo(ctx))), params?.cursor),
  )
  server.setRequestHandler('resources/templates/list', ({ params }, ctx) => {
    refuseCursor(params?.cursor)
    const { templates } = offerTo(ctx).lists
    return {
      resourceTemplates: templates.map(({ resource }) => ({
        ...described(resource),
        uriTemplate: resource.template!,
      })),
    }
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const { registry, lists } = offerTo(ctx)
    const { resource, variables } = find(lists, uri)
    const job = { name: `resource ${resource.name}`, timeMs: resource.limits?.timeMs, args: uri }
    const found = await serving.run(job, ctx, (call) =>
      resource.read(registry.services, { uri, variables }, call),
    )
    if (found === null) throw notFound(uri, await nearestOf(resource, registry.services, variables))
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

/** The fixed resources first, then the others. */
async function listed<Services>({ lists, registry }: Offer<Services>): Promise<ListedResource[][]> {
  const fixed = [...lists.fixed.values()].map((resource) => ({ ...described(resource), uri: resource.uri! }))
  const families = await Promise.all(
    lists.templates.map(async ({ resource }) => {
      const found = (await resource.list?.(registry.services)) ?? []
      return found.map((one) => ({
        ...(resource.mimeType && { mimeType: resource.mimeType }),
        ...inOneLine(one),
      }))
    }),
  )
  return [fixed, families.flat()]
}

/** Names, titles and descriptions of a family come from files. */
function inOneLine({ name, title, description, ...rest }: ListedResource): ListedResource {
  return {
    ...rest,
    name: oneLine(name) || rest.uri,
    ...(title !== undefined && { title: oneLine(title) }),
    ...(description !== undefined && { description: oneLine(description) }),
  }
}

function described<Services>(resource: Resource<Services>) {
  return {
    name: resource.name,
    title: resource.title,
    description: resource.summary,
    ...(resource.mimeType && { mimeType: resource.mimeType }),
  }
}

// A cursor contains the last listed uri: documents change between two pages, and an offset would skip or repeat some.
function page(lists: ListedResource[][], cursor: string | undefined) {
  const after = cursor === undefined ? '' : placeOf(cursor)
  const rest = lists
    .flatMap((list, i) => list.map((resource) => ({ resource, place: `${i} ${resource.uri}` })))
    .filter(({ place }) => place > after)
    .sort((a, b) => (a.place < b.place ? -1 : 1))
  const shown = rest.slice(0, pageSize)
  return {
    resources: shown.map(({ resource }) => resource),
    ...(shown.length < rest.length && { nextCursor: Buffer.from(shown.at(-1)!.place).toString('base64url') }),
  }
}

function placeOf(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url')
  const place = bytes.toString()
  if (!/^[01] ./s.test(place) || bytes.toString('base64url') !== cursor) throw foreignCursor()
  return place
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

function notFound(uri: string, near: string | null = null) {
  const shortUri = truncate(uri, 2_048, '…')
  const error = new ResourceNotFoundError(shortUri)
  return near === null
    ? error
    : new ResourceNotFoundError(shortUri, `${error.message}. Did you mean ${near}?`)
}

/** The uri of the family whose name is closest to the requested one. */
async function nearestOf<Services>(
  resource: Resource<Services>,
  services: Services,
  variables: Record<string, string>,
): Promise<string | null> {
  const listed = (await resource.list?.(services)) ?? []
  const [written] = Object.values(variables)
  const name =
    written === undefined
      ? null
      : nearest(
          written,
          listed.map((one) => one.name),
        )
  return listed.find((one) => one.name === name)?.uri ?? null
}

function decoded(variables: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      percentDecoded(Array.isArray(value) ? value.join('/') : value),
    ]),
  )
}

function wire<Services>(contents: Contents, uri: string, resource: Resource<Services>) {
  const mimeType = contents.mimeType ?? resource.mimeType
  const place = { uri: contents.uri ?? uri, ...(mimeType && { mimeType }) }
  return contents.blob === undefined
    ? { ...place, text: contents.text ?? '' }
    : { ...place, blob: contents.blob }
}
