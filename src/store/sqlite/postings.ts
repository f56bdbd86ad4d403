// How posting lists lie in bytes. Pure: the tables are segments.ts' and merge.ts' business.
//
// A segment holds the terms of a number of chunks, which it numbers from 0 (ordinals). Its terms stand sorted in blocks
// of about four kilobytes, each filed under its first term: one row a block instead of one a term makes indexing several
// times faster and the file smaller. An entry: term, how many chunks, the last ordinal, how many bytes, then a posting
// for each chunk: the gap to the previous ordinal, doubled, plus one if more follows than "once in the body". As only
// the first gap tells where a list starts, lists of neighbouring segments are joined without reading them.

import { damagedIndex } from './stored-values.js'

const bodyField = 3

class ByteWriter {
  bytes = new Uint8Array(4096)
  length = 0

  room(more: number) {
    if (this.length + more <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  varint(value: number) {
    this.room(5)
    while (value > 127) {
      this.bytes[this.length++] = (value & 127) | 128
      value >>>= 7
    }
    this.bytes[this.length++] = value
  }

  raw(bytes: Uint8Array, length = bytes.length) {
    this.room(length)
    // Most lists are a few bytes long, for which a loop is faster than a view and a copy.
    if (length > 32) this.bytes.set(bytes.subarray(0, length), this.length)
    else for (let i = 0; i < length; i++) this.bytes[this.length + i] = bytes[i]!
    this.length += length
  }

  /** A string with its length in front. */
  string(text: string) {
    if (!isAscii(text)) {
      const bytes = Buffer.from(text)
      this.varint(bytes.length)
      this.raw(bytes)
      return
    }
    this.varint(text.length)
    this.room(text.length)
    for (let i = 0; i < text.length; i++) this.bytes[this.length++] = text.charCodeAt(i)
  }

  done(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }
}

export function isOnceInBody(counts: ArrayLike<number>, at: number): boolean {
  return counts[at + bodyField] === 1 && counts[at]! + counts[at + 1]! + counts[at + 2]! === 0
}

/** One term's postings, ordered by ordinal. The object is reused for the next term. */
export class PostingWriter {
  readonly out = new ByteWriter()
  chunks = 0
  last = -1

  clear() {
    this.out.length = 0
    this.chunks = 0
    this.last = -1
  }

  /** For a term that occurs once in the body and in no other field. */
  addOnce(ordinal: number) {
    this.chunks++
    this.out.varint((ordinal - this.last) * 2)
    this.last = ordinal
  }

  add(ordinal: number, counts: ArrayLike<number>, at = 0) {
    if (isOnceInBody(counts, at)) return this.addOnce(ordinal)
    this.chunks++
    this.out.varint((ordinal - this.last) * 2 + 1)
    this.last = ordinal
    const title = counts[at]!
    const headings = counts[at + 1]!
    const names = counts[at + 2]!
    const body = counts[at + bodyField]!
    this.out.varint((title ? 1 : 0) | (headings ? 2 : 0) | (names ? 4 : 0) | (body ? 8 : 0))
    if (title) this.out.varint(title)
    if (headings) this.out.varint(headings)
    if (names) this.out.varint(names)
    if (body) this.out.varint(body)
  }

  /** Appends another segment's list unchanged, with its ordinals shifted. */
  append(entry: Entry, moved: number) {
    const { postings } = entry
    const cursor = { at: 0 }
    const head = readVarint(postings, cursor)
    const first = (head >>> 1) - 1 + moved
    this.out.varint((first - this.last) * 2 + (head & 1))
    this.out.raw(postings.subarray(cursor.at))
    this.chunks += entry.chunks
    this.last = entry.last + moved
  }
}

const counts = new Uint16Array(4)

/** Calls back for each posting. The array of counts is reused. */
export function eachPosting(bytes: Uint8Array, visit: (ordinal: number, counts: Uint16Array) => void) {
  const cursor = { at: 0 }
  let ordinal = -1
  while (cursor.at < bytes.length) {
    const head = readVarint(bytes, cursor)
    if (head < 2) throw damagedIndex('a word stands in the same chunk twice')
    ordinal += head >>> 1
    if (head & 1) {
      const mask = readVarint(bytes, cursor)
      for (let field = 0; field < 4; field++)
        counts[field] = mask & (1 << field) ? readVarint(bytes, cursor) : 0
    } else {
      counts[0] = counts[1] = counts[2] = 0
      counts[bodyField] = 1
    }
    visit(ordinal, counts)
  }
}

export interface Entry {
  term: string
  chunks: number
  last: number
  postings: Uint8Array
}

export interface BlockRow {
  first: string
  data: Uint8Array
}

const blockSize = 3900

/** Packs sorted entries into blocks. */
export class BlockWriter {
  readonly full: BlockRow[] = []
  private first: string | null = null
  private readonly out = new ByteWriter()

  add(term: string, { chunks, last, out }: PostingWriter) {
    const size = term.length + out.length + 16
    if (this.first !== null && this.out.length + size > blockSize) this.flush()
    this.first ??= term
    this.out.string(term)
    this.out.varint(chunks)
    this.out.varint(last)
    this.out.varint(out.length)
    this.out.raw(out.bytes, out.length)
  }

  flush() {
    if (this.first === null) return
    this.full.push({ first: this.first, data: this.out.done() })
    this.first = null
    this.out.length = 0
  }
}

/** The entries of a block, in order. */
export function* entries(block: Uint8Array): Generator<Entry> {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const cursor = { at: 0 }
  while (cursor.at < bytes.length) {
    const nameEnd = readEnd(bytes, cursor)
    const term = bytes.toString('utf8', cursor.at, nameEnd)
    cursor.at = nameEnd
    const chunks = readVarint(bytes, cursor)
    const last = readVarint(bytes, cursor)
    const end = readEnd(bytes, cursor)
    yield { term, chunks, last, postings: bytes.subarray(cursor.at, end) }
    cursor.at = end
  }
}

/** Finds a term's entry in a block without creating strings for the others. */
export function findEntry(block: Uint8Array, term: Buffer): Pick<Entry, 'chunks' | 'postings'> | null {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const cursor = { at: 0 }
  while (cursor.at < bytes.length) {
    const nameEnd = readEnd(bytes, cursor)
    const here =
      nameEnd - cursor.at === term.length && bytes.compare(term, 0, term.length, cursor.at, nameEnd) === 0
    cursor.at = nameEnd
    const chunks = readVarint(bytes, cursor)
    readVarint(bytes, cursor)
    const end = readEnd(bytes, cursor)
    if (here) return { chunks, postings: bytes.subarray(cursor.at, end) }
    cursor.at = end
  }
  return null
}

/** The end of a part that starts with its length. */
function readEnd(bytes: Uint8Array, cursor: { at: number }): number {
  const end = readVarint(bytes, cursor) + cursor.at
  if (end > bytes.length) throw damagedIndex('a block of words is cut short')
  return end
}

function readVarint(bytes: Uint8Array, cursor: { at: number }): number {
  let value = 0
  for (let shift = 0; shift < mostBits; shift += 7) {
    if (cursor.at >= bytes.length) throw damagedIndex('a block of words is cut short')
    const byte = bytes[cursor.at++]!
    value |= (byte & 127) << shift
    if (byte < 128) return value >>> 0
  }
  throw damagedIndex('a number in a block of words is too long')
}

/** A 32-bit number takes up to five bytes of seven bits. */
const mostBits = 35

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

/** Groups terms into buckets that can be sorted one by one: all terms of a bucket come before those of the next. */
export function inHeaps(terms: Iterable<string>): string[][] {
  const heaps = new Map<number, string[]>()
  for (const term of terms) {
    const weight = weightOf(term.charCodeAt(0))
    const heap = heaps.get(weight)
    if (heap) heap.push(term)
    else heaps.set(weight, [term])
  }
  return [...heaps].sort(([a], [b]) => a - b).map(([, heap]) => heap)
}

/** Compares terms as SQLite compares text: by code points. JavaScript's order differs beyond the basic plane. */
export function sortTerms(terms: string[]): string[] {
  return terms.some((term) => /[\ud800-\udfff]/.test(term)) ? terms.sort(byCodePoints) : terms.sort()
}

export function byCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return weightOf(x) - weightOf(y)
  }
  return a.length - b.length
}

function weightOf(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800
  return unit >= 0xd800 ? unit + 0x2000 : unit
}
