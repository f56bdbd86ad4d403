// A sentence taken apart into clauses, each for something, against it, or only about it.
import { decisionVerbs, negators, refusals, turns } from './cues.js'
import { type Exchange, exchangeIn } from './exchanges.js'
import { contentTerms } from './wording.js'

export interface Clause {
  words: string
  side: 1 | -1 | 0
  /** Words of the clause that only say what it is about. */
  about?: string
  /** It names what is given up for something else. */
  isGone?: true
  /** Where the form of the clause tells the two apart. */
  slots?: { option: string; concern: string }
}

// A comma or an "and" opens a clause when a verb or a turn follows; else it lists things.
const boundary = new RegExp(
  `\\s*[;:!?]\\s+|\\.\\s+|\\s+[–—-]\\s+|,?\\s+(?:but|whereas|yet)\\s+|(?:,\\s*(?:and\\s+|so\\s+|then\\s+)?|\\s+and\\s+(?:then\\s+|also\\s+|so\\s+)?)(?=(?:(?:we|they|it|you|teams?|users?)\\s+(?:will|would|should|must|may|can|drop|use|keep|do|are|need)\\b|(?:${decisionVerbs}|skip|skips|ignore|bypass|omit|uninstall|scrap|ditch|abolish|trust|nobody|nothing|there's|there is|there are|not|never|no|without|neither|do|does|don't|doesn't|should|must|will|shall|won't|needn't)\\b|(?:[\\w'-]+\\s+){1,5}(?:will|would|should|must|may|can|is|are|isn't|aren't|can't|don't|doesn't|gets|get|has|have|keeps|brings|holds|stays|goes|uses)\\b))`,
  'i',
)

export function clausesOf(sentence: string): Clause[] {
  return sentence
    .split(boundary)
    .map((part) => part?.trim() ?? '')
    .filter((part) => /\p{L}/u.test(part))
    .flatMap(sidesOf)
    .slice(0, 24)
}

/** One clause into what it is for and what it is against. */
function sidesOf(clause: string): Clause[] {
  const exchange = exchangeIn(clause)
  if (exchange) return [...before(exchange.lead), gone(exchange), ...sidesOf(exchange.taken)]
  const moved = /^(.*?)\bfrom\s+(.+?)\s+(?:back\s+)?to\s+(.+)$/i.exec(clause)
  if (
    moved &&
    (moved[1]!.trim() === '' ||
      /\b(?:move|moving|migrat|switch|chang|go|going|convert|transition|port|shift|rewrit|translat)/i.test(
        moved[1]!,
      ))
  ) {
    const side = negated(moved[1]!) ? -1 : 1
    return [
      { words: moved[2]!, side: -side as 1 | -1 },
      { words: `${moved[1]} ${moved[3]}`, side },
    ]
  }
  const turnedInto =
    /^(?:we (?:will|should|can|could)\s+|let's\s+)?(?:migrate|move|convert|switch|port|translate|change|turn|transform|rewrite|transition|upgrade)\s+(.+?)\s+(?:to|into|onto|over to)\s+(.+)$/i.exec(
      clause,
    )
  // What is moved may be what was chosen or only what it was chosen for: it takes no side.
  if (turnedInto && !negated(clause)) {
    const [, concern = '', option = ''] = turnedInto
    return [
      { words: concern, side: 0 },
      { ...pro(`${concern} to ${option}`, concern), slots: { option, concern } },
    ]
  }
  const takenOut =
    /^(?:.*?\s)?(?:leav(?:e|ing)|tak(?:e|ing)|keep(?:ing)?|strip(?:ping)?)\s+(.+?)\s+out\s+of\s+(.+)$/i.exec(
      clause,
    )
  if (takenOut && !negated(takenOut[1]!)) {
    const [words, option = '', concern = ''] = takenOut
    return [{ words, side: -1, about: concern, slots: { option, concern } }]
  }
  const renamed =
    /^(?:we (?:will|should|can|could)\s+|let's\s+)?renam(?:e|ing)\s+(.+?)\s+(?:to|into|as)\s+(.+)$/i.exec(
      clause,
    )
  if (renamed && !negated(clause)) return [against(renamed[1]!), pro(renamed[2]!)]
  const rather = /^(.*?\brather)\s+(.+?)\s+than\s+(.+)$/i.exec(clause)
  if (rather && !negated(rather[1]!)) return [pro(rather[2]!), against(rather[3]!)]
  const beside =
    /^(.*?)\s+(?:besides|alongside|next to|in addition to|on top of|side by side with)\s+(.+)$/i.exec(clause)
  if (beside) return [...sidesOf(beside[1]!), { words: beside[2]!, side: 0 }]
  const arrow = /^(.*?)\s*(?:→|->|=>)\s*(.+)$/.exec(clause)
  if (arrow && contentTerms(arrow[1]!).size > 0) return [against(arrow[1]!), ...sidesOf(arrow[2]!)]
  const favoured = /^(.*?)\s+in favou?r of\s+(.+)$/i.exec(clause)
  if (favoured) return [against(favoured[1]!.replace(refusals, ' ')), ...sidesOf(favoured[2]!)]
  const preferred =
    /^(.*?\b(?:prefer|pick|choose|favou?r|select|chose|picked|go with|going with|settle on|opt for)\w*\s+.+?)\s+(?:over|to)\s+(.+)$/i.exec(
      clause,
    )
  if (preferred && !negated(preferred[1]!)) return [pro(preferred[1]!), against(preferred[2]!)]
  const turned = turns.exec(clause)
  if (turned && turned.index > 0 && !isPartOfVerb(turned[0], clause.slice(0, turned.index)))
    return [...sidesOf(clause.slice(0, turned.index)), against(clause.slice(turned.index + turned[0].length))]
  return [negated(clause) ? against(clause) : pro(clause)]
}

