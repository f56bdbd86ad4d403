import type { Field } from '../model/document.js'
import type { QueryTerm, Store, TermCount } from '../store/port.js'
import { isStopWord, terms, termsNeeded, writtenWords } from '../text/terms.js'

/** What is asked for, in our terms. */
export interface WordsAsked {
  terms: QueryTerm[]
  /** For each term, whether it is the whole of a compound whose parts are asked for too. */
  wholes: boolean[]
  /** Quoted phrases, as words that are written so. */
  phrases: string[][]
  /** The query had more words or phrases than are looked at. */
  cut: boolean
}

/** The parts of a compound count less than the compound: whoever writes `parseHTTPHeader` means that. */
const partWeight = 0.3
const mostTerms = 48
/** Each is held against every candidate. */
const mostPhrases = 24
/** What is read of a question. */
export const mostCharacters = 4000

/** `lessened`: terms that count for less than they would, by this factor. */
export function readQuery(
  text: string,
  lessened: { terms: ReadonlySet<string>; weight: number } | null = null,
): WordsAsked {
  const read = text.slice(0, mostCharacters)
  const phrases = phrasesIn(read)
  const quoted = phrases.slice(0, mostPhrases)
  const required = new Set(quoted.flatMap(({ inner }) => termsNeeded(inner)))
  const weights = new Map<string, number>()
  const wholes = new Set<string>()
  let wholeEnd = -1
  for (const { term, end, whole } of terms(read)) {
    if (whole) {
      wholeEnd = end
      wholes.add(term)
    }
    const weight = !whole && end === wholeEnd ? partWeight : 1
    weights.set(term, Math.max(weights.get(term) ?? 0, weight))
  }
  const all = withoutStopWords([...weights.keys()], required)
  const asked = first(all, required)
  return {
    terms: asked.map((term) => ({
      term,
      weight: weights.get(term)! * (lessened?.terms.has(term) ? lessened.weight : 1),
      ...(required.has(term) ? { required: true } : {}),
    })),
    wholes: asked.map((term) => wholes.has(term)),
    phrases: quoted.map(({ words }) => words),
    cut: all.length > asked.length || phrases.length > quoted.length || text.length > mostCharacters,
  }
}

/** Of each kind of quotation marks what opens and what closes, in the languages that we know of. */
const marks = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“”'],
  ['”', '”'],
  ['«', '»'],
  ['»', '«»'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['＂', '＂'],
] as const

const quotations = new RegExp(
  marks.map(([open, close]) => `${open}([^${close}\\n]{1,300})[${close}]`).join('|'),
  'g',
)

/** The sign of abbreviations in Hebrew, for which most type a quotation mark: צה"ל. */
const gershayim = /(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})/gu

/** Without anything that would quote: for texts that are compared, not asked. */
export function unquoted(text: string): string {
  return text.replace(anyMark, ' ')
}

const anyMark = new RegExp(`[${marks.flat().join('')}]`, 'g')

/** With spaces in place of what is quoted: every other character keeps its place. */
export function withoutQuotations(text: string): string {
  return text.replace(gershayim, '״').replace(quotations, (quotation) => ' '.repeat(quotation.length))
}

/** Whether a question has a quoted phrase. */
export function quotes(text: string): boolean {
  return phrasesIn(text.slice(0, mostCharacters)).length > 0
}

/** What stands in quotation marks and has words in it, with those words; each once. */
function phrasesIn(text: string): { inner: string; words: string[] }[] {
  const phrases = [...text.replace(gershayim, '״').matchAll(quotations)]
    .map((match) => match.slice(1).find((inner) => inner !== undefined)!)
    .map((inner) => ({ inner, words: writtenWords(inner) }))
    .filter(({ inner, words }) => words.length > 0 && terms(inner).length > 0)
  return [...new Map(phrases.map((phrase) => [phrase.words.join(' '), phrase])).values()]
}

/** As many as are looked for, in their order. What is quoted is demanded, so it comes before the rest wherever it stands. */
function first(all: string[], required: Set<string>): string[] {
  if (all.length <= mostTerms) return all
  const demanded = all.filter((term) => required.has(term)).slice(0, mostTerms)
  const others = all.filter((term) => !required.has(term)).slice(0, mostTerms - demanded.length)
  const chosen = new Set([...demanded, ...others])
  return all.filter((term) => chosen.has(term))
}

// Words like "how" and "the" are dropped when anything else is left: they cost the most and tell the least.
function withoutStopWords(all: string[], required: Set<string>): string[] {
  const telling = all.filter((term) => !isStopWord(term) || required.has(term))
  return telling.length > 0 ? telling : all
}

/** What a word counts in each field. Titles and headings name what a passage is about; names are paths and symbols. */
export const fieldWeights: Readonly<Record<Field, number>> = { title: 2, headings: 1.5, names: 1.5, body: 1 }

/** Whether a term stands in the index. */
export type IsKnown = (term: string) => Promise<boolean>

/** Each term is looked up once. */
export function knownTerms(store: Store): IsKnown {
  const known = new Map<string, Promise<TermCount[]>>()
  return async (term) => {
    const same = { prefix: term, matches: (one: string) => one === term, mayMatch: () => false }
    const found = known.get(term) ?? store.terms(same)
    known.set(term, found)
    return (await found).length > 0
  }
}
