// About how many tokens a model would read, for budgets. It goes by how tokenizers cut: a word with the blank before it, a
// change of case inside a name, three digits, a run of signs, the bytes of a rare script. The weights were fitted to prose,
// code, data and forty languages, as the dearer of two common tokenizers (o200k and cl100k) counts them, and rounded up:
// English is at most a tenth too dear, and what machines write (hex, base64, tables of numbers) hardly ever too cheap.
import type { Size } from './excerpt.js'

/** Costs no table of merges, and errs on the high side. */
export function estimateTokens(text: string): number {
  return Math.ceil(walk(text).weight / token)
}

/** As large as a text may be that stays within a number of tokens: in characters of prose, near four to a token. */
export function tokens(most: number): Size {
  return { most: most * charactersOfProse, weigh: (text) => (walk(text).weight / token) * charactersOfProse }
}

const charactersOfProse = 3.6

/** The most characters of a text that stay within a number of tokens. */
export function charactersWithin(text: string, tokens: number): number {
  return walk(text, tokens * token).end
}

/** Weights are in parts of a token. */
const token = 100

const [blank, lineEnd, sign, digit, small, capital, other] = [0, 1, 2, 3, 4, 5, 6]

/** Character by character, so that a longer text never weighs less. */
function walk(text: string, most = Number.POSITIVE_INFINITY): { weight: number; end: number } {
  let weight = 0
  let [kind, run, before] = [blank!, 0, 0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const next = code < kinds.length ? kinds[code]! : other!
    const continues = next === kind || (next === small && kind === capital)
    run = continues ? run + 1 : 1
    if (next === other) weight += weightOfOther(code)
    else weight += continues ? further(next, run, code === before) : first(next, kind)
    if (code > 0xbf && next !== other) weight += code < 0x100 ? 220 : 270
    if (weight > most) return { weight, end: i }
    kind = next
    before = code
  }
  return { weight, end: text.length }
}

/** What the first character of a kind costs, after one of another kind. */
function first(kind: number, before: number): number {
  switch (kind) {
    case blank:
      return 0
    case lineEnd:
      return before === sign ? 0 : 100
    case sign:
      return 88
    // A blank goes with the word that follows it, but not with a number.
    case digit:
      return before === blank ? 190 : 110
    case small:
      return before === digit ? 108 : before === sign ? 90 : 80
    default:
      return before === small ? 220 : before === digit ? 105 : 140
  }
}

/** What one more of the same kind costs. */
function further(kind: number, run: number, again: boolean): number {
  switch (kind) {
    case blank:
      return run === 2 ? 40 : 2
    case lineEnd:
      return run === 2 ? 0 : 10
    case sign:
      return again ? (run > 4 ? 6 : 40) : 74
    case digit:
      return run % 3 === 1 ? 110 : 0
    case small:
      return run <= 6 ? 0 : run <= 10 ? 46 : run <= 16 ? 10 : 60
    default:
      return run <= 4 ? 0 : run <= 10 ? 25 : 55
  }
}

const kinds = Uint8Array.from({ length: 0x250 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (character === '\n' || character === '\r') return lineEnd!
  if (character === ' ' || character === '\t') return blank!
  if (code >= 0x80 && code < 0xc0) return other!
  if (/\p{Nd}/u.test(character)) return digit!
  if (/\p{Lu}/u.test(character)) return capital!
  return /\p{L}/u.test(character) ? small! : sign!
})

function weightOfOther(code: number): number {
  let [low, high] = [0, scripts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (scripts[middle]![0] <= code) low = middle
    else high = middle - 1
  }
  return scripts[low]![1]
}

/** From which character on one costs how much, per unit of UTF-16. What no tokenizer has words for costs its bytes. */
const scripts: readonly (readonly [from: number, weight: number])[] = [
  [0x80, 150],
  [0x250, 200],
  // Greek and Cyrillic.
  [0x370, 105],
  [0x400, 62],
  [0x530, 200],
  // Hebrew and Arabic.
  [0x590, 118],
  [0x600, 95],
  [0x700, 250],
  // Devanagari, Bengali, and the other scripts of India, of which cl100k knows Tamil best.
  [0x900, 135],
  [0x980, 140],
  [0xa00, 195],
  [0xb80, 152],
  [0xc00, 195],
  [0xd80, 210],
  // Thai, Lao and its neighbours, Georgian, Ethiopic, Khmer.
  [0xe00, 105],
  [0xe80, 215],
  [0x10a0, 200],
  [0x1100, 250],
  [0x1200, 300],
  [0x1400, 250],
  [0x1780, 175],
  [0x1800, 250],
  [0x1e00, 150],
  // Dashes and quotation marks, currencies, arrows, mathematics, boxes, other symbols.
  [0x2000, 105],
  [0x2070, 150],
  [0x2190, 130],
  [0x2200, 250],
  [0x2500, 100],
  [0x2580, 150],
  [0x2800, 250],
  // Chinese and Japanese signs, kana, Chinese, Korean.
  [0x3000, 105],
  [0x3100, 250],
  [0x4e00, 122],
  [0xa000, 250],
  [0xac00, 118],
  // Halves of what is beyond, most of it pictures.
  [0xd800, 200],
  [0xd83c, 145],
  [0xd83f, 255],
  [0xdc00, 145],
  [0xe000, 250],
  // Wide forms.
  [0xff00, 150],
  [0xfff0, 100],
]
