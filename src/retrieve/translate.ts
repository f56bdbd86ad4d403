// A question in another language, put into English word by word. That is done only where at least half of its words stand
// nowhere in the index: a library that is written in the question's language is searched with the question as it is.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { englishWords } from '../embed/bundled/english-words.js'
import { fold } from '../text/analyse.js'
import { editDistance } from '../text/edit-distance.js'
import * as scripts from '../text/scripts.js'
import { isStopWord, terms } from '../text/terms.js'
import { type IsKnown, mostCharacters, quotes } from './query.js'

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
export async function translate(isKnown: IsKnown, text: string): Promise<Translated | null> {
  if (text.length > mostCharacters || quotes(text)) return null
  const read = readIn(text, await dictionaries())
  if (!read || read.units.length > mostWords) return null
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
    ({ text: word, senses }) => senses?.length !== 0 && isStopWord(termOf(word)),
  )
  // Two words may be a name, or misspelt.
  return best.units.length > 2 && best.foreign > 1 && best.foreign > english.length ? best : null
}

function termOf(word: string): string {
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
  if (isStopWord(termOf(word))) return false
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

// Everyday and technical words of seven languages with their English ones, from `models/words.txt`: our own list.

export interface Dictionary {
  /** What the language is called. */
  language: string
  unspaced: boolean
  /** English words by the folded form of the foreign one. A word that only holds a sentence together has none. */
  forms: ReadonlyMap<string, readonly string[]>
  /** The longest form has so many words, or characters where the script has no spaces. */
  longest: number
}

const languages: Readonly<Record<string, string>> = {
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  pt: 'Portuguese',
  ru: 'Russian',
  zh: 'Chinese',
  ja: 'Japanese',
}

let read: Promise<readonly Dictionary[]> | null = null

/** None where the list cannot be read: a search goes on with the words as they are. */
export function dictionaries(): Promise<readonly Dictionary[]> {
  read ??= readWords().catch(() => [])
  return read
}

async function readWords(): Promise<Dictionary[]> {
  const file = fileURLToPath(new URL('../../../models/words.txt', import.meta.url))
  const [first, ...rows] = (await readFile(file, 'utf8')).trim().split(/\r?\n/)
  const lines = rows.map((row) => row.split('|'))
  const [, ...codes] = first!.split('|')
  return codes.map((code, i) =>
    dictionary(
      code,
      lines.map((line) => [line[0]!, line[i + 1]!] as const),
    ),
  )
}

function dictionary(
  code: string,
  lines: readonly (readonly [english: string, foreign: string])[],
): Dictionary {
  const unspaced = code === 'zh' || code === 'ja'
  const forms = new Map<string, readonly string[]>()
  // As written, then without accents where that is no other word: `sûr` is not `sur`.
  for (const written of [plain, folded]) {
    const read = new Map<string, readonly string[]>()
    for (const [english, foreign] of lines)
      for (const form of foreign.split('/').map(written)) read.set(form, together(read.get(form), english))
    for (const [form, senses] of read) if (!forms.has(form)) forms.set(form, senses)
  }
  const lengths = [...forms.keys()].map((form) => (unspaced ? [...form].length : form.split(' ').length))
  return { language: languages[code]!, unspaced, forms, longest: Math.max(...lengths) }
}

/** A word that holds sentences together is nothing else. */
function together(known: readonly string[] | undefined, english: string): readonly string[] {
  if (english === '-' || known?.length === 0) return []
  return [...new Set([...(known ?? []), english])]
}

/** What a form means, as it is written or without its accents. */
function sensesOf({ forms }: Dictionary, text: string): readonly string[] | undefined {
  return forms.get(plain(text)) ?? forms.get(folded(text))
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/['’-]/g, ' ')
}

/** As forms are compared: without capitals and accents, apostrophes and hyphens as spaces. */
export function folded(text: string): string {
  return fold(text).replace(/['’-]/g, ' ')
}

/** The form that a word is an inflection of: the one with which it begins alike the longest. */
function inflected({ forms }: Dictionary, word: string): string | null {
  let best: { form: string; alike: number; rest: number } | null = null
  for (const form of forms.keys()) {
    if (form[0] !== word[0] || forms.get(form)!.length === 0) continue
    const alike = common(form, word)
    const ending = form.length >= 8 ? 3 : 2
    if (alike < 4 || form.length - alike > ending || word.length - alike > ending + 1) continue
    const rest = form.length + word.length - 2 * alike
    if (!best || alike > best.alike || (alike === best.alike && rest < best.rest))
      best = { form, alike, rest }
  }
  return best?.form ?? null
}

function common(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}

// Words that look alike in English: `vérification`, `componente`, `компонент`. Of the English words that the index has, the
// nearest by edit distance, once a few endings are written as English writes them.

const shortest = 5

/** Null: no English word of the index is near enough. */
async function cognate(word: string, isKnown: IsKnown): Promise<string | null> {
  const latin = romanised(fold(word))
  if (latin.length < shortest || !/^[a-z]+$/.test(latin)) return null
  const forms = [latin, ...endings.map(([foreign, english]) => latin.replace(foreign, english))]
  byStart ??= grouped()
  const near = ((await byStart).get(sounds(latin).slice(0, 3)) ?? [])
    .map((one) => ({ one, distance: Math.min(...forms.map((form) => apart(form, one))) }))
    .filter(({ one, distance }) => distance <= Math.floor(one.length / 5))
    .sort((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1))
  for (const { one } of near) {
    const [found] = terms(one)
    if (found && (await isKnown(found.term))) return one
  }
  return null
}

let byStart: Promise<ReadonlyMap<string, readonly string[]>> | null = null

/** Looking through all English words for each word asked would take too long. */
async function grouped(): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>()
  for (const one of await englishWords()) {
    if (one.length < shortest - 1) continue
    const start = sounds(one).slice(0, 3)
    const group = groups.get(start)
    if (group) group.push(one)
    else groups.set(start, [one])
  }
  return groups
}

function apart(form: string, english: string): number {
  return editDistance(sounds(form), sounds(english), 4)
}

/** Letters that languages take for each other. */
function sounds(word: string): string {
  return word.replace(/[kq]/g, 'c').replace(/ph/g, 'f').replace(/y/g, 'i').replace(/(.)\1/g, '$1')
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/(?:cion|cao|tsiia|ciones|coes|tsii|tsiiu)$/, 'tion'],
  [/(?:sion|sao|siia|ssao)$/, 'sion'],
  [/(?:idad|idade|ite|itat|itaet)$/, 'ity'],
  [/(?:amente|emente|ement|amment|mente)$/, 'ly'],
  [/(?:ieren|iert|er|ar|ir|ovat|irovat|en)$/, ''],
  [/(?:ee|e|ado|ada|ados|adas|ido|ida)$/, 'ed'],
  [/(?:ant|ante|ente|antes|entes)$/, 'ent'],
  [/(?:izar|iser|isieren)$/, 'ize'],
  [/(?:ico|ica|isch|ische|ique|icheskii)$/, 'ic'],
  [/(?:eur|ador|ateur)$/, 'or'],
  [/(?:[aeiouy]|os|as|es|ov|ami)$/, ''],
]

const letters: Readonly<Record<string, string>> = Object.fromEntries(
  'а:a б:b в:v г:g д:d е:e ж:zh з:z и:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:h ц:ts ч:ch ш:sh щ:sch ъ: ы:y ь: э:e ю:iu я:ia'
    .split(' ')
    .map((pair) => pair.split(':')),
)

function romanised(word: string): string {
  return word.replace(/\p{Script=Cyrillic}/gu, (letter) => letters[letter] ?? letter)
}
