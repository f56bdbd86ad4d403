// A page brought into the few shapes the converter knows: what surrounds the text goes, code and tables become plain.
// One walk over the tree. Selecting and replacing by a query library took the square of the page's length.

import { type Around, isBare, isDropped, mainPart } from './html-boilerplate.js'
import { codeLanguage, codeText, isFragment, isListingPart, isNumberCell } from './html-code.js'
import { attribute, type Element, escaped, find, isElement, type Node, textOf } from './html-tree.js'
import { type Height, needsMark, term } from './raised.js'

/** The part of a page that is read, as clean HTML. */
export function cleanHtml(root: Element): string {
  const out: string[] = []
  const { parts, named } = mainPart(root)
  const place: Place = {
    ...{ out, named, spans: null, spare: { chars: mostRepeated } },
    ...{ inHeading: false, bare: false, inTable: false, inCell: false, nested: 0 },
  }
  for (const part of parts) renderChildren(part, place)
  return out.join('')
}

const mostRepeated = 1_000_000

interface Place extends Around {
  out: string[]
  inTable: boolean
  /** The cells of the enclosing table, if some of them span rows. */
  spans: Spans | null
  /** How many characters may still be repeated on this page. */
  spare: { chars: number }
  inCell: boolean
  /** Lists and quotes around it: each adds to every line below, so that a few hundred would fill the memory. */
  nested: number
}

// --- The walk.

function render(node: Node, place: Place) {
  if (node.type === 'text') place.out.push(escaped(node.data ?? ''))
  if (!isElement(node) || isDropped(node, place) || isListingPart(node)) return
  const special = specials[node.name]
  if (special) special(node, place)
  else if (unwrapped.has(node.name)) renderChildren(node, place)
  else if (place.inCell && blocks.has(node.name)) renderInCell(node, place)
  else renderTag(node, node.name, place)
}

function renderChildren(element: Element, place: Place) {
  for (const child of element.children) render(child, place)
}

function renderTag(element: Element, name: string, place: Place) {
  place.out.push(`<${name}${attributes(element)}>`)
  renderChildren(element, place)
  if (!hollow.has(name)) place.out.push(`</${name}>`)
}

/** A cell is one line: a block in it becomes its text and a space. */
function renderInCell(element: Element, place: Place) {
  renderChildren(element, place)
  place.out.push(' ')
}

const unwrapped = new Set(['mark', 'u', 'small', 'ins', 'abbr', 'font', 'center', 'html', 'tbody', 'tfoot'])
const hollow = new Set(['br', 'hr', 'img', 'wbr'])
const blocks = new Set(
  'p div ul ol li dl dt dd blockquote h1 h2 h3 h4 h5 h6 section figure figcaption details summary'.split(' '),
)

function attributes(element: Element): string {
  return ['href', 'src', 'alt', 'start', 'colspan', 'class']
    .map((name) => [name, attribute(element, name)] as const)
    .filter(
      ([name, value]) =>
        value !== '' && (name !== 'class' || element.name === 'code') && !value.startsWith('data:'),
    )
    .map(([name, value]) => ` ${name}="${escaped(value.slice(0, 2000))}"`)
    .join('')
}

// --- Elements with special rules.

type Rule = (element: Element, place: Place) => void

const bold: Rule = (element, place) => {
  if (place.inCell) return renderInCell(element, place)
  place.out.push('<p><strong>')
  renderChildren(element, { ...place, bare: isBare(element) })
  place.out.push('</strong></p>')
}
const asDivision: Rule = (element, place) => (place.inCell ? renderInCell : divide)(element, place)
const heading: Rule = (element, place) => {
  if (place.inCell) return renderInCell(element, place)
  renderTag(element, element.name, { ...place, inHeading: true, bare: isBare(element) })
}

function division(element: Element, place: Place) {
  if (place.inCell) renderInCell(element, place)
  else renderTag(element, 'div', place)
}

function divide(element: Element, place: Place) {
  place.out.push('<div>')
  renderChildren(element, place)
  place.out.push('</div>')
}

