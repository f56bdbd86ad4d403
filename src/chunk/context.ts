import { truncate } from '../text/truncate.js'

const longestPart = 120

/** Title and headings on one line. The title is left out when the first heading repeats it. */
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

/** The text that is embedded for a chunk: the context line, then the chunk's text. */
export function meaningOf(context: string, text: string): string {
  return `${context}\n${text}`
}
