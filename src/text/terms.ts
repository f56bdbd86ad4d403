// Our one tokenizer: what is indexed and what is asked pass through here, so that both always agree.
//
// A word becomes its stem. An identifier or a compound (`parseHTTPHeader`, `retry_budget`, `on-call`, `a.b.c`,
// `src/text/terms.ts`, `user@example.org`, `2.14.0`) becomes its parts and also stays whole. Accents fold away.
// Scripts written without spaces become overlapping pairs of characters.
import { stemmer } from 'stemmer'

/** One position in a text: the term that stands there, and where. Wholes are extra and share their parts' position. */
export interface Term {
  term: string
  start: number
  end: number
  whole: boolean
}

/**
 * A term as it is known to this thread: the same object every time. The numbers are free for whoever counts (`text/count`):
 * comparing them is much cheaper than looking a word up.
 */
export interface Known {
  readonly term: string
  /** Of this term alone, as long as `vocabulary` returns the same. */
  readonly number: number
  /** The document that has it, and its place among that document's words. */
  document: number
  word: number
  /** The chunk that has it, and where it is counted. */
  chunk: number
  place: number
}

/** Calls back for every term in order; a whole comes right before its parts. Call `makeRoom` first, now and then. */
export function eachKnown(
  text: string,
  visit: (known: Known, whole: boolean, start: number, end: number) => void,
) {
  const length = lay(text)
  let at = 0
  while (at < length) {
    const kind = classAt(at)
    if (kind === letter) {
      const end = endOfToken(at, length)
      const { whole, parts } = remember(text, at, end, tokenHash)
      for (let i = 0; i < whole.length; i++) visit(whole[i]!, true, at, end)
      for (let i = 0; i < parts.length; i++) visit(parts[i]!, false, at, end)
      at = end
    } else if (kind === spaceless) {
      const start = at
      while (at < length && classAt(at) === spaceless) at++
      eachPair(text.slice(start, at), (pair) => visit(know(pair), false, start, at))
    } else at++
  }
}

export function terms(text: string): Term[] {
  makeRoom()
  const found: Term[] = []
  eachKnown(text, ({ term }, whole, start, end) => found.push({ term, start, end, whole }))
  return found
}

/** Words that say nothing about a subject. They are indexed (phrases need them) but not asked for on their own. */
export function isStopWord(term: string): boolean {
  return stopWords.has(term)
}

// --- Scanning: hand-written, since every byte that is indexed passes here (a regular expression took three times as long).

const other = 0
const letter = 1
const joiner = 2
const spaceless = 3
const unknown = 255

const longestWord = 128
const longestToken = 256

const classes = new Uint8Array(65536).fill(unknown)
for (let code = 0; code < 128; code++)
  classes[code] = /[A-Za-z0-9_]/.test(String.fromCharCode(code)) ? letter : other
for (const sign of ".-/@:'’\\") classes[sign.charCodeAt(0)] = joiner

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

function classify(character: string): number {
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u.test(
      character,
    )
  )
    return spaceless
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

// --- Analysis of one token, remembered: a text repeats itself.

interface Analysed {
  whole: string[]
  parts: string[]
}

interface Remembered {
  token: string
  hash: number
  whole: Known[]
  parts: Known[]
}

// A table of our own, by the hash made while scanning: a Map would need a string for every word of every text.
const tableSize = 1 << 18
const table: (Remembered | undefined)[] = new Array(tableSize).fill(undefined)
let rememberedCount = 0
const mostRemembered = 100_000
const knownTerms = new Map<string, Known>()

/** Forgets what was remembered when that is a lot. Not while counting: there a term must stay the same object. */
export function makeRoom() {
  if (rememberedCount < mostRemembered && knownTerms.size < mostRemembered) return
  table.fill(undefined)
  rememberedCount = 0
  knownTerms.clear()
  current = {}
}

let current = {}

/** Another one when what was known is forgotten. */
export function vocabulary(): object {
  return current
}

