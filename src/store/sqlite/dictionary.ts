// Numbers for terms, cached from one batch to the next. Looking up every word of every batch by name, and sorting them
// again, took a fifth of the time of storing.
import type { YieldIfDue } from '../../runtime/yield.js'
import { byCodePoints, inHeaps, sortTerms } from './postings.js'

export class Dictionary {
  private readonly numbers = new Map<string, number>()
  private readonly vocabularies = new WeakMap<readonly string[], Vocabulary>()
  private order = new Uint32Array(0)
  readonly terms: string[] = []

  numberOf(term: string): number {
    let number = this.numbers.get(term)
    if (number === undefined) {
      number = this.terms.push(term) - 1
      this.numbers.set(term, number)
    }
    return number
  }

  /** For a list of words that documents share and that may have grown. */
  vocabulary(words: readonly string[]): Vocabulary {
    let known = this.vocabularies.get(words)
    if (!known) {
      known = new Vocabulary(this, words)
      this.vocabularies.set(words, known)
    }
    known.grow()
    return known
  }

  /** The numbers of all terms, in alphabetical order of the terms. */
  async sorted(yieldIfDue: YieldIfDue): Promise<Uint32Array> {
    const before = this.order
    const order = new Uint32Array(this.terms.length)
    let [from, to] = [0, 0]
    for (const heap of inHeaps(this.terms.slice(before.length))) {
      await yieldIfDue()
      for (const [i, term] of sortTerms(heap).entries()) {
        const next = this.firstAfter(term, from)
        order.set(before.subarray(from, next), to)
        to += next - from
        from = next
        order[to++] = this.numbers.get(term)!
        if (i % sortedAtOnce === 0) await yieldIfDue()
      }
    }
    order.set(before.subarray(from), to)
    this.order = order
    return order
  }

  /** The place of the first term behind this one, among those that were in order before. */
  private firstAfter(term: string, from: number): number {
    let [low, high] = [from, this.order.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (byCodePoints(this.terms[this.order[middle]!]!, term) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

const sortedAtOnce = 256
const mostTerms = 150_000

/** The dictionary for the next batch: a new one if the last has grown too large. */
export function renewed(dictionary: Dictionary): Dictionary {
  return dictionary.terms.length < mostTerms ? dictionary : new Dictionary()
}

/** The numbers of a list's words, by index. Each word is looked up by name once. */
class Vocabulary {
  private numbers = new Int32Array(0)

  constructor(
    private readonly dictionary: Dictionary,
    private readonly words: readonly string[],
  ) {}

  grow() {
    if (this.words.length <= this.numbers.length) return
    const more = new Int32Array(Math.max(this.words.length, this.numbers.length * 2)).fill(-1)
    more.set(this.numbers)
    this.numbers = more
  }

  numberAt(place: number): number {
    const known = this.numbers[place]!
    if (known >= 0) return known
    const number = this.dictionary.numberOf(this.words[place]!)
    this.numbers[place] = number
    return number
  }
}
