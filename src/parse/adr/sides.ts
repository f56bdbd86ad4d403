// On which side of an argument something stands: one list of words for headings, labels and what opens a point.
import { type Piece, textOf } from './page.js'

export type Side = 'good' | 'bad' | 'neutral'

const spaced: Readonly<Record<Side, string>> = {
  good: 'pros?|good|positives?|advantages?|benefits?|upsides?|strengths?|gut|vorteile?|positiv(?:e[nrs]?)?|avantages?|positi(?:fs?|ves?)|ventajas?|prós?|vantage(?:m|ns)|positiv[ao]s?|vantaggi[o]?|positivi|zalet[ay]|pozytywn\\p{L}+|плюсы?|преимуществ[ао]|положительн\\p{L}+',
  bad: 'cons?|bad|negatives?|disadvantages?|drawbacks?|downsides?|weakness(?:es)?|risks?|schlecht|nachteile?|risiken|negativ(?:e[nrs]?)?|inconvénients?|désavantages?|négati(?:fs?|ves?)|risques?|contras?|desventajas?|inconvenientes?|riesgos?|desvantage(?:m|ns)|riscos?|negativ[ao]s?|svantaggi[o]?|contro|rischi[o]?|negativi|wad[ay]|ryzyk[ao]|negatywn\\p{L}+|минусы?|недостат(?:ок|ки)|отрицательн\\p{L}+|риски?',
  neutral: 'neutral\\p{L}{0,3}|neutre|neutr[ao]s?|interesting|нейтральн\\p{L}+',
}

// Chinese, Japanese and Korean put no space around them.
const signs: Readonly<Record<Side, string>> = {
  good: '优点|优势|正面|积极|好处|利点|(?<!デ)メリット|長所|ポジティブ|장점|긍정적',
  bad: '缺点|劣势|负面|消极|风险|欠点|デメリット|短所|ネガティブ|단점|부정적',
  neutral: '中性|中立|중립',
}

const sides = ['good', 'bad', 'neutral'] as const

function patterns(form: (side: Side) => string): readonly [Side, RegExp][] {
  return sides.map((side) => [side, new RegExp(form(side), 'iu')])
}

const within = patterns((side) => `(?<!\\p{L})(?:${spaced[side]})(?!\\p{L})|${signs[side]}`)
const leading = patterns((side) => `^[^\\p{L}\\p{N}]*(?:(?:${spaced[side]})(?!\\p{L})|(?:${signs[side]}))`)

/** The side that a heading or the head of a column names; none where it names both. */
export function sideNamed(heading: string): Side | null {
  const [side, other] = within.flatMap(([one, words]) => (words.test(heading) ? one : []))
  return side && !other ? side : null
}

/** A line that says no more than what side the lines below it are on: "Pros:", "**Negative consequences**", "➕ Pros". */
export function sideLabelled(text: string): Side | null {
  if (text.length > 60) return null
  const [, said = '', colon] =
    /^[^\p{L}\p{N}]*([^:：,.!?]{2,40}?)\s*([:：]?)[^\p{L}\p{N}]*$/u.exec(text) ?? []
  const [first = '', ...rest] = said.split(/\s+/)
  if (rest.length > (colon ? 4 : 1)) return null
  return colon || rest.every((word) => noun.test(word)) ? leads(first) : null
}

const noun =
  /^(?:consequences?|impacts?|effects?|implications?|outcomes?|aspects?|points?|sides?|folgen|auswirkungen|aspekte)$/i

/** The side that a point opens with: "Good, because …", "Pros: …", "(+) …", "✅ …". */
export function sideOfText(text: string): Side | null {
  for (const [side, marks] of opened) if (marks.test(text)) return side
  const [label] = /^(?:[^\s:：,]{2,20}(?=[:：,])|[^:：,]{2,30}(?=[:：]))/.exec(text) ?? []
  return label && label.split(/\s+/).length <= 2 ? leads(label) : null
}

/** A point without the words that say on which side it is. */
export function pointOf(text: string): string {
  if (!sideOfText(text)) return text
  const rest = text
    .replace(/^\s*(?:\([+-]\)|[+−-](?=\s))\s*/, '')
    .replace(
      /^[^\p{L}\p{N}]*(?:(?:good|bad|neutral|pros?|cons?|ok|interesting)(?![\p{L}])|[^:：,]{2,30}[:：])[\s,:;.：–—-]*/iu,
      '',
    )
    .replace(/^because\s+/i, '')
  return rest || text
}

function leads(text: string): Side | null {
  return leading.find(([, words]) => words.test(text))?.[0] ?? null
}

// "Good people are needed" is no argument; "Risk of fire" is.
const judged = '(?=\\s+because\\b|\\s*[,:;.–—-]|$|\\p{Extended_Pictographic})'
const marked = '(?=[\\s,:;.–—-]|$|\\p{Extended_Pictographic})'
const opened: readonly [Side, RegExp][] = [
  [
    'good',
    new RegExp(
      `^(?:(?:good|pro)${judged}|(?:positive|benefit|advantage|\\+|✅|👍|✔)${marked}|\\(\\+\\))`,
      'iu',
    ),
  ],
  [
    'bad',
    new RegExp(
      `^(?:(?:bad|con)${judged}|(?:negative|drawback|disadvantage|risk|−|❌|👎|✖)${marked}|\\(-\\)|-\\s)`,
      'iu',
    ),
  ],
  ['neutral', new RegExp(`^(?:neutral|interesting|ok)${judged}`, 'iu')],
]

export interface Sided {
  piece: Piece
  side: Side | null
}

/** Every piece that is no label, with the side of the label above it. What begins something new has none. */
export function sided(pieces: readonly Piece[], begins: (piece: Piece) => boolean = () => false): Sided[] {
  const all: Sided[] = []
  let label: { piece: Piece; side: Side } | null = null
  let last: Piece | null = null
  for (const piece of pieces) {
    const isNew = begins(piece)
    const side = isNew ? null : sideLabelled(textOf(piece))
    if (side) label = { piece, side }
    else {
      if (isNew || (label && last && endsLabel(label.piece, last, piece))) label = null
      all.push({ piece, side: label?.side ?? null })
    }
    last = piece
  }
  return all
}

/** The next item beside a label that has items of its own, or what follows the list below a label. */
function endsLabel(label: Piece, last: Piece, piece: Piece): boolean {
  if (label.kind === 'item')
    return (
      piece.kind !== 'item' || piece.depth < label.depth || (piece.depth === label.depth && last !== label)
    )
  return piece.kind === 'paragraph' && (last.kind === 'item' || /[:：]\s*$/.test(textOf(piece)))
}
