// The words' directory in memory: for every segment which chunks it numbers, how long their fields are and which of
// them are gone. Small (16 bytes a chunk), so that ranking never asks the database about a chunk that does not win.
import type { ChunkTerms, IndexedDocument, NumberedWords } from '../../model/document.js'
import type { Breathe, Connection } from './database.js'
import { BlockWriter, inHeaps, isOnceInBody, PostingWriter, sortTerms } from './postings.js'

/** Never changes once written. */
export interface Directory {
  /** By ordinal, ascending. */
  chunks: Int32Array
  documents: Int32Array
  /** Four a chunk. */
  lengths: Uint16Array
}

export interface Segment {
  id: number
  directory: Directory
  /** A bit an ordinal. */
  dead: Uint8Array
  deadCount: number
}

/** What one connection sees. Directories are shared between connections: they are the same whoever reads them. */
export interface SegmentView {
  /** Counts changes of content; `layout` counts merges, which change no answer. */
  epoch: number
  layout: number
  segments: Segment[]
  /** Live chunks, and the sum of each field's lengths over them. */
  chunks: number
  totals: number[]
}

export type Directories = Map<number, Directory>

/** The segments as of the connection's snapshot; what was loaded before is used again. */
export function viewSegments(db: Connection, known: Directories, before: SegmentView | null): SegmentView {
  const { epoch, layout } = stateOf(db)
  if (before && before.epoch === epoch && before.layout === layout) return before
  const old = new Map(before?.segments.map((segment) => [segment.id, segment]))
  const rows = db.sql('SELECT id, dead_count FROM segments ORDER BY id').all() as {
    id: number
    dead_count: number
  }[]
  const segments = rows.map(({ id, dead_count }) => {
    const same = old.get(id)
    if (same && same.deadCount === dead_count) return same
    const { dead } = db.sql('SELECT dead FROM segments WHERE id = ?').get(id) as { dead: Uint8Array }
    return { id, directory: directoryOf(db, known, id), dead, deadCount: dead_count }
  })
  for (const id of known.keys()) if (!segments.some((s) => s.id === id)) known.delete(id)
  return { epoch, layout, segments, ...totalsOf(segments) }
}

export interface State {
  epoch: number
  layout: number
  vectors: number
}

export function stateOf(db: Connection): State {
  const rows = db.sql('SELECT key, value FROM state').all() as { key: keyof State; value: number }[]
  return Object.fromEntries(rows.map(({ key, value }) => [key, value])) as unknown as State
}

/** Tells every process that something changed, inside the transaction that changes it. */
export function advance(db: Connection, key: keyof State) {
  db.sql('UPDATE state SET value = value + 1 WHERE key = ?').run(key)
}

export function isDead(segment: Segment, ordinal: number): boolean {
  return (segment.dead[ordinal >> 3]! & (1 << (ordinal & 7))) !== 0
}

function directoryOf(db: Connection, known: Directories, id: number): Directory {
  let directory = known.get(id)
  if (!directory) {
    const row = db.sql('SELECT chunks, directory FROM segments WHERE id = ?').get(id) as {
      chunks: number
      directory: Uint8Array
    }
    directory = unpackDirectory(row.directory, row.chunks)
    known.set(id, directory)
  }
  return directory
}

function totalsOf(segments: Segment[]) {
  let chunks = 0
  const totals = [0, 0, 0, 0]
  for (const segment of segments) {
    const { lengths } = segment.directory
    for (let i = 0; i < segment.directory.chunks.length; i++) {
      if (segment.deadCount > 0 && isDead(segment, i)) continue
      chunks++
      for (let f = 0; f < 4; f++) totals[f]! += lengths[i * 4 + f]!
    }
  }
  return { chunks, totals }
}

function packDirectory({ chunks, documents, lengths }: Directory): Uint8Array {
  const parts = [chunks, documents, lengths].map((a) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength))
  return Buffer.concat(parts)
}

