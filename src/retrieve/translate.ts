// A question in another language, put into English word by word. That is done only where at least half of its words stand
// nowhere in the index: a library that is written in the question's language is searched with the question as it is.
import type { Store } from '../store/port.js'
import { editDistance } from '../text/edit-distance.js'
import * as scripts from '../text/scripts.js'
import { isStopWord, terms } from '../text/terms.js'
import { cognate } from './cognates.js'
import { type IsKnown, knownTerms } from './correct.js'
import { type Dictionary, dictionaries, folded, inflected, sensesOf } from './dictionary.js'
import { mostCharacters, quotes } from './query.js'

export interface Translated {
  /** The question in English words, for the model. */
  text: string
  /** For the search by words: the same, and what the index has of the question as it was written. */
  words: string
  /** The terms of the translated words. */
  terms: ReadonlySet<string>
  language: string
  english: string[]
}

/** A text with more words than these is pasted. */
const mostWords = 40

/** Of the English words for a foreign one so many are looked for, and the first of them is what the model reads. */
const mostSenses = 3

/** Null: the question is searched for as it is. */
export async function translate(store: Store, text: string): Promise<Translated | null> {
  if (text.length > mostCharacters || quotes(text)) return null
  const read = readIn(text, await dictionaries())
  if (!read || read.units.length > mostWords) return null
  const isKnown = knownTerms(store)
  const units = read.units.filter(({ senses }) => senses?.length !== 0)
  const known = await Promise.all(units.map((unit) => allKnown(unit.text, isKnown)))
  const pairs = read.dictionary.unspaced ? termsIn(text) : []
  const found = pairs.length > 0 ? await Promise.all(pairs.map(isKnown)) : known
  if (found.filter((one) => !one).length * 2 < found.length) return null
  const telling = await Promise.all(
    units.map(async (unit, i) => {
      const alike = unit.senses || known[i] ? null : await cognate(unit.text, isKnown)
      return alike ? { ...unit, senses: [alike] } : unit
    }),
  )
  const english = telling.flatMap(({ senses }) => senses?.slice(0, mostSenses) ?? [])
  if (english.length === 0) return null
  const sentence = telling.map((unit) => unit.senses?.[0] ?? unit.text).join(' ')
  const whole = telling.filter((unit, i) => known[i] || !unit.senses).map((unit) => unit.text)
  const asWritten = [...whole, ...pairs.filter((_, i) => found[i])]
  const own = new Set(asWritten.flatMap(termsIn))
  return {
    text: sentence,
    words: [...new Set([...asWritten, ...english])].join(' '),
    terms: new Set(english.flatMap(termsIn).filter((term) => !own.has(term))),
    language: read.dictionary.language,
    english: [...new Set(telling.flatMap(({ senses }) => senses?.[0] ?? []))],
  }
}

/** A word, or several that are one in English. Without senses it is not in the dictionary; with none it tells nothing. */
interface Unit {
  text: string
  senses: readonly string[] | null
}

interface Read {
  dictionary: Dictionary
  units: Unit[]
  /** So many of its words belong to this language and hardly to English. */
  foreign: number
}

/** The text in the language that knows most of its words; null when English might. */
function readIn(text: string, all: readonly Dictionary[]): Read | null {
  const isUnspaced = new RegExp(`[${scripts.unspaced}]`, 'u').test(text)
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
  const fitting = all.filter(({ unspaced, language }) =>
    isUnspaced ? unspaced && (language === 'Japanese') === isJapanese : !unspaced,
  )
  const reads = fitting.map((dictionary) => {
    const units = dictionary.unspaced ? unspacedUnits(dictionary, text) : spacedUnits(dictionary, text)
    return { dictionary, units, foreign: wordsIn(units.filter(isForeign)) }
  })
  const best = reads.reduce((a, b) => (b.foreign > a.foreign ? b : a))
  if (isUnspaced || /\p{Script=Cyrillic}/u.test(text)) return best.foreign > 0 ? best : null
  const english = best.units.filter(
    ({ text: word, senses }) => senses?.length !== 0 && isStopWord(fold(word)),
  )
  // Two words may be a name, or misspelt.
  return best.units.length > 2 && best.foreign > 1 && best.foreign > english.length ? best : null
}

