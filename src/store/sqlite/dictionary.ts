// Terms by number, kept from one batch to the next: looking every word of every batch up anew by its name took a tenth of
// the time of storing.
import type { IndexedDocument, NumberedWords } from '../../model/document.js'

export type Words = Pick<IndexedDocument, 'words' | 'numbered'>

export class Dictionary {
  private readonly numbers = new Map<string, number>()
  private readonly vocabularies = new Map<object, Vocabulary>()

  get size(): number {
    return this.numbers.size
  }

  numberOf(term: string): number {
    let number = this.numbers.get(term)
    if (number === undefined) {
      number = this.numbers.size
      this.numbers.set(term, number)
    }
    return number
  }

  /** Of a document's words, in order. A word is looked up by its name once, and by its vocabulary's number ever after. */
  numbersOf({ words, numbered }: Words): Int32Array {
    const numbers = new Int32Array(words.length)
    const known = numbered && this.vocabulary(numbered)
    for (let i = 0; i < words.length; i++) {
      const theirs = numbered ? numbered.numbers[i]! : -1
      let number = known ? known.get(theirs) : -1
      if (number < 0) {
        number = this.numberOf(words[i]!)
        known?.set(theirs, number)
      }
      numbers[i] = number
    }
    return numbers
  }

  private vocabulary({ vocabulary }: NumberedWords): Vocabulary {
    const known = this.vocabularies.get(vocabulary) ?? new Vocabulary()
    this.vocabularies.set(vocabulary, known)
    return known
  }
}

const mostTerms = 300_000

/** The dictionary to go on with, which is a new one when the last has grown large. */
export function renewed(dictionary: Dictionary): Dictionary {
  return dictionary.size < mostTerms ? dictionary : new Dictionary()
}

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
