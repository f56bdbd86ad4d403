// HTML that another converter or a book holds, as Markdown: through the same converter as pages, with the traces of
// the web taken away.
import type { Note } from '../../model/problem.js'
import { parseHtml } from '../html.js'

export function htmlText(html: string): { text: string; notes: Note[] } {
  // In `main`, nothing is taken for the surroundings of a page.
  const { text, notes } = parseHtml(`<main>${html}</main>`)
  return {
    text: text
      .split(/(^ *```[\s\S]*?^ *```)/m)
      .map(prose)
      .join('')
      .trim(),
    notes,
  }
}

/** Outside of fenced code: links within the document lead nowhere. */
function prose(text: string, index: number): string {
  if (index % 2 === 1) return text
  return text.replace(/(?<!!)\[((?:[^[\]\\]|\\.)*)\]\(#[^()\s]*\)/g, '$1').replace(/(?<![ \t])[ \t]+$/gm, '')
}