/** "Is not used" turns the whole clause; "as a local one, not a global one" only what follows. */
function isPartOfVerb(turn: string, before: string): boolean {
  return /^not\b/i.test(turn) && auxiliary.test(before)
}

const auxiliary =
  /\b(?:do|does|did|is|are|was|were|be|been|will|would|should|must|may|can|could|shall|has|have|had|or)\s*$/i

const pro = (words: string, about = ''): Clause => ({
  words: words.trim(),
  side: 1,
  ...(about ? { about } : {}),
})
const against = (words: string): Clause => ({ words: words.trim(), side: -1 })

/** "The small one in the Karpenter pools": what goes is what stands first, and the rest says where. */
function gone({ gone: words, isPlain }: Exchange): Clause {
  const [, head = '', rest = ''] = place.exec(words) ?? []
  const about = contentTerms(head).size > 0 ? { about: rest } : {}
  return { ...against(words), ...about, ...(isPlain ? { isGone: true } : {}) }
}

const place = /^(.+?)\s+((?:in|on|of|at|for|from|across|inside|within|throughout|behind|under)\s.+)$/i

/** What leads to a replacement may be a clause of its own. */
function before(words: string): Clause[] {
  return contentTerms(words).size >= 2 ? [negated(words) ? against(words) : pro(words)] : []
}

/** A small word and a refusing verb cancel out: "do not avoid X" is for X. What a relative clause says does not count. */
function negated(clause: string): boolean {
  const simple = clause
    .replace(
      /\b(?:not only|no later than|no more than|no less|no greater|no doubt|no matter|non-\w+|not least|nothing else|nothing but|nowhere else|neither for nor against)\b/gi,
      ' ',
    )
    .replace(/\b\w+n't\b|\bcannot\b/gi, ' not ')
    .replace(/(?<=\w)\s+(?:that|which|who|whose)\s.*$/is, ' ')
  return negators.test(simple) !== refusals.test(simple)
}
