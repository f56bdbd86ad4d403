// The part of a passage that is shown where there is no room for all of it.
import { isStopWord, terms } from './terms.js'
import { truncate, truncationMark } from './truncate.js'

export interface Excerpt {
  text: string
  /** The first and last line that is shown, from 0. */
  lines: [number, number]
}

/** As many whole lines as fit, where most of the question's words stand; what follows them is marked as left out. */
export function excerpt(text: string, question: string, most: number): Excerpt {
  const lines = text.trimEnd().split('\n')
  const [start, end] = bestStretch(lines, wordsIn(lines, question), most)
  const cut = end < lines.length - 1 ? `\n${truncationMark}` : ''
  return { text: truncate(lines.slice(start, end + 1).join('\n') + cut, most), lines: [start, end] }
}

function wordsIn(lines: readonly string[], question: string): string[][] {
  const asked = new Set(terms(question).flatMap(({ term }) => (isStopWord(term) ? [] : [term])))
  return lines.map((line) => terms(line).flatMap(({ term }) => (asked.has(term) ? [term] : [])))
}

// Of neighbouring stretches with the same words the one in the middle has something around them; the start of the passage,
// which says what it is, comes before any.
function bestStretch(
  lines: readonly string[],
  words: readonly string[][],
  most: number,
): [start: number, end: number] {
  const first = Math.max(
    0,
    lines.findIndex((line) => line.trim() !== ''),
  )
  let best = { from: first, to: first, worth: -1 }
  for (let start = first; start < lines.length; start++) {
    const worth = new Set(words.slice(start, lastFitting(lines, start, most) + 1).flat()).size
    if (worth > best.worth) best = { from: start, to: start, worth }
    else if (worth === best.worth && best.to === start - 1) best.to = start
  }
  const start = best.from === first ? first : (best.from + best.to) >> 1
  return [start, lastFitting(lines, start, most)]
}

/** At least the first: a line that is too long by itself is cut. */
function lastFitting(lines: readonly string[], start: number, most: number): number {
  let length = lines[start]!.length
  let end = start
  while (end + 1 < lines.length) {
    length += 1 + lines[end + 1]!.length
    const mark = end + 2 < lines.length ? truncationMark.length + 1 : 0
    if (length + mark > most) break
    end++
  }
  while (end > start && lines[end]!.trim() === '') end--
  return end
}
