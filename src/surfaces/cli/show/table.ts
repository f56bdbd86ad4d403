import { columnsOf, type Paint } from '../terminal.js'

/** How a text is shown: with which colours, and how wide. */
export interface Look {
  paint: Paint
  width: number
}

/** Rows in columns, two spaces apart. Columns named in `right` are flush right, as figures are. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => columnsOf(row[i] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const fill = ' '.repeat(Math.max(0, widths[i]! - columnsOf(cell)))
        return right.includes(i) ? fill + cell : cell + fill
      })
      .join('  ')
      .trimEnd(),
  )
}

export function indented(lines: readonly string[], by = '  '): string[] {
  return lines.map((line) => (line ? by + line : line))
}

/** Lines as one text that ends with a line break; nothing for no lines. */
export function joined(lines: readonly string[]): string {
  return lines.length ? `${lines.join('\n')}\n` : ''
}
