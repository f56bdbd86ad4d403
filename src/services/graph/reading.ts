// What can be asked of the notes and their links.
import type { Graph } from '../../graph/graph.js'
import { byText } from '../../graph/names.js'
import {
  type Direction,
  type Hubs,
  hubsInSteps,
  type Metric,
  neighbours,
  sharesOfRank,
  shortestPath,
} from '../../graph/walk.js'
import { breather } from '../../model/breather.js'
import type { Hit } from '../../model/hit.js'
import { refKey } from '../../model/source.js'
import { search as retrieve } from '../../retrieve/search.js'
import { sameName } from '../../text/same-name.js'
import { withoutUri } from '../addresses.js'
import { freshly } from '../freshly.js'
import type { Library } from '../library.js'
import { servingEmbedder } from '../meaning.js'
import type { Reader } from '../readings.js'
import { unreadFolders } from '../unread.js'
import { current, opened } from './current.js'
import {
  contentLimits,
  type Node,
  nodeAt,
  type Showing,
  sentenceAround,
  singleNode,
  textAt,
  type Versioned,
} from './nodes.js'
import { missing } from './refused.js'
import { readNow } from './taken.js'
import { idOf, openVaults, type Spot, spotOf, type Vault } from './vaults.js'

export interface NeighbourNode extends Node {
  direction: Direction
  context?: string
}

export interface NodeWithContext extends Versioned {
  neighbors: NeighbourNode[]
  incomingCount: number
  outgoingCount: number
}

export interface Shown {
  /** False leaves the texts out. */
  content?: boolean
  /** The sentence around the link. */
  context?: boolean
  /** Who is shown it. */
  reader?: Reader
}

const neighboursShown = 20

export async function getNode(library: Library, id: string, shown: Shown = {}): Promise<Versioned | null> {
  const spot = await named(library, await withoutUri(library, id))
  return spot ? singleNode(library, spot, showing(shown, contentLimits.single)) : null
}

/** The note of an id, as its file is now. One that somebody wrote a moment ago is there, too. */
async function named(library: Library, id: string): Promise<Spot | null> {
  const [spot] = await current(library, (vaults) => one(spotOf(vaults, id)))
  // Of a folder that was never indexed, a single note would seem to have broken links only.
  if (spot || (await unreadFolders(library)).length > 0) return spot ?? null
  const unread = await readNow(library, await openVaults(library), id)
  if (unread) await openVaults(library)
  return unread
}

export async function getNodeWithNeighbours(
  library: Library,
  written: string,
  shown: Shown = {},
): Promise<NodeWithContext | null> {
  const id = await withoutUri(library, written)
  const node = await getNode(library, id, shown)
  if (!node) return null
  const around = await nodesAround(library, id, 'both', {
    ...shown,
    limit: neighboursShown,
    chars: contentLimits.neighbour,
  })
  const spot = spotOf(await openVaults(library), id)
  if (!spot) return null
  return {
    ...node,
    incomingCount: spot.vault.graph.incoming(spot.path).size,
    outgoingCount: spot.note.out.length,
    neighbors: around,
  }
}

/** Which of some notes there is not, in sentences: an empty list alone would say that a note has no links. */
export async function aboutMissing(library: Library, asked: readonly string[]): Promise<string | null> {
  const vaults = await openVaults(library)
  const ids = [...new Set(asked)]
  const names = await Promise.all(ids.map((id) => withoutUri(library, id)))
  const gone = ids.filter((_, i) => !spotOf(vaults, names[i]!)).map((id) => missing(vaults, id))
  return gone.length > 0 ? gone.map(({ message, hint }) => `${message} ${hint}`).join(' ') : null
}

export async function getNeighbours(
  library: Library,
  request: { id: string; direction: Direction; limit: number } & Shown,
): Promise<NeighbourNode[]> {
  const id = await withoutUri(library, request.id)
  await named(library, id)
  return nodesAround(library, id, request.direction, { ...request, chars: contentLimits.list })
}

