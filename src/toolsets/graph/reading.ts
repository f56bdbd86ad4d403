// The reading tools of the graph: notes, their links, and searches among them.

import { withoutUri } from '../../answer/addresses.js'
import { bestOfEachDocument, findPassages } from '../../answer/find-passages.js'
import { type Library, libraryState } from '../../answer/library.js'
import { unindexedFolders } from '../../answer/notes/index-state.js'
import { type Filters, filterScope, showsWeak } from '../../answer/search-documents.js'
import type { Reader } from '../../answer/shown-to-client.js'
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
import type { Hit } from '../../model/hit.js'
import type { Note } from '../../model/problem.js'
import { leastRelevance } from '../../retrieve/relevance.js'
import { createYielder } from '../../runtime/yield.js'
import { standingOf } from '../../server/fields.js'
import { characters, excerpt } from '../../text/excerpt.js'
import { didYouMean } from '../../text/nearest.js'
import { sameName } from '../../text/normal-forms.js'
import { truncationMark } from '../../text/truncate.js'
import { recoverAndRefresh, refreshAndPick } from './current.js'
import { readNow } from './indexable.js'
import {
  type ContentOptions,
  contentLimits,
  type Node,
  nodeAt,
  sentenceAround,
  singleNode,
  textAt,
  type Versioned,
} from './nodes.js'
import { missing } from './refused.js'
import { idOf, refreshVaults, type Spot, spotNamed, spotOf, type Vault } from './vaults.js'

export interface NeighbourNode extends Node {
  direction: Direction
  context?: string
}

export interface NodeWithContext extends Versioned {
  neighbors: NeighbourNode[]
  incomingCount: number
  outgoingCount: number
}

export interface NodeOptions {
  /** False leaves the texts out. */
  content?: boolean
  /** True adds the sentence around each link. */
  context?: boolean
  /** The client that gets the nodes. */
  reader?: Reader
}

const neighboursShown = 20

export async function getNode(
  library: Library,
  id: string,
  shown: NodeOptions = {},
): Promise<Versioned | null> {
  const spot = await named(library, await withoutUri(library, id))
  return spot ? singleNode(library, spot, contentOptions(shown, contentLimits.single)) : null
}

/** The note of an id, as its file is now; also one that was written a moment ago. */
async function named(library: Library, id: string): Promise<Spot | null> {
  const [spot] = await refreshAndPick(library, (vaults) => one(spotOf(vaults, id)))
  if (spot) return spot
  // Of a folder that was never indexed, a single note would seem to have broken links only.
  const isWhole = (await unindexedFolders(library)).length === 0
  const unread = isWhole ? await readNow(library, await refreshVaults(library), id) : null
  if (unread) await refreshVaults(library)
  if (unread) return unread
  const [titled] = await refreshAndPick(library, (vaults) => one(spotNamed(vaults, id)))
  return titled ?? null
}

export async function getNodeWithNeighbours(
  library: Library,
  written: string,
  shown: NodeOptions = {},
): Promise<NodeWithContext | null> {
  const id = await withoutUri(library, written)
  const node = await getNode(library, id, shown)
  if (!node) return null
  const around = await nodesAround(library, id, 'both', {
    ...shown,
    limit: neighboursShown,
    chars: contentLimits.neighbour,
  })
  const spot = spotNamed(await refreshVaults(library), id)
  if (!spot) return null
  return {
    ...node,
    incomingCount: spot.vault.graph.incoming(spot.path).size,
    outgoingCount: spot.note.out.length,
    neighbors: around,
  }
}

/** Which of some notes there is not, in sentences: an empty list alone would say that a note has no links. */
export async function aboutMissing(library: Library, requested: readonly string[]): Promise<string | null> {
  const vaults = await refreshVaults(library)
  const ids = [...new Set(requested)]
  const names = await Promise.all(ids.map((id) => withoutUri(library, id)))
  const gone = ids.filter((_, i) => !spotNamed(vaults, names[i]!)).map((id) => missing(vaults, id))
  return gone.length > 0 ? gone.map(({ message, hint }) => `${message} ${hint}`).join(' ') : null
}

export async function getNeighbours(
  library: Library,
  request: { id: string; direction: Direction; limit: number } & NodeOptions,
): Promise<NeighbourNode[]> {
  const id = await withoutUri(library, request.id)
  await named(library, id)
  return nodesAround(library, id, request.direction, { ...request, chars: contentLimits.list })
}

async function nodesAround(
  library: Library,
  id: string,
  direction: Direction,
  options: NodeOptions & { limit: number; chars: number },
): Promise<NeighbourNode[]> {
  const spots = await refreshAndPick(library, (vaults) => {
    const spot = spotNamed(vaults, id)
    if (!spot) return []
    const { vault, path } = spot
    return neighbours(vault.graph, path, direction)
      .slice(0, options.limit)
      .map((next) => ({
        vault,
        path: next.path,
        direction: next.direction,
        center: path,
        requested: direction,
      }))
  })
  const nodes = spots.map(async (spot) => {
    const node = await nodeAt(library, spot, contentOptions(options, options.chars))
    if (!node) return []
    const context = options.context ? await contextOf(library, spot) : null
    return [{ ...node, direction: spot.direction, ...(context !== null && { context }) }]
  })
  return (await Promise.all(nodes)).flat()
}

