// The part of a passage that is shown where there is no room for all of it.

import { lineStarts } from './lines.js'
import { wordSegments } from './segments.js'
import { isStopWord, terms } from './terms.js'
import { graphemes } from './truncate.js'

export interface Excerpt {
  text: string
  /** The first and last line that is shown. */
  lines: [number, number]
}

export interface Size {
  most: number
  /** Of one text after another it is about the sum of both. */
  weigh: (text: string) => number
}

export function characters(most: number): Size {
  return { most, weigh: ({ length }) => length }
}

/**
 * As many whole lines as fit, where most of the question's words stand; of a line that is too long by itself, as many words.
 * The mark closes a text that does not go to the end of the passage.
 */
export function excerpt(passage: Excerpt, question: string, size: Size, mark = ''): Excerpt {
  const text = passage.text.trimEnd()
  const pieces = piecesOf(text, size, mark)
  const [start, far] = bestStretch(pieces, wordsIn(pieces, text, question))
  const { list } = pieces
  const upTo = (end: number) =>
    closed(
      list.slice(start, end + 1).map((piece) => piece.text),
      end < list.length - 1 ? mark : '',
    )
  let end = far
  // Together they may weigh a little more than one by one.
  while (end > start && size.weigh(upTo(end)) > size.most) end--
  const [first, last] = passage.lines
  // Neighbours that stand on one long line are joined as if they stood on several.
  const lineOf = (piece: Piece) => Math.min(last, first + piece.line)
  return {
    text: upTo(end),
    lines: [lineOf(list[start]!), lineOf(list[end]!)],
  }
}

function closed(shown: readonly string[], mark: string): string {
  const text = shown.join('')
  return mark !== '' && /[\r\n]$/.test(text) ? `${text.trimEnd()}\n${mark}` : text.trimEnd() + mark
}

interface Piece {
  text: string
  /** From 0. */
  line: number
}

/** Joined, the pieces are the text. */
interface Pieces {
  list: Piece[]
  /** What stands before each piece weighs, and at the end all of it. */
  before: number[]
  most: number
  /** What is left when the mark is there. */
  room: number
}

function piecesOf(text: string, { most, weigh }: Size, mark: string): Pieces {
  const room = most - weigh(mark)
  const starts = [...lineStarts(text), text.length]
  const list = starts.slice(1).flatMap((end, line) => {
    const whole = text.slice(starts[line], end)
    const pieces = weigh(whole) <= room ? [whole] : wordsOf(whole, room)
    return pieces
      .flatMap((piece) => (weigh(piece) <= room ? [piece] : graphemes(piece)))
      .flatMap((piece) => (weigh(piece) <= room ? [piece] : [...piece]))
      .map((piece) => ({ text: piece, line }))
  })
  const before = [0]
  for (const piece of list) before.push(before.at(-1)! + weigh(piece.text))
  return { list, before, most, room }
}

// What has no blanks in it, as Thai or data for machines, ends where a word or name ends; what is longer still is cut.
function wordsOf(line: string, room: number): string[] {
  const far = Math.max(1, Math.min(40, Math.floor(room / 6)))
  const isShort = ({ length }: string) => length <= far
  return line
    .split(/(?<=\s)(?=\S)/)
    .flatMap((run) => (isShort(run) ? [run] : segmentsOf(run)))
    .flatMap((word) => (isShort(word) ? [word] : cut(word, far)))
}

function cut(word: string, far: number): string[] {
  return isPlain(word) ? word.match(new RegExp(`.{1,${far}}`, 'gs'))! : graphemes(word)
}

// Plain names are found in a tenth of the time that the segmenter takes.
function segmentsOf(run: string): string[] {
  return isPlain(run) ? run.match(/\w+\W*|\W+/g)! : Array.from(wordSegments(run), ({ segment }) => segment)
}

function isPlain(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

/** For each piece, what of the question begins in it. */
function wordsIn({ list }: Pieces, text: string, question: string): string[][] {
  const wanted = new Set(terms(question).flatMap(({ term }) => (isStopWord(term) ? [] : [term])))
  const words = list.map((): string[] => [])
  let [at, end] = [0, list[0]?.text.length ?? 0]
  for (const { term, start } of terms(text)) {
    while (start >= end && at < list.length - 1) end += list[++at]!.text.length
    if (wanted.has(term)) words[at]!.push(term)
  }
  return words
}

// Of neighbouring stretches with the same words the one in the middle has something around them; the start of the passage,
// which says what it is, comes before any.
function bestStretch(pieces: Pieces, words: readonly string[][]): [start: number, end: number] {
  const { list } = pieces
  const isBlank = (at: number) => list[at]!.text.trim() === ''
  let first = 0
  while (first < list.length - 1 && isBlank(first)) first++
  let best = { from: first, to: first, worth: -1 }
  const shown = countingWords(words)
  // After one that goes to the end there are only parts of it.
  for (let start = first, end = first - 1; end < list.length - 1; shown.leave(start++)) {
    for (const last = lastFitting(pieces, start, end); end < last; ) shown.enter(++end)
    const worth = shown.distinct()
    if (worth > best.worth) best = { from: start, to: start, worth }
    else if (worth === best.worth && best.to === start - 1) best.to = start
  }
  let start = best.from === first ? first : (best.from + best.to) >> 1
  let end = lastFitting(pieces, start, start)
  while (end > start && isBlank(end)) end--
  while (start < end && isBlank(start)) start++
  return [start, end]
}

/** How many different words the pieces between have that came in and did not leave yet. */
function countingWords(words: readonly string[][]) {
  const counts = new Map<string, number>()
  const add = (at: number, by: 1 | -1) => {
    for (const word of words[at]!) {
      const count = (counts.get(word) ?? 0) + by
      if (count > 0) counts.set(word, count)
      else counts.delete(word)
    }
  }
  return {
    enter: (at: number) => add(at, 1),
    leave: (at: number) => add(at, -1),
    distinct: () => counts.size,
  }
}

/** At least the first; looked for from one that is known to fit. */
function lastFitting({ list, before, most, room }: Pieces, start: number, known: number): number {
  if (before[list.length]! - before[start]! <= most) return list.length - 1
  let end = Math.max(start, known)
  while (end + 1 < list.length && before[end + 2]! - before[start]! <= room) end++
  return end
}
