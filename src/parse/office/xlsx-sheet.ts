// One sheet of a workbook, row by row, without building a tree: sheets run to a million rows.
import { cellChars } from './markdown-table.js'
import { type CellStyle, unescaped, valueText } from './xlsx-styles.js'
import { readXml, xmlText } from './xml.js'

export interface Sheet {
  /** The rows with content, up to the limit. */
  rows: string[][]
  /** The number of rows with content. */
  rowCount: number
  /** Counted over these rows. */
  columnsCut: boolean
  cellsCut: boolean
}

export interface SheetContext {
  strings: readonly string[]
  styles: readonly CellStyle[]
  since1904: boolean
}

export const sheetLimits = { rows: 10_000, columns: 100 }

export function readSheet(bytes: Uint8Array, context: SheetContext): Sheet {
  const sheet: Sheet = { rows: [], rowCount: 0, columnsCut: false, cellsCut: false }
  let row: string[] = []
  let cell: Cell | null = null
  let reads = false
  let phonetic = 0
  const numbers: number[] = []
  const merged: string[] = []
  let number = 0
  readXml(xmlText(bytes), {
    open(name, attributes) {
      if (name === 'row') {
        row = []
        number = Number(attributes.r) || number + 1
      } else if (name === 'mergeCell') merged.push(attributes.ref ?? '')
      else if (name === 'c')
        cell = {
          column: columnOf(attributes.r) ?? (cell?.column ?? -1) + 1,
          type: attributes.t ?? 'n',
          style: Number(attributes.s) || 0,
          text: '',
        }
      // Phonetic readings come next to their text.
      else if (name === 'rPh') phonetic++
      else if (name === 'v' || name === 't') reads = phonetic === 0
    },
    text(text) {
      if (cell && reads && cell.text.length <= cellChars) cell.text += text
    },
    close(name) {
      if (name === 'v' || name === 't') reads = false
      else if (name === 'rPh') phonetic--
      else if (name === 'c' && cell) place(sheet, row, cell, context)
      else if (name === 'row') {
        cell = null
        keep(sheet, row)
        if (sheet.rows.length > numbers.length) numbers.push(number)
      }
    },
  })
  repeatMerged(sheet.rows, numbers, merged)
  return sheet
}

interface Cell {
  column: number
  type: string
  style: number
  text: string
}

function place(sheet: Sheet, row: string[], cell: Cell, context: SheetContext) {
  const text = cellText(cell, context)
  if (text === '') return
  const fits = cell.column < sheetLimits.columns
  if (sheet.rows.length < sheetLimits.rows) {
    if (!fits) sheet.columnsCut = true
    else sheet.cellsCut ||= text.length > cellChars
  }
  if (!fits) return
  while (row.length < cell.column) row.push('')
  row[cell.column] = text.slice(0, cellChars)
}

function keep(sheet: Sheet, row: string[]) {
  if (row.length === 0) return
  sheet.rowCount++
  if (sheet.rows.length < sheetLimits.rows) sheet.rows.push(row)
}

const mostMerged = 10_000
const mostRepeated = 1_000_000

/** The value of a cell that spans rows belongs to each of them. */
function repeatMerged(rows: string[][], numbers: readonly number[], merged: readonly string[]) {
  let spare = mostRepeated
  for (const ref of merged.slice(0, mostMerged)) {
    const [, column, top, bottom] = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/i.exec(ref) ?? []
    const at = columnOf(column)
    const first = numbers.indexOf(Number(top))
    const text = at === null ? '' : (rows[first]?.[at] ?? '')
    if (text === '') continue
    for (let i = first + 1; i < rows.length && numbers[i]! <= Number(bottom); i++) {
      spare -= text.length
      if (spare < 0) return
      const row = rows[i]!
      while (row.length < at!) row.push('')
      row[at!] ||= text
    }
  }
}

/** `BC12` is the 55th column, counted from 0 here. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^\$?([A-Z]{1,3})/i.exec(reference ?? '')?.[1]
  if (!letters) return null
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function cellText(cell: Cell, { strings, styles, since1904 }: SheetContext): string {
  const written = cell.text.trim()
  if (written === '') return ''
  switch (cell.type) {
    case 's':
      return (strings[Number(written)] ?? '').trim()
    case 'b':
      return written === '1' ? 'TRUE' : 'FALSE'
    case 'n': {
      const value = Number(written)
      if (!Number.isFinite(value)) return written
      return valueText(value, styles[cell.style] ?? 'number', since1904)
    }
    default:
      return unescaped(written)
  }
}