const deepestList = 12
const nest: Rule = (element, place) => {
  if (place.inCell) return renderInCell(element, place)
  if (element.name === 'ul' && isLayoutList(element)) return renderLayoutList(element, place)
  if (place.nested >= deepestList) return renderChildren(element, place)
  renderTag(element, element.name, { ...place, nested: place.nested + 1 })
}

/** Each item opens with a heading: a list to lay out sections, as in Javadoc. Headings in a list would cover nothing. */
function isLayoutList(list: Element): boolean {
  const items = list.children.filter(isElement).filter(hasContent)
  return items.length > 0 && items.every((item) => item.name === 'li' && opensWithHeading(item))
}

function opensWithHeading(element: Element, within = 6): boolean {
  const first = element.children.find((node) => hasContent(node))
  if (!first || !isElement(first)) return false
  return (
    /^h[1-6]$/.test(first.name) ||
    (within > 0 && containers.has(first.name) && opensWithHeading(first, within - 1))
  )
}

const containers = new Set('article div header li section ul'.split(' '))

function renderLayoutList(list: Element, place: Place) {
  for (const item of list.children.filter(isElement)) if (!isDropped(item, place)) divide(item, place)
}

const specials: Readonly<Record<string, Rule>> = {
  pre,
  table,
  thead: (element, place) =>
    place.inTable ? renderTag(element, 'thead', place) : renderChildren(element, place),
  tr: tableRow,
  td: tableCell,
  th: tableCell,
  dt: bold,
  summary: bold,
  dl: asDivision,
  dd: asDivision,
  details: asDivision,
  div: (element, place) => (isFragment(element) ? pre : division)(element, place),
  fieldset: asDivision,
  legend: asDivision,
  form: asDivision,
  ul: nest,
  ol: nest,
  blockquote: nest,
  footer: asDivision,
  input: tick,
  button: renderChildren,
  label,
  sup: superscript,
  sub: subscript,
  math: formula,
  img: image,
  a: anchor,
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
}

function pre(element: Element, { out, inCell }: Place) {
  const text = escaped(codeText(element))
  if (inCell) out.push(`<code>${text.replace(/\s+/g, ' ')}</code> `)
  else {
    const language = codeLanguage(element)
    out.push(`<pre><code${language ? ` class="language-${language}"` : ''}>${text}</code></pre>`)
  }
}

/** A table around code is a listing, and a table around tables is a layout: neither has rows that mean anything. */
function table(element: Element, place: Place) {
  if (place.inCell) return renderInCell(element, place)
  const cells = find(element, isCell).filter((cell) => !isNumberCell(cell))
  const isLayout = find(element, ({ name }) => name === 'table').length > 0
  const isListing = cells.length === 1 && find(cells[0]!, ({ name }) => name === 'pre').length === 1
  const spans = cells.some((cell) => spanOf(cell, 'rowspan') > 1) ? newSpans() : null
  if (!isLayout && !isListing) return renderTag(element, 'table', { ...place, inTable: true, spans })
  for (const cell of isListing ? cells : ownCells(element)) divide(cell, place)
}

function ownCells(element: Element): Element[] {
  return element.children
    .filter(isElement)
    .flatMap((part) => (isCell(part) ? [part] : part.name === 'table' ? [] : ownCells(part)))
}

/** Gives a row a cell for every column, repeating cells that span rows. The converter needs a table around rows. */
function tableRow(element: Element, place: Place) {
  if (!place.inTable) return divide(element, place)
  if (!place.spans) return renderTag(element, 'tr', place)
  const cells = element.children.filter(isElement).filter((cell) => isCell(cell) && !isNumberCell(cell))
  const row = wholeRow(place.spans, place.spare, cells, (cell) => {
    const out: string[] = []
    renderChildren(cell, { ...place, out, spans: null, inCell: true })
    return out.join('')
  })
  place.out.push(`<tr>${row}</tr>`)
}

function isCell({ name }: Element): boolean {
  return name === 'td' || name === 'th'
}

function tableCell(element: Element, place: Place) {
  if (!place.inTable) return divide(element, place)
  if (!isNumberCell(element)) renderTag(element, element.name, { ...place, inCell: true })
}

function tick(element: Element, { out }: Place) {
  out.push('checked' in element.attribs ? '☒ ' : '☐ ')
}

