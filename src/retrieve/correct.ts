// Misspelt words of a question, corrected against the words of the index. A word that stands in any document is right, and
// so is an English word that stands in none.
// What looks deliberate (quoted, with digits, signs or capitals inside) is left alone while anything else is known.
import { englishWords } from '../embed/bundled/english-words.js'
import type { StoredChunk } from '../model/document.js'
import type { Store } from '../store/port.js'
import { fold, stem } from '../text/analyse.js'
import { editDistance, leastDistance } from '../text/edit-distance.js'
import { isStopWord, terms } from '../text/terms.js'
import { fieldWeights, type IsKnown, mostCharacters, withoutQuotations } from './query.js'

export interface Corrected {
  /** The question as it is searched for. */
  text: string
  /** The terms of the corrected words, except those that the question also has as they are. */
  terms: ReadonlySet<string>
  words: readonly { written: string; searched: string }[]
}

/** What a corrected word counts, compared with one that was written so. */
export const correctedWeight = 0.7

/** A text with more words than these is pasted, and one with more unknown words is in another language. */
const mostWords = 40
const mostUnknown = 4
const shortest = 4

/** Null: nothing was corrected. */
export async function correct(store: Store, isKnown: IsKnown, text: string): Promise<Corrected | null> {
  const words = wordsIn(withoutQuotations(text.slice(0, mostCharacters)))
  if (words.length > mostWords) return null
  const plain = await unknownAmong(words.filter(isPlain), isKnown)
  const deliberate = words.filter((word) => !isPlain(word))
  const unknown =
    deliberate.length === 0 || (await anyKnown(words, isKnown))
      ? plain
      : [...plain, ...(await unknownAmong(deliberate.flatMap(piecesOf), isKnown))]
  const english = unknown.length > 0 ? await englishWords() : new Set<string>()
  const misspelt = unknown.filter(({ text: word }) => !isEnglish(fold(word), english))
  if (misspelt.length === 0 || misspelt.length > mostUnknown) return null
  const found = await Promise.all(
    misspelt.map(async (word) => ({ ...word, searched: await nearestForm(store, fold(word.text)) })),
  )
  const right = found.flatMap(({ searched, ...word }) => (searched === null ? [] : [{ ...word, searched }]))
  return right.length === 0 ? null : replaced(text, words, right)
}

interface Word {
  text: string
  start: number
}

