import { truncate } from '../text/truncate.js'

const longestPart = 120

/** Title and headings on one line. The title is not said twice when the first heading repeats it. */
export function contextLine(title: string, headings: readonly string[]): string {
  const repeats = headings.length > 0 && headings[0]!.toLowerCase() === title.toLowerCase()
  let line = part(title)
  for (let i = repeats ? 1 : 0; i < headings.length; i++) {
    if (headings[i] !== '') line += line === '' ? part(headings[i]!) : ` › ${part(headings[i]!)}`
  }
  return line
}

function part(text: string): string {
  return truncate(text, longestPart, '…')
}

/** What an embedder reads of a chunk: the context line, then the passage. */
export function meaningOf(context: string, text: string): string {
  return `${context}\n${text}`
}
