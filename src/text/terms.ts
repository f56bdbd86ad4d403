// Our one tokenizer: indexed texts and queries both pass through here, so that they always agree.
//
// A word becomes its stem. An identifier or a compound (`parseHTTPHeader`, `retry_budget`, `on-call`, `a.b.c`,
// `src/text/terms.ts`, `user@example.org`, `2.14.0`) becomes its parts and also stays whole. Accents fold away.
// Scripts written without spaces become overlapping pairs of characters.

import { analyse, fold, longestWord, stem, withoutUnseen } from './analyse.js'
import * as scripts from './scripts.js'

/** One position in a text: the term that stands there, and where. Wholes are extra and share their parts' position. */
export interface Term {
  term: string
  start: number
  end: number
  whole: boolean
}

export function terms(text: string): Term[] {
  makeRoom()
  scan(text)
  return Array.from({ length: found.size }, (_, i) => ({
    term: names[found.codes[i]! >>> 1]!,
    start: found.starts[i]!,
    end: found.ends[i]!,
    whole: (found.codes[i]! & 1) === 1,
  }))
}

/**
 * What the last scan found, in room that the next one uses again; a whole comes right before its parts. A code is a term's
 * number, doubled, plus one for a whole: whoever counts (`text/count`) needs no string for it.
 */
export const found = {
  size: 0,
  codes: new Uint32Array(4096),
  starts: new Uint32Array(4096),
  ends: new Uint32Array(4096),
}

/** Finds the terms of a text. Call `makeRoom` first, now and then. */
export function scan(text: string) {
  const length = lay(text)
  found.size = 0
  let at = 0
  while (at < length) {
    at = readWords(at, length)
    if (at < length) at = read(text, at, length)
  }
}

// Nearly all of a text is plain words that were met before. They are read here, in one loop over what stays the same, which
// takes half the time; it returns where something else stands.
function readWords(from: number, length: number): number {
  reserve(found.size + length - from)
  const [here, kinds] = [units, classes]
  const { codes, starts, ends } = found
  let { size } = found
  let at = from
  while (at < length) {
    const start = at
    let hash = 0
    let unit = here[at]!
    while (kinds[unit] === letter) {
      hash = ((hash << 5) - hash + unit) | 0
      unit = here[++at]!
    }
    if (at === start) {
      if (kinds[unit]! > joiner) break
      at++
      continue
    }
    const isWord =
      at - start > 1 && (kinds[unit] === other || (kinds[unit] === joiner && here[at + 1]! <= 32))
    const entry = isWord ? entryOf(hash, start, at) : -1
    const code = entry < 0 ? -1 : entries[entry + 2]!
    if (code < 0) {
      at = start
      break
    }
    codes[size] = code
    starts[size] = start
    ends[size] = at
    size++
  }
  found.size = size
  return at
}

function reserve(least: number) {
  while (found.codes.length < least) grow()
}

/** What starts at a place, whatever it is; returns where it ends. */
function read(text: string, at: number, length: number): number {
  const kind = classAt(at)
  if (kind === letter) {
    const end = endOfToken(at, length)
    addToken(text, at, end, tokenHash)
    return end
  }
  if (kind !== spaceless) return at + 1
  let end = at
  while (end < length && (classAt(end) === spaceless || scripts.unseen.includes(text[end]!))) end++
  eachPair(withoutUnseen(text.slice(at, end)), (pair) => add(numberOf(pair) * 2, at, end))
  return end
}

function add(code: number, start: number, end: number) {
  const at = found.size++
  if (at === found.codes.length) grow()
  found.codes[at] = code
  found.starts[at] = start
  found.ends[at] = end
}

function grow() {
  found.codes = doubled(found.codes)
  found.starts = doubled(found.starts)
  found.ends = doubled(found.ends)
}

/** Words that say nothing about a subject. They are indexed (phrases need them) but not searched for on their own. */
export function isStopWord(term: string): boolean {
  return stopWords.has(term)
}

// --- Scanning: hand-written, since every byte that is indexed passes here (a regular expression took three times as long).

const other = 0
const letter = 1
const joiner = 2
const spaceless = 3
const unknown = 255

const longestToken = 256

const classes = new Uint8Array(65536).fill(unknown)
for (let code = 0; code < 128; code++)
  classes[code] = /[A-Za-z0-9_]/.test(String.fromCharCode(code)) ? letter : other
for (const sign of ".-/@:'’\\") classes[sign.charCodeAt(0)] = joiner

// What is not seen inside a word counts as a letter, which costs nothing here, and goes when the word is analysed.
for (const sign of scripts.unseen) classes[sign.charCodeAt(0)] = letter

// The text's code units, laid out flat: a passage is a slice of its document, and reading a slice character by character
// takes three times as long. The unit behind the last one is always 0.
let units = new Uint16Array(16_384)
let unitBytes = Buffer.from(units.buffer)

