// Where the text of a page is. The main part of a page built by scripts may be an empty shell; then everything counts.
import type { Element } from './html-tree.js'
import { attribute, find, hasClass, isHidden, textOf } from './html-tree.js'

export interface MainPart {
  parts: Element[]
  /** The page says that this is its text; otherwise it is all there is, with what surrounds a text. */
  named: boolean
}

export function mainPart(root: Element): MainPart {
  const body = find(root, (element) => element.name === 'body')[0] ?? root
  const whole = lengthOf(body)
  for (const isMain of mains) {
    const found = find(body, isMain)
    if (found.length > 0 && found.length <= mostParts && lengthOf(found[0]!) > whole * leastShare)
      return { parts: together(found), named: true }
  }
  return { parts: [body], named: false }
}

// More articles than this are cards beside the text as often as they are the text.
const mostParts = 3
const leastShare = 0.2
const mains: ((element: Element) => boolean)[] = [
  ({ name }) => name === 'main',
  (element) => attribute(element, 'role') === 'main',
  ({ name }) => name === 'article',
  (element) => ['content', 'main-content', 'main'].includes(attribute(element, 'id')),
  (element) => hasClass(element, new Set(['markdown-body'])),
]

/** Posts of a blog, versions of a changelog: all of them, and what stands between those that stand side by side. */
function together(found: Element[]): Element[] {
  const shown = found.filter((element) => !isHidden(element))
  const parts = shown.length > 0 ? shown : found
  const parent = parts[0]!.parent
  const areSiblings = parts.length > 1 && parts.every((part) => part.parent === parent)
  return areSiblings && parent ? [parent] : parts
}

function lengthOf(element: Element): number {
  return textOf(element).replace(/\s+/g, ' ').length
}
