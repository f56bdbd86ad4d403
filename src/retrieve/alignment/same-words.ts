// Whether a proposal says anything beyond what a record chose. A single word can turn agreement round ("an alternative to
// PostgreSQL", "for little data", "a monorepo no team shares"), and no list has them all: so support asks that every word
// be the record's own, a small word that cannot turn anything, or one that means to use.
import { terms } from '../../text/terms.js'
import { reasons } from './cues.js'
import type { Evidence } from './evidence.js'
import type { Prepared } from './prepared.js'

export function saysNoMore(text: string, { stances }: Prepared, evidence: Evidence | null): boolean {
  if (!evidence) return false
  const own = stances.filter(
    ({ from, side, sentence }) =>
      (from !== 'decision' || sentence === evidence.decision) &&
      (side > 0 || evidence.rule === 'same-refusal'),
  )
  const words = own.flatMap((one) => wordsIn(one.words.replace(reasons, ' ')))
  const known = { words: new Set(words), stems: new Set(words.flatMap(stemsOf)) }
  return wordsIn(withoutPassive(text)).every((word) => isHarmless(word) || isKnown(word, known))
}

/** "Is used" means to use; "we used" tells of the past. */
function withoutPassive(text: string): string {
  return text.replace(/\b(is|are|be)\s+(?:used|adopted|kept|chosen)\b/gi, '$1')
}

/** Without the marks that a sentence, a list or a quotation has. */
function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+|\/|[–—]/)
    .map((word) => word.replace(/^[("'“”‘’`*_[#-]+|[)"'“”‘’`*_\].,:;-]+$/g, ''))
    .filter((word) => word !== '')
}

function isKnown(word: string, known: { words: ReadonlySet<string>; stems: ReadonlySet<string> }): boolean {
  if (known.words.has(word)) return true
  // Any other mark may mean something: "!", "~", "%", "≠", a face.
  if (!/^[\p{L}\p{N}]+(?:[-_.'’][\p{L}\p{N}]+)*$/u.test(word)) return false
  const stems = stemsOf(word)
  return stems.length > 0 && stems.every((stem) => known.stems.has(stem))
}

function stemsOf(word: string): string[] {
  return terms(word).flatMap(({ term, whole }) => (whole ? [] : [term.replace(/i$/, 'y')]))
}

function isHarmless(word: string): boolean {
  return small.has(word) || means.test(word)
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