async function nodesAround(
  library: Library,
  id: string,
  direction: Direction,
  options: Shown & { limit: number; chars: number },
): Promise<NeighbourNode[]> {
  const spots = await current(library, (vaults) => {
    const spot = spotOf(vaults, id)
    if (!spot) return []
    const { vault, path } = spot
    return neighbours(vault.graph, path, direction)
      .slice(0, options.limit)
      .map((next) => ({ vault, path: next.path, direction: next.direction, center: path, asked: direction }))
  })
  const nodes = spots.map(async (spot) => {
    const node = await nodeAt(library, spot, showing(options, options.chars))
    if (!node) return []
    const context = options.context ? await contextOf(library, spot) : null
    return [{ ...node, direction: spot.direction, ...(context !== null && { context }) }]
  })
  return (await Promise.all(nodes)).flat()
}

/** The sentence with the link: in the middle note for outgoing ones, in the neighbour where only incoming ones are meant. */
async function contextOf(
  library: Library,
  spot: Spot & { direction: Direction; center: string; asked: Direction },
) {
  const incoming = spot.direction === 'in' || spot.asked === 'in'
  const [from, to] = incoming ? [spot.path, spot.center] : [spot.center, spot.path]
  const note = spot.vault.graph.notes.get(from)
  const at = note?.resolved.findIndex((found) => found?.path === to) ?? -1
  const text = at < 0 ? null : await textAt(library, { vault: spot.vault, path: from })
  return text === null ? null : sentenceAround(text, note!.facts.links[at]!)
}

export async function findPath(
  library: Library,
  request: { source: string; target: string; direction: 'out' | 'any' },
): Promise<{ path: string[]; length: number } | null> {
  const [from, to] = [await withoutUri(library, request.source), await withoutUri(library, request.target)]
  for (const id of [from, to]) await named(library, id)
  const spots = await current(library, (vaults) => {
    const [source, target] = [spotOf(vaults, from), spotOf(vaults, to)]
    if (!source || !target || source.vault !== target.vault) return []
    const { vault } = source
    const path = shortestPath(vault.graph, source.path, target.path, request.direction) ?? []
    return path.map((one) => ({ vault, path: one }))
  })
  return spots.length === 0 ? null : { path: spots.map(idOf), length: spots.length - 1 }
}

export interface HubNode {
  id: string
  title: string
  score: number
}

const mostHubs = 50
const remembered = new WeakMap<Vault, Map<Metric, { version: number; hubs: Promise<VaultHubs> }>>()

interface VaultHubs extends Pick<Hubs, 'least'> {
  hubs: (HubNode & Spot)[]
}

export async function getHubs(library: Library, metric: Metric, limit: number): Promise<HubNode[]> {
  const hubs = await current(library, (vaults) => hubsOf(vaults, metric, limit))
  return hubs.map(({ id, title, score }) => ({ id, title, score }))
}

async function hubsOf(vaults: readonly Vault[], metric: Metric, limit: number) {
  const each = await Promise.all(vaults.map((vault) => vaultHubs(vault, metric)))
  // Degrees count the same everywhere; a rank is a share of its own vault.
  const shares = metric === 'pagerank' ? sharesOfRank(each.map(({ least }) => least)) : each.map(() => 1)
  const all = each.flatMap(({ hubs }, i) => hubs.map((one) => ({ ...one, score: one.score * shares[i]! })))
  return all.sort((a, b) => b.score - a.score || byText(a.id, b.id)).slice(0, limit)
}

// Counting through a large vault takes a while and the answer stays the same until a note changes.
function vaultHubs(vault: Vault, metric: Metric): Promise<VaultHubs> {
  const byMetric = remembered.get(vault) ?? new Map()
  remembered.set(vault, byMetric)
  const { version } = vault.graph
  const known = byMetric.get(metric)
  if (known?.version === version) return known.hubs
  const hubs = countHubs(vault, metric)
  byMetric.set(metric, { version, hubs })
  return hubs
}

async function countHubs(vault: Vault, metric: Metric): Promise<VaultHubs> {
  const { notes } = vault.graph
  const breathe = breather()
  const steps = hubsInSteps(vault.graph, metric, mostHubs)
  for (;;) {
    const { done, value } = steps.next()
    if (done) {
      const titleOf = (path: string) => notes.get(path)?.facts.title ?? path
      const hubs = value.hubs.map(({ path, score }) => ({
        vault,
        path,
        id: idOf({ vault, path }),
        title: titleOf(path),
        score,
      }))
      return { hubs, least: value.least }
    }
    await breathe()
  }
}

