import type { Parsed } from '../model/document.js'
import { withoutControls } from '../text/controls.js'
import { parseMarkdown } from './markdown.js'

/** The name under which a page is kept that was converted once: it is not converted again. */
export const pageTextName = 'page.mdpage'

export function isPageText(path: string): boolean {
  return path.endsWith('.mdpage')
}

/** The Markdown of a page, read as a page: what shows of it. A hash in it is a number or a colour, not a tag. */
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
