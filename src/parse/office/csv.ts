// Tables as text: delimiter and encoding found out, rows kept up to a limit.
import type { Note } from '../../model/problem.js'
import { decode } from '../decode.js'
import { type Converted, noText } from './converted.js'
import { cellChars, markdownTable, withHeader } from './markdown-table.js'

export const csvLimits = { rows: 10_000, columns: 200 }

export function convertCsv(bytes: Uint8Array, path: string): Converted {
  const { text, notes } = decode(bytes)
  const delimiter = delimiterOf(text, path)
  const read = readRows(text, delimiter)
  const { rows, rowCount } = read
  const table = withHeader(rows)
  return {
    text: markdownTable(table),
    title: null,
    metadata: { rows: rowCount, columns: table.header.length },
    notes: [...notes, ...rowNotes(read), ...(rows.length === 0 ? [noText()] : [])],
  }
}

function rowNotes({ rows, rowCount, columnsCut, cellsCut, openQuote }: Rows): Note[] {
  const notes: Note[] = []
  const cut = (first: string) => notes.push({ code: 'cut', message: `Only the first ${first} are kept.` })
  if (rowCount > rows.length) cut(`${rows.length} of ${rowCount} rows`)
  if (columnsCut) cut(`${csvLimits.columns} columns`)
  if (cellsCut) cut(`${cellChars} characters of its longest cells`)
  if (openQuote)
    notes.push({
      code: 'csv_broken',
      message: 'A quoted field does not end; quotes were read as plain signs.',
    })
  return notes
}

const delimiters = [',', ';', '\t', '|']
const sampleChars = 20_000

/** The sign that cuts the first lines into the same number of fields, at least two, most evenly. */
export function delimiterOf(text: string, path: string): string {
  if (/\.(?:tsv|tab)$/i.test(path)) return '\t'
  const declared = /^sep=(.)\r?\n/i.exec(text)?.[1]
  if (declared) return declared
  const sample =
    text.length > sampleChars
      ? text.slice(0, text.lastIndexOf('\n', sampleChars) + 1) || text.slice(0, sampleChars)
      : text
  const scores = delimiters.map((delimiter) => ({
    delimiter,
    score: evenness(parseRows(sample, delimiter, 100).rows),
  }))
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter
}

function evenness(rows: readonly (readonly string[])[]): number {
  const widths = new Map<number, number>()
  for (const { length } of rows) widths.set(length, (widths.get(length) ?? 0) + 1)
  const [width, count] = [...widths].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])
  return width < 2 ? 0 : count / rows.length + Math.min(width, 20) / 1000
}

interface Rows {
  rows: string[][]
  rowCount: number
  /** Counted over the kept rows. */
  columnsCut: boolean
  cellsCut: boolean
  openQuote: boolean
}

function readRows(text: string, delimiter: string): Rows {
  const body = text.replace(/^sep=.\r?\n/i, '')
  const read = parseRows(body, delimiter, csvLimits.rows)
  return read.openQuote ? { ...parseRows(body, delimiter, csvLimits.rows, false), openQuote: true } : read
}

/** RFC 4180, forgiving: a quote inside a bare field is a sign like any other, and lines may end in any manner. */
export function parseRows(text: string, delimiter: string, most: number, quotes = true): Rows {
  const result: Rows = { rows: [], rowCount: 0, columnsCut: false, cellsCut: false, openQuote: false }
  let row: string[] = []
  const addField = (value: string) => {
    const fits = row.length < csvLimits.columns
    if (fits) row.push(value.slice(0, cellChars).trim())
    if (result.rows.length === most) return
    if (!fits) result.columnsCut ||= value.trim() !== ''
    else result.cellsCut ||= value.length > cellChars
  }
  const endRow = () => {
    if (row.some((cell) => cell !== '')) {
      result.rowCount++
      if (result.rows.length < most) result.rows.push(row)
    }
    row = []
  }
  for (let at = 0; at < text.length; ) {
    const field = (quotes ? fieldInQuotes : bareField)(text, at, delimiter)
    if (!field) return { ...result, openQuote: true }
    addField(field.value)
    at = field.end
    if (text[at] === delimiter) {
      at++
      if (at === text.length) row.push('')
    } else {
      endRow()
      at += text.startsWith('\r\n', at) ? 2 : 1
    }
  }
  if (row.length > 0) endRow()
  return result
}

interface Field {
  value: string
  end: number
}

function bareField(text: string, at: number, delimiter: string): Field {
  let end = at
  while (end < text.length) {
    const sign = text[end]!
    if (sign === delimiter || sign === '\n' || sign === '\r') break
    end++
  }
  return { value: text.slice(at, end), end }
}

/** A quoted field may have blanks before its first quote. */
function fieldInQuotes(text: string, at: number, delimiter: string): Field | null {
  if (text[at] === '"') return quotedField(text, at, delimiter)
  const bare = bareField(text, at, delimiter)
  const quote = /^ +"/.exec(bare.value)?.[0].length
  const quoted = quote ? quotedField(text, at + quote - 1, delimiter) : null
  return quoted && /" *$/.test(text.slice(at, quoted.end)) ? quoted : bare
}

/** A field that runs on for this long is one whose quote was never closed. */
const longestQuoted = 200_000

/** Null if the quote is not closed. Text between the closing quote and the delimiter is kept. */
function quotedField(text: string, at: number, delimiter: string): Field | null {
  const parts: string[] = []
  for (let from = at + 1; ; ) {
    const close = text.indexOf('"', from)
    if (close < 0 || close - at > longestQuoted) return null
    parts.push(text.slice(from, close))
    if (text[close + 1] !== '"') {
      const rest = bareField(text, close + 1, delimiter)
      return { value: parts.join('"') + rest.value, end: rest.end }
    }
    from = close + 2
  }
}
