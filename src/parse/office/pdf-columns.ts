// Columns of a few lines. The layout pass needs several lines to recognise a column; with fewer, it joins the lines across
// the columns. The positions of the lines give the reading order.
import { joinLines } from './pdf-lines.js'

/** A line of a column, with its top left corner. */
export interface Line {
  text: string
  x: number
  y: number
  width: number
  height: number
}

/** The same page with the columns that run through each other put one after the other. */
export function columnsApart(page: string, lines: readonly Line[]): string {
  const mixed = bandsOf(rowsOf(lines)).filter(isMixed)
  return mixed.length > mostBands ? page : mixed.reduce(putApart, page)
}

/** No readable page has more, and each line is searched in the whole page. */
const mostBands = 100

const narrowestGap = 0.8

/** The texts side by side on a line. Parts with at most a blank between them are one text. */
function rowsOf(lines: readonly Line[]): Line[][] {
  const rows: Line[][] = []
  for (const line of lines) {
    const last = rows.at(-1)?.at(-1)
    const gap = last ? line.x - last.x - last.width : -1
    if (!last || gap <= 0 || Math.abs(line.y - last.y) >= last.height) rows.push([line])
    else if (gap > narrowestGap * last.height) rows.at(-1)!.push(line)
    else rows.at(-1)!.splice(-1, 1, joined(last, line))
  }
  return rows
}

function joined(line: Line, part: Line): Line {
  return { ...line, text: `${line.text} ${part.text}`, width: part.x + part.width - line.x }
}

/** Rows in which sentences run on from line to line of a column. */
interface Band {
  starts: number[]
  rows: Row[]
}

/** By column; null where a column has ended. */
type Row = (Line | null)[]

function bandsOf(rows: readonly Line[][]): Band[] {
  const bands: Band[] = []
  let band: Band | null = null
  for (const lines of rows) {
    const row: Row | null = band && below(lines, band)
    if (row) band!.rows.push(row)
    else {
      band = lines.length > 1 ? { starts: lines.map(({ x }) => x), rows: [lines] } : null
      if (band) bands.push(band)
    }
  }
  return bands
}

const widestIndent = 2
const widestLeading = 2

/** The lines by column, if they continue the last line of the band. */
function below(lines: readonly Line[], { starts, rows }: Band): Row | null {
  const row: Row = starts.map(() => null)
  for (const line of lines) {
    const column = starts.findIndex((start) => Math.abs(line.x - start) <= widestIndent * line.height)
    const next = starts[column + 1] ?? Number.POSITIVE_INFINITY
    if (column < 0 || row[column] || line.x + line.width >= next) return null
    row[column] = line
  }
  const links = row.flatMap((line, column) => (line ? [linkOf(rows.at(-1)![column]!, line)] : []))
  return links.includes('on') && !links.includes('apart') ? row : null
}

type Link = 'on' | 'perhaps' | 'apart'

/** Lines of a sentence are full; the entries of a table's column are not. */
function linkOf(above: Line | null, line: Line): Link {
  if (!above || line.y - above.y > widestLeading * above.height) return 'apart'
  if (/[.!?:]["'”’)]?$/.test(above.text)) return 'perhaps'
  if (above.text.split(' ').length < fewestWords || hasRoom(above, line)) return 'apart'
  return /^\p{Ll}/u.test(line.text) ? 'on' : 'perhaps'
}

const fewestWords = 3

/** Whether the first word of the next line would have fit on this one. */
function hasRoom(above: Line, { text, x, width }: Line): boolean {
  const first = ((text.split(' ', 1)[0]!.length + 1) / text.length) * width
  return above.x + above.width + first < x + width
}

/** The line is below another one, and a column follows. */
function isMixed({ rows }: Band): boolean {
  return rows.slice(1).some((row) => row.slice(0, -1).some((line) => line))
}

function putApart(page: string, { starts, rows }: Band): string {
  const lines = rows.flat().filter((line) => line !== null)
  const patterns = lines.map(({ text }) => `(${patternOf(text)})`)
  const found = new RegExp(`(^#+ |)${patterns.join(' ?')}`, 'm').exec(page)
  if (!found) return page
  const [whole, mark, ...texts] = found as unknown as string[]
  const written = new Map(lines.map((line, i) => [line, withHyphen(texts[i]!, line.text)]))
  const columns = starts.map((_, column) =>
    rows.flatMap((row) => (row[column] ? [written.get(row[column])!] : [])).reduce(joinLines),
  )
  const before = page.slice(0, found.index).trimEnd()
  const after = page.slice(found.index + whole!.length).trimStart()
  return [before, mark + columns[0]!, ...columns.slice(1), after].filter((part) => part !== '').join('\n\n')
}

/** Matches the text as Markdown writes it, with or without the hyphen at its end, which the layout pass may remove. */
function patternOf(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N} ]/gu, '\\\\?\\$&').replace(/\\-$/, '\\-?')
}

function withHyphen(written: string, text: string): string {
  return text.endsWith('-') && !written.endsWith('-') ? `${written}-` : written
}