/** The sentence with the link: in the middle note for outgoing ones, in the neighbour where only incoming ones are meant. */
async function contextOf(
  library: Library,
  spot: Spot & { direction: Direction; center: string; requested: Direction },
) {
  const incoming = spot.direction === 'in' || spot.requested === 'in'
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
  const spots = await refreshAndPick(library, (vaults) => {
    const [source, target] = [spotNamed(vaults, from), spotNamed(vaults, to)]
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
/** By source and metric. */
const hubCache = libraryState('hubs', () => new Map<string, { version: number; hubs: Promise<VaultHubs> }>())

interface VaultHubs extends Pick<Hubs, 'least'> {
  hubs: (HubNode & Spot)[]
}

export async function getHubs(library: Library, metric: Metric, limit: number): Promise<HubNode[]> {
  const hubs = await refreshAndPick(library, (vaults) => hubsOf(library, vaults, { metric, limit }))
  // A rank has sixteen digits, of which the first four say something; a degree is a whole number of fewer.
  const shown = (score: number) => (metric === 'pagerank' ? Number(score.toPrecision(4)) : score)
  return hubs.map(({ id, title, score }) => ({ id, title, score: shown(score) }))
}

async function hubsOf(
  library: Library,
  vaults: readonly Vault[],
  { metric, limit }: { metric: Metric; limit: number },
) {
  const each = await Promise.all(vaults.map((vault) => vaultHubs(library, vault, metric)))
  // Degrees count the same everywhere; a rank is a share of its own vault.
  const shares = metric === 'pagerank' ? sharesOfRank(each.map(({ least }) => least)) : each.map(() => 1)
  const all = each.flatMap(({ hubs }, i) => hubs.map((one) => ({ ...one, score: one.score * shares[i]! })))
  return all.sort((a, b) => b.score - a.score || byText(a.id, b.id)).slice(0, limit)
}

// Cached until a note changes, because counting through a large vault takes a while.
function vaultHubs(library: Library, vault: Vault, metric: Metric): Promise<VaultHubs> {
  const key = `${metric} ${vault.source.id}`
  const { version } = vault.graph
  const cached = hubCache(library).get(key)
  if (cached?.version === version) return cached.hubs
  const hubs = countHubs(vault, metric)
  hubCache(library).set(key, { version, hubs })
  return hubs
}

async function countHubs(vault: Vault, metric: Metric): Promise<VaultHubs> {
  const { notes } = vault.graph
  const yieldIfDue = createYielder()
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
    await yieldIfDue()
  }
}

export async function searchByTags(
  library: Library,
  request: { tags: readonly string[]; mode: 'any' | 'all'; limit: number } & NodeOptions,
): Promise<Node[]> {
  const spots = await refreshAndPick(library, (vaults) =>
    byId(tagged(vaults, request.tags, request.mode)).slice(0, request.limit),
  )
  return list(library, spots, request)
}

export interface TagCount {
  tag: string
  /** How many notes have it, or one nested below it. */
  count: number
}

/** The tags that contain any of some texts, the most used first. "*" is in all of them. */
export async function listTags(
  library: Library,
  request: { tags: readonly string[]; limit: number },
): Promise<TagCount[]> {
  const wanted = request.tags.map(plainTag)
  const all = tagCounts(await recoverAndRefresh(library))
  const found = all.filter(({ tag }) => wanted.some((part) => part === '*' || sameName(tag).includes(part)))
  return found.slice(0, request.limit)
}

/** For tags that no note has: those that may have been meant. */
export async function aboutMissingTags(library: Library, tags: readonly string[]): Promise<string | null> {
  const vaults = await refreshVaults(library)
  const isThere = (tag: string) => vaults.some(({ graph }) => graph.tagged(tag).length > 0)
  const missing = [...new Set(tags)].filter((tag) => !isThere(plainTag(tag)))
  if (missing.length === 0) return null
  const known = tagCounts(vaults).map(({ tag }) => tag)
  const suggestions = missing.flatMap((tag) => {
    const near = didYouMean(plainTag(tag), known.slice(0, mostTagsCompared))
    return near ? [`No note has the tag "${tag.slice(0, 100)}". ${near}`] : []
  })
  return suggestions.length > 0 ? suggestions.slice(0, 5).join(' ') : null
}

const mostTagsCompared = 2_000

/** Every tag as it was first written, and those above nested ones; the most used first. */
function tagCounts(vaults: readonly Vault[]): TagCount[] {
  const counts = new Map<string, TagCount>()
  for (const { graph } of vaults)
    for (const [name, { tag, count }] of tagsWritten(graph)) {
      const known = counts.get(name)
      counts.set(name, { tag: known?.tag ?? tag, count: (known?.count ?? 0) + count })
    }
  return [...counts.values()].sort((a, b) => b.count - a.count || byText(a.tag, b.tag))
}

function tagsWritten(graph: Graph): Map<string, TagCount> {
  const found = new Map<string, TagCount>()
  for (const path of graph.paths())
    for (const tag of graph.notes.get(path)!.facts.tags) {
      const parts = tag.split('/')
      for (let depth = 1; depth <= parts.length; depth++) {
        const above = parts.slice(0, depth).join('/')
        const name = sameName(above)
        if (name !== '' && !found.has(name)) found.set(name, { tag: above, count: graph.tagged(name).length })
      }
    }
  return found
}

function plainTag(tag: string): string {
  return sameName(tag.trim().replace(/^#+/, ''))
}

function byId(spots: readonly Spot[]): Spot[] {
  const named = spots.map((spot) => ({ spot, id: idOf(spot) }))
  return named.sort((a, b) => byText(a.id, b.id)).map(({ spot }) => spot)
}

function tagged(vaults: readonly Vault[], tags: readonly string[], mode: 'any' | 'all'): Spot[] {
  const names = [...new Set(tags.map(plainTag))].filter(Boolean)
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
  const [spot] = await refreshAndPick(library, (vaults) => {
    const all =
      tags.length > 0
        ? tagged(vaults, tags, 'any')
        : vaults.flatMap((vault) => vault.graph.paths().map((path) => ({ vault, path })))
    return one(all[Math.floor(random() * all.length)] ?? null)
  })
  return spot ? singleNode(library, spot, { reader }) : null
}

export interface FoundNode extends Node {
  score: number
  status?: string
  supersededBy?: string[]
  /** The part of the note that matched best. */
  passage: Passage
}

export interface Passage {
  /** The first and last line, from 1. */
  lines: [number, number]
  /** The headings above it, from the top. */
  headings: string[]
  /** Left out where texts are. */
  text?: string
}

export interface NodeSearch extends NodeOptions {
  query: string
  limit: number
  threshold?: number
  filters?: Filters
  /** Show notes even if none is relevant. */
  weak?: boolean | undefined
  signal?: AbortSignal
}

export async function searchNodes(
  library: Library,
  request: NodeSearch,
): Promise<{ nodes: FoundNode[]; notes: Note[] }> {
  const { query, limit, threshold = 0, signal, filters = {} } = request
  // A lower threshold is a request for weak hits.
  const isLower = request.threshold !== undefined && threshold < leastRelevance
  const weak = showsWeak(request.weak, filters, isLower)
  const sources = (await recoverAndRefresh(library)).map(({ source }) => source.id)
  const { passages, notes } = await findPassages(
    library,
    {
      text: query,
      scope: { sources, formats: ['markdown'], ...(await filterScope(library, filters)) },
      weak,
      mode: 'hybrid',
      limit,
      perDocument: 1,
      copies: true,
      keep: (all) => bestOfEachDocument(all).filter(({ score }) => score >= threshold),
    },
    { signal },
  )
  const vaults = await refreshVaults(library)
  const nodes = passages.map(async (hit) => {
    const { source, path } = hit.ref
    const vault = vaults.find((known) => known.source.id === source)
    if (!vault?.graph.notes.has(path)) return []
    const node = await nodeAt(library, { vault, path }, contentOptions(request, contentLimits.list))
    const score = Math.round(hit.score * 10_000) / 10_000
    return node ? [{ ...node, score, ...standingOf(hit), passage: passageOf(hit, request) }] : []
  })
  const found = (await Promise.all(nodes)).flat()
  return { nodes: found.sort((a, b) => b.score - a.score || age(a) - age(b) || byText(a.id, b.id)), notes }
}

/** Among equal notes, superseded ones come last. */
function age({ status }: FoundNode): number {
  return status === undefined ? 0 : 1
}

function passageOf(
  { text, lines, headings }: Hit,
  { query, content }: { query: string } & NodeOptions,
): Passage {
  const size = characters(contentLimits.list)
  const shown = excerpt({ text, lines }, query, size, truncationMark)
  return { lines: shown.lines, headings, ...(content !== false && { text: shown.text }) }
}

async function list(library: Library, spots: readonly Spot[], shown: NodeOptions): Promise<Node[]> {
  const how = contentOptions(shown, contentLimits.list)
  return (await Promise.all(spots.map((spot) => nodeAt(library, spot, how)))).flatMap((node) => node ?? [])
}

function contentOptions({ content, reader }: NodeOptions, limit: number): ContentOptions {
  return { limit: content === false ? null : limit, reader }
}

function one<T>(spot: T | null): T[] {
  return spot ? [spot] : []
}
