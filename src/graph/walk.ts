// Neighbours, ways and centres. Everything is the same every time: what is equal goes by path.
import type { Graph } from './graph.js'
import { byText } from './names.js'

export type Direction = 'in' | 'out' | 'both'

export interface Neighbour {
  path: string
  direction: Direction
}

/** Outgoing first, in the order of the links; then those that only lead here, by path. */
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

/** A shortest way, searched from both ends; null when there is none. */
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
  /** From where each note was reached. */
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

/** One ring further out; the first note by path at which the two sides meet. */
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

/** The highest first, at most `limit`. */
export function hubs(graph: Graph, metric: Metric, limit: number): Hub[] {
  const score = scorer(graph, metric)
  const all = graph.paths().map((path) => ({ path, score: score(path) }))
  // The paths are in order and the sort is stable, so ties stand by path.
  return all.sort((a, b) => b.score - a.score).slice(0, limit)
}

function scorer(graph: Graph, metric: Metric): (path: string) => number {
  if (metric === 'in_degree') return (path) => graph.incoming(path).size
  if (metric === 'out_degree') return (path) => graph.notes.get(path)!.out.length
  const ranks = pagerank(graph)
  return (path) => ranks.get(path) ?? 0
}

const damping = 0.85
const rounds = 100
const close = 1e-9

/** The share of time somebody who follows links at random spends on each note. Sums to one. */
export function pagerank(graph: Graph): Map<string, number> {
  const paths = graph.paths()
  const size = paths.length
  const { ends, targets } = flatLinks(graph, paths)
  let [ranks, next] = [new Float64Array(size).fill(1 / size), new Float64Array(size)]
  for (let round = 0; round < rounds; round++) {
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
    ;[ranks, next] = [next, ranks]
    if (moved < close) break
  }
  return new Map(paths.map((path, i) => [path, ranks[i]!]))
}

/** All links in one row, by the places of their notes; and where each note's end. */
function flatLinks(graph: Graph, paths: readonly string[]) {
  const place = new Map<string, number>()
  for (const [i, path] of paths.entries()) place.set(path, i)
  const targets: number[] = []
  const ends = new Uint32Array(paths.length)
  for (const [i, path] of paths.entries()) {
    for (const to of graph.notes.get(path)!.out) targets.push(place.get(to)!)
    ends[i] = targets.length
  }
  return { ends, targets: Uint32Array.from(targets) }
}
