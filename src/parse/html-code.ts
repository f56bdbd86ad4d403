// Code in pages: one text, and the language wherever a highlighter left it.
import { languageNamed } from './formats.js'
import type { Element, Node } from './html-tree.js'
import { attribute, find, hasClass, isElement } from './html-tree.js'

/** The text of a listing: line breaks from the tags that made them, no line numbers, no buttons. */
export function codeText(pre: Element): string {
  const parts: string[] = []
  const visit = (node: Node) => {
    if (node.type === 'text') parts.push(node.data ?? '')
    if (!isElement(node) || isLineNumber(node) || node.name === 'button') return
    if (node.name === 'br') parts.push('\n')
    for (const child of node.children) visit(child)
    if (lines.has(node.name) && !parts[parts.length - 1]?.endsWith('\n')) parts.push('\n')
  }
  for (const child of pre.children) visit(child)
  return parts
    .join('')
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .trimEnd()
}

const lines = new Set(['div', 'p', 'li', 'tr'])

/** In a listing. */
function isLineNumber(element: Element): boolean {
  return hasClass(element, numbers)
}

/** Cells of numbers may have the same class as those of code. */
export function isNumberCell(cell: Element): boolean {
  if (isLineNumber(cell)) return true
  const listing = find(cell, ({ name }) => name === 'pre')[0]
  return listing !== undefined && find(listing, isLineNumber).length > 0 && codeText(listing) === ''
}

/** Line numbers after a listing, or the language label before it. */
export function isListingPart(element: Element): boolean {
  return hasClass(element, listingParts) && (!hasClass(element, languageLabels) || isInListing(element))
}

function isInListing({ name, parent }: Element): boolean {
  return name === 'span' && /(?:^|\s)language-/.test(parent?.attribs?.class ?? '')
}

const numberings = new Set(
  `linenos linenodiv rouge-gutter lineno line-number line-numbers-rows line-numbers-wrapper blob-num`.split(
    ' ',
  ),
)
// Outside of a listing these may be anything.
const numbers = new Set([...numberings, 'gutter', 'ln', 'lnt'])
const languageLabels = new Set(['lang'])
const listingParts = new Set([...numberings, ...languageLabels])

/** Listings of Doxygen: lines in divisions, without the tag that says that it is code. */
export function isFragment(element: Element): boolean {
  return hasClass(element, fragments) && find(element, (inner) => hasClass(inner, fragmentLines)).length > 0
}

const fragments = new Set(['fragment'])
const fragmentLines = new Set(['line'])

/** From the listing itself, the code in it, or one of the three elements around it. */
export function codeLanguage(pre: Element): string | null {
  const code = find(pre, ({ name }) => name === 'code')[0]
  const around = [code, pre, pre.parent, pre.parent?.parent, pre.parent?.parent?.parent]
  for (const element of around) {
    const name = element?.attribs ? languageOf(element) : ''
    if (/^[\w+#.-]{1,30}$/.test(name)) return languageNamed(name)
  }
  return null
}

function languageOf(element: Element): string {
  const own = element.name === 'pre' || element.name === 'code' ? attribute(element, 'lang') : ''
  return (
    attribute(element, 'data-lang') ||
    attribute(element, 'data-language') ||
    own ||
    languageInClass(attribute(element, 'class'))
  )
}

function languageInClass(classes: string): string {
  const found =
    /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:?)[-\s:]+([\w+#.-]+)/i.exec(classes)?.[1] ??
    /(?:^|\s)(?:sourceCode|hljs|src)\s+(?:src-)?([\w+#-]+)/.exec(classes)?.[1] ??
    ''
  return notLanguages.has(found.toLowerCase()) ? '' : found.replace(/^python3$|^ipython3$/, 'python')
}

const notLanguages = new Set(
  `default none notranslate plaintext text line-numbers hljs code source wrapper container`.split(' '),
)
