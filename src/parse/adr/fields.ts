// The fields of a record: frontmatter, bullets, tables, bold lines and plain "Name: value" lines.

import { scalarText } from '../frontmatter.js'
import { isDate } from './dates.js'
import { cellsOf, type Page, type Part, type Piece, type Table, textOf } from './page.js'
import { plain } from './plain.js'
import { directionOf, inEnglish, supersededBy, supersedes } from './status-words.js'

export interface FieldValue {
  /** As written. */
  value: string
  line: number
}

/** 'other': people, tags and links. Only that they are fields matters: their lines are no part of the decision. */
type FieldName = 'status' | 'date' | 'supersedes' | 'supersededBy' | 'id' | 'title' | 'other'

export type Fields = Partial<Record<FieldName, FieldValue[]>>

export function fieldsOf(page: Page): Fields {
  const fields: Fields = {}
  const add = (written: string, value: FieldValue) => {
    const name = nameOf(written)
    if (!name || value.value.trim() === '') return
    fields[name] ??= []
    fields[name].push(value)
  }
  for (const [key, value] of Object.entries(page.fields))
    for (const one of Array.isArray(value) ? value : [value])
      add(key, { value: frontmatterText(one), line: 1 })
  for (const [name, value] of pairsIn(topPieces(page))) add(name, value)
  for (const [name, value] of page.parts.flatMap(headedPairs)) add(name, value)
  const lines = page.parts[0]!.pieces.flatMap((piece) => (piece.kind === 'paragraph' ? piece.lines : []))
  for (const { text, line } of lines) if (isDate(text)) add('date', { value: text, line })
  return fields
}

function frontmatterText(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  // YAML takes "{accepted}" for a map with nothing under that name.
  const [[key, held] = ['', ''], ...more] = value && typeof value === 'object' ? Object.entries(value) : []
  if (held === null && more.length === 0 && /^\p{L}+$/u.test(key)) return key
  return scalarText(value)[0] ?? ''
}

/** Metadata comes between the title and the first real part, or in a separate part. */
function topPieces(page: Page): Piece[] {
  const top = page.parts[0]!.pieces
  return [...top, ...page.parts.filter(({ own }) => own === 'metadata').flatMap(({ pieces }) => pieces)]
}

type Pair = [string, FieldValue]

/** A field may be a heading, at the top or under the status: "## Supersedes" with a list below, "### Date: 2024-01-02". */
function headedPairs({ heading, own, parent, pieces, line }: Part): Pair[] {
  const pair = pairIn(heading)
  const name = nameOf(pair?.name ?? heading)
  const isAside = own !== null || (parent && parent.own !== 'status' && parent.own !== 'metadata')
  if (isAside || !name || !headed.has(name)) return []
  if (pair && pair.value !== '') return [[pair.name, { value: pair.value, line }]]
  return pieces
    .filter((piece) => piece.kind !== 'row' && textOf(piece).length <= longestValue)
    .map((piece) => [heading, valueIn(piece)])
}

const headed: ReadonlySet<FieldName> = new Set(['date', 'supersedes', 'supersededBy'])
/** A longer text is prose, not a value. */
const longestValue = 100

function valueIn({ lines, line }: Piece): FieldValue {
  return { value: lines.map(({ text }) => text).join(' '), line }
}

/** The bullets below a name without a value are its values. */
function pairsIn(pieces: readonly Piece[]): Pair[] {
  const all: Pair[] = []
  let open: { name: string; piece: Piece } | null = null
  for (const piece of pieces) {
    const pairs = pairsOf(piece)
    if (open && isBelow(open.piece, piece) && !pairs.some(([name]) => nameOf(name))) {
      all.push([open.name, valueIn(piece)])
      continue
    }
    all.push(...pairs)
    const last = pairs.at(-1)
    open = last?.[1].value === '' ? { name: last[0], piece } : null
  }
  return all
}

function isBelow(name: Piece, piece: Piece): boolean {
  return piece.depth > name.depth || (piece.kind === 'item' && name.kind === 'paragraph')
}

function pairsOf(piece: Piece): Pair[] {
  if (piece.kind === 'row') return rowPairs(piece)
  const pairs: Pair[] = []
  for (const { text, line } of piece.lines)
    for (const part of text
      .replace(/<\/?(?:b|strong)>/gi, '**')
      .replace(/\\$/, '')
      .split(nextField)) {
      const pair = pairIn(part)
      const last = pairs.at(-1)?.[1]
      if (pair) pairs.push([pair.name, { value: pair.value, line }])
      else if (last && ((piece.kind === 'item' && piece.depth === 0) || isOpen(last.value)))
        last.value += ` ${part}`
    }
  return pairs
}

/** A value may begin in the next line, or go on there: "superseded by". */
function isOpen(value: string): boolean {
  return value === '' || /\b(?:by|with)[\s*_]{0,9}$/i.test(value.slice(-20))
}

/** A row has a name and a value, or a value for each name in the header. */
function rowPairs(piece: Piece): Pair[] {
  const cells = cellsOf(piece.lines[0]!.text)
  if (piece.table && namesColumns(piece.table.header)) return columnPairs(piece, cells, piece.table)
  const [name = '', value = ''] = cells
  return cells.length >= 2 ? [[plain(name), { value, line: piece.line }]] : []
}

