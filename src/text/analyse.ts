// What one token of a text means: the terms it stands for.
import { stemmer } from 'stemmer'
import { nuktas, unseen, vowelMarked } from './scripts.js'

export interface Analysed {
  /** The token as one term, where its parts are terms too. */
  whole: string[]
  parts: string[]
}

export const longestWord = 128

export function analyse(token: string): Analysed {
  if (/^[A-Z]?[a-z]+$/.test(token))
    return { whole: [], parts: token.length <= longestWord ? [stem(token.toLowerCase())] : [] }
  if (hasUnseen.test(token)) return analyseSeen(token)
  if (/[+#]$/.test(token)) return { whole: [], parts: [fold(token)] }
  if (/^v\d/i.test(token)) return analyse(token.slice(1))
  const words = token.split(/[.\-/@:'’\\]/)
  if (words.length === 1) return identifier(token)
  if (words.length === 2 && /['’]/.test(token)) return contraction(words[0]!, words[1]!)
  return compound(token, words)
}

const hasUnseen = new RegExp(`[${unseen}]`)

// What is left may begin or end with joiners, or have two in a row where the token had one.
function analyseSeen(token: string): Analysed {
  const all = (withoutUnseen(token).match(tokens) ?? []).map(analyse)
  return { whole: all.flatMap(({ whole }) => whole), parts: all.flatMap(({ parts }) => parts) }
}

const tokens = /[\p{L}\p{N}\p{M}_]+(?:[.\-/@:'’\\][\p{L}\p{N}\p{M}_]+)*/gu

const plainWord = /^[a-z]+$/

function identifier(word: string): Analysed {
  if (word.length > longestWord) return { whole: [], parts: [] }
  if (plainWord.test(word)) return { whole: [], parts: [stem(word)] }
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
    for (const part of inner.parts) parts.push(part)
  }
  return { whole: [...whole], parts }
}

// Hyphens hold one word together (`on-call` is `oncall`), unless they part numbers (`2026-01-15`).
function joined(token: string): string {
  const folded = fold(token).replaceAll('\\', '/')
  return /\d-\d/.test(folded) ? folded : folded.replace(/[-_'’]/g, '')
}

// The same twice: classes of Unicode take three times as long as ranges of ASCII.
function splitIdentifier(word: string): string[] {
  if (isAscii.test(word)) {
    if (/^[A-Z]{2,}s$/.test(word)) return [word.slice(0, -1)]
    return word.match(/[A-Z]+(?![a-z])[0-9]*|[A-Z]?[^A-Z_]+|[A-Z]/g) ?? []
  }
  if (acronyms.test(word)) return [word.slice(0, -1)]
  return word.match(namePieces) ?? []
}

// The accent of a capital may be a mark behind it.
const capital = '(?:\\p{Lu}\\p{M}*)'
const acronyms = new RegExp(`^${capital}{2,}s$`, 'u')
const namePieces = new RegExp(
  `${capital}+(?![\\p{Ll}\\p{M}])\\p{N}*|${capital}?[^\\p{Lu}_]+|${capital}`,
  'gu',
)

const isAscii = /^[\x00-\x7f]*$/

function normal(word: string): string {
  const folded = fold(word)
  return plainWord.test(folded) ? stem(folded) : folded
}

export function stem(word: string): string {
  return word.length > 3 && word.length <= 40 ? stemmer(word) : word
}

/** As it reads: without what may stand inside a word and is not seen. */
export function withoutUnseen(text: string): string {
  return text.replace(unseenSigns, '')
}

const unseenSigns = new RegExp(`[${unseen}]+`, 'g')

/** Lower case, compatibility forms unified, accents gone. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isAscii.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(accents, '')
    .replace(/[ßøłđæœıħŧς]/g, (c) => letters[c] ?? c)
}

const accents = new RegExp(`(?![${vowelMarked}])\\p{M}|[${nuktas}]`, 'gu')

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
  ς: 'σ',
}
