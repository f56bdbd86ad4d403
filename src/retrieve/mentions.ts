// Definitions that good passages mention move up: a caller calls the function that does what was asked, and a page names it.
// Pure.
import type { ChunkKind } from '../model/document.js'
import { lastPart, namesInProse } from './exact.js'
import { lifted, type Scored } from './score.js'

export interface Mentioning {
  kind: ChunkKind
  symbols: readonly string[]
  text: string
  relevance: number
}

/** The mentions of so many passages count. All together add at most `weight` to the log-odds. */
const best = 10
const weight = 0.7
/** A name that more of the passages define, or that is shorter, tells little. */
const mostDefinitions = 3
const shortest = 4

/** Best first, with what mentions add. */
export function withMentions<T extends Mentioning & Scored>(ranked: readonly T[]): T[] {
  const added = mentions(ranked)
  return ranked
    .map((one, i) => (added[i] ? lifted(one, added[i]) : one))
    .sort((a, b) => b.relevance - a.relevance)
}

/** What each of the passages, given best first, adds to its log-odds because others mention what it defines. */
export function mentions(ranked: readonly Mentioning[]): number[] {
  const definitions = new Map<string, number[]>()
  for (const [i, { symbols }] of ranked.entries())
    for (const name of new Set(symbols.map(lastPart)))
      if (name.length >= shortest) definitions.set(name, [...(definitions.get(name) ?? []), i])
  const sums = ranked.map(() => 0)
  for (const [i, passage] of ranked.slice(0, best).entries())
    for (const name of namesIn(passage)) {
      const defining = definitions.get(name) ?? []
      if (defining.length > mostDefinitions) continue
      for (const at of defining) if (at !== i) sums[at]! += passage.relevance / defining.length
    }
  return sums.map((sum) => weight * Math.min(1, sum))
}

/** In prose only what nobody writes but as a name: the name of a product is often that of a type. */
function namesIn({ kind, text }: Mentioning): Set<string> {
  return new Set(kind === 'code' ? text.match(identifier) : namesInProse(text).map(lastPart))
}

const identifier = /[\p{L}_$][\p{L}\p{N}_$]*/gu
