// The little we need to know of a page's tree. It is at most a few hundred levels deep (see `shallow`).

export interface Node {
  type: string
  data?: string
  parent?: unknown
  prev?: Node | null
  next?: Node | null
}

export interface Element extends Node {
  name: string
  attribs: Record<string, string>
  children: Node[]
  parent?: Element | null
}

export function isElement(node: Node): node is Element {
  return node.type === 'tag'
}

export function attribute(element: Element, name: string): string {
  return element.attribs?.[name]?.trim() ?? ''
}

export function hasClass(element: Element, names: ReadonlySet<string>): boolean {
  return element.attribs?.class?.split(/\s+/).some((name) => names.has(name)) ?? false
}

/** Not shown to anybody, unlike what shows when a tab is chosen, a section unfolded or a word searched for. */
export function isHidden(element: Element): boolean {
  if (!isMarkedHidden(element) && !isStyledHidden(element)) return false
  if (attribute(element, 'role') === 'tabpanel') return false
  return !unfolds.test(`${attribute(element, 'class')} ${attribute(element, 'id')}`.slice(0, 1000))
}

function isMarkedHidden(element: Element): boolean {
  return 'hidden' in element.attribs && attribute(element, 'hidden').toLowerCase() !== 'until-found'
}

/** Formulas are hidden behind their picture, and whole pages until their script has run. */
function isStyledHidden(element: Element): boolean {
  if (!unseen.test(attribute(element, 'style')) || wholePage.test(attribute(element, 'id'))) return false
  return !element.children.some((child) => isElement(child) && child.name === 'math')
}

const unseen = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!\s*important\s*)?(?:;|$)/i
const wholePage = /^(?:_*(?:app|gatsby|next|nuxt|root)|container|content|main|page|wrapper)$/i
const unfolds =
  /(?:^|[\s_-])(?:tab(?:s|bed)?|accordion|collaps(?:e|ed|ible)|toggle|spoiler|faq|answer|solution)(?:[\s_-]|panel|pane|content|item|body|$)/i

/** Matching elements below this one, in order. A match is not searched further. */
export function find(element: Element, matches: (element: Element) => boolean): Element[] {
  const found: Element[] = []
  const visit = (node: Node) => {
    if (!isElement(node)) return
    if (matches(node)) found.push(node)
    else for (const child of node.children) visit(child)
  }
  for (const child of element.children) visit(child)
  return found
}

export function textOf(node: Node): string {
  const parts: string[] = []
  const visit = (inner: Node) => {
    if (inner.type === 'text') parts.push(inner.data ?? '')
    else for (const child of (inner as Element).children ?? []) visit(child)
  }
  visit(node)
  return parts.join('')
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign]!)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A page that was written as XML for a reader of HTML, to whom `<a id="x"/>` or `<script/>` would stay open to the end. */
export function xhtmlAsHtml(source: string): string {
  return withoutSections(source).replace(
    /<([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi,
    (tag, name: string, rest: string) => (hollow.test(name) ? tag : `<${name}${rest}></${name}>`),
  )
}

const hollow = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/** `<![CDATA[…]]>` is text in XML; an HTML parser reads it as a comment that ends with the first bracket. */
function withoutSections(source: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = source.indexOf(opening); at >= 0; at = source.indexOf(opening, from)) {
    const end = source.indexOf(']]>', at)
    if (end < 0) break
    parts.push(source.slice(from, at), escaped(source.slice(at + opening.length, end)))
    from = end + ']]>'.length
  }
  return from === 0 ? source : parts.join('') + source.slice(from)
}

const opening = '<![CDATA['
