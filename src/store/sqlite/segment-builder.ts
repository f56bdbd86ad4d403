import type { ChunkTerms, IndexedDocument, NumberedWords } from '../../model/document.js'
import type { Breathe, Connection } from './database.js'
import { BlockWriter, inHeaps, isOnceInBody, PostingWriter, sortTerms } from './postings.js'
import { insertBlocks, insertSegment } from './segments.js'

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
