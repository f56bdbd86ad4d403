// A proposal that gives up, by its name, what a record chose by that name, and takes something else: nothing has to be weighed.
import type { Decided } from './decided.js'
import { type Evidence, roleOf } from './evidence.js'
import { membersIn } from './families.js'
import type { Prepared, Proposal } from './prepared.js'
import type { Stance } from './stances.js'

export function givenUp({ stances }: Proposal, { adr, stances: own }: Prepared): Evidence | null {
  const gone = stances.filter((one) => one.gone !== null)
  if (gone.length === 0 || adr.status === 'rejected') return null
  const taken = stances.filter(({ side }) => side > 0)
  for (const stance of gone) {
    const decided = own.find((one) => isChoice(one) && isGivenUp(stance, one, taken))
    if (!decided) continue
    return {
      ...{ rule: 'negates-chosen', verdict: 'conflicts', strength: 1, fit: 1 },
      ...{ proposal: stance.sentence, decision: decided.sentence },
      ...{ as: roleOf(decided), line: decided.line },
    }
  }
  return null
}

function isGivenUp(stance: Stance, decided: Decided, taken: readonly Stance[]): boolean {
  if (!isSame(stance, decided)) return isKin(stance, decided, taken)
  return !taken.some(({ terms }) => namesOf(decided).some((name) => terms.has(name)))
}

/** Whether a proposal speaks, by its whole name, of what a record chose. */
export function isNamed({ all }: Proposal, { stances: own }: Prepared): boolean {
  return own.filter(isChoice).some((decided) => {
    const chosen = namesOf(decided)
    return chosen.length > 0 && chosen.every((name) => all.has(name))
  })
}

/** A title that picks something, or the option that was taken. */
function isChoice({ from, side, slot }: Decided): boolean {
  return side > 0 && (from === 'option' || (from === 'title' && slot === 'use'))
}

/** Every name of the choice, and no word besides that the record does not say of it. */
function isSame({ terms, moot }: Stance, decided: Decided): boolean {
  const chosen = namesOf(decided)
  const said = [...terms].filter((term) => !moot.has(term))
  return (
    chosen.length > 0 &&
    chosen.every((name) => said.includes(name)) &&
    said.every((term) => decided.terms.has(term))
  )
}

function namesOf({ names: all, option, key }: Decided): string[] {
  return [...all].filter((name) => (option.size > 0 ? option : key).has(name))
}

/** The same member of a family under whatever name, for another one. */
function isKin(stance: Stance, decided: Decided, taken: readonly Stance[]): boolean {
  const gone = membersIn(stance.words)
  if (gone.size === 0) return false
  const chosen = membersIn(decided.words)
  const others = membersIn(taken.map(({ words }) => words).join(' ; '))
  return [...chosen].some(([family, members]) => {
    const isGone = [...(gone.get(family) ?? [])].some((one) => members.has(one))
    const next = [...(others.get(family) ?? [])]
    return isGone && next.length > 0 && !next.some((one) => members.has(one))
  })
}
