// Excel: each sheet a heading and a table.
import type { Note } from '../../model/problem.js'
import { type Converted, damaged, noText, oneLine, plainLine } from './converted.js'
import { cellChars, markdownTable, withHeader } from './markdown-table.js'
import { coreProperties, idOf, mainPart, relatedPart, relationsOf, requirePart } from './package-parts.js'
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
  const partOf = (type: string) => zip.bytes(relatedPart(zip, main, type, `${folder}${type}.xml`))
  const context = {
    strings: sharedStrings(partOf('sharedStrings')),
    styles: readStyles(partOf('styles')),
    since1904: isSince1904(workbook),
  }
  const all = sheetsOf(zip, main, workbook)
  const sheets = all.slice(0, mostSheets).map(({ name, part }) => ({
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
    notes: [...sheetNotes(all.length), ...sheets.flatMap(cutNotes), ...(text === '' ? [noText()] : [])],
  }
}

const mostSheets = 256

function sheetNotes(count: number): Note[] {
  if (count <= mostSheets) return []
  return [{ code: 'cut', message: `Only the first ${mostSheets} of ${count} sheets are kept.` }]
}

function isSince1904(workbook: Element): boolean {
  const flag = child(workbook, 'workbook', 'workbookPr')?.attributes.date1904
  return flag === '1' || flag === 'true'
}

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
    .map(({ name, relation }) => ({ name, part: relation!.target! }))
}

type NamedSheet = Sheet & { name: string }

function sheetText({ name, rows }: NamedSheet): string {
  const width = rows.reduce((widest, row) => Math.max(widest, filled(row)), 0)
  const first = rows.findIndex((row) => width === 1 || filled(row) > 1)
  const above = first <= 0 ? [] : rows.slice(0, first)
  // A line or two above the table are its title.
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

function cutNotes({ name, rowCount, rows, columnsCut, cellsCut }: NamedSheet): Note[] {
  const notes: Note[] = []
  const cut = (first: string) =>
    notes.push({ code: 'cut', message: `Only the first ${first} of sheet "${name}" are kept.` })
  if (rowCount > rows.length) cut(`${rows.length} of ${rowCount} rows`)
  if (columnsCut) cut(`${sheetLimits.columns} columns`)
  if (cellsCut) cut(`${cellChars} characters of the longest cells`)
  return notes
}
