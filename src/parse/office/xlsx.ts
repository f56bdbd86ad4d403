// Excel: each sheet a heading and a table.
import type { Note } from '../../model/problem.js'
import { type Converted, damaged, noText, oneLine } from './converted.js'
import { markdownTable, withHeader } from './markdown-table.js'
import { coreProperties, idOf, mainPart, relatedPart, relationsOf, requirePart } from './package-parts.js'
import { plainLine } from './plain-line.js'
import { readSheet, type Sheet, sheetLimits } from './xlsx-sheet.js'
import { readStyles, sharedStrings } from './xlsx-styles.js'
import { attribute, child, descendants, type Element } from './xml.js'
import { openZip, type Zip } from './zip.js'

export function convertXlsx(bytes: Uint8Array): Converted {
  const zip = openZip(bytes)
  const main = mainPart(zip, 'xl/workbook.xml')
  if (!zip.names.includes(main)) throw damaged('it has no workbook in it')
  const workbook = requirePart(zip, main)
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const beside = (type: string) => zip.bytes(relatedPart(zip, main, type, `${folder}${type}.xml`))
  const context = {
    strings: sharedStrings(beside('sharedStrings')),
    styles: readStyles(beside('styles')),
    since1904: isSince1904(workbook),
  }
  const sheets = sheetsOf(zip, main, workbook).map(({ name, part }) => ({
    name,
    ...readSheet(zip.bytes(part)!, context),
  }))
  const text = sheets
    .filter(({ rows }) => rows.length > 0)
    .map(sheetText)
    .join('\n\n')
  const { title, metadata } = coreProperties(zip)
  return {
    text,
    title,
    metadata: { ...metadata, sheets: sheets.map(({ name }) => name) },
    notes: [...sheets.flatMap(cutNotes), ...(text === '' ? [noText()] : [])],
  }
}

function isSince1904(workbook: Element): boolean {
  const flag = child(workbook, 'workbook', 'workbookPr')?.attributes.date1904
  return flag === '1' || flag === 'true'
}

const mostSheets = 256

/** Charts are no tables, and sheets that even the program does not show are machinery. */
function sheetsOf(zip: Zip, main: string, workbook: Element): { name: string; part: string }[] {
  const relations = relationsOf(zip, main)
  return [...descendants(workbook, 'sheet')]
    .filter((sheet) => sheet.attributes.state !== 'veryHidden')
    .map((sheet) => ({
      name: oneLine(attribute(sheet, 'name') ?? ''),
      relation: relations.get(idOf(sheet) ?? ''),
    }))
    .filter(({ relation }) => relation?.type === 'worksheet' && zip.names.includes(relation.target ?? ''))
    .slice(0, mostSheets)
    .map(({ name, relation }) => ({ name, part: relation!.target! }))
}

type NamedSheet = Sheet & { name: string }

function sheetText({ name, rows }: NamedSheet): string {
  const width = rows.reduce((widest, row) => Math.max(widest, filled(row)), 0)
  const first = rows.findIndex((row) => width === 1 || filled(row) > 1)
  const above = first <= 0 ? [] : rows.slice(0, first)
  // A line or two above the table say what it is about.
  const lines = above.map((row) => plainLine(row.find((cell) => cell !== '')!))
  const table = markdownTable(withHeader(withoutEmptyColumns(rows.slice(above.length))))
  return [`## ${name || 'Sheet'}`, ...lines, table].join('\n\n')
}

function filled(row: readonly string[]): number {
  return row.reduce((count, cell) => count + (cell === '' ? 0 : 1), 0)
}

function withoutEmptyColumns(rows: string[][]): string[][] {
  const used = new Set(rows.flatMap((row) => row.flatMap((cell, i) => (cell === '' ? [] : [i]))))
  const columns = [...used].sort((a, b) => a - b)
  return rows.map((row) => columns.map((i) => row[i] ?? ''))
}

function cutNotes({ name, rowCount, rows, columnsCut }: NamedSheet): Note[] {
  const notes: Note[] = []
  if (rowCount > rows.length)
    notes.push({
      code: 'cut',
      message: `Only the first ${rows.length} of ${rowCount} rows of sheet "${name}" are kept.`,
    })
  if (columnsCut)
    notes.push({
      code: 'cut',
      message: `Only the first ${sheetLimits.columns} columns of sheet "${name}" are kept.`,
    })
  return notes
}
