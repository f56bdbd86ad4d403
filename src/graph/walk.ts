// Neighbours, shortest paths and PageRank. All results are deterministic: ties are broken by path.
import type { Graph } from './graph.js'
import { byText } from './names.js'

export type Direction = 'in' | 'out' | 'both'

export interface Neighbour {
  path: string
  direction: Direction
}

/** Outgoing neighbours first, in the order of the links; then those that only link here, by path. */
export function neighbours(graph: Graph, path: string, direction: Direction): Neighbour[] {
  const out = graph.notes.get(path)?.out ?? []
  const incoming = graph.incoming(path)
  const led = new Set(out)
  const outgoing = out.map((to) => ({ path: to, direction: incoming.has(to) ? 'both' : 'out' }) as const)
  const arriving = [...incoming].filter((from) => !led.has(from)).sort(byText)
  if (direction === 'out') return outgoing
  if (direction === 'both')
    return [...outgoing, ...arriving.map((from) => ({ path: from, direction: 'in' }) as const)]
  return [...incoming].sort(byText).map((from) => ({ path: from, direction: led.has(from) ? 'both' : 'in' }))
}

/** A shortest path by bidirectional search; null if there is none. */
export function shortestPath(
  graph: Graph,
  source: string,
  target: string,
  direction: 'out' | 'any',
): string[] | null {
  if (!graph.notes.has(source) || !graph.notes.has(target)) return null
  if (source === target) return [source]
  const forward: Side = {
    from: new Map([[source, null]]),
    edge: [source],
    next: steps(graph, direction, true),
  }
  const backward: Side = {
    from: new Map([[target, null]]),
    edge: [target],
    next: steps(graph, direction, false),
  }
  while (forward.edge.length > 0 && backward.edge.length > 0) {
    const [nearer, other] =
      forward.edge.length <= backward.edge.length ? [forward, backward] : [backward, forward]
    const met = advance(nearer, other)
    if (met !== null) return [...trail(forward, met).reverse(), ...trail(backward, met).slice(1)]
  }
  return null
}

interface Side {
  /** For each reached note, the note it was reached from. */
  from: Map<string, string | null>
  edge: string[]
  next: (path: string) => Iterable<string>
}

function steps(graph: Graph, direction: 'out' | 'any', onward: boolean): Side['next'] {
  const out = (path: string) => graph.notes.get(path)?.out ?? []
  const back = (path: string) => graph.incoming(path)
  if (direction === 'out') return onward ? out : back
  return (path) => [...out(path), ...back(path)]
}

/** Expands the search by one step. Returns the first note, by path, at which the two sides meet. */
function advance(side: Side, other: Side): string | null {
  const ring: string[] = []
  for (const path of side.edge.sort(byText))
    for (const next of side.next(path)) {
      if (side.from.has(next)) continue
      side.from.set(next, path)
      ring.push(next)
    }
  side.edge = ring
  let met: string | null = null
  for (const path of ring) if (other.from.has(path) && (met === null || path < met)) met = path
  return met
}

function trail({ from }: Side, met: string): string[] {
  const path: string[] = []
  for (let at: string | null = met; at !== null; at = from.get(at) ?? null) path.push(at)
  return path
}

export type Metric = 'in_degree' | 'out_degree' | 'pagerank'

export interface Hub {
  path: string
  score: number
}

export interface Hubs {
  /** Highest score first. */
  hubs: Hub[]
  /** The score of a note without incoming links. */
  least: number
}

/** The notes with the highest rank, at most `limit`. */
export function hubs(graph: Graph, metric: Metric, limit: number): Hub[] {
  const steps = hubsInSteps(graph, metric, limit)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value.hubs
  }
}

