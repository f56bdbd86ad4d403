// A proposal made ready to be read against many records.
import { membersIn } from './families.js'
import { type Proposal, proposalOf } from './prepared.js'
import { type Quantity, quantitiesIn } from './quantities.js'
import type { Members } from './reading.js'
import type { Stance } from './stances.js'
import { isLoose, toneOf } from './tone.js'

export interface Asked extends Proposal {
  text: string
  wanted: ReadonlySet<string>
  unwanted: ReadonlySet<string>
  wantedNames: ReadonlySet<string>
  unwantedNames: ReadonlySet<string>
  members: { wanted: Members; unwanted: Members }
  amounts: Quantity[]
  /** Words of what it picks. */
  optionTerms: ReadonlySet<string>
  /** It permits, or does a thing only here and there or later. */
  isLoose: boolean
  tone: Readonly<Record<string, number>>
}

export function askedOf(text: string, context = ''): Asked {
  const proposal = proposalOf(text, context)
  const of = (side: 1 | -1) => proposal.stances.filter((one) => one.side === side)
  const [wanted, unwanted] = [of(1), of(-1)]
  const set = (stances: readonly Stance[], field: 'terms' | 'names') =>
    new Set(stances.flatMap((one) => [...one[field]]))
  return {
    ...proposal,
    text,
    wanted: set(wanted, 'terms'),
    unwanted: set(unwanted, 'terms'),
    wantedNames: set(wanted, 'names'),
    unwantedNames: set(unwanted, 'names'),
    members: {
      wanted: membersIn(wanted.map(choiceIn).join(' ; ')),
      unwanted: membersIn(unwanted.map(({ words }) => words).join(' ; ')),
    },
    amounts: quantitiesIn(text),
    optionTerms: new Set(wanted.flatMap(({ option, names }) => (option.size > 0 ? [...option] : [...names]))),
    isLoose: isLoose(text),
    tone: toneOf(text, proposal),
  }
}

/** "Turn A into B" picks B. */
function choiceIn({ words, moot }: Stance): string {
  return moot.size > 0 ? words.slice(words.lastIndexOf(' to ') + 1) : words
}