function unpackDirectory(bytes: Uint8Array, count: number): Directory {
  // A copy: typed arrays of more than a byte need an aligned start.
  const { buffer } = Uint8Array.from(bytes)
  return {
    chunks: new Int32Array(buffer, 0, count),
    documents: new Int32Array(buffer, count * 4, count),
    lengths: new Uint16Array(buffer, count * 8, count * 4),
  }
}

// --- Writing

/**
 * Gathers new chunks into a segment. Chunk ids must come in ascending order. Postings are kept flat, in the order they
 * come, and sorted by term at the end: a writer a term would be tens of thousands of small buffers.
 */
export class SegmentBuilder {
  private readonly numbers = new Map<string, number>()
  private readonly chunks: number[] = []
  private readonly documents: number[] = []
  private readonly lengths: number[] = []
  private terms = new Uint32Array(4096)
  /** Doubled, plus one for the most usual posting: its counts need not be looked at again. */
  private ordinals = new Uint32Array(4096)
  private counts = new Uint16Array(4096 * 4)
  private postings = 0
  private readonly vocabularies = new Map<object, Vocabulary>()

  /** For the chunks of one document. */
  of(id: number, { words, numbered }: Words): (chunk: number, terms: ChunkTerms) => void {
    const numbers = this.numbersOf(words, numbered)
    return (chunk, { places, counts, lengths }) => {
      const ordinal = this.chunks.length
      this.chunks.push(chunk)
      this.documents.push(id)
      for (let f = 0; f < 4; f++) this.lengths.push(Math.min(lengths[f]!, 65535))
      this.room(places.length)
      this.counts.set(counts, this.postings * 4)
      for (let i = 0; i < places.length; i++) {
        this.terms[this.postings] = numbers[places[i]!]!
        this.ordinals[this.postings++] = ordinal * 2 + (isOnceInBody(counts, i * 4) ? 1 : 0)
      }
    }
  }

  // A term is looked up by its name once, and by the number its vocabulary gave it ever after.
  private numbersOf(words: readonly string[], numbered: NumberedWords | undefined): Int32Array {
    const numbers = new Int32Array(words.length)
    if (!numbered) {
      for (let i = 0; i < words.length; i++) numbers[i] = this.numberOf(words[i]!)
      return numbers
    }
    const known = this.vocabularies.get(numbered.vocabulary) ?? new Vocabulary()
    this.vocabularies.set(numbered.vocabulary, known)
    for (let i = 0; i < words.length; i++) {
      const name = numbered.numbers[i]!
      let number = known.get(name)
      if (number < 0) {
        number = this.numberOf(words[i]!)
        known.set(name, number)
      }
      numbers[i] = number
    }
    return numbers
  }

  async write(db: Connection, breathe: Breathe) {
    if (this.chunks.length === 0) return
    const id = insertSegment(db, {
      chunks: Int32Array.from(this.chunks),
      documents: Int32Array.from(this.documents),
      lengths: Uint16Array.from(this.lengths),
    })
    const { order, starts } = this.byTerm()
    const out = new BlockWriter()
    const list = new PostingWriter()
    await breathe()
    for (const terms of inHeaps(this.numbers.keys())) {
      for (const term of sortTerms(terms)) {
        const number = this.numbers.get(term)!
        const [from, to] = [starts[number]!, starts[number + 1]!]
        if (from === to) continue
        list.clear()
        for (let i = from; i < to; i++) {
          const at = order[i]!
          const ordinal = this.ordinals[at]!
          if (ordinal & 1) list.addOnce(ordinal >>> 1)
          else list.add(ordinal >>> 1, this.counts, at * 4)
        }
        out.add(term, list)
        if (out.full.length > 0) {
          insertBlocks(db, id, out)
          await breathe()
        }
      }
      await breathe()
    }
    out.flush()
    insertBlocks(db, id, out)
  }

  private numberOf(term: string): number {
    let number = this.numbers.get(term)
    if (number === undefined) {
      number = this.numbers.size
      this.numbers.set(term, number)
    }
    return number
  }

