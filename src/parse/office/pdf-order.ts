// A page shows its words where they stand; Hebrew and Arabic are read from the right. Here a line as it is seen becomes a
// line as it is read: words from right to left, numbers and words of other scripts among them as they are.

/** What stands at a place of a line; its own letters are in the order in which they are read. */
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
  const read = startsRight(seen) ? readFromRight(seen) : readFromLeft(seen)
  return better(read.map(({ text }) => text).join(''), read.map(mirrored).join('')).normalize('NFC')
}

type Kind = 'right' | 'left' | 'number' | 'other'

interface Token {
  text: string
  kind: Kind
  /** Whether it is read with its neighbours from the right. */
  turned: boolean
}

const word = /[\p{Sc}+-]?\p{Nd}+(?:[.,:/-]\p{Nd}+)*[%‰]?|(?:\p{L}\p{M}*|\p{N})+|./gsu

function tokensOf(pieces: readonly Piece[]): Token[] {
  return withBlanks(withMarks(pieces)).flatMap((text): Token[] => {
    // Letters have forms for their place in a word; the letter is meant.
    if (isFromRight.test(text)) return [{ text: text.normalize('NFKC'), kind: 'right', turned: true }]
    return (text.match(word) ?? []).map((part) => ({ text: part, kind: kindOf(part), turned: false }))
  })
}

function kindOf(text: string): Kind {
  return /\p{Nd}/u.test(text) && !/\p{L}/u.test(text)
    ? 'number'
    : /[\p{L}\p{N}]/u.test(text)
      ? 'left'
      : 'other'
}

/** From left to right. A mark that is set by itself stands before its letter here; a blank without width is none. */
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

function readFromRight(seen: readonly Token[]): Token[] {
  const around = neighbours(seen)
  for (const [i, token] of seen.entries())
    if (token.kind === 'other') token.turned = !isWithinLeft(around[i]!)
  closeBrackets(seen)
  return runsOf(seen)
    .reverse()
    .flatMap((run) => (run[0]!.turned ? run.toReversed() : run))
}

/** Between words from the left, or such a word and a number. Numbers in a row are read from the right. */
function isWithinLeft(around: Around): boolean {
  return around.every((kind) => kind === 'left' || kind === 'number') && around.includes('left')
}

function readFromLeft(seen: readonly Token[]): Token[] {
  const around = neighbours(seen)
  for (const [i, token] of seen.entries())
    if (token.kind === 'other' || token.kind === 'number')
      token.turned = around[i]!.every((kind) => kind === 'right')
  return runsOf(seen).flatMap((run) => (run[0]!.turned ? run.toReversed() : run))
}

type Around = [before: Kind | null, after: Kind | null]

/** For each token, of which kind the nearest word or number is on either side. */
function neighbours(seen: readonly Token[]): Around[] {
  const around = seen.map((): Around => [null, null])
  const look = (side: 0 | 1, order: readonly number[]) => {
    let nearest: Kind | null = null
    for (const i of order) {
      around[i]![side] = nearest
      if (seen[i]!.kind !== 'other') nearest = seen[i]!.kind
    }
  }
  const order = [...seen.keys()]
  look(0, order)
  look(1, order.reverse())
  return around
}

function runsOf(seen: readonly Token[]): Token[][] {
  const runs: Token[][] = []
  for (const token of seen) {
    const last = runs.at(-1)
    if (last?.at(-1)?.turned === token.turned) last.push(token)
    else runs.push([token])
  }
  return runs
}

const brackets = new Map([...'()[]{}<>«»‹›'].map((sign, i, all) => [sign, all[i ^ 1]!]))
const opening = '([{'
const mostBetween = 500

/** A bracket at the edge of words from the left that is open among them belongs to them. */
function closeBrackets(seen: readonly Token[]) {
  const open: { sign: string; at: number }[] = []
  for (const [at, { text }] of seen.entries()) {
    if (opening.includes(text)) open.push({ sign: text, at })
    else if (brackets.has(text) && open.at(-1)?.sign === brackets.get(text)) {
      const { at: from } = open.pop()!
      const inside = seen.slice(from + 1, Math.min(at, from + mostBetween))
      if (inside.some(({ kind }) => kind === 'right') || !inside.some(({ kind }) => kind === 'left')) continue
      if (!seen[from]!.turned || !seen[at]!.turned) seen[from]!.turned = seen[at]!.turned = false
    }
  }
}

function mirrored({ text, turned }: Token): string {
  return turned ? text.replace(/[()[\]{}<>«»‹›]/g, (sign) => brackets.get(sign)!) : text
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