export async function searchByTags(
  library: Library,
  request: { tags: readonly string[]; mode: 'any' | 'all'; limit: number } & Shown,
): Promise<Node[]> {
  const spots = await current(library, (vaults) =>
    byId(tagged(vaults, request.tags, request.mode)).slice(0, request.limit),
  )
  return list(library, spots, request)
}

function byId(spots: readonly Spot[]): Spot[] {
  const named = spots.map((spot) => ({ spot, id: idOf(spot) }))
  return named.sort((a, b) => byText(a.id, b.id)).map(({ spot }) => spot)
}

function tagged(vaults: readonly Vault[], tags: readonly string[], mode: 'any' | 'all'): Spot[] {
  const names = [...new Set(tags.map((tag) => sameName(tag.trim().replace(/^#+/, ''))))].filter(Boolean)
  return vaults.flatMap((vault) => {
    const paths = mode === 'any' ? withAny(vault.graph, names) : withAll(vault.graph, names)
    return paths.map((path) => ({ vault, path }))
  })
}

function withAny(graph: Graph, names: readonly string[]): readonly string[] {
  if (names.length === 1) return graph.tagged(names[0]!)
  return [...new Set(names.flatMap((name) => graph.tagged(name)))].sort(byText)
}

function withAll(graph: Graph, names: readonly string[]): readonly string[] {
  const lists = names.map((name) => graph.tagged(name))
  const shortest = lists.sort((a, b) => a.length - b.length)[0] ?? []
  return shortest.filter((path) => names.every((name) => graph.hasTag(path, name)))
}

/** `random` gives a number in 0..1. */
export async function randomNode(
  library: Library,
  tags: readonly string[] = [],
  { random = Math.random, reader }: { random?: () => number; reader?: Reader } = {},
): Promise<Versioned | null> {
  const [spot] = await current(library, (vaults) => {
    const all =
      tags.length > 0
        ? tagged(vaults, tags, 'any')
        : vaults.flatMap((vault) => vault.graph.paths().map((path) => ({ vault, path })))
    return one(all[Math.floor(random() * all.length)] ?? null)
  })
  return spot ? singleNode(library, spot, { reader }) : null
}

export async function searchNodes(
  library: Library,
  request: { query: string; limit: number; threshold?: number } & Shown,
): Promise<(Node & { score: number })[]> {
  const sources = (await opened(library)).map(({ source }) => source.id)
  const { answer: hits } = await freshly(library, async (shown) => {
    const found = await hitsFor(library, sources, request)
    shown(found.map(({ ref }) => ref))
    return found
  })
  const vaults = await openVaults(library)
  const spots = hits.flatMap(({ ref: { source, path }, score }) => {
    const vault = vaults.find((known) => known.source.id === source)
    return vault?.graph.notes.has(path) && score >= (request.threshold ?? 0) ? [{ vault, path, score }] : []
  })
  const nodes = spots.map(async (spot) => {
    const node = await nodeAt(library, spot, showing(request, contentLimits.list))
    return node ? [{ ...node, score: Math.round(spot.score * 10_000) / 10_000 }] : []
  })
  return (await Promise.all(nodes)).flat().sort((a, b) => b.score - a.score || byText(a.id, b.id))
}

/** The best of each note. */
async function hitsFor(
  library: Library,
  sources: string[],
  { query, limit }: { query: string; limit: number },
): Promise<Hit[]> {
  const { embedder } = await servingEmbedder(library)
  const found = await retrieve(
    { store: library.store, embedder },
    {
      text: query,
      scope: { sources, formats: ['markdown'] },
      mode: 'hybrid',
      limit,
      perDocument: 1,
      copies: true,
    },
  )
  for (const chunk of found.unembedded) library.wanted.add(chunk)
  return [...new Map(found.hits.toReversed().map((hit) => [refKey(hit.ref), hit])).values()]
}

async function list(library: Library, spots: readonly Spot[], shown: Shown): Promise<Node[]> {
  const how = showing(shown, contentLimits.list)
  return (await Promise.all(spots.map((spot) => nodeAt(library, spot, how)))).flatMap((node) => node ?? [])
}

function showing({ content, reader }: Shown, limit: number): Showing {
  return { limit: content === false ? null : limit, reader }
}

function one<T>(spot: T | null): T[] {
  return spot ? [spot] : []
}