const spaced = /[^\s]+/gu
const around = /^[^\p{L}\p{N}_$@#/.-]+|[^\p{L}\p{N}_$)]+$/gu

function wordsIn(text: string): Word[] {
  return [...text.matchAll(spaced)].flatMap(({ 0: run, index }) => {
    const before = run.length - run.replace(/^[^\p{L}\p{N}_$@#/.-]+/u, '').length
    const inner = run.replace(around, '')
    if (!/\p{L}/u.test(inner)) return []
    const parts = inner.split('-')
    if (parts.length === 1 || !parts.every((part) => isPlain({ text: part })))
      return [{ text: inner, start: index + before }]
    return parts.map((part, i) => ({
      text: part,
      start: index + before + parts.slice(0, i).join('-').length + (i > 0 ? 1 : 0),
    }))
  })
}

function isPlain({ text }: Pick<Word, 'text'>): boolean {
  return /^(?:\p{Lu}\p{M}*)?(?:[\p{Ll}\p{Lo}]\p{M}*)+$/u.test(text)
}

/** The words in a name: of `retyr_Bugdet` both. */
function piecesOf({ text, start }: Word): Word[] {
  return [...text.matchAll(/\p{Lu}?\p{Ll}{3,}/gu)].map(({ 0: one, index }) => ({
    text: one,
    start: start + index,
  }))
}

function termsIn(text: string): string[] {
  return terms(text).map(({ term }) => term)
}

async function unknownAmong(words: readonly Word[], isKnown: IsKnown): Promise<Word[]> {
  const unknown: Word[] = []
  for (const word of words) {
    const [term, ...more] = termsIn(word.text)
    if (word.text.length < shortest || !term || more.length > 0 || isStopWord(term)) continue
    if (!(await isKnown(term))) unknown.push(word)
  }
  return unknown
}

/** A name is known as a whole: of `clearClipbord` the index knows a part, and nothing of the question. */
async function anyKnown(words: readonly Word[], isKnown: IsKnown): Promise<boolean> {
  for (const { text } of words) {
    const all = terms(text)
    const wholes = all.filter(({ whole }) => whole)
    for (const { term } of wholes.length > 0 ? wholes : all)
      if (!isStopWord(term) && (await isKnown(term))) return true
  }
  return false
}

/** As it is, in another form, or as two words in one: `realtime`. */
function isEnglish(word: string, english: ReadonlySet<string>): boolean {
  const bases = [
    word.replace(/(?:e?s|e?d|ing|ly|er)$/, ''),
    word.replace(/(?:ed|ing|er)$/, 'e'),
    word.replace(/s$/, ''),
  ]
  if (english.has(word) || bases.some((base) => base.length >= shortest && english.has(base))) return true
  for (let at = shortest; at <= word.length - shortest; at++)
    if (english.has(word.slice(0, at)) && english.has(word.slice(at))) return true
  return false
}

/**
 * The form nearest to a word; of equally near ones that of the most frequent term. The first letter is taken to be right, or
 * swapped with the second.
 */
async function nearestForm(store: Store, word: string): Promise<string | null> {
  const slips = word.length > 7 ? 2 : 1
  const formOf = (term: string) => formNear(term, word, slips)
  const [first, second] = [word[0]!, word[1]!]
  const prefixes = first === second ? [first] : [first, second + first]
  const found = await Promise.all(
    prefixes.map((prefix) =>
      store.terms({
        prefix,
        matches: (term) => formOf(term) !== null,
        mayMatch: (start) => mayBecome(start, word, slips),
      }),
    ),
  )
  const likely = found
    .flat()
    .map((count) => ({ ...formOf(count.term)!, ...count }))
    .sort(byLikelihood)
    .slice(0, mostRead)
  const written = await Promise.all(
    likely.map(async ({ term, chunks }) => {
      const form = await writtenForm(store, term, word, slips)
      return form ? [{ ...form, chunks }] : []
    }),
  )
  return written.flat().sort(byLikelihood)[0]?.form ?? null
}

/** So many terms are looked up, each in so many passages, for how they are written. */
const mostRead = 6
const mostPassages = 20

function byLikelihood(a: Form & { chunks: number }, b: Form & { chunks: number }): number {
  return a.distance - b.distance || b.chunks - a.chunks || (a.form < b.form ? -1 : 1)
}

/** Of the words of this stem that the index really has, the one nearest to what was written. */
async function writtenForm(store: Store, term: string, word: string, slips: number): Promise<Form | null> {
  const asked = { terms: [{ term, weight: 1 }], weights: fieldWeights, scope: {}, limit: mostPassages }
  const { ranks } = await store.rank(asked)
  const chunks = await store.chunks(ranks.map(({ chunk }) => chunk))
  const forms = new Set(chunks.flatMap(wordsOf).filter((form) => termsIn(form)[0] === term))
  return (
    [...forms]
      .map((form) => ({ form, distance: editDistance(form, word, slips + 1), chunks: 0 }))
      .filter(({ distance }) => distance <= slips)
      .sort(byLikelihood)[0] ?? null
  )
}

function wordsOf({ text, title, headings, symbols, ref }: StoredChunk): string[] {
  return [text, title, ...headings, ...symbols, ref.path].flatMap((one) => one.match(piece) ?? []).map(fold)
}

const piece = /\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+/gu

interface Form {
  form: string
  distance: number
}

/** The index has stems, people write forms: of `configur`, `configuration` is near `configuraton`. */
function formNear(term: string, word: string, slips: number): Form | null {
  if (!/^\p{L}+$/u.test(term) || !mayBecome(term, word, slips)) return null
  let best: Form | null = null
  for (const form of formsOf(term)) {
    if (stem(form) !== term) continue
    const distance = editDistance(form, word, best ? best.distance : slips + 1)
    if (distance < (best ? best.distance : slips + 1)) best = { form, distance }
  }
  return best
}

/** A stem may end in an `i` that is a `y` in the word. */
function mayBecome(start: string, word: string, slips: number): boolean {
  return leastDistance(start.replace(/i$/, ''), word) <= slips
}

function formsOf(term: string): string[] {
  const bare = endings.map((ending) => term + ending)
  if (term.endsWith('i')) return [`${term.slice(0, -1)}y`, ...bare]
  return [...bare, ...['ed', 'er', 'ers', 'ing'].map((ending) => term + term.at(-1)! + ending)]
}

/** Those that the stemmer takes off. A form counts only if its stem is the term. */
const endings = [
  ...[
    '',
    'e',
    's',
    'es',
    'ed',
    'er',
    'ers',
    'ing',
    'ings',
    'ion',
    'ions',
    'or',
    'ors',
    'y',
    'ly',
    'al',
    'ally',
  ],
  ...[
    'ation',
    'ations',
    'ication',
    'ications',
    'ization',
    'izations',
    'ate',
    'ates',
    'ated',
    'ating',
    'ator',
  ],
  ...[
    'ize',
    'izes',
    'ized',
    'izing',
    'izer',
    'ify',
    'ifies',
    'ified',
    'ifying',
    'ment',
    'ments',
    'ness',
    'ful',
  ],
  ...['ance', 'ances', 'ence', 'ences', 'ency', 'encies', 'ant', 'ent', 'able', 'ible', 'ability', 'ibility'],
  ...['ity', 'ities', 'ive', 'ives', 'ively', 'ivity', 'ic', 'ical', 'ically', 'ous', 'ously', 'ism', 'ist'],
]

function replaced(
  text: string,
  words: readonly Word[],
  right: readonly (Word & { searched: string })[],
): Corrected {
  let searched = text
  for (const word of [...right].sort((a, b) => b.start - a.start)) {
    const end = word.start + word.text.length
    searched = searched.slice(0, word.start) + inCase(word) + searched.slice(end)
  }
  const wrong = new Set(right.map(({ text: written }) => written))
  const asWritten = new Set(words.flatMap(({ text: word }) => (wrong.has(word) ? [] : termsIn(word))))
  const now = right.flatMap((word) => termsIn(word.searched))
  return {
    text: searched,
    terms: new Set(now.filter((term) => !asWritten.has(term))),
    words: [...new Map(right.map((word) => [word.text, word])).values()].map((word) => ({
      written: word.text,
      searched: inCase(word),
    })),
  }
}

function inCase({ text, searched }: { text: string; searched: string }): string {
  return /^\p{Lu}/u.test(text) ? searched[0]!.toUpperCase() + searched.slice(1) : searched
}
