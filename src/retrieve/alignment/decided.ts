// What a record stands for: its title, its options and its decision as stances.
import type { Adr, AdrOption, Said } from '../../parse/adr/adr.js'
import { decisionVerbs } from './cues.js'
import { bareStance, type Stance, stancesOf, withReferents } from './stances.js'
import { contentTerms } from './wording.js'

export interface Decided extends Stance {
  from: 'title' | 'option' | 'decision'
  /** How much it is to be believed that the record hangs on it. */
  trust: number
  /** An option's name as it is written, up to the first mark: what somebody would say who picks it. */
  literal: string | null
  /** What must be spoken of: an option's own words without those it shares with the chosen one. */
  key: ReadonlySet<string>
}

/** In the order of trust. Nothing for a record that no longer says what to do and names no one who does. */
export function decidedIn(adr: Adr): Decided[] {
  const chosen = adr.options.find(({ outcome }) => outcome === 'chosen')
  const turnedDown = adr.status === 'rejected' && !chosen && !saysNo(adr)
  const flip = (stance: Decided): Decided => ({ ...stance, side: (0 - stance.side) as Decided['side'] })
  const titled: Decided[] = withReferents(stancesOf(plainCase(adr), adr.titleLine ?? 1)).map((one) => ({
    ...one,
    sentence: adr.title,
    from: 'title',
    trust: 1,
    literal: null,
    key: keyOf(one),
  }))
  const told: Decided[] = [
    ...(adr.decision?.sentences ?? [])
      .slice(0, mostSentences)
      .flatMap((said, i) => (isDecision(said) ? toldBy(said, i < 4 ? 0.97 : i < 10 ? 0.9 : 0.75) : [])),
    ...adr.context
      .slice(0, 2 * mostSentences)
      .flatMap((said) => (turnsDown.test(said.text) ? toldBy(said, 0.9) : [])),
  ]
  const named = new Set(
    titled.flatMap(({ names, option }) => [...names].filter((name) => option.size === 0 || option.has(name))),
  )
  for (const one of told)
    if (named.size > 0 && /\b(?:it|this|them)\b/i.test(one.words))
      one.terms = new Set([...one.terms, ...named])
  // The title of a rejected record names what was turned down, whatever its decision goes on to say.
  const titles = adr.status === 'rejected' && !titled.some(({ side }) => side < 0) ? titled.map(flip) : titled
  return [...titles, ...optionStances(adr), ...(turnedDown ? told.map(flip) : told)]
}

const mostSentences = 40

function toldBy({ text, line }: Said, trust: number): Decided[] {
  return withReferents(stancesOf(withoutLead(withoutAsides(text)), line))
    .map((one) => (one.side < 0 && spares.test(one.words) ? { ...one, side: 0 as const } : one))
    .flatMap((one) => [one, ...itemsOf(one)])
    .map((one) => ({
      ...one,
      sentence: text,
      from: 'decision' as const,
      trust,
      literal: null,
      key: keyOf(one),
    }))
}

/** What is not required, or can be undone, is not turned down. */
const spares =
  /\b(?:not|n't|never) (?:be )?(?:strictly )?(?:required|necessary|needed|mandatory|matter)\b|\b(?:need not|needn't|(?:does|do) not (?:need|have) to)\b|\b(?:can|may|could) (?:also )?be (?:\w+ (?:and|or) )?\w+ed\b/i

/** What stands in brackets is an exception or an example. */
function withoutAsides(text: string): string {
  const bare = text.replace(/\s*\([^()]*\)/g, '')
  return bare.trim().length >= 12 ? bare : text
}

/** "No supertypes, subtypes and inheritance" turns down each of the three. */
function itemsOf(stance: Stance): Stance[] {
  if (stance.side >= 0) return []
  const parts = stance.words
    .split(/,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/i)
    .map((part) => contentTerms(part))
  if (parts.length < 2) return []
  return parts
    .filter(({ size }) => size > 0 && size <= 4)
    .map((option) => ({
      ...stance,
      option,
      concern: new Set([...stance.terms].filter((term) => !option.has(term))),
    }))
}

/** Whether a sentence of a decision decides, or only explains. */
export function isDecision({ text }: Said): boolean {
  return decides.test(text) && !/^\W*(?:if|unless|in case|in the event)\b/i.test(text)
}

/** Options may be turned down where they are weighed, before the decision is told. */
const turnsDown =
  /\bwe (?:\w+ )?(?:chose|decided|opted|elected|agreed) (?:not to|against)\b|\bwe (?:\w+ )?(?:rejected|ruled out|dismissed|discounted)\b/i

