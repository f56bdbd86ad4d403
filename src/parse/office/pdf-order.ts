// Turns a line of a page from visual order (as it is printed) into logical order (as it is read), for Hebrew and Arabic.
// bidi-js has the Unicode algorithm; the direction of the line, blanks and loose marks are found here.
import bidiFactory from 'bidi-js'

// Its types describe a default export that Node does not see.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

/** A piece of text at a position on a line; its letters are in reading order. */
export interface Piece {
  text: string
  x: number
  width: number
  size: number
}

/** Letters that are read from the right, in any of their forms. */
export function lettersFromRight(text: string): number {
  return text.match(fromRight)?.length ?? 0
}

const rightRanges =
  '\\u0590-\\u05ff\\u0600-\\u065f\\u066a-\\u06ef\\u06fa-\\u07bf\\u0860-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff'
const fromRight = new RegExp(`[${rightRanges}]`, 'gu')
const isFromRight = new RegExp(`[${rightRanges}]`, 'u')

export function readLine(pieces: readonly Piece[]): string {
  if (!pieces.some(({ text }) => isFromRight.test(text))) return pieces.map(({ text }) => text).join('')
  const seen = tokensOf(pieces)
  const signs = seen.flatMap(({ text, kind }) => (kind === 'right' ? [text] : [...text]))
  // One code unit for each sign, of the same direction.
  const line = signs.map((sign) => (sign.length === 1 ? sign : (isFromRight.exec(sign)?.[0] ?? 'A'))).join('')
  const embedding = bidi.getEmbeddingLevels(line, startsRight(seen) ? 'rtl' : 'ltr')
  // The algorithm turns logical order into visual order, and back when it is applied again.
  const order = bidi.getReorderedIndices(line, embedding)
  const isTurned = (i: number) => embedding.levels[i]! % 2 === 1
  const as = order.map((i) => signs[i]!).join('')
  const turned = order.map((i) => (isTurned(i) ? mirrored(signs[i]!) : signs[i]!)).join('')
  return better(as, turned).normalize('NFC')
}

type Kind = 'right' | 'left' | 'number' | 'other'

interface Token {
  text: string
  kind: Kind
}

const word = /[\p{Sc}+-]?\p{Nd}+(?:[.,:/-]\p{Nd}+)*[%‰]?|(?:\p{L}\p{M}*|\p{N})+|./gsu

function tokensOf(pieces: readonly Piece[]): Token[] {
  return withBlanks(withMarks(pieces)).flatMap((text): Token[] => {
    // Letters have forms for their place in a word; the letter is meant.
    if (isFromRight.test(text)) return [{ text: text.normalize('NFKC'), kind: 'right' }]
    return (text.match(word) ?? []).map((part) => ({ text: part, kind: kindOf(part) }))
  })
}

function kindOf(text: string): Kind {
  return /\p{Nd}/u.test(text) && !/\p{L}/u.test(text)
    ? 'number'
    : /[\p{L}\p{N}]/u.test(text)
      ? 'left'
      : 'other'
}

/** From left to right. A separate diacritic comes before its letter; a blank without width is dropped. */
function withMarks(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = []
  let marks = ''
  for (const piece of pieces.toSorted((a, b) => a.x - b.x)) {
    const last = found.at(-1)
    const isNothing = piece.text.trim() === '' && piece.width < 0.05 * piece.size
    if (/^\p{M}+$/u.test(piece.text)) marks += piece.text
    else if (!isNothing && !(last && isAgain(piece, last))) {
      found.push({ ...piece, text: piece.text + marks })
      marks = ''
    }
  }
  return found
}

/** Printed twice, to look bold. */
function isAgain(piece: Piece, { text, x, size }: Piece): boolean {
  return piece.text === text && piece.x - x < 0.05 * size
}

const widestGap = 0.2

function withBlanks(pieces: readonly Piece[]): string[] {
  return pieces.flatMap(({ text, x, size }, i) => {
    const before = pieces[i - 1]
    const isApart = before && x - before.x - before.width > widestGap * size
    return isApart && !/\s$/.test(before.text) && !/^\s/.test(text) ? [' ', text] : [text]
  })
}

// A sentence ends on the side to which it is read; where no sign says so, most letters do.
function startsRight(seen: readonly Token[]): boolean {
  const shown = seen.filter(({ text }) => text.trim() !== '')
  const lettersOf = (kind: Kind) =>
    shown.reduce((sum, token) => sum + (token.kind === kind ? token.text.length : 0), 0)
  const left = lettersOf('left')
  const [first, last] = [endsSentence(shown[0]), endsSentence(shown.at(-1))]
  return left === 0 || (first === last ? lettersOf('right') >= left : first)
}

function endsSentence(token: Token | undefined): boolean {
  return token?.kind === 'other' && /[.,:;!?،؛؟]/.test(token.text)
}

const brackets = new Map([...'()[]{}<>«»‹›'].map((sign, i, all) => [sign, all[i ^ 1]!]))
const opening = '([{'

function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>«»‹›]/g, (sign) => brackets.get(sign)!)
}

// Some programs write a bracket that is read from the right as it is meant, others as it looks.
function better(as: string, turned: string): string {
  return unmatched(turned) < unmatched(as) ? turned : as
}

function unmatched(text: string): number {
  const open: string[] = []
  let count = 0
  for (const sign of text) {
    if (!brackets.has(sign) || '<>«»‹›'.includes(sign)) continue
    if (opening.includes(sign)) open.push(sign)
    else if (open.at(-1) === brackets.get(sign)) open.pop()
    else count++
  }
  return count + open.length
}
