// Cuts text that is too long for one chunk into about equal parts, at the best places nearby.

export interface Range {
  start: number
  end: number
}

/** In characters. Pieces are close to the target; none is longer than `most`. */
export interface Sizes {
  target: number
  most: number
}

/** The sizes for prose. */
export const sizes: Sizes = { target: 1200, most: 2400 }

/** Places to cut, the best first. If none is found, any character will do. */
export type Joint = 'blank' | 'item' | 'sentence' | 'line' | 'word'

/** Equal parts, so that no small rest remains. The parts follow each other without gaps. */
export function cut(text: string, range: Range, joints: readonly Joint[], { target, most }: Sizes): Range[] {
  const pieces: Range[] = []
  let start = range.start
  while (range.end - start > target * slack) {
    const left = range.end - start
    const aim = left / Math.max(2, Math.round(left / target))
    const end = placeNear(text, joints, {
      low: Math.ceil(start + aim * 0.6),
      aim: Math.round(start + aim),
      high: Math.min(range.end, start + most, Math.floor(start + aim * 1.4)),
    })
    pieces.push({ start, end })
    start = end
  }
  pieces.push({ start, end: range.end })
  return pieces
}

const slack = 1.33

interface Window {
  low: number
  aim: number
  high: number
}

function placeNear(text: string, joints: readonly Joint[], window: Window): number {
  const within = text.slice(window.low, window.high)
  for (const joint of joints) {
    const place = nearest(within, places[joint], window)
    if (place !== null) return place
  }
  return besidePair(text, window.aim)
}

function nearest(within: string, pattern: RegExp, { low, aim }: Window): number | null {
  let best: number | null = null
  for (const match of within.matchAll(pattern)) {
    const place = low + match.index + match[0].length
    if (best !== null && Math.abs(place - aim) > Math.abs(best - aim)) break
    best = place
  }
  return best
}

const places: Readonly<Record<Joint, RegExp>> = {
  blank: /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r(?!\n))/g,
  item: /(?:\r\n|\n|\r(?!\n))(?=[ \t]{0,3}(?:[-*+]|\d{1,9}[.)])[ \t])/g,
  sentence: /(?:[.!?…]["'”’)\]*_]{0,3}\s+(?=\P{Ll})|[。！？])/gu,
  line: /\r\n|\n|\r(?!\n)/g,
  word: /\s+/g,
}

function besidePair(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  const splits = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff
  return splits ? at + 1 : at
}
