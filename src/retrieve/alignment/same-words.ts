// Whether a proposal says anything beyond what a record chose. A single word can turn agreement round ("a PostgreSQL
// alternative", "for little data", "keep a monorepo away"), and so can another order ("PostgreSQL for carts" where that is for
// orders and MongoDB for carts). No list has all such words: so support asks that a proposal's words be the record's own and
// follow each other as they do there, but for small words that cannot turn anything and those that mean to use. Only where a
// record names a single thing may it stand in another place.
import { terms } from '../../text/terms.js'
import { reasons } from './cues.js'
import type { Decided } from './decided.js'
import type { Evidence } from './evidence.js'
import type { Prepared } from './prepared.js'
import { contentTerms, oneName } from './wording.js'

export function saysNoMore(text: string, { stances }: Prepared, evidence: Evidence | null): boolean {
  if (!evidence) return false
  const said = telling(withoutPassive(text))
  if (said.length === 0 || said.some((word) => evasive.test(word))) return false
  return stances
    .filter(({ from, sentence }) => from !== 'decision' || sentence === evidence.decision)
    .filter(({ side }) => side > 0 || evidence.rule === 'same-refusal')
    .some((stance) => {
      const own = telling(stance.words.replace(reasons, ' '))
      if (isRunOf(said, own) || isRunOf(said, without(own, everything))) return true
      return stance.side > 0 && isOneChoice(stance) && isSameUse(said, own, stance)
    })
}

/** One name and what it is for: whoever turns the two round ("store orders in PostgreSQL") says the same. */
function isOneChoice({ from, names, option, runs }: Decided): boolean {
  return from !== 'decision' && names.size === 1 && option.size === 1 && runs.length === 0
}

function isSameUse(said: readonly string[], own: readonly string[], { names }: Decided): boolean {
  const rest = said.filter((word) => !does.test(word) && !place.test(word))
  return (
    rest.some((word) => [...contentTerms(word)].some((term) => names.has(term))) &&
    rest.every((word) => own.some((other) => isSame(word, other)))
  )
}

/** To use by another name. */
const does = /^(?:stor(?:e|es|ing)|persist(?:s|ing)?|put|build|write|implement|host|deploy|run)$/
/** Where it is used: none of these takes a part for the whole. */
const place = /^(?:services?|modules?|components?|apps?|applications?|features?|codebase|new)$/

/** "Is used" means to use; "we used" tells of the past. */
function withoutPassive(text: string): string {
  return text.replace(/\b(is|are|be)\s+(?:used|adopted|kept|chosen)\b/gi, '$1')
}

/** The words that say something, without the marks that a sentence, a list or a quotation has. */
function telling(text: string): string[] {
  return oneName(text)
    .toLowerCase()
    .split(/\s+|\/|[–—]|(?<=\p{L})-(?=\p{L})/u)
    .map((word) => word.replace(/^[("'“”‘’`*_[#-]+|[)"'“”‘’`*_\].,:;-]+$/g, ''))
    .filter((word) => word !== '' && !saysLittle(word))
}

/** A small word, or one that means to use. */
export function saysLittle(word: string): boolean {
  return small.has(word) || means.test(word)
}

function without(words: readonly string[], pattern: RegExp): string[] {
  return words.filter((word) => !pattern.test(word))
}

function isRunOf(said: readonly string[], own: readonly string[]): boolean {
  return own.some((_, start) => said.every((word, i) => isSame(word, own[start + i])))
}

function isSame(word: string, other: string | undefined): boolean {
  if (other === undefined || word === other) return word === other
  // Any mark but these may mean something: "!", "~", "%", "#", a face.
  if (!plainly.test(word) || !plainly.test(other)) return false
  const [one, two] = [stemOf(word), stemOf(other)]
  return one !== '' && one === two
}

const plainly = /^[\p{L}\p{N}]+(?:[_.'’][\p{L}\p{N}]+)*$/u

function stemOf(word: string): string {
  return terms(word)
    .flatMap(({ term, whole }) => (whole ? [] : [term.replace(/i$/, 'y')]))
    .join(' ')
}

/** None that counts, compares, leaves out, denies or leads away. */
const small: ReadonlySet<string> = new Set(
  'a an the we our us i you it its their this these will shall should must to for of in on with as by at and is are be'.split(
    ' ',
  ),
)

/** To use, to adopt, to keep: in the present, since what was used may be used no more. */
const means =
  /^(?:us(?:e|es|ing)|adopt(?:s|ing)?|keep(?:s|ing)?|choos(?:e|es|ing)|pick(?:s|ing)?|select(?:s|ing)?|utili[sz](?:e|es|ing)|employ(?:s|ing)?)$/

/** Whoever speaks of a thing speaks of all of it. */
const everything = /^(?:all|every|each|any)$/

/** Even in a record's own words these name something else than what stands beside them. */
const evasive =
  /^(?:alternatives?|substitut\w*|replac\w*|successors?|competitors?|rivals?|opposites?|equivalents?|clones?|counterparts?)$/
