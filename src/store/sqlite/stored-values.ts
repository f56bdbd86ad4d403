// How values lie in the rows. Texts and lists are packed. Each row has a checksum, so that a flipped bit on the disk becomes
// an error and never a different answer: SQLite checks the structure of its file, but not the values in the rows.

import zlib, { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Link, Section } from '../../model/document.js'
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

// --- Packed texts. A text is deflated where that saves space. Packed bytes start with 255, which UTF-8 never has, so
// that short texts can stay as they are:
//   255, the length of the text, the length of each deflated block (four bytes each, little-endian), the blocks.
// A block holds 64 kB of the text, so a chunk of a large document is read without inflating all of it.

const mark = 255
const blockBytes = 65_536
/** Shorter texts save less than the bytes around them cost. */
const leastBytes = 128
// On pages of some kilobytes level 3 is as fast as level 1. The small window and memory level make the start cheaper.
const deflate = { level: 3, windowBits: 14, memLevel: 7 }
const inflate = { windowBits: deflate.windowBits }

/** The bytes to store. */
export function packText(text: Uint8Array): Uint8Array {
  if (text.length < leastBytes) return text
  const blocks: Buffer[] = []
  for (let at = 0; at < text.length; at += blockBytes)
    blocks.push(deflateRawSync(text.subarray(at, at + blockBytes), deflate))
  const head = Buffer.alloc(headBytes(blocks.length))
  head[0] = mark
  head.writeUInt32LE(text.length, 1)
  for (const [i, block] of blocks.entries()) head.writeUInt32LE(block.length, headBytes(i))
  const packed = Buffer.concat([head, ...blocks])
  return packed.length < text.length ? packed : text
}

/** Packs a body that was stored as it was. Anything else is damage, which its checksum tells. */
export function repackText(body: unknown): unknown {
  return body instanceof Uint8Array ? packText(body) : body
}

export interface PackedText {
  /** In bytes. */
  length: number
  slice(from: number, to: number): Uint8Array
}

/** Opens stored bytes. A block is inflated when a slice needs it, and once. */
export function openText(stored: Uint8Array | null): PackedText {
  // The driver returns null for an empty blob.
  const bytes = stored ?? new Uint8Array()
  if (bytes[0] !== mark) return { length: bytes.length, slice: (from, to) => bytes.subarray(from, to) }
  const { length, ends } = readHead(bytes)
  const inflated: Uint8Array[] = []
  const block = (i: number) => {
    inflated[i] ??= inflateBlock(
      bytes.subarray(ends[i], ends[i + 1]),
      Math.min(blockBytes, length - i * blockBytes),
    )
    return inflated[i]
  }
  return {
    length,
    slice(from, to) {
      const first = Math.floor(from / blockBytes)
      const last = Math.ceil(Math.min(to, length) / blockBytes) - 1
      const start = first * blockBytes
      if (first >= last)
        return last < 0 || first > last ? new Uint8Array() : block(first).subarray(from - start, to - start)
      const blocks = Array.from({ length: last - first + 1 }, (_, i) => block(first + i))
      return Buffer.concat(blocks).subarray(from - start, to - start)
    },
  }
}

/** All of a stored text. */
export function unpackText(stored: Uint8Array | null): Uint8Array {
  const text = openText(stored)
  return text.slice(0, text.length)
}

function headBytes(blocks: number): number {
  return 5 + 4 * blocks
}

/** `ends[i]` is where block i starts, and where the one before it ends. */
function readHead(bytes: Uint8Array): { length: number; ends: number[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headBytes(0)) throw damagedText()
  const length = view.getUint32(1, true)
  const blocks = Math.ceil(length / blockBytes)
  if (bytes.length < headBytes(blocks)) throw damagedText()
  const ends = [headBytes(blocks)]
  for (let i = 0; i < blocks; i++) ends.push(ends[i]! + view.getUint32(headBytes(i), true))
  return { length, ends }
}

function inflateBlock(bytes: Uint8Array, length: number): Uint8Array {
  try {
    const block = inflateRawSync(bytes, { ...inflate, maxOutputLength: length })
    if (block.length === length) return block
  } catch {
    // The caller learns the same from both.
  }
  throw damagedText()
}

function damagedText() {
  return damagedIndex('a packed text cannot be read')
}

// --- Packed lists. Sections and links are stored as lists of values: `[[2,"Value",13,16,434,503]]`. With the names in every entry they
// would take twice the space.

/** A record with a name that is missing or unknown here does not compile. */
type Names<T> = { [name in keyof Required<T>]: true }

const section: Names<Section> = { level: true, text: true, line: true, endLine: true, start: true, end: true }
const link: Names<Link> = {
  kind: true,
  target: true,
  label: true,
  heading: true,
  block: true,
  start: true,
  end: true,
  line: true,
}

export const sectionList = listOf<Section>(section)
export const linkList = listOf<Link>(link)

function listOf<T extends object>(entry: Names<T>) {
  const names = Object.keys(entry) as (keyof T)[]
  return {
    pack: (entries: readonly T[]): string =>
      JSON.stringify(entries.map((entry) => names.map((name) => entry[name]))),
    unpack: (packed: string): T[] =>
      (JSON.parse(packed) as unknown[][]).map(
        (values) => Object.fromEntries(names.map((name, i) => [name, values[i]])) as T,
      ),
    /** Packs a list that was stored with its names. A damaged one stays as it is: its checksum tells. */
    repack(named: string): string {
      try {
        return this.pack(JSON.parse(named))
      } catch {
        return named
      }
    },
  }
}
