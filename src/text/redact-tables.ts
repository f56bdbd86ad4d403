// Secrets in tables: a cell beside one that names a secret, and a column whose heading names one.

/** Decides whether the value in a cell of that name is a secret. */
export type Judge = (name: string, value: string) => boolean

/** The text with secrets in Markdown, HTML and separated tables replaced. */
export function redactTables(text: string, names: string, isSecret: Judge): string {
  if (!/[|<,;\t]/.test(text)) return text
  const mask = (whole: string, before: string, name: string, value: string) =>
    isSecret(name, value) ? `${before}[redacted]` : whole
  const { row, html } = formsFor(names)
  return redactColumns(text.replace(row, mask).replace(html, mask), names, isSecret)
}

function formsFor(names: string) {
  forms ??= {
    row: new RegExp(
      `((?:^|[ \\t])\\|[^|\\r\\n]{0,60}?(${names})[\\s*_\`~:]{0,6}\\|[ \\t*_\`~]{0,6})([^\\s|\`*]{6,200})(?=[ \\t*_\`~]{0,6}(?:\\||\\r?$))`,
      'gim',
    ),
    html: new RegExp(
      `(<t[dh][^<>]{0,100}>[^<>]{0,60}?(${names})[\\s:]{0,6}</t[dh]>\\s{0,20}<td[^<>]{0,100}>\\s{0,20})([^\\s<>]{6,200})(?=\\s{0,20}<)`,
      'gi',
    ),
  }
  return forms
}

let forms: { row: RegExp; html: RegExp } | undefined

const separators = ['|', ',', ';', '\t']

function redactColumns(text: string, names: string, isSecret: Judge): string {
  const named = new RegExp(`(?:${names})$`, 'i')
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  for (let i = 0; i + 1 < lines.length; i++) {
    const table = headOf(lines, i, named)
    if (table === null) continue
    const { separator, width, columns } = table
    for (i = table.first; i < lines.length; i++) {
      const cells = lines[i]!.split(separator)
      if (cells.length !== width) break
      for (const [column, name] of columns) cells[column] = redactCell(cells[column]!, name, isSecret)
      lines[i] = cells.join(separator)
    }
    i--
  }
  return lines.join('\n')
}

/** A row of plain names, one of which is that of a secret. Markdown has a row of hyphens below it. */
function headOf(lines: readonly string[], at: number, named: RegExp) {
  const line = lines[at]!
  if (line.length > 1_000) return null
  for (const separator of separators) {
    const cells = line.split(separator).map(plainCell)
    if (cells.length < 2 || !cells.every((cell) => /^[\p{L}\p{N} _.#-]{0,40}$/u.test(cell))) continue
    const columns = [...cells.entries()].filter(([, cell]) => named.test(cell))
    if (columns.length === 0) continue
    const ruled = /^[\s|:-]*-[\s|:-]*$/.test(lines[at + 1] ?? '')
    if (separator === '|' && !ruled) continue
    return { separator, width: cells.length, columns, first: at + (ruled ? 2 : 1) }
  }
  return null
}

function plainCell(cell: string): string {
  return cell.replace(/[*_`~"']+/g, (signs, at: number) => (at > 0 && signs === '_' ? '_' : '')).trim()
}

function redactCell(cell: string, name: string, isSecret: Judge): string {
  const [, before, value, after] = /^([\s"'`*]*)(.*?)([\s"'`*]*)$/s.exec(cell) ?? []
  return value && !/\s/.test(value) && isSecret(name, value) ? `${before}[redacted]${after}` : cell
}
