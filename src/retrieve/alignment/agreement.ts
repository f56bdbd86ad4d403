// What keeps shared words from being taken for agreement. Support that is not given is a loss of a word; support that is
// given to a contradiction misleads, so whatever leaves a doubt here is called related.
import { changing, conditions, decisionVerbs } from './cues.js'
import type { Decided } from './decided.js'
import type { Stance } from './stances.js'

/**
 * Whether a clause that is for something may be said to be for what the record decided. `whole` is how much of the
 * record's sentence it speaks of: the place or the means at the end of a sentence is not what the sentence decides.
 */
export function agrees(
  stance: Stance,
  decided: Decided,
  { all, whole, known }: { all: readonly Decided[]; whole: number; known: ReadonlySet<string> },
): boolean {
  if (stance.side > 0 && (permits.test(stance.words) || isMostlyNew(stance, known))) return false
  if (stance.side > 0 && !affirms(stance.words)) return false
  if (decided.trust < enoughTrust) return false
  if (decided.from === 'decision' && conditions.test(decided.sentence)) return false
  if (decided.from === 'decision' && whole < halfOf && !namesItsChoice(stance, decided)) return false
  return stance.side < 0 || !namesRival(stance, all)
}

const halfOf = 0.5

/** To allow a thing is not to choose it. */
const permits = /^(?:allow|let|permit|enable)\b|\b(?:may|can|could)\b/i

/** Mostly words that the record never uses: any of them may be the one that matters. */
function isMostlyNew({ terms }: Stance, known: ReadonlySet<string>): boolean {
  const added = [...terms].filter((term) => !known.has(term)).length
  return added > 1 && added * 2 > terms.size
}

/** Half an agreement: beside what the record wants, it wants something that the record does not. */
export function wantsMore(unshared: readonly Stance[]): boolean {
  return unshared.some(({ side, terms }) => side > 0 && terms.size > 0)
}

function namesItsChoice(stance: Stance, { names, key }: Decided): boolean {
  return [...names].some((name) => key.has(name) && stance.terms.has(name))
}

/**
 * The proposal turns down something that the record speaks of and does not turn down: "… rather than mocks". Only
 * clauses that agree with nothing in the record are asked.
 */
export function turnsDownMore(
  proposal: readonly Stance[],
  unshared: readonly Stance[],
  all: readonly Decided[],
): boolean {
  const termsOf = (stances: readonly Stance[]) => new Set(stances.flatMap(({ terms }) => [...terms]))
  const wanted = termsOf(proposal.filter(({ side }) => side > 0))
  const refused = termsOf(all.filter(({ side }) => side < 0))
  const upheld = termsOf(all.filter(({ side }) => side > 0))
  const unwanted = termsOf(unshared.filter(({ side }) => side < 0))
  return [...unwanted].some((term) => !wanted.has(term) && upheld.has(term) && !refused.has(term))
}

/** What stands late in a decision explains it, and agreeing with an explanation is not agreeing. */
const enoughTrust = 0.9

/** An order to change, to try or to do something unknown with a thing does not ask for the thing. */
function affirms(words: string): boolean {
  const order = words.replace(lead, '')
  if (changing.test(order)) return false
  const verb = ordered.exec(order)?.[1]
  return verb === undefined || plainVerbs.test(verb)
}

const lead = /^(?:(?:please|let's|let us|we|i|you|they|should|will|shall|must|also|then|now|just)\s+)+/i
const ordered =
  /^(\p{L}+)(?:\s+(?:out|up|down|off|on))?\s+(?:the|an?|our|its|their|every|each|all|any|how|what|which|whether)\s/iu
const plainVerbs = new RegExp(`^(?:${decisionVerbs}|with|in|on|for|of|by|as|to|from|like|are|is)$`, 'i')

/** It also speaks of an option that was listed and not taken. */
function namesRival({ words }: Stance, all: readonly Decided[]): boolean {
  const options = all.filter(({ from, literal }) => from === 'option' && literal !== null)
  const taken = options.filter(({ side }) => side > 0).map(({ literal }) => even(literal!))
  return options.some(({ side, literal }) => {
    const rival = even(literal!)
    return (
      side < 0 && rival.length > 4 && even(words).includes(rival) && !taken.some((one) => one.includes(rival))
    )
  })
}

/** Lower case, one space between words and one at either end. */
export function even(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}