/** "Status | Date" names columns; "Status | Accepted" is a name and its value. */
function namesColumns(header: readonly string[]): boolean {
  return header.filter((cell) => nameOf(cell)).length >= 2
}

function columnPairs({ line }: Piece, cells: readonly string[], table: Table): Pair[] {
  const { header, rows } = table
  // Several rows that name records are about other records; so is any long list.
  if (line === table.line || rows > mostRows || (rows > 1 && header.some(namesRecords))) return []
  const date = cells[header.findIndex((cell) => nameOf(cell) === 'date')]
  return header.flatMap((cell, i): Pair[] => {
    const value = cells[i] ?? ''
    // Of several statuses the newest counts, so the cell gets the date of its row.
    const isOneOfMany = rows > 1 && date && nameOf(cell) === 'status' && value !== ''
    return [[plain(cell), { value: isOneOfMany ? `${value} (${date})` : value, line }]]
  })
}

const mostRows = 100

function namesRecords(cell: string): boolean {
  const name = nameOf(cell)
  return (
    name === 'id' || name === 'title' || /^(?:m?adrs?|decisions?|records?|links?|names?)$/i.test(plain(cell))
  )
}

const withColon = /^\s*(?:>\s*)?[*_]{0,3}([\p{L}][\p{L} _/()-]{1,30}?)[*_]{0,3}\s*[:：]\s*[*_]{0,3}\s*(.*)$/u
const boldOnly = /^\s*(?:\*\*|__)([\p{L}][\p{L} _/-]{1,30}?)(?:\*\*|__)\s+(.+)$/u
const dateOnly = /^\s*(Date|Datum)\s+(\d.*)$/i

function pairIn(text: string): { name: string; value: string } | null {
  const bare = text.replace(/^\p{Extended_Pictographic}\uFE0F?\s*/u, '')
  const match = withColon.exec(bare) ?? boldOnly.exec(bare) ?? dateOnly.exec(bare)
  if (match) return { name: match[1]!, value: match[2]! }
  return nameOf(bare) ? { name: bare, value: '' } : null
}

function nameOf(written: string): FieldName | null {
  const key = plain(written)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .replace(/\(s\)/g, 's')
    .normalize('NFC')
    .replace(/^(?:adr|decision|document|current|last) (?=status|state|date|updated|modified|id|number)/, '')
    .trim()
  return names[key] ?? directionOf(key) ?? directionOf(inEnglish(key))
}

const written: Readonly<Record<FieldName, string>> = {
  status:
    'status, state, decision status, statut, estado, stato, статус, 状态, 狀態, 状態, ステータス, 상태, trạng thái',
  date: 'date, dated, dates, date decided, decided on, decision date, updated, created, written, date accepted, accepted on, date approved, date adopted, date resolved, date of decision, approved on, approval date, modified, datum, entscheidungsdatum, erstellt, erstellt am, date de décision, fecha, fecha de decisión, data, data da decisão, дата, дата решения, 日期, 日付, 作成日, 決定日, 날짜, 작성일, 결정일',
  supersedes: 'supersedes adr, ersetzt, 取代, 替代, 替换',
  supersededBy: 'superseded',
  id: 'id, adr, number',
  title: 'title',
  other: [
    'deciders, decider, decision makers, decision maker, decided by, decision owners, decision owner, approvers, approver, approved by, stakeholders',
    'entscheider, entscheidungsträger, entschieden von, entscheidung durch, décideurs, décideur, décidé par, décidée par, decisores, decisor, decidido por, decidida por, tomadores de decisão, responsables de la decisión, decisori, deciso da, beslissers, decydenci, решающие, принимающие решение, кто принял решение, 决策者, 决策人, 決策者, 決定者, 意思決定者, 결정자, 의사결정자',
    'author, authors, owner, owners, proposed by, created by, submitters, submitter, written by',
    'autor, autorin, autoren, verfasser, auteur, auteurs, autora, autores, autore, autori, autorzy, автор, авторы, 作者, 作成者, 起案者, 提案者, 저자, 작성자',
    'consulted, konsultiert, consultés, consultados, consultati, консультанты, informed, informiert, informés, informados, informati',
    'tags, tag, categories, category, labels, amends, amended, extends',
    'related, related to, relates to, related adrs, related decisions, depends on, links',
  ].join(', '),
}

const names: Readonly<Record<string, FieldName>> = Object.fromEntries(
  Object.entries(written).flatMap(([field, all]) =>
    all.split(', ').map((name) => [name.normalize('NFC'), field as FieldName]),
  ),
)

/** The start of another field on the same line: "**Date:** 2024-01-02 | **Status:** Rejected". */
const nextField = new RegExp(
  `(?:[|·•,;.]|<br\\s?/?>)\\s{0,9}(?=[*_]{0,3}(?:${Object.keys(names).join('|')}|${supersedes}|${supersededBy})[*_]{0,3}\\s?[:：])`,
  'i',
)