function know(term: string): Known {
  let known = knownTerms.get(term)
  if (!known) {
    known = { term, number: knownTerms.size, document: 0, word: 0, chunk: 0, place: 0 }
    knownTerms.set(term, known)
  }
  return known
}

function remember(text: string, start: number, end: number, hash: number): Remembered {
  let slot = (hash ^ (hash >>> 15)) & (tableSize - 1)
  for (;;) {
    const found = table[slot]
    if (found === undefined) break
    if (found.hash === hash && found.token.length === end - start && standsAt(start, found.token))
      return found
    slot = (slot + 1) & (tableSize - 1)
  }
  const made = analyse(text.slice(start, end), hash)
  // The table stays half empty, so that a search in it is short; a text with more new words than that goes without.
  if (end - start <= longestWord && rememberedCount < tableSize / 2) {
    table[slot] = made
    rememberedCount++
  }
  return made
}

function standsAt(start: number, token: string): boolean {
  for (let i = 0; i < token.length; i++) if (units[start + i] !== token.charCodeAt(i)) return false
  return true
}

function analyse(token: string, hash: number): Remembered {
  const { whole, parts } = analyseAnew(token)
  // A word of combining marks alone folds to nothing.
  return { token, hash, whole: whole.filter(Boolean).map(know), parts: parts.filter(Boolean).map(know) }
}

function analyseAnew(token: string): Analysed {
  if (plainWord.test(token)) return { whole: [], parts: token.length <= longestWord ? [stem(token)] : [] }
  if (/[+#]$/.test(token)) return { whole: [], parts: [fold(token)] }
  if (/^v\d/i.test(token)) return analyseAnew(token.slice(1))
  const words = token.split(/[.\-/@:'’\\]/)
  if (words.length === 1) return identifier(token)
  if (/['’]/.test(token) && words.length === 2) return contraction(words[0]!, words[1]!)
  return compound(token, words)
}

const plainWord = /^[a-z]+$/

function identifier(word: string): Analysed {
  if (word.length > longestWord) return { whole: [], parts: [] }
  const pieces = splitIdentifier(word)
  if (pieces.length < 2) return { whole: [], parts: pieces.map(normal) }
  const whole = fold(word.replaceAll('_', ''))
  return { whole: [whole], parts: pieces.map(normal) }
}

// `don't` is one word, `team's` is the team.
function contraction(word: string, rest: string): Analysed {
  return identifier(
    /^s$/i.test(rest) || rest.length > 2 ? (rest.length > 2 ? `${word}_${rest}` : word) : word + rest,
  )
}

function compound(token: string, words: string[]): Analysed {
  const whole = new Set<string>()
  if (token.length <= longestWord) whole.add(joined(token))
  if (/[/\\]/.test(token))
    for (const segment of token.split(/[/\\]/)) if (/[.\-@:]/.test(segment)) whole.add(joined(segment))
  const parts: string[] = []
  for (const word of words) {
    const inner = identifier(word)
    for (const name of inner.whole) whole.add(name)
    parts.push(...inner.parts)
  }
  return { whole: [...whole], parts }
}

// Hyphens hold one word together (`on-call` is `oncall`), unless they part numbers (`2026-01-15`).
function joined(token: string): string {
  const folded = fold(token).replaceAll('\\', '/')
  return /\d-\d/.test(folded) ? folded : folded.replace(/[-_'’]/g, '')
}

function splitIdentifier(word: string): string[] {
  if (/^\p{Lu}{2,}s$/u.test(word)) return [word.slice(0, -1)]
  return word.match(/\p{Lu}+(?![\p{Ll}])[\p{N}]*|\p{Lu}?[^\p{Lu}_]+|\p{Lu}/gu) ?? []
}

function normal(word: string): string {
  const folded = fold(word)
  return plainWord.test(folded) ? stem(folded) : folded
}

function stem(word: string): string {
  return word.length > 3 && word.length <= 40 ? stemmer(word) : word
}

/** Lower case, compatibility forms unified, accents gone. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (/^[\x00-\x7f]*$/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøłđæœıħŧ]/g, (c) => letters[c] ?? c)
}

const letters: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
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