/** Tab labels have no separator between them. */
function label(element: Element, place: Place) {
  renderChildren(element, place)
  if (element.next && isElement(element.next)) place.out.push(' ')
}

/** Keeps `2<sup>32</sup>` from becoming 232, and a footnote's number from joining its word. Links are separate already. */
function superscript(element: Element, place: Place) {
  const isLinked = find(element, (inner) => attribute(inner, 'href') !== '').length > 0
  if (isLinked && !place.inHeading) renderChildren(element, place)
  else offLine('raised', element, place)
}

function subscript(element: Element, place: Place) {
  offLine('lowered', element, place)
}

function offLine(height: Height, element: Element, place: Place) {
  const text = textOf(element).trim()
  const isMarked = needsMark(height, text, lastOf(place))
  if (isMarked) place.out.push(height === 'raised' ? '^' : '_')
  if (isMarked && term(text) !== text) bracketed(element, place)
  else renderChildren(element, place)
}

function bracketed(element: Element, place: Place) {
  place.out.push('(')
  renderChildren(element, place)
  place.out.push(')')
}

/** The text right before, within marks of emphasis too. */
function lastOf({ out }: Place): string {
  for (let at = out.length - 1; at >= 0; at--) if (!inlineEnd.test(out[at]!)) return out[at]!.slice(-2)
  return ''
}

const inlineEnd = /^(?:<\/(?:a|b|code|em|i|span|strong|var)>)?$/

function formula(element: Element, place: Place) {
  const note = find(element, ({ name }) => name === 'annotation')[0]
  const text = attribute(element, 'alttext') || (note ? textOf(note) : '')
  place.out.push(text ? `<code>${escaped(text.trim())}</code>` : escaped(textOf(element)))
}

function anchor(element: Element, place: Place) {
  const href = attribute(element, 'href')
  const leads = href !== '' && !place.inHeading && !/^(?:javascript|data):/i.test(href)
  if (leads && hasContent(element)) renderTag(element, 'a', place)
  else renderChildren(element, place)
}

function hasContent(node: Node): boolean {
  if (!isElement(node)) return node.type === 'text' && /\S/.test(node.data ?? '')
  return attribute(node, 'alt') !== '' || node.children.some(hasContent)
}

function image(element: Element, place: Place) {
  const [alt, source] = [attribute(element, 'alt'), attribute(element, 'src')]
  if (alt !== '' && source !== '' && !source.startsWith('data:')) renderTag(element, 'img', place)
  else place.out.push(escaped(alt))
}

// Rows of tables with cells that span several rows: Markdown has no such cells, and values would move under the
// wrong columns.

/** By column: what still goes down from the rows above. */
type Spans = { rows: number; content: string }[]

function newSpans(): Spans {
  return []
}

/** The cells of a row. A cell that spans rows is repeated below; one that spans columns is followed by empty cells. */
function wholeRow(
  above: Spans,
  spare: { chars: number },
  cells: readonly Element[],
  contentOf: (cell: Element) => string,
): string {
  const row: string[] = []
  const takeFromAbove = () => {
    for (let from = above[row.length]; from && from.rows > 0; from = above[row.length]) {
      if (!spend(spare, from.content.length)) return
      from.rows--
      row.push(`<td>${from.content}</td>`)
    }
  }
  for (const cell of cells) {
    takeFromAbove()
    const content = contentOf(cell)
    const rows = spanOf(cell, 'rowspan') - 1
    const across = spanOf(cell, 'colspan')
    for (let i = 0; i < across && (i === 0 || spend(spare, 0)); i++) {
      const part = i === 0 ? content : ''
      above[row.length] = { rows, content: part }
      row.push(`<${cell.name}>${part}</${cell.name}>`)
    }
  }
  takeFromAbove()
  return row.join('')
}

const emptyCell = '<td></td>'.length

/** False when the page has used up its allowance. */
function spend(spare: { chars: number }, chars: number): boolean {
  spare.chars -= chars + emptyCell
  return spare.chars > 0
}

const mostSpan = 200

function spanOf(cell: Element, name: 'rowspan' | 'colspan'): number {
  return Math.min(Math.max(1, Math.trunc(Number(attribute(cell, name))) || 1), mostSpan)
}
