// A record as its decision is read by signals: worked out once, for as long as the record is the same.
import type { Decided } from './decided.js'
import { membersIn } from './families.js'
import { type Passage, passagesOf } from './passages.js'
import type { Prepared } from './prepared.js'
import { isStrict } from './tone.js'
import { contentTerms } from './wording.js'

export interface Reading {
  passages: Passage[]
  /** What somebody speaks of who does what it says; of these, what its title or its chosen option says. */
  keys: Decided[]
  titleKeys: Decided[]
  chosenTerms: ReadonlySet<string>
  titleTerms: ReadonlySet<string>
  /** Words of what it is for, and words that it has only where it is against something. */
  wanted: ReadonlySet<string>
  unwanted: ReadonlySet<string>
  members: { chosen: Members; refused: Members }
  hasName: boolean
  /** It leaves no room: must, only, every. */
  isStrict: boolean
}

export type Members = ReadonlyMap<string, ReadonlySet<string>>

export function readingOf(record: Prepared): Reading {
  const known = readings.get(record.stances)
  if (known) return known
  const made = read(record)
  readings.set(record.stances, made)
  return made
}

const readings = new WeakMap<readonly Decided[], Reading>()

function read(record: Prepared): Reading {
  const { stances, adr } = record
  const passages = passagesOf(adr)
  const keys = stances.filter(
    ({ side, from, trust, key }) => side > 0 && key.size > 0 && (from !== 'decision' || trust > firstSaid),
  )
  const titleKeys = keys.filter((one) => one.from === 'option' || (one.from === 'title' && !isTopic(one)))
  const wanted = new Set(stances.filter(({ side }) => side > 0).flatMap(({ terms }) => [...terms]))
  const against = stances.filter(({ side }) => side < 0)
  const forText = textOf(
    passages,
    ['title', 'chosen'],
    stances,
    (one) => one.side > 0 && one.trust >= trusted,
  )
  const againstText = textOf(passages, ['refused'], stances, (one) => one.side < 0)
  return {
    passages,
    keys,
    titleKeys,
    chosenTerms: contentTerms(forText),
    titleTerms: contentTerms(adr.title),
    wanted,
    unwanted: new Set(against.flatMap(({ terms }) => [...terms]).filter((term) => !wanted.has(term))),
    members: { chosen: membersIn(forText), refused: membersIn(againstText) },
    isStrict: isStrict(forText),
    hasName: titleKeys.some(({ key, names }) => [...key].some((term) => names.has(term))),
  }
}

const firstSaid = 0.96
const trusted = 0.9

/** A title that names a subject and no choice: agreeing with a subject says nothing. */
function isTopic({ slot, names }: Decided): boolean {
  return slot === null && names.size === 0
}

function textOf(
  passages: readonly Passage[],
  roles: readonly Passage['role'][],
  stances: readonly Decided[],
  isMeant: (one: Decided) => boolean,
): string {
  const parts = passages.filter(({ role }) => roles.includes(role)).map(({ text }) => text)
  return [...parts, ...stances.filter(isMeant).map(({ words }) => words)].join(' ; ')
}
