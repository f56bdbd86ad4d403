// How much of one set of words stands in another.
import type { Decided } from './decided.js'
import type { Weights } from './prepared.js'
import type { Stance } from './stances.js'
import { contentTerms } from './wording.js'

/** What share of the weight of `whole` stands in `part`. */
export function share(part: ReadonlySet<string>, whole: ReadonlySet<string>, weights: Weights): number {
  let [had, all] = [0, 0]
  for (const term of whole) {
    const weight = weights.of(term)
    all += weight
    if (part.has(term)) had += weight
  }
  return all === 0 ? 0 : had / all
}

export function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((term) => b.has(term)).length
}

export function without(terms: ReadonlySet<string>, gone: ReadonlySet<string>): Set<string> {
  return new Set([...terms].filter((term) => !gone.has(term)))
}

export function between(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b)
}

/** "A imports B" is not "B imports A": the share of shared words that follow each other in the same order. */
export function sameOrder(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const places = [...other]
  const order = [...one].map((term) => places.indexOf(term)).filter((place) => place >= 0)
  const rising = order.filter((place, i) => i > 0 && place > order[i - 1]!).length
  return order.length < 2 ? 1 : rising / (order.length - 1)
}

/** The terms without the parts of a compound that the record knows by a shorter or a longer name. */
export function own(terms: ReadonlySet<string>, stance: Stance, decided: Decided): ReadonlySet<string> {
  const other = stance.compounds.filter((one) => decided.compounds.some((two) => extendsName(one, two)))
  if (other.length === 0) return terms
  return without(
    terms,
    new Set(other.flatMap((compound) => compound.split('-').flatMap((part) => [...contentTerms(part)]))),
  )
}

function extendsName(one: string, other: string): boolean {
  return (
    one !== other &&
    (one.endsWith(`-${other}`) ||
      one.startsWith(`${other}-`) ||
      other.endsWith(`-${one}`) ||
      other.startsWith(`${one}-`))
  )
}
