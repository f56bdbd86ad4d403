// Writes rows as Markdown. A long table becomes several of about a chunk's length, each with the header: a passage
// from the middle of ten thousand rows then still names its columns.

export interface Table {
  header: readonly string[]
  rows: readonly (readonly string[])[]
}

/** A cell's maximum length: Excel's own. */
export const cellChars = 32_767

const chunkChars = 1100
/** A table is at least this many times as long as its header, so that a long header is not repeated too often. */
const headerShare = 4

export function markdownTable({ header, rows }: Table): string {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), header.length)
  if (width === 0) return ''
  const top = [line(header, width), line(Array<string>(width).fill('---'), width)].join('\n')
  const most = Math.max(chunkChars, top.length * headerShare)
  const tables: string[] = []
  let part = [top]
  let length = top.length
  for (const row of rows) {
    const written = line(row, width)
    if (part.length > 1 && length + written.length > most) {
      tables.push(part.join('\n'))
      part = [top]
      length = top.length
    }
    part.push(written)
    length += written.length + 1
  }
  tables.push(part.join('\n'))
  return tables.join('\n\n')
}

function line(cells: readonly string[], width: number): string {
  const filled = Array.from({ length: width }, (_, i) => cell(cells[i] ?? ''))
  return `| ${filled.join(' | ')} |`
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(/\|/g, '\\|')
}

/** The first row as header when it names its columns: all texts, no numbers, nothing twice. Else columns are counted. */
export function withHeader(rows: readonly (readonly string[])[]): Table {
  const first = rows[0] ?? []
  const names = first.map((name) => name.trim()).filter((name) => name !== '')
  const isHeader =
    rows.length > 1 &&
    names.length > 0 &&
    names.length >= first.length / 2 &&
    new Set(names).size === names.length &&
    names.every((name) => !isNumber(name))
  if (isHeader) return { header: first, rows: rows.slice(1) }
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
  return { header: Array.from({ length: width }, (_, i) => `Column ${i + 1}`), rows }
}

function isNumber(text: string): boolean {
  return /^[-+(]?[\p{Sc}\s]*\d[\d.,\s]*[%)]?$/u.test(text)
}
