import type { Breathe } from '../../model/breather.js'
import type { ChunkTerms } from '../../model/document.js'
import type { Connection } from './database.js'
import type { Dictionary, Words } from './dictionary.js'
import { BlockWriter, inHeaps, isOnceInBody, PostingWriter, sortTerms } from './postings.js'
import { insertBlocks, insertSegment } from './segments.js'

/**
 * Gathers new chunks into a segment. Chunk ids must come in ascending order. Postings are kept flat, in the order they
 * come, and sorted by term at the end: a writer a term would be tens of thousands of small buffers.
 */
export class SegmentBuilder {
  private readonly chunks: number[] = []
  private readonly documents: number[] = []
  private readonly lengths: number[] = []
  private terms = new Uint32Array(4096)
  /** Doubled, plus one for the most usual posting: its counts need not be looked at again. */
  private ordinals = new Uint32Array(4096)
  private counts = new Uint16Array(4096 * 4)
  private postings = 0
  /** The terms that occur here, and by their number in the dictionary their place among these, plus one. */
  private readonly names: string[] = []
  private places = new Int32Array(4096)

  constructor(private readonly dictionary: Dictionary) {}

  /** For the chunks of one document. */
  of(id: number, words: Words): (chunk: number, terms: ChunkTerms) => void {
    const numbers = this.placesOf(words)
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

  private placesOf(words: Words): Int32Array {
    const numbers = this.dictionary.numbersOf(words)
    if (this.places.length < this.dictionary.size)
      this.places = grown(this.places, new Int32Array(this.dictionary.size * 2))
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!
      if (this.places[number] === 0) this.places[number] = this.names.push(words.words[i]!)
      numbers[i] = this.places[number]! - 1
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
    const { order, starts } = await this.byTerm(breathe)
    const out = new BlockWriter()
    const list = new PostingWriter()
    await breathe()
    for (const terms of inHeaps(this.names)) {
      for (const term of sortTerms(terms)) {
        const place = this.places[this.dictionary.numberOf(term)]! - 1
        const [from, to] = [starts[place]!, starts[place + 1]!]
        // Words of chunks that stayed as they were have none.
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

  private room(more: number) {
    if (this.postings + more <= this.terms.length) return
    const size = Math.max(this.terms.length * 2, this.postings + more)
    this.terms = grown(this.terms, new Uint32Array(size))
    this.ordinals = grown(this.ordinals, new Uint32Array(size))
    this.counts = grown(this.counts, new Uint16Array(size * 4))
  }

  /** The postings' places, term by term, each term's in the order they came. */
  private async byTerm(breathe: Breathe): Promise<{ order: Uint32Array; starts: Uint32Array }> {
    const { postings, terms } = this
    const starts = new Uint32Array(this.names.length + 1)
    for (let i = 0; i < postings; i++) starts[terms[i]! + 1]!++
    for (let t = 0; t < this.names.length; t++) starts[t + 1]! += starts[t]!
    const next = starts.slice()
    const order = new Uint32Array(postings)
    for (let from = 0; from < postings; from += atOnce) {
      await breathe()
      const to = Math.min(postings, from + atOnce)
      for (let i = from; i < to; i++) order[next[terms[i]!]!++] = i
    }
    return { order, starts }
  }
}

/** Postings put in their places without looking at the clock. */
const atOnce = 65_536

function grown<T extends Int32Array | Uint32Array | Uint16Array>(from: T, to: T): T {
  to.set(from)
  return to
}
