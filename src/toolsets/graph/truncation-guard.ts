// Whether new content of a note is made from the parts of it that the writer was shown, and has nothing of the others. It
// may have been edited, and something may have been added to it: what is compared is lines and sentences, and the places
// where what was shown ends.

import type { Stretch } from '../../answer/shown-to-client.js'
import { bodyStart } from '../../graph/frontmatter.js'

/** Whether content that goes back to what was shown of a text would lose what was not. */
export function losesUnseen(text: string, shown: readonly Stretch[], content: string): boolean {
  const comparison = compare(text, shown, content)
  const lost = gapsIn(comparison).filter((gap) => lacks(comparison, gap))
  return lost.length > 0 && (keepsMost(comparison) || lost.some((gap) => meets(comparison, gap)))
}

/** The same for a writer of whom nothing is known: whether the content leaves off where a tool cuts the text. */
export function endsAtCut(text: string, cut: number, content: string): boolean {
  const comparison = compare(text, [{ start: 0, end: cut }], content)
  return gapsIn(comparison).some((gap) => meets(comparison, gap) && lacks(comparison, gap))
}

interface Comparison {
  text: string
  body: Stretch
  /** What was shown of the body. */
  shown: readonly Stretch[]
  given: string
  /** Lines and sentences of what was shown, and of the content. Few comparisons come to that, and long texts have many. */
  pieces: () => { seen: ReadonlySet<string>; kept: ReadonlySet<string> }
}

function compare(text: string, shown: readonly Stretch[], content: string): Comparison {
  const body = { start: bodyStart(text), end: text.length }
  const inBody = shown
    .map(({ start, end }) => ({ start: Math.max(start, body.start), end: Math.min(end, body.end) }))
    .filter(({ start, end }) => start < end)
  const found = () => ({
    seen: new Set(inBody.flatMap(({ start, end }) => piecesOf(text.slice(start, end)))),
    kept: new Set(piecesOf(content)),
  })
  let pieces: ReturnType<typeof found> | undefined
  return {
    text,
    body,
    shown: inBody,
    given: plain(content),
    pieces: () => {
      pieces ??= found()
      return pieces
    },
  }
}

function gapsIn({ text, body, shown }: Comparison): Stretch[] {
  const starts = [body.start, ...shown.map(({ end }) => end)]
  const ends = [...shown.map(({ start }) => start), body.end]
  return starts
    .map((start, i) => ({ start, end: ends[i]! }))
    .filter(({ start, end }) => text.slice(start, end).trim() !== '')
}

const leastKept = 80

/**
 * Whether the content has most of what was shown, or is mostly made of it: a text that is all new may begin with the same
 * heading.
 */
function keepsMost({ pieces }: Comparison): boolean {
  const { seen, kept } = pieces()
  const length = lengthOf([...seen].filter((piece) => kept.has(piece)))
  return length >= leastKept && length * 2 >= Math.min(lengthOf(seen), lengthOf(kept))
}

const edgeLength = 80
const leastEdge = 20

/** Whether the content has the words beside a gap, which stand nowhere else. */
function meets({ text, body, given }: Comparison, { start, end }: Stretch): boolean {
  const edges = [
    text.slice(Math.max(body.start, start - edgeLength), start),
    text.slice(end, Math.min(body.end, end + edgeLength)),
  ]
  const kept = edges.map(plain).filter((edge) => edge.length >= leastEdge && given.includes(edge))
  if (kept.length === 0) return false
  const whole = plain(text)
  return kept.some((edge) => whole.indexOf(edge) === whole.lastIndexOf(edge))
}

/**
 * Whether the content has hardly anything of a gap. Who goes on across its edge as the text does knows it from elsewhere,
 * and so does who has a good part of its lines: such a writer may leave out what is not wanted.
 */
function lacks(comparison: Comparison, { start, end }: Stretch): boolean {
  if (crosses(comparison, { start, end })) return false
  const { seen, kept } = comparison.pieces()
  const own = new Set(piecesOf(comparison.text.slice(start, end)).filter((piece) => !seen.has(piece)))
  return lengthOf([...own].filter((piece) => kept.has(piece))) * 4 < lengthOf(own)
}

const crossing = 40

function crosses({ text, body, shown, given }: Comparison, { start, end }: Stretch): boolean {
  const across = [
    ...(start > body.start ? [[start - crossing, Math.min(end, start + crossing)] as const] : []),
    ...(end < body.end ? [[Math.max(start, end - crossing), end + crossing] as const] : []),
  ]
  const parts = shown.map((one) => plain(text.slice(one.start, one.end)))
  return across
    .map(([from, to]) => plain(text.slice(Math.max(body.start, from), to)))
    .some((words) => given.includes(words) && !parts.some((part) => part.includes(words)))
}

function piecesOf(text: string): string[] {
  return (text.match(/[^\r\n.!?。！？]+/g) ?? [])
    .map((piece) => piece.trim())
    .filter(({ length }) => length > 2)
}

function lengthOf(pieces: Iterable<string>): number {
  let sum = 0
  for (const { length } of pieces) sum += length
  return sum
}

/** However lines end, and whatever white space is around. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim()
}
