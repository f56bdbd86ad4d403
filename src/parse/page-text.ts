// The text of a page that was converted to Markdown. It is apart from `html.ts`, which loads the converter.
import type { Parsed } from '../model/document.js'
import { withoutControls } from '../text/one-line.js'
import { parseMarkdown } from './markdown.js'

/** The name under which a page is kept that was converted once: it is not converted again. */
export const pageTextName = 'page.mdpage'

export function isPageText(path: string): boolean {
  return path.endsWith('.mdpage')
}

/** Parses the Markdown of a page. A `#` in it is a number or a colour, not a tag. */
export function parsePageText(markdown: string): Parsed {
  const parsed = parseMarkdown(withoutControls(markdown))
  return {
    ...parsed,
    format: 'html',
    links: parsed.links.filter((link) => link.kind === 'markdown'),
    tags: [],
    aliases: [],
    metadata: {},
    notes: [],
  }
}
