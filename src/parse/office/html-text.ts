// Converts HTML from another converter or a book to Markdown, with the same converter as pages, and removes the traces of
// the web.
import type { Note } from '../../model/problem.js'
import { parseHtml } from '../html.js'

export function htmlText(html: string): { text: string; notes: Note[] } {
  // In `main`, nothing is mistaken for a page's navigation.
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
  return withoutInnerLinks(text).replace(/(?<![ \t])[ \t]+$/gm, '')
}

/** `[label](#place)` as its label. Every bracket is looked at once, however many are escaped or left open. */
function withoutInnerLinks(text: string): string {
  const parts: string[] = []
  // The offset of the last open bracket that starts a label, and the start of the text not yet copied.
  let [opened, from] = [-1, 0]
  for (const { 0: sign, index } of text.matchAll(/\\.|!?\[|\](?:\(#[^()\s]*\))?/g)) {
    if (sign === '[') opened = index
    else if (sign === '![') opened = -1
    else if (sign.length === 1 || (sign.startsWith(']') && opened < 0)) opened = -1
    else if (sign.startsWith(']')) {
      parts.push(text.slice(from, opened), text.slice(opened + 1, index))
      from = index + sign.length
      opened = -1
    }
  }
  return parts.join('') + text.slice(from)
}
