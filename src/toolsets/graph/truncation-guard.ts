// Detects new content of a note that was made from the parts that the writer was shown and lacks the others. The writer may
// have edited or extended it, so lines and sentences are compared, and the places where the shown parts end.

import type { Stretch } from '../../answer/shown-to-client.js'
import { bodyStart } from '../../graph/frontmatter.js'

/** Whether content was made from the shown stretches of a text and would lose the others. */
export function losesUnseen(text: string, shown: readonly Stretch[], content: string): boolean {
  const comparison = compare(text, shown, content)
  const lost = gapsIn(comparison).filter((gap) => lacks(comparison, gap))
  return lost.length > 0 && (keepsMost(comparison) || lost.some((gap) => meets(comparison, gap)))
}

/** The same if it is unknown what the writer was shown: whether the content ends where a tool cuts the text. */
export function endsAtCut(text: string, cut: number, content: string): boolean {
  const comparison = compare(text, [{ start: 0, end: cut }], content)
  return gapsIn(comparison).some((gap) => meets(comparison, gap) && lacks(comparison, gap))
}

interface Comparison {
  text: string
  body: Stretch
  /** The stretches of the body that were shown. */
  shown: readonly Stretch[]
  given: string
  /**
   * Lines and sentences of the shown stretches and of the content. Lazy: few comparisons need them, and a long text has
   * many.
   */
  pieces: () => { seen: ReadonlySet<string>; written: ReadonlySet<string> }
}

function compare(text: string, shown: readonly Stretch[], content: string): Comparison {
  const body = { start: bodyStart(text), end: text.length }
  const inBody = shown
    .map(({ start, end }) => ({ start: Math.max(start, body.start), end: Math.min(end, body.end) }))
    .filter(({ start, end }) => start < end)
  const found = () => ({
    seen: new Set(inBody.flatMap(({ start, end }) => piecesOf(text.slice(start, end)))),
    written: new Set(piecesOf(content)),
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

const leastShared = 80

/**
 * Whether the content has most of the shown text, or consists mostly of it. The same heading alone is no evidence: a new
 * text may begin with it, too.
 */
function keepsMost({ pieces }: Comparison): boolean {
  const { seen, written } = pieces()
  const length = lengthOf([...seen].filter((piece) => written.has(piece)))
  return length >= leastShared && length * 2 >= Math.min(lengthOf(seen), lengthOf(written))
}

const edgeLength = 80
const leastEdge = 20

/** Whether the content has the words next to a gap, if the text has them only there. */
function meets({ text, body, given }: Comparison, { start, end }: Stretch): boolean {
  const edges = [
    text.slice(Math.max(body.start, start - edgeLength), start),
    text.slice(end, Math.min(body.end, end + edgeLength)),
  ]
  const present = edges.map(plain).filter((edge) => edge.length >= leastEdge && given.includes(edge))
  if (present.length === 0) return false
  const whole = plain(text)
  return present.some((edge) => whole.indexOf(edge) === whole.lastIndexOf(edge))
}

/**
 * Whether the content has hardly anything of a gap. Content that continues across the gap's edge as the text does, or has a
 * good part of its lines, comes from a writer who knows it from elsewhere and may leave parts out.
 */
function lacks(comparison: Comparison, { start, end }: Stretch): boolean {
  if (crosses(comparison, { start, end })) return false
  const { seen, written } = comparison.pieces()
  const own = new Set(piecesOf(comparison.text.slice(start, end)).filter((piece) => !seen.has(piece)))
  return lengthOf([...own].filter((piece) => written.has(piece))) * 4 < lengthOf(own)
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
