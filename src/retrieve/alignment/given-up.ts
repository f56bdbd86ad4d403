// A proposal that gives up, by its name, what a record chose by that name, and takes something else: nothing has to be weighed.
import type { Decided } from './decided.js'
import { type Evidence, roleOf } from './evidence.js'
import { membersIn } from './families.js'
import type { Prepared, Proposal } from './prepared.js'
import type { Stance } from './stances.js'

export function givenUp({ stances }: Proposal, { adr, stances: own }: Prepared): Evidence | null {
  if (adr.status === 'rejected') return null
  const taken = stances.filter(({ side }) => side > 0)
  for (const stance of stances.filter(({ gone }) => gone !== null))
    for (const decided of own.filter(isChoice))
      if (isSame(stance, decided) ? !taken.some((one) => names(one, decided)) : isKin(stance, decided, taken))
        return {
          rule: 'negates-chosen',
          verdict: 'conflicts',
          strength: 1,
          proposal: stance.sentence,
          decision: decided.sentence,
          as: roleOf(decided),
          line: decided.line,
          fit: 1,
        }
  return null
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

function names({ terms }: Stance, decided: Decided): boolean {
  return namesOf(decided).some((name) => terms.has(name))
}

function namesOf({ names: all, option, key }: Decided): string[] {
  return [...all].filter((name) => (option.size > 0 ? option : key).has(name))
}

/** The same member of a family under whatever name, for another one. */
function isKin(stance: Stance, decided: Decided, taken: readonly Stance[]): boolean {
  const [gone, chosen] = [membersIn(stance.words), membersIn(decided.words)]
  const others = membersIn(taken.map(({ words }) => words).join(' ; '))
  return [...chosen].some(([family, members]) => {
    const isGone = [...(gone.get(family) ?? [])].some((one) => members.has(one))
    const next = [...(others.get(family) ?? [])]
    return isGone && next.length > 0 && !next.some((one) => members.has(one))
  })
}