/** A Title In Capitals has names too: those are the words that the text never writes small. */
function plainCase({ title, context, decision }: Adr): string {
  const capitals = title.match(/(?<=\s)\p{Lu}\p{Ll}+/gu) ?? []
  if (capitals.length === 0) return title
  const body = [...context.slice(0, 60).map(({ text }) => text), decision?.text ?? ''].join(' ')
  const small = new Set(body.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu) ?? [])
  return title.replace(/(?<=[\s-])\p{Lu}\p{Ll}+/gu, (word) =>
    small.has(word.toLowerCase()) ? word.toLowerCase() : word,
  )
}

/** A decision is an order, a will or a must; the rest of the text explains it. */
const decides = new RegExp(
  `^\\W*(?:${decisionVerbs}|chosen|selected|option|decision|split|start|no|all|only|every|any)\\b|\\b(?:we|it has been|has been|have been|was)\\b.{0,60}\\b(?:will|decided|chose|chosen|choose|use|adopt|recommend|propose|should|went with|want|won't|made|landed|reject(?:ed)?|declin(?:ed)?|refus(?:ed)?|retir(?:ed)?|remove|stop)\\b|\\b(?:must|shall|should|will|does not|do not|is not|are not|never|stays?|remains?|replaces|no longer)\\b|:\\s*$`,
  'i',
)

function keyOf({ option, terms }: Stance): ReadonlySet<string> {
  return option.size > 0 ? option : terms
}

function saysNo(adr: Adr): boolean {
  return (adr.decision?.sentences ?? []).some(({ text }) =>
    /\b(?:reject|declin|refus|will not|won't|decided against|do not|not to)/i.test(text),
  )
}

/** `Chosen option: "X", because …` says X; "After much thought, it has been decided to use X" does too. */
function withoutLead(text: string): string {
  return text
    .replace(/^\W*(?:chosen|selected|preferred)\s+(?:option|solution|alternative)\s*:?\s*/i, 'Use ')
    .replace(/^(?:Decision|Outcome)\s*:\s*/i, '')
    .replace(
      /^(?:after|based on|given|following|having|with|as|since|for|in|eventually|ultimately|therefore|hence|thus|so)\b[^,.;]{0,160},\s*/i,
      '',
    )
    .replace(
      /\b(?:the (?:decision|team) (?:has been made|was made|decided|is)|it (?:has been|was) decided|we (?:have |had )?(?:decided|chosen|agreed)|we (?:will|would like to|want to|plan to))(?: that we (?:want to|will)| to)?\s+/i,
      ' ',
    )
}

function optionStances(adr: Adr): Decided[] {
  const chosen = adr.options.find(({ outcome }) => outcome === 'chosen')
  return adr.options.flatMap((option) => {
    const side = option.outcome === 'chosen' ? 1 : option.outcome === 'rejected' || chosen ? -1 : 0
    if (side === 0) return []
    const shared = side < 0 && chosen ? contentTerms(chosen.name) : new Set<string>()
    // An option is a name, not a sentence: "Do not add a status" is one thing to choose, and choosing it is a no.
    const read = withReferents(stancesOf(option.name, option.line))
    const said = side > 0 ? choiceOf(adr, option) : { text: option.name, line: option.line }
    return (read.length > 0 ? read : [bareStance(option.name, 1, option.line)]).map(
      (one): Decided => ({
        ...one,
        side: (one.side === 0 ? side : one.side * side) as Decided['side'],
        sentence: said.text,
        line: said.line,
        from: 'option',
        trust: 1,
        literal: literalOf(option.name),
        key: new Set([...one.terms].filter((term) => !shared.has(term))),
      }),
    )
  })
}

function literalOf(name: string): string | null {
  const head = name
    .replace(/["“”'‘’`]/g, '')
    .replace(/^(?:use|adopt|keep|have|do|with)\s+(?:an?\s+|the\s+)?/i, '')
    .split(/[,:;(–—]|\s-\s/)[0]!
    .trim()
  return head.length >= 2 && head.split(/\s+/).length <= 6 ? head : null
}

/** The sentence that chooses it, where there is one. */
function choiceOf({ decision }: Adr, { name, line }: AdrOption): Said {
  const head = literalOf(name) ?? name
  return decision?.sentences.find(({ text }) => text.includes(head)) ?? { text: name, line }
}
