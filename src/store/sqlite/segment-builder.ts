import type { ChunkTerms } from '../../model/document.js'
import type { YieldIfDue } from '../../runtime/yield.js'
import type { Connection } from './database.js'
import type { Dictionary } from './dictionary.js'
import { BlockWriter, isOnceInBody, PostingWriter } from './postings.js'
import { insertBlocks, insertSegment } from './segments.js'

/**
 * Collects new chunks into a segment. Chunk ids must be ascending. Postings are stored flat, in order of arrival, and
 * sorted by term at the end: one writer for each term would need tens of thousands of small buffers.
 */
export class SegmentBuilder {
  private readonly chunks: number[] = []
  private readonly documents: number[] = []
  private readonly lengths: number[] = []
  private postings = 0
  /** For each posting, its term's number in the dictionary. */
  private terms = new Uint32Array(4096)
  /** For each posting: twice its ordinal plus one, if the term occurs once in the body; else its index in `counted`. */
  private values = new Uint32Array(4096)
  /** For each other posting, the ordinal and the four counts. */
  private counted = new Uint32Array(4096)
  private countedSize = 0

  constructor(private readonly dictionary: Dictionary) {}

  /** For the chunks of one document. */
  of(id: number, words: readonly string[]): (chunk: number, terms: ChunkTerms) => void {
    const vocabulary = this.dictionary.vocabulary(words)
    return (chunk, { places, counts, lengths }) => {
      const ordinal = this.chunks.length
      this.chunks.push(chunk)
      this.documents.push(id)
      for (let f = 0; f < 4; f++) this.lengths.push(Math.min(lengths[f]!, 65535))
      this.room(places.length)
      for (let i = 0; i < places.length; i++) {
        this.terms[this.postings] = vocabulary.numberAt(places[i]!)
        this.values[this.postings++] = isOnceInBody(counts, i * 4)
          ? ordinal * 2 + 1
          : this.count(ordinal, counts, i * 4) * 2
      }
    }
  }

  private count(ordinal: number, counts: Uint16Array, at: number): number {
    const place = this.countedSize
    this.counted[place] = ordinal
    for (let f = 0; f < 4; f++) this.counted[place + 1 + f] = counts[at + f]!
    this.countedSize += 5
    return place
  }

  async write(db: Connection, yieldIfDue: YieldIfDue) {
    if (this.chunks.length === 0) return
    const id = insertSegment(db, {
      chunks: Int32Array.from(this.chunks),
      documents: Int32Array.from(this.documents),
      lengths: Uint16Array.from(this.lengths),
    })
    const { values, starts } = await this.byTerm(yieldIfDue)
    const out = new BlockWriter()
    const list = new PostingWriter()
    for (const number of await this.dictionary.sorted(yieldIfDue)) {
      const [from, to] = [starts[number]!, starts[number + 1]!]
      if (from === to) continue
      list.clear()
      for (let i = from; i < to; i++) {
        const value = values[i]!
        if (value & 1) list.addOnce(value >>> 1)
        else list.add(this.counted[value >>> 1]!, this.counted, (value >>> 1) + 1)
      }
      out.add(this.dictionary.terms[number]!, list)
      if (out.full.length > 0) {
        insertBlocks(db, id, out)
        await yieldIfDue()
      }
    }
    out.flush()
    insertBlocks(db, id, out)
  }

  private room(more: number) {
    if (this.countedSize + more * 5 > this.counted.length)
      this.counted = grown(this.counted, this.countedSize + more * 5)
    if (this.postings + more <= this.terms.length) return
    this.terms = grown(this.terms, this.postings + more)
    this.values = grown(this.values, this.postings + more)
  }

  /** The postings' values grouped by term, in order of arrival within a term. */
  private async byTerm(yieldIfDue: YieldIfDue): Promise<{ values: Uint32Array; starts: Uint32Array }> {
    const { postings, terms } = this
    const starts = new Uint32Array(this.dictionary.terms.length + 1)
    for (let i = 0; i < postings; i++) starts[terms[i]! + 1]!++
    for (let t = 1; t < starts.length; t++) starts[t]! += starts[t - 1]!
    const next = starts.slice()
    const values = new Uint32Array(postings)
    for (let from = 0; from < postings; from += atOnce) {
      await yieldIfDue()
      const to = Math.min(postings, from + atOnce)
      for (let i = from; i < to; i++) values[next[terms[i]!]!++] = this.values[i]!
    }
    return { values, starts }
  }
}

/** How many postings are placed between two looks at the clock. */
const atOnce = 65_536

function grown(from: Uint32Array, least: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(Math.max(from.length * 2, least))
  to.set(from)
  return to
}
