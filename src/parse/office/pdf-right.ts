// Pages in Hebrew and Arabic. The fast engine returns their words in visual order, for some fonts the letters too; the
// tolerant one returns positions. Headings and tables come from the fast engine.
import { readAgain } from './pdf-fallback.js'
import { type PdfPages, plainPages } from './pdf-lines.js'
import { cellsOf } from './pdf-mend.js'
import { lettersFromRight } from './pdf-order.js'

/** The same with the pages that are read from the right in their order. */
export async function inReadingOrder(found: PdfPages, file: Buffer): Promise<PdfPages> {
  const numbers = found.pages.flatMap((page, i) => (isFromRight(page) ? [i + 1] : []))
  if (numbers.length === 0) return found
  const again = await readAgain(file, numbers)
  const laid = [...again].map(([number, lines]) => layOut(lines, found.pages[number - 1]!, number))
  const texts = plainPages(laid.map(({ lines }) => lines))
  const pages = [...found.pages]
  for (const [i, number] of [...again.keys()].entries()) {
    const text = withBlocks(texts[i]!, laid[i]!)
    if (isWhole(text, pages[number - 1]!)) pages[number - 1] = text
  }
  const unordered = numbers.filter((number) => pages[number - 1] === found.pages[number - 1])
  return { ...found, pages, unordered }
}

const share = 0.3

function isFromRight(page: string): boolean {
  const letters = lettersFromRight(page)
  return letters > 0 && letters > share * (page.match(/\p{L}/gu)?.length ?? 0)
}

/** About as much as there was, and no word begins with the letter that it should end with. */
function isWhole(text: string, before: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const isTurned = count(/(?<!\p{L})[ךםןףץةى](?=\p{L})/gu) > count(/(?<=\p{L}\p{M}*)[ךםןףץةى](?!\p{L})/gu)
  return !isTurned && lettersFromRight(text) > 0.8 * lettersFromRight(before)
}

interface Layout {
  lines: string[]
  /** Heading levels by the heading's letters. */
  headings: ReadonlyMap<string, number>
  /** Tables by the line that keeps their place. */
  tables: Map<string, string>
}

/** The letters of a text, sorted: equal for the same text in any order. */
function madeOf(text: string): string {
  return (text.normalize('NFKC').match(/[\p{L}\p{N}]/gu) ?? []).sort().join('')
}

/** Each heading and each table on a separate line, with blank lines around. */
function layOut(lines: readonly string[], markdown: string, number: number): Layout {
  const headings = headingsOf(markdown)
  const open = tablesOf(markdown)
  const layout: Layout = { lines: [], headings, tables: new Map() }
  for (let i = 0; i < lines.length; ) {
    const table = takeTable(lines, i, open)
    const count = table?.count ?? headingAt(lines, i, headings)
    if (table) {
      const place = placeOf(number, layout.tables.size)
      layout.tables.set(place, table.text)
      layout.lines.push('', place, '')
    } else if (count > 0)
      layout.lines.push(
        '',
        lines
          .slice(i, i + count)
          .join(' ')
          .trim(),
        '',
      )
    else layout.lines.push(lines[i]!)
    i += Math.max(1, count)
  }
  return layout
}

/** A placeholder for a heading or a table. Its numbers are letters, so that it is not mistaken for a running header. */
function placeOf(...numbers: number[]): string {
  return `\ue000${numbers.join('-').replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}\ue001`
}

function withBlocks(text: string, { headings, tables }: Layout): string {
  return text
    .split('\n\n')
    .map((block) => {
      const level = headings.get(madeOf(block))
      return tables.get(block) ?? (level ? `${'#'.repeat(level)} ${block}` : block)
    })
    .join('\n\n')
}

// --- Headings.

function headingsOf(markdown: string): ReadonlyMap<string, number> {
  const found = markdown.matchAll(/^(#{1,6}) (.*\p{L}.*)$/gmu)
  return new Map([...found].map(([, marks, text]) => [madeOf(text!), marks!.length]))
}

const mostLines = 4

/** The number of lines of the heading that begins here. */
function headingAt(lines: readonly string[], at: number, headings: Layout['headings']): number {
  if (lines[at] === '') return 0
  for (let count = 1; count <= mostLines && at + count <= lines.length; count++)
    if (headings.has(madeOf(lines.slice(at, at + count).join('')))) return count
  return 0
}

// --- Tables.

function tablesOf(markdown: string): string[][][] {
  return markdown
    .split(/\n{2,}/)
    .filter((block) => block.startsWith('|'))
    .map((block) => block.split('\n').filter((row) => !/^\|[\s:|-]+$/.test(row)))
    .map((rows) => rows.map(cellsOf))
}

interface Table {
  text: string
  /** Of lines. */
  count: number
}

/** The unplaced table that belongs here. */
function takeTable(lines: readonly string[], at: number, open: string[][][]): Table | null {
  for (const [i, rows] of open.entries()) {
    const table = tableAt(lines, at, rows)
    if (table) open.splice(i, 1)
    if (table) return table
  }
  return null
}

/** The table, if its rows are here, one on each line. Its first column is on the right. */
function tableAt(lines: readonly string[], at: number, table: readonly string[][]): Table | null {
  const isRight = lettersFromRight(table.flat().join('')) > 0
  const rows: string[][] = []
  let end = at
  for (const cells of table) {
    while (rows.length > 0 && lines[end] === '') end++
    const line = lines[end++] ?? ''
    if (line === '' || madeOf(line) !== madeOf(cells.join(''))) return null
    const read = cells.map((cell) => readCell(cell, line))
    if (read.includes(null)) return null
    rows.push(isRight ? (read as string[]).reverse() : (read as string[]))
  }
  const written = rows.map((cells) => `| ${cells.join(' | ')} |`)
  written.splice(1, 0, `|${'---|'.repeat(rows[0]!.length)}`)
  return { text: written.join('\n'), count: end - at }
}

/** The words of the line that are those of the cell. */
function readCell(cell: string, line: string): string | null {
  if (lettersFromRight(cell) === 0) return cell
  const [words, made] = [line.split(/\s+/), madeOf(cell)]
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1, text = ''; to <= words.length && text.length <= made.length; to++) {
      text = madeOf(words.slice(from, to).join(''))
      if (text === made) return words.slice(from, to).join(' ').replaceAll('|', '\\|')
    }
  return null
}
