// A checksum for every row, so that a flipped bit on the disk becomes an error and never a different answer. SQLite
// checks the structure of its file, but not the values in the rows.
import zlib from 'node:zlib'
import { Problem } from '../../model/problem.js'
import type { Value } from './database.js'

/**
 * The columns that each checksum covers, by table and by the checksum's column. Not covered: ids that SQLite assigns at
 * insert (the audit's rules check them), and `state` and `leases`, which change no answer.
 */
export const checksums = {
  sources: { sum: ['id', 'facts'] },
  documents: {
    // The facts of a document that every passage shows, apart from the rest.
    name_sum: list('source path title format chunk_count'),
    sum: list('name_sum language hash size mtime ctime ino read_at chars lines tags facts reader'),
  },
  texts: { sum: ['document', 'sections', 'links', 'body_sum'], body_sum: ['body'] },
  chunks: {
    // `text_sum` covers the bytes of the document's text that the chunk shows.
    sum: list(
      'hash document ix kind language "start" "end" first_byte bytes line end_line headings symbols context text_sum',
    ),
  },
  segments: { sum: ['chunks', 'directory'], dead_sum: ['dead', 'dead_count'] },
  blocks: { sum: ['segment', '"first"', 'data'] },
  spaces: { sum: ['model', 'dimensions'] },
  vectors: { sum: ['space', 'chunk', 'scale', 'data'] },
  signs: { sum: ['space', 'chunks', 'bits'] },
  records: { sum: ['kind', 'id', 'value'] },
  worktrees: { sum: ['id', 'place', 'version'] },
  worktree_documents: { sum: ['worktree', 'page', 'version', 'data'] },
} as const

function list(names: string): readonly string[] {
  return names.split(' ')
}

export type Table = keyof typeof checksums

/** The checksum of values before they are written. */
export function seal(...values: readonly Value[]): number {
  let sum = 0
  for (const value of values) sum = add(sum, typeof value === 'string' ? toDatabase(value) : value)
  return sum
}

/**
 * Adds a value to a checksum. Any change of the value or of the sum before it changes the sum after it. An empty blob
 * counts as null, as in the driver; a lone surrogate counts as its replacement character in UTF-8. Numbers are not
 * converted to text, which would be too slow for the hundreds of rows of a search.
 */
function add(sum: number, value: Value): number {
  if (typeof value === 'string') return crc32(value, mix(sum, value.length))
  if (typeof value === 'number') {
    if ((value | 0) === value) return mix(sum, value)
    float[0] = value
    return mix(mix(sum, halves[0]!), halves[1]!)
  }
  return value === null || value.length === 0 ? mix(sum, -1) : crc32(value, mix(sum, value.length))
}

const float = new Float64Array(1)
const halves = new Int32Array(float.buffer)

// Both steps are reversible, so different numbers never give the same result.
function mix(sum: number, integer: number): number {
  const mixed = Math.imul(sum ^ integer, 0x9e3779b1)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

/** An SQL expression that is 1 if the row matches its checksum. Otherwise the statement fails with a Problem. */
export function intact(table: Table, { alias = table as string, column = 'sum' } = {}): string {
  const columns = [column, ...columnsOf(table, column)].map((name) => `${alias}.${name}`)
  return `carrel_intact('${table}', ${columns.join(', ')})`
}

/** The function behind `intact`. */
export function carrelIntact(table: unknown, sum: unknown, ...values: unknown[]): number {
  requireIntact(table as Table, sum as number, values as Value[])
  return 1
}

/** The function behind `differs`. */
export function carrelSum(...values: unknown[]): number {
  return (values as Value[]).reduce(add, 0)
}

/** An SQL condition that selects the rows which do not match a checksum. */
export function differs(table: Table, column: string): string {
  return `${column} IS NOT carrel_sum(${columnsOf(table, column).join(', ')})`
}

/** Verifies values that were already read, or `many` of them starting at `from`. */
export function requireIntact(
  table: Table,
  sum: number,
  values: readonly Value[],
  from = 0,
  many = values.length - from,
) {
  let actual = 0
  for (let i = from; i < from + many; i++) actual = add(actual, values[i]!)
  if (actual !== sum) throw damagedRow(table)
}

function damagedRow(table: Table): Problem {
  return damagedIndex(`a row of its table "${table}" does not match its checksum`)
}

/** The Problem for stored bytes that cannot be what was written. */
export function damagedIndex(what: string): Problem {
  return new Problem('store_damaged', `The index is damaged: ${what}.`, repairHint)
}

export const repairHint =
  'Run "carrel doctor --repair": it saves your own records and starts the index anew; "carrel index" then fills it from the sources.'

function columnsOf(table: Table, column: string): readonly string[] {
  return (checksums[table] as Record<string, readonly string[]>)[column]!
}

type Crc32 = (data: string | Uint8Array, start?: number) => number

// Node has crc32 from 20.15 and 22.2 on, but not in 21.
export const crc32: Crc32 = zlib.crc32 ?? plainCrc32

/** CRC-32 in JavaScript. */
export function plainCrc32(data: string | Uint8Array, start = 0): number {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  let crc = ~start
  for (let i = 0; i < bytes.length; i++) crc = crcTable[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8)
  return ~crc >>> 0
}

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

// The driver ends a string at its first NUL, so the database stores a rare character instead.
const stand = '\u{10ffff}'

/** A string as the database stores it. */
export function toDatabase(text: string): string {
  if (!text.includes('\0') && !text.includes(stand)) return text
  return text.replaceAll(stand, `${stand}1`).replaceAll('\0', `${stand}0`)
}

/** The original string, with its NULs. */
export function fromDatabase(text: string): string {
  return text.includes(stand) ? text.replaceAll(`${stand}0`, '\0').replaceAll(`${stand}1`, stand) : text
}
