// Reads the decision, its context and its consequences.
import { sentences } from '../../text/sentences.js'
import type { Adr, Sentence } from './adr.js'
import { cellsOf, type Page, type Part, type Piece, textOf } from './page.js'
import { plain } from './plain.js'
import { type Role, roleOf } from './roles.js'
import { isBareStatus } from './statuses.js'

/** The sentences in parts of this role; without such parts, of labelled paragraphs below the title. */
export function sentencesUnder(page: Page, role: Role): Sentence[] {
  const found = piecesUnder(page, role)
  return (found.length > 0 ? found : labelled(page.parts[0]!.pieces, role)).flatMap(sentencesIn)
}

function piecesUnder(page: Page, role: Role): Piece[] {
  return page.parts.filter((part) => part.role === role).flatMap(({ pieces }) => pieces)
}

/** The sentences of a piece, each with the line it begins on. */
function sentencesIn(piece: Piece): Sentence[] {
  if (piece.kind === 'row') return []
  const text = textOf(piece)
  const ends = lineEnds(piece)
  let at = 0
  return sentences(text).map((one) => {
    while (at < ends.length - 1 && ends[at]! <= one.start) at++
    return { text: one.text, line: piece.lines[at]!.line }
  })
}

/** The end of each line within the piece's joined text. Markup that spans two lines may shift it slightly. */
function lineEnds(piece: Piece): number[] {
  if (piece.lines.length === 1) return [0]
  let end = 0
  return piece.lines.map(({ text }) => {
    const length = plain(text).length
    end += length === 0 ? 0 : length + 1
    return end
  })
}

export function decisionOf(page: Page, metadataLines: ReadonlySet<number>): Adr['decision'] {
  const parts = page.parts.filter((part) => part.role === 'decision')
  const pieces = parts.flatMap(piecesOfDecision)
  if (pieces.length > 0) return pieces.every(isOpen) ? null : decisionFrom(pieces, parts[0]!)
  const led = labelled(
    page.parts.flatMap((part) => part.pieces),
    'decision',
  )
  if (led.length > 0) return decisionFrom(led, led[0]!.part)
  const body = page.parts[0]!.pieces.filter(
    (piece) =>
      piece.kind === 'paragraph' &&
      !piece.lines.some(({ line }) => metadataLines.has(line)) &&
      !isNotice(textOf(piece)),
  )
  const hasContext = page.parts.some((part) => part.role === 'context')
  return body.length > 0 && !hasContext ? decisionFrom(body, page.parts[0]!) : null
}

/** The decision is still a placeholder. */
function isOpen(piece: Piece): boolean {
  const text = textOf(piece)
  return (
    /^[^\p{L}\p{N}]*(?:tb[acd]|to be (?:decided|done|determined)|todo|n\/a|none|pending)?[^\p{L}\p{N}]*$/iu.test(
      text,
    ) || isBareStatus(text)
  )
}

/** "Replaced by ADR-9." and "Technical story: #12" are no part of the decision. */
function isNotice(text: string): boolean {
  return /^\W*(?:technical story|(?:note\W+)?(?:this \w+ (?:is|was|has been) )?(?:superseded|replaced|deprecated|obsoleted))\b/i.test(
    text,
  )
}

/** "Decision: use Redis" as a heading says it as well. */
function piecesOfDecision(part: Part): Piece[] {
  const heading: Piece[] =
    part.own === 'decision' && part.rest
      ? [
          {
            kind: 'paragraph',
            lines: [{ text: part.rest, line: part.line }],
            line: part.line,
            depth: 0,
            ordinal: null,
            part,
          },
        ]
      : []
  return [...heading, ...part.pieces]
}

/** Paragraphs that begin with the name of a part ("**Decision:** …"), for records without such a heading. */
function labelled(pieces: readonly Piece[], role: Role): Piece[] {
  return pieces.filter((piece) => {
    const [, label] = /^([^:：]{2,40}?)\s*[:：]/.exec(textOf(piece)) ?? []
    return label !== undefined && roleOf(label).role === role
  })
}

function decisionFrom(pieces: readonly Piece[], part: Part): NonNullable<Adr['decision']> {
  const sentences = pieces.flatMap(sentencesIn).slice(0, 400)
  const text = pieces
    .filter(({ kind }) => kind !== 'row')
    .map(textOf)
    .join('\n')
    .slice(0, 20_000)
  return { text, line: sentences[0]?.line ?? part.line, sentences }
}

export function consequencesOf(page: Page): Adr['consequences'] {
  if (!page.parts.some(({ role }) => role === 'consequences'))
    return sentencesUnder(page, 'consequences').slice(0, 400)
  return piecesUnder(page, 'consequences')
    .filter((piece) => !isOpen(piece) && sideLabelled(textOf(piece)) === null)
    .flatMap(sentencesIn)
    .slice(0, 400)
}

/** Styles differ in their headings, and rules may be under any of them, or in a table of the decision. */
export function elsewhereIn({ parts: [, ...parts] }: Page): Sentence[] {
  return parts
    .flatMap(({ role, pieces }) => {
      const rows = pieces.filter(isBodyRow).map(rowSentence)
      if (role === 'decision') return rows
      return role === null || role === 'confirmation' ? [...pieces.flatMap(sentencesIn), ...rows] : []
    })
    .slice(0, 400)
}

function isBodyRow({ kind, line, table }: Piece): boolean {
  return kind === 'row' && table?.line !== line
}

/** The row as written, without the outer bars. */
function rowSentence({ lines, line }: Piece): Sentence {
  const cells = cellsOf(lines[0]!.text).map(plain)
  return { text: cells.filter(Boolean).join(' | '), line }
}

// Recognises the labels of arguments ("Pros", "Negative consequences") in headings, columns and separate lines.

type Side = 'good' | 'bad' | 'neutral'

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
  const [, label = '', colon] =
    /^[^\p{L}\p{N}]*([^:：,.!?]{2,40}?)\s*([:：]?)[^\p{L}\p{N}]*$/u.exec(text) ?? []
  const [first = '', ...rest] = label.split(/\s+/)
  if (rest.length > (colon ? 4 : 1)) return null
  return colon || rest.every((word) => noun.test(word)) ? leads(first) : null
}

const noun =
  /^(?:consequences?|impacts?|effects?|implications?|outcomes?|aspects?|points?|sides?|folgen|auswirkungen|aspekte)$/i

function leads(text: string): Side | null {
  return leading.find(([, words]) => words.test(text))?.[0] ?? null
}
