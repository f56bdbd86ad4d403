// The parts of a page that are left out: navigation, controls, and hidden elements.
import {
  attribute,
  type Element,
  find,
  hasClass,
  isElement,
  isHidden,
  type Node,
  textOf,
} from './html-tree.js'

export interface Around {
  /** In the main part of a page that says which part that is. */
  named: boolean
  inHeading: boolean
  /** In a heading or term that has nothing but buttons and permalinks. */
  bare: boolean
}

export function isDropped(element: Element, around: Around): boolean {
  const { name } = element
  if (isTool(element)) return !(around.bare && words.test(textOf(element)))
  if (isTick(element) || isOfQuote(element)) return isHidden(element)
  if (dropped.has(name) || isHidden(element) || droppedRoles.has(attribute(element, 'role'))) return true
  if (around.inHeading && attribute(element, 'aria-hidden') === 'true') return true
  if (!hasClass(element, droppedClasses)) return false
  return hasClass(element, drawings) ? isDrawnTwice(element) : !(around.named && isBox(element))
}

/** A disabled checkbox: it shows whether a task is done. */
function isTick(element: Element): boolean {
  return attribute(element, 'type') === 'checkbox' && 'disabled' in element.attribs
}

/** The footer of a quotation names its author. */
function isOfQuote({ name, parent }: Element): boolean {
  return name === 'footer' && parent?.name === 'blockquote'
}

/** Whether a heading is the text of a button that unfolds what is below it, or of a link to itself. */
export function isBare(heading: Element): boolean {
  const hasWords = (node: Node): boolean =>
    isElement(node) ? !isTool(node) && node.children.some(hasWords) : words.test(node.data ?? '')
  return !heading.children.some(hasWords)
}

const words = /[\p{L}\p{N}]/u

function isTool(element: Element): boolean {
  return element.name === 'button' || (element.name === 'a' && hasClass(element, permalinks))
}

/** A formula for the eye, after the one for readers. */
function isDrawnTwice({ prev }: Element): boolean {
  return prev ? isElement(prev) && hasClass(prev, spokenClasses) : false
}

const spokenClasses = new Set(['katex-mathml'])

/** Books call boxes in their text sidebars too; a site's sidebar consists of links. */
function isBox(element: Element): boolean {
  if (!hasClass(element, sidebar)) return false
  // A box within a box has been examined with it.
  for (let at = element.parent; at; at = at.parent) if (hasClass(at, sidebar)) return true
  if (find(element, ({ name }) => name === 'nav').length > 0) return false
  const links = find(element, ({ name }) => name === 'a').reduce((sum, link) => sum + lengthOf(link), 0)
  return links * 2 <= lengthOf(element)
}

function lengthOf(element: Element): number {
  return textOf(element).replace(/\s+/g, '').length
}

const dropped = new Set(
  `head title nav footer script style template svg canvas iframe object audio video input select textarea dialog
  noscript`.split(/\s+/),
)
const droppedRoles = new Set(['navigation', 'banner', 'contentinfo', 'search', 'menu', 'dialog'])
const droppedClasses = new Set(
  `breadcrumb breadcrumbs table-of-contents toc pagination sidebar skip-link visually-hidden sr-only
  mw-editsection katex-html`.split(' '),
)
const drawings = new Set(['katex-html'])
const sidebar = new Set(['sidebar'])
const permalinks = new Set(
  'headerlink header-anchor hash-link anchorjs-link anchor heading-anchor'.split(' '),
)

// Finds the main text of a page. If the main element is an empty shell for scripts, the whole page counts.

interface MainPart {
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

// A page with more articles than this is as often a list of cards as a text.
const mostParts = 3
const leastShare = 0.2
const mains: ((element: Element) => boolean)[] = [
  ({ name }) => name === 'main',
  (element) => attribute(element, 'role') === 'main',
  ({ name }) => name === 'article',
  (element) => ['content', 'main-content', 'main'].includes(attribute(element, 'id')),
  (element) => hasClass(element, new Set(['markdown-body'])),
]

/** Posts of a blog, versions of a changelog: all of them, with the elements between siblings. */
function together(found: Element[]): Element[] {
  const shown = found.filter((element) => !isHidden(element))
  const parts = shown.length > 0 ? shown : found
  const parent = parts[0]!.parent
  const areSiblings = parts.length > 1 && parts.every((part) => part.parent === parent)
  return areSiblings && parent ? [parent] : parts
}
