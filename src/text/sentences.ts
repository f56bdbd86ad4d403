/** One sentence, with the offset it begins at. */
export interface Sentence {
  text: string
  start: number
}

/**
 * A paragraph cut into sentences. A full stop ends one when white space and something that can open a sentence follow,
 * unless it belongs to an abbreviation, an initial or a number in a list.
 */
export function sentences(text: string): Sentence[] {
  const found: Sentence[] = []
  let from = 0
  const push = (to: number) => {
    const raw = text.slice(from, to)
    const trimmed = raw.trim()
    if (trimmed) found.push({ text: trimmed, start: from + raw.length - raw.trimStart().length })
    from = to
  }
  ending.lastIndex = 0
  for (let match = ending.exec(text); match; match = ending.exec(text)) {
    const end = match.index + match[1]!.length
    if (opens(text, match.index + match[0].length) && !continues(text, from, match.index, match[1]!))
      push(end)
  }
  push(text.length)
  return found
}

const ending = /([.!?。！？]{1,3}["'”’)\]*_`]{0,3})(?:\s+|$|(?<=[。！？]))/g

/** A capital, a digit, a quote or a mark of code can open a sentence; a small letter goes on with the last one. */
function opens(text: string, at: number): boolean {
  return at >= text.length || !/^\p{Ll}/u.test(text.slice(at, at + 2))
}

const abbreviations =
  /(?:^|[\s(["'])(?:e\.g|i\.e|etc|vs|cf|approx|incl|excl|resp|no|nr|fig|sec|dr|mr|mrs|ms|st|dept|est|al|p|pp|inc|ltd|v|[A-Z]|\d{1,3})$/i

function continues(text: string, from: number, at: number, mark: string): boolean {
  if (!mark.startsWith('.') || mark.startsWith('..')) return false
  const before = text.slice(Math.max(from, at - 12), at)
  if (/^\d{1,3}$/.test(text.slice(from, at).trim())) return true
  return abbreviations.test(before) && !/\d$/.test(before)
}