function fold(word: string): string {
  return termsIn(word)[0] ?? word
}

/** `base de datos` tells more than `base`. */
function wordsIn(units: readonly Unit[]): number {
  return units.reduce((sum, { text }) => sum + text.split(' ').length, 0)
}

/** `configuration` is no evidence of French. */
function isForeign({ text, senses }: Unit): boolean {
  if (!senses) return false
  const word = folded(text)
  if (isStopWord(fold(word))) return false
  return senses.every((sense) => editDistance(sense, word, 4) > 3 || sense[0] !== word[0])
}

function spacedUnits(dictionary: Dictionary, text: string): Unit[] {
  const words = (text.match(/[\p{L}\p{M}\p{N}_]+(?:[.'’/@-][\p{L}\p{M}\p{N}_]+)*/gu) ?? []).flatMap((word) =>
    /^\p{L}+['’-]\p{L}+/u.test(word) ? word.split(/['’-]/) : [word],
  )
  const units: Unit[] = []
  for (let at = 0; at < words.length; ) {
    const [unit, size] = longestForm(dictionary, words, at) ?? [null, 1]
    if (unit) units.push(unit)
    else units.push(...single(dictionary, words[at]!))
    at += size
  }
  return units
}

function longestForm(dictionary: Dictionary, words: readonly string[], at: number): [Unit, number] | null {
  for (let size = Math.min(dictionary.longest, words.length - at); size > 0; size--) {
    const text = words.slice(at, at + size).join(' ')
    const senses = sensesOf(dictionary, text)
    if (senses) return [{ text, senses }, size]
  }
  return null
}

function single(dictionary: Dictionary, text: string): Unit[] {
  const word = folded(text)
  const form = inflected(dictionary, word)
  if (form) return [{ text, senses: dictionary.forms.get(form)! }]
  const parts = dictionary.language === 'German' ? compound(dictionary, word) : null
  return parts ? [{ text, senses: [parts.map((senses) => senses[0]).join(' ')] }] : [{ text, senses: null }]
}

/** German writes nouns as one word: `Umgebungsvariable` is an `Umgebung` and a `Variable`. */
function compound(dictionary: Dictionary, word: string): (readonly string[])[] | null {
  const sensesIn = (part: string) => {
    const senses = dictionary.forms.get(part) ?? dictionary.forms.get(inflected(dictionary, part) ?? '')
    return senses?.length ? senses : null
  }
  for (let at = word.length - 4; at >= 3; at--) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    const first = dictionary.forms.get(before) ?? dictionary.forms.get(before.replace(/(?:s|n|en|e)$/, ''))
    const second = sensesIn(after)
    if (first?.length && second) return [first, second]
  }
  return null
}

function unspacedUnits({ forms, longest }: Dictionary, text: string): Unit[] {
  const units: Unit[] = []
  const runs =
    text.normalize('NFKC').match(new RegExp(`[${scripts.unspaced}ー]+|[\\p{L}\\p{N}_]+`, 'gu')) ?? []
  for (const run of runs) {
    if (!new RegExp(`[${scripts.unspaced}]`, 'u').test(run)) {
      units.push({ text: run, senses: null })
      continue
    }
    const characters = [...run]
    for (let at = 0; at < characters.length; ) {
      let size = Math.min(longest, characters.length - at)
      while (size > 1 && !forms.has(folded(characters.slice(at, at + size).join('')))) size--
      const form = characters.slice(at, at + size).join('')
      // A character that is not known alone is mostly an ending.
      units.push({ text: form, senses: forms.get(folded(form)) ?? [] })
      at += size
    }
  }
  return units
}

async function allKnown(text: string, isKnown: IsKnown): Promise<boolean> {
  for (const term of termsIn(text)) if (!(await isKnown(term))) return false
  return true
}

function termsIn(text: string): string[] {
  return terms(text).map(({ term }) => term)
}