  private room(more: number) {
    if (this.postings + more <= this.terms.length) return
    const size = Math.max(this.terms.length * 2, this.postings + more)
    this.terms = grown(this.terms, new Uint32Array(size))
    this.ordinals = grown(this.ordinals, new Uint32Array(size))
    this.counts = grown(this.counts, new Uint16Array(size * 4))
  }

  /** The postings' places, term by term, each term's in the order they came. */
  private byTerm(): { order: Uint32Array; starts: Uint32Array } {
    const starts = new Uint32Array(this.numbers.size + 1)
    for (let i = 0; i < this.postings; i++) starts[this.terms[i]! + 1]!++
    for (let t = 0; t < this.numbers.size; t++) starts[t + 1]! += starts[t]!
    const next = starts.slice()
    const order = new Uint32Array(this.postings)
    for (let i = 0; i < this.postings; i++) order[next[this.terms[i]!]!++] = i
    return { order, starts }
  }
}

type Words = Pick<IndexedDocument, 'words' | 'numbered'>

/** A vocabulary's numbers and ours. */
class Vocabulary {
  private ours = new Int32Array(4096).fill(-1)

  get(theirs: number): number {
    return theirs < this.ours.length ? this.ours[theirs]! : -1
  }

  set(theirs: number, ours: number) {
    if (theirs >= this.ours.length) {
      const before = this.ours
      this.ours = new Int32Array(Math.max(theirs + 1, before.length * 2)).fill(-1)
      this.ours.set(before)
    }
    this.ours[theirs] = ours
  }
}

function grown<T extends Uint32Array | Uint16Array>(from: T, to: T): T {
  to.set(from)
  return to
}

export function insertSegment(db: Connection, directory: Directory): number {
  const count = directory.chunks.length
  const { lastInsertRowid } = db
    .sql('INSERT INTO segments (chunks, directory, dead) VALUES (?, ?, ?)')
    .run(count, packDirectory(directory), new Uint8Array((count + 7) >> 3))
  return Number(lastInsertRowid)
}

export function insertBlocks(db: Connection, segment: number, out: BlockWriter) {
  for (const { first, data } of out.full)
    db.sql('INSERT INTO blocks (segment, "first", data) VALUES (?, ?, ?)').run(segment, first, data)
  out.full.length = 0
}

/** Marks chunks as gone, inside a transaction. The view must be the transaction's own. */
export function bury(db: Connection, view: SegmentView, chunks: Iterable<number>) {
  const changed = new Map<Segment, { dead: Uint8Array; count: number }>()
  for (const chunk of chunks) {
    const place = findChunk(view, chunk)
    if (!place) continue
    const { segment, ordinal } = place
    const change = changed.get(segment) ?? { dead: Uint8Array.from(segment.dead), count: segment.deadCount }
    const bit = 1 << (ordinal & 7)
    if (!(change.dead[ordinal >> 3]! & bit)) change.count++
    change.dead[ordinal >> 3]! |= bit
    changed.set(segment, change)
  }
  for (const [segment, { dead, count }] of changed) {
    if (count === segment.directory.chunks.length) dropSegment(db, segment.id)
    else db.sql('UPDATE segments SET dead = ?, dead_count = ? WHERE id = ?').run(dead, count, segment.id)
  }
}

export function dropSegment(db: Connection, id: number) {
  db.sql('DELETE FROM blocks WHERE segment = ?').run(id)
  db.sql('DELETE FROM segments WHERE id = ?').run(id)
}

function findChunk(view: SegmentView, chunk: number): { segment: Segment; ordinal: number } | null {
  for (const segment of view.segments) {
    const ordinal = indexOf(segment.directory.chunks, chunk)
    if (ordinal >= 0) return { segment, ordinal }
  }
  return null
}

function indexOf(sorted: Int32Array, value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! === value) return middle
    if (sorted[middle]! < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}
