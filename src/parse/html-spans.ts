// Rows of tables whose cells go over several: Markdown has no such cells, and without them values would stand under the
// wrong columns.
import type { Element } from './html-tree.js'
import { attribute } from './html-tree.js'

/** By column: what still goes down from the rows above. */
export type Spans = { rows: number; content: string }[]

export function newSpans(): Spans {
  return []
}

/** The cells of a row. One over several rows is repeated below, one over several columns left empty beside. */
export function wholeRow(
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

/** False once a page has had enough of it. */
function spend(spare: { chars: number }, chars: number): boolean {
  spare.chars -= chars + emptyCell
  return spare.chars > 0
}

const mostSpan = 200

export function spanOf(cell: Element, name: 'rowspan' | 'colspan'): number {
  return Math.min(Math.max(1, Math.trunc(Number(attribute(cell, name))) || 1), mostSpan)
}