function lay(text: string): number {
  if (text.length >= units.length) {
    units = new Uint16Array(text.length * 2)
    unitBytes = Buffer.from(units.buffer)
  }
  unitBytes.write(text, 'utf16le')
  units[text.length] = 0
  return text.length
}

function classAt(at: number): number {
  const unit = units[at]!
  const known = classes[unit]!
  if (known !== unknown) return known
  if (unit >= 0xd800 && unit <= 0xdfff) return classOfPair(at)
  const found = classify(String.fromCharCode(unit))
  classes[unit] = found
  return found
}

function classOfPair(at: number): number {
  const start = units[at]! >= 0xdc00 ? at - 1 : at
  const [high, low] = [units[start] ?? 0, units[start + 1] ?? 0]
  const isPair = high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
  return isPair ? classify(String.fromCharCode(high, low)) : other
}

const isSpaceless = new RegExp(`[${scripts.spaceless}]`, 'u')

function classify(character: string): number {
  if (isSpaceless.test(character)) return spaceless
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? letter : other
}

/** Of the token that `endOfToken` found last: made on the way, so that looking it up costs no string. */
let tokenHash = 0

// A token is words held together by single joiners; `c++` and `c#` keep their signs.
function endOfToken(start: number, length: number): number {
  const limit = Math.min(length, start + longestToken)
  let hash = 0
  let end = start
  while (end < limit) {
    while (end < length && classAt(end) === letter) hash = (Math.imul(hash, 31) + units[end++]!) | 0
    if (end + 1 >= limit || classAt(end) !== joiner || classAt(end + 1) !== letter) break
    hash = (Math.imul(hash, 31) + units[end++]!) | 0
  }
  const signs = end - start === 1 ? signsAfter(end, length) : 0
  for (let i = 0; i < signs; i++) hash = (Math.imul(hash, 31) + units[end++]!) | 0
  tokenHash = hash
  return end
}

function signsAfter(at: number, length: number): number {
  if (at + 1 < length && units[at] === 43 && units[at + 1] === 43) return 2
  return at < length && units[at] === 35 && (at + 1 >= length || classAt(at + 1) !== letter) ? 1 : 0
}

// Offsets are those of the run: precise ones are not needed for pairs, and normalising may change lengths.
function eachPair(run: string, visit: (pair: string) => void) {
  const characters = [...run.normalize('NFKC')]
  if (characters.length === 1) visit(characters[0]!)
  for (let i = 0; i + 1 < characters.length; i++) visit(characters[i]! + characters[i + 1]!)
}

// --- What was analysed is remembered, since a text repeats itself. Everything lies flat in arrays of numbers: looking a
// token up touches three places in memory, where objects took seven.

const known = new Map<string, number>()
let names: string[] = []

/** Terms by number. It only grows; when what was known is forgotten, there is another. */
export function vocabulary(): readonly string[] {
  return names
}

function numberOf(term: string): number {
  let number = known.get(term)
  if (number === undefined) {
    number = names.length
    names.push(term)
    known.set(term, number)
  }
  return number
}

// Of each slot: the token's hash, and its entry (plus one: 0 is empty). Of each entry: where the token's characters are in
// `spelled`, how many they are, and its code; where it has not just one, where they are in `several`, as a negative number.
// Entries stand in the order they were met, so that those of frequent words are close together.
const slots = 1 << 18
const table = new Int32Array(slots * 2)
let entries = new Int32Array(1 << 14)
let spelled = new Uint16Array(1 << 16)
let spelledSize = 0
let several = new Uint32Array(1 << 14)
let severalSize = 1
let remembered = 0
// The table stays half empty, so that a search in it is short.
const mostRemembered = slots / 2

/** Forgets what was remembered when that is a lot. Not while counting: there a number must stay the same term. */
export function makeRoom() {
  if (remembered < mostRemembered && names.length < mostRemembered) return
  table.fill(0)
  remembered = 0
  spelledSize = 0
  severalSize = 1
  known.clear()
  names = []
}

/** Where the entry of a token begins; when it has none, -1 - the slot that it would take. */
function entryOf(hash: number, start: number, end: number): number {
  const [here, letters] = [units, spelled]
  for (let slot = (hash ^ (hash >>> 15)) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
    const entry = (table[slot * 2 + 1]! - 1) * 3
    if (entry < 0) return -1 - slot
    if (table[slot * 2] !== hash || entries[entry + 1] !== end - start) continue
    const place = entries[entry]! - start
    let i = start
    while (i < end && here[i] === letters[place + i]) i++
    if (i === end) return entry
  }
}

function addToken(text: string, start: number, end: number, hash: number) {
  const entry = entryOf(hash, start, end)
  if (entry >= 0) return addCodes(entries[entry + 2]!, start, end)
  const codes = codesOf(text.slice(start, end))
  for (const code of codes) add(code, start, end)
  // A text with more new words than there is room for goes without.
  if (end - start <= longestWord && remembered < mostRemembered)
    rememberAt(-1 - entry, hash, start, end, codes)
}

