// Brings mammoth's HTML into forms that Markdown has: whole table rows, footnotes with their marks, superscripts and
// subscripts.
//
// Every step is one pass over the tree that builds each list of children once. With selectors and edits in place, time grew
// with the square of the number of siblings: a document of 1,049 bytes took a minute.
import { load } from 'cheerio/slim'
import { shallow } from '../html-shallow.js'
import { type Element, isElement, type Node, textOf } from '../html-tree.js'
import { onLine } from '../raised.js'
import { numberedLists } from './docx-numbers.js'

export function plainWord(html: string): string {
  const $ = load(shallow(html))
  const root = $.root()[0] as unknown as Element
  rewrite(root, (node) => (isNamed(node, 'ol') ? numberedLists(node) : [node]))
  rewrite(root, (node) => (isPageBreak(node) ? [] : [node]))
  markFootnotes(root)
  bringToLine(root, '')
  rewrite(root, (node) => {
    if (isNamed(node, 'input')) node.attribs.disabled = ''
    return [node]
  })
  rewrite(root, wholeTables())
  return $.html()
}

/** Replaces every node with the result of `replaced`, children before parents. */
function rewrite(parent: Element, replaced: (node: Node) => Node[]) {
  parent.children = parent.children.flatMap((node) => {
    if (!isElement(node)) return [node]
    rewrite(node, replaced)
    return replaced(node)
  })
}

function isNamed(node: Node | undefined, ...names: string[]): node is Element {
  return node !== undefined && isElement(node) && names.includes(node.name)
}

/** A break of the page alone in its paragraph. */
function isPageBreak(node: Node): boolean {
  if (!isNamed(node, 'p')) return false
  return node.children.some((child) => isNamed(child, 'br')) && !holds(node, 'img', 'input')
}

/** Whether it contains text or one of these elements. */
function holds(node: Node, ...names: string[]): boolean {
  if (node.type === 'text') return /\S/.test(node.data ?? '')
  return isNamed(node, ...names) || ((node as Element).children ?? []).some((child) => holds(child, ...names))
}

/** Without tables that hold nothing, and with all cells in every row of the others. */
function wholeTables(): (node: Node) => Node[] {
  const spare = { size: mostRepeated }
  return (node) => {
    if (!isNamed(node, 'table')) return [node]
    if (!holds(node, 'img')) return []
    wholeRows(rowsOf(node), spare)
    return [node]
  }
}

function rowsOf(table: Element): Element[] {
  return table.children.flatMap((child) => {
    if (isNamed(child, 'tbody', 'thead')) return child.children.filter((row) => isNamed(row, 'tr'))
    return isNamed(child, 'tr') ? [child] : []
  })
}

const mostSpan = 200
/** How many characters merged cells may add to a document. Beyond that, each counts as one cell. */
const mostRepeated = 1_000_000
const emptyCell = '<td></td>'.length

/** Every row with all its cells: one that spans rows is repeated below, one that spans columns is followed by empty cells. */
function wholeRows(rows: readonly Element[], spare: { size: number }) {
  const above: { rows: number; content: Node[]; size: number }[] = []
  for (const row of rows) {
    const cells: Node[][] = []
    let changed = false
    const takeFromAbove = () => {
      for (let from = above[cells.length]; from && from.rows > 0; from = above[cells.length]) {
        from.rows--
        spare.size -= from.size
        if (spare.size < 0) return
        changed = true
        cells.push(from.content)
      }
    }
    for (const cell of row.children) {
      if (!isNamed(cell, 'td', 'th')) continue
      takeFromAbove()
      const [down, across] = spare.size < 0 ? [1, 1] : [span(cell, 'rowspan'), span(cell, 'colspan')]
      changed ||= down > 1 || across > 1
      for (let i = 0; i < across; i++) {
        const content = i === 0 ? cell.children : []
        above[cells.length] = { rows: down - 1, content, size: down > 1 ? sizeOf(content) : 0 }
        cells.push(content)
      }
      spare.size -= (across - 1) * emptyCell
    }
    takeFromAbove()
    if (changed) row.children = cells.map((children) => ({ ...newCell, children }) as Element)
  }
}

const newCell = { type: 'tag', name: 'td', attribs: {} }

function span(cell: Element, name: 'rowspan' | 'colspan'): number {
  return Math.min(Math.max(1, Math.trunc(Number(cell.attribs[name])) || 1), mostSpan)
}

/** About as many characters as it has when it is written. */
function sizeOf(nodes: readonly Node[]): number {
  return nodes.reduce(
    (sum, node) => sum + (node.data?.length ?? 0) + sizeOf((node as Element).children ?? []),
    emptyCell * (1 + nodes.length),
  )
}

// The converter escapes brackets, so private characters stand in for the marks.
const [openMark, closeMark] = ['\ue000', '\ue001']

function markFootnotes(root: Element) {
  let notes = 0
  // A note inside another comes after it, so that parents are numbered first.
  const numberNotes = (node: Node) => {
    if (!isElement(node)) return
    if (isNote(node)) {
      const first = node.children.find((child) => isNamed(child, 'p')) as Element | undefined
      const target = first ?? node
      target.children = [textNode(`${openMark}${++notes}${closeMark}: `), ...target.children]
    }
    for (const child of node.children) numberNotes(child)
  }
  for (const child of root.children) numberNotes(child)
  rewrite(root, (node) => {
    if (isNamed(node, 'a') && /^#(?:foot|end)note-ref-/.test(node.attribs.href ?? '')) return []
    if (isNamed(node, 'sup')) return [footnoteMark(node) ?? node]
    // The items of a list of notes come up to its place.
    if (!isNamed(node, 'ol') || !node.children.some(isNote)) return [node]
    return node.children.flatMap((item) => (isNamed(item, 'li') ? item.children : [item]))
  })
}

function isNote(node: Node): boolean {
  return isNamed(node, 'li') && /^(?:foot|end)note-/.test(node.attribs.id ?? '')
}

function footnoteMark(sup: Element): Node | null {
  const link = sup.children.find(
    (child) => isNamed(child, 'a') && /^#(?:foot|end)note-/.test(child.attribs.href ?? ''),
  )
  return link ? textNode(`${openMark}${textOf(link).replace(/\D/g, '')}${closeMark}`) : null
}

function textNode(data: string): Node {
  return { type: 'text', data }
}

const blocks = new Set('p li td th h1 h2 h3 h4 h5 h6 pre blockquote body'.split(' '))

/** Writes superscripts and subscripts. Takes and returns the character right before, on the same line. */
function bringToLine(parent: Element, textBefore: string): string {
  let before = textBefore
  const visit = (node: Node): Node[] => {
    if (node.type === 'text') before = node.data ?? ''
    if (!isElement(node)) return [node]
    if (node.name === 'sup' || node.name === 'sub') {
      const text = textOf(node)
      const read = onLine(node.name === 'sup' ? 'raised' : 'lowered', text, before)
      if (read === text) return node.children.flatMap(visit)
      before = read
      return [textNode(read)]
    }
    const own = bringToLine(node, blocks.has(node.name) ? '' : before)
    before = node.children.length === 0 ? '' : own
    return [node]
  }
  parent.children = parent.children.flatMap(visit)
  return before
}

export function footnoteMarks(text: string): string {
  return text.replace(/\ue000(\d+)\ue001/g, '[^$1]').replace(/[\ue000\ue001]/g, '')
}