/** The same in small steps, so that the caller can do other work in between. Only the first step reads the graph. */
export function* hubsInSteps(graph: Graph, metric: Metric, limit: number): Generator<void, Hubs> {
  const paths = graph.paths()
  if (metric === 'pagerank') {
    const { ranks, least } = yield* ranksInSteps(graph)
    return { hubs: highest(paths, ranks, limit), least }
  }
  const score =
    metric === 'in_degree'
      ? (path: string) => graph.incoming(path).size
      : (path: string) => graph.notes.get(path)!.out.length
  return { hubs: highest(paths, paths.map(score), limit), least: 0 }
}

/**
 * The share of each of several graphs in the total rank, which sums to one. A note's rank in its graph times the
 * graph's share is its rank in the union of all graphs. There are no links between the graphs, so ranks within a graph
 * change only by a factor, and a note without incoming links has the same rank in every graph.
 */
export function sharesOfRank(leasts: readonly number[]): number[] {
  const sizes = leasts.map((least) => (least > 0 ? 1 / least : 0))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  return sizes.map((size) => (all > 0 ? size / all : 0))
}

/** The paths are sorted, so ties keep the order of the paths. */
function highest(paths: readonly string[], scores: ArrayLike<number>, limit: number): Hub[] {
  const best: Hub[] = []
  for (const [i, path] of paths.entries()) {
    const score = scores[i]!
    if (best.length === limit && score <= best[limit - 1]!.score) continue
    const place = best.findIndex((one) => one.score < score)
    best.splice(place < 0 ? best.length : place, 0, { path, score })
    if (best.length > limit) best.pop()
  }
  return best
}

const damping = 0.85
const rounds = 100
const close = 1e-9

/** PageRank: the share of time that a random walk along links spends on each note. Sums to one. */
export function pagerank(graph: Graph): Map<string, number> {
  const steps = ranksInSteps(graph)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return new Map(graph.paths().map((path, i) => [path, value.ranks[i]!]))
  }
}

/** One iteration for each step. The ranks are in the order of the paths. */
function* ranksInSteps(graph: Graph): Generator<void, { ranks: Float64Array; least: number }> {
  const { ends, targets } = yield* flatLinks(graph)
  const size = ends.length
  let [ranks, next] = [new Float64Array(size).fill(1 / size), new Float64Array(size)]
  let least = 0
  for (let round = 0; round < rounds; round++) {
    yield
    const { moved, base } = passOn({ ends, targets }, ranks, next)
    least = base
    ;[ranks, next] = [next, ranks]
    if (moved < close) break
  }
  return { ranks, least: size === 0 ? 0 : least }
}

/** One iteration of PageRank. Returns the total change and the base rank of every note. */
function passOn({ ends, targets }: FlatLinks, ranks: Float64Array, next: Float64Array) {
  const size = ends.length
  next.fill(0)
  let stuck = 0
  for (let i = 0, at = 0; i < size; i++) {
    const [end, rank] = [ends[i]!, ranks[i]!]
    if (at === end) stuck += rank
    const share = rank / (end - at)
    for (; at < end; at++) next[targets[at]!]! += share
  }
  const base = (1 - damping + damping * stuck) / size
  let moved = 0
  for (let i = 0; i < size; i++) {
    next[i] = base + damping * next[i]!
    moved += Math.abs(next[i]! - ranks[i]!)
  }
  return { moved, base }
}

/** All links in one array of note indexes, and the end of each note's links. */
interface FlatLinks {
  ends: Uint32Array
  targets: Uint32Array
}

function* flatLinks(graph: Graph): Generator<void, FlatLinks> {
  const paths = graph.paths()
  const notes = paths.map((path) => graph.notes.get(path)!)
  yield
  const place = new Map<string, number>()
  for (const [i, path] of paths.entries()) {
    place.set(path, i)
    if (i % stepNotes === 0) yield
  }
  const targets: number[] = []
  const ends = new Uint32Array(paths.length)
  for (const [i, { out }] of notes.entries()) {
    for (const to of out) targets.push(place.get(to)!)
    ends[i] = targets.length
    if (i % stepNotes === 0) yield
  }
  return { ends, targets: Uint32Array.from(targets) }
}

const stepNotes = 500