function addCodes(value: number, start: number, end: number) {
  if (value >= 0) return add(value, start, end)
  const count = several[-value]!
  for (let i = 1; i <= count; i++) add(several[i - value]!, start, end)
}

function codesOf(token: string): number[] {
  const { whole, parts } = analyse(token)
  const codes: number[] = []
  // A word of combining marks alone folds to nothing.
  for (const term of whole) if (term !== '') codes.push(numberOf(term) * 2 + 1)
  for (const term of parts) if (term !== '') codes.push(numberOf(term) * 2)
  return codes
}

function rememberAt(slot: number, hash: number, start: number, end: number, codes: readonly number[]) {
  const entry = remembered++ * 3
  if (entry + 3 > entries.length) entries = doubled(entries)
  if (spelledSize + end - start > spelled.length) spelled = doubled(spelled)
  spelled.set(units.subarray(start, end), spelledSize)
  table[slot * 2] = hash
  table[slot * 2 + 1] = remembered
  entries[entry] = spelledSize
  entries[entry + 1] = end - start
  entries[entry + 2] = codes.length === 1 ? codes[0]! : -keep(codes)
  spelledSize += end - start
}

function keep(codes: readonly number[]): number {
  while (severalSize + codes.length >= several.length) several = doubled(several)
  const at = severalSize
  several[at] = codes.length
  several.set(codes, at + 1)
  severalSize += codes.length + 1
  return at
}

function doubled<T extends Int32Array | Uint32Array | Uint16Array>(from: T): T {
  const to = new (from.constructor as new (size: number) => T)(from.length * 2)
  to.set(from)
  return to
}

const stopWords = new Set(
  [
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my of on',
    'or our shall should so than that the their them then there these they this to us was we were what when where which',
    'who whom why will with would you your not no any some such via about am',
  ]
    .join(' ')
    .split(' ')
    .map(stem),
)

/** The terms of a text in their order, without wholes: words whatever their inflection. */
export function phraseTerms(phrase: string): string[] {
  return terms(phrase)
    .filter((t) => !t.whole)
    .map((t) => t.term)
}

/** Whether the terms stand in this text one right after the other. */
export function holdsPhrase(text: string, phrase: readonly string[]): boolean {
  return holdsRun(phraseTerms(text), phrase)
}

/** The words of a text as they are written but for case, accents and compatibility forms; what parts them is gone. */
export function writtenWords(text: string): string[] {
  const lower = text.toLowerCase()
  if (isAscii.test(lower)) return lower.replace(asciiVersion, '').match(asciiWords) ?? []
  const words = withoutUnseen(lower).normalize('NFKC').replace(version, '').match(anyWords) ?? []
  return words
    .map((word) => (spacelessCharacter.test(word) ? word : fold(word)))
    .filter((word) => word !== '')
}

/** Whether the one has all of the other, one right after the other. */
export function holdsRun(all: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return true
  const last = all.length - run.length
  for (let i = 0; i <= last; i++) {
    let j = 0
    while (j < run.length && all[i + j] === run[j]) j++
    if (j === run.length) return true
  }
  return false
}

/**
 * Terms that every text with this phrase has. The parts of `GitHub` are not among them: it may be written `github`. Nor is
 * the last character of `37号`: where more of its script follows, the text has it in a pair.
 */
export function termsNeeded(text: string): string[] {
  const phrase = withoutUnseen(text)
  const all = terms(phrase).filter((_, i, every) => !maybePaired(every, i))
  const cased = new Set(
    all.flatMap(({ whole, start, end }) =>
      whole && /^[\p{L}\p{N}\p{M}]+$/u.test(phrase.slice(start, end)) ? [start] : [],
    ),
  )
  return all.flatMap(({ term, whole, start }) => (whole === cased.has(start) ? [term] : []))
}

/** A character of a script without spaces that stands alone, and not between words of other scripts. */
function maybePaired(all: readonly Term[], i: number): boolean {
  const [before, { term }, after] = [all[i - 1], all[i]!, all[i + 1]]
  if (!spacelessCharacter.test(term) || [...term].length > 1) return false
  return !before || !after || spacelessCharacter.test(before.term) || spacelessCharacter.test(after.term)
}

// Words as the tokenizer reads them: `c++` and `c#` keep their signs, the v of a version does not count, and scripts
// without spaces go by characters.
const letterOrSign = `(?![${scripts.spaceless}])[\\p{L}\\p{N}\\p{M}]`
const isAscii = /^[\x00-\x7f]*$/
const asciiWords = /[a-z0-9](?:\+\+|#(?![a-z0-9]))|[a-z0-9]+/g
const asciiVersion = /\bv(?=\d+\.\d)/g
const anyWords = new RegExp(
  `[${scripts.spaceless}]|${letterOrSign}(?:\\+\\+|#(?!${letterOrSign}))|(?:${letterOrSign})+`,
  'gu',
)
const version = /(?<![\p{L}\p{N}\p{M}])v(?=\d+\.\d)/gu
const spacelessCharacter = new RegExp(`^[${scripts.spaceless}]`, 'u')
