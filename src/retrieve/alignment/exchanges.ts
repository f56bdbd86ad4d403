// One thing given up for another, in so many words: "swap A out for B", "B takes over from A", "back to B from A".
import { conditions, lukewarm, negators, refusals } from './cues.js'
import { contentTerms } from './wording.js'

export interface Exchange {
  /** What is said before it, which may be a clause of its own. */
  lead: string
  gone: string
  taken: string
  /** Nothing before it makes a condition, a refusal or a worry of it. */
  isPlain: boolean
}

/** The exchange that a clause is about, if any; none where it is denied. */
export function exchangeIn(clause: string): Exchange | null {
  for (const [pattern, named] of forms) {
    const found = pattern.exec(clause)?.groups
    if (!found) continue
    // Whatever comes first stands right before the verb: "OPA must not" be replaced by Kyverno.
    const before = `${Object.values(found)[0]} `
    if (denied.test(before)) continue
    if (named && contentTerms(found.taken!).size === 0) continue
    const { lead = '', gone, taken } = found
    return { lead, gone: gone!, taken: taken!, isPlain: !reserves.some((one) => one.test(before)) }
  }
  return null
}

const denied = /\b(?:not|never|without|cannot|no longer|\w+n't)\s+(?:\w+\s+){0,2}$/i
const reserves = [
  negators,
  refusals,
  lukewarm,
  conditions,
  /^\W*(?:when|until|before|whether|suppose|imagine)\b/i,
]
const will = '(?:(?:will|shall|should|must|can|could|may|is to|are to|has to)\\s+(?:now\\s+)?)?'
const being = '(?:is|are|gets?|be|will be|shall be|should be|must be|to be|being)'

/** `named`: what comes stands before the verb, and must be more than "we". */
const forms: readonly (readonly [pattern: RegExp, named?: 'named'])[] = [
  [
    new RegExp(
      `^(?<gone>.+?)\\s+${being}\\s+(?:replaced|superseded|supplanted|succeeded|swapped out|swapped)\\s+(?:\\w+ly\\s+)?(?:with|by|for)\\s+(?<taken>.+)$`,
      'i',
    ),
  ],
  [
    new RegExp(
      `^(?<gone>.+?)\\s+${will}(?:gives?|makes?)\\s+(?:way|room|place)\\s+(?:to|for)\\s+(?<taken>.+)$`,
      'i',
    ),
  ],
  [/^(?<lead>.*?)\bsubstitut(?:e|es|ed|ing)\s+(?<gone>.+?)\s+(?:with|by)\s+(?<taken>.+)$/i],
  [/^(?<lead>.*?)\bsubstitut(?:e|es|ed|ing)\s+(?<taken>.+?)\s+for\s+(?<gone>.+)$/i],
  [/^(?<lead>.*?)\breplac(?:e|es|ed|ing)\s+(?<gone>.+?)\s+(?:with|by|to|for)\s+(?<taken>.+)$/i],
  [/^(?<lead>.*?)\bswap(?:s|ped|ping)?\s+(?:out\s+)?(?<gone>.+?)\s+(?:out\s+)?(?:with|for)\s+(?<taken>.+)$/i],
  [
    /^(?<lead>.*?)\b(?:trad(?:e|es|ed|ing)|exchang(?:e|es|ed|ing)|ditch(?:es|ed|ing)?|dump(?:s|ed|ing)?)\s+(?:in\s+)?(?<gone>.+?)\s+(?:in\s+)?for\s+(?<taken>.+)$/i,
  ],
  [
    new RegExp(
      `^(?<taken>.+?)\\s+${will}(?:supplants?|supersedes?|displaces?|takes? over from|takes? the place of|steps? in for)\\s+(?<gone>.+)$`,
      'i',
    ),
    'named',
  ],
  [new RegExp(`^(?<taken>.+?)\\s+${will}replaces?\\s+(?<gone>.+)$`, 'i'), 'named'],
  [
    /^(?<lead>.*?)\b(?:go|going|return|returning|revert|reverting|switch|switching|move|moving|come|coming)\s+(?:back\s+)?to\s+(?<taken>.+?)\s+from\s+(?<gone>.+)$/i,
  ],
  [/^out with\s+(?<gone>.+?)\s*(?:,|and)+\s*in with\s+(?<taken>.+)$/i],
]
