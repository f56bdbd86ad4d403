// Words between two threads: each is sent once, later it goes by its number. Making the same strings anew for every
// document, and looking them up again, took a fifth of the time of indexing.
import type { NumberedWords } from '../model/document.js'

export interface CarriedWords {
  /** The words that the other side does not know yet, a line each; a term holds no line break. */
  fresh: string
  /** The numbers of those. */
  freshNumbers: number[]
  /** All of them, by number. */
  numbers: Uint32Array
  /** The other side forgets what it knew first: the numbers mean other words now. */
  anew: boolean
}

export function wordSender(): (words: readonly string[], numbered: NumberedWords) => CarriedWords {
  let vocabulary: object | null = null
  let sent: boolean[] = []
  return (words, numbered) => {
    const { numbers } = numbered
    const anew = vocabulary !== numbered.vocabulary
    if (anew) sent = []
    vocabulary = numbered.vocabulary
    const fresh: number[] = []
    for (let i = 0; i < numbers.length; i++)
      if (!sent[numbers[i]!]) {
        sent[numbers[i]!] = true
        fresh.push(i)
      }
    return {
      fresh: fresh.map((i) => words[i]).join('\n'),
      freshNumbers: fresh.map((i) => numbers[i]!),
      numbers,
      anew,
    }
  }
}

/** Of what one sender sends, in the order it was sent. */
export function wordReceiver(): (carried: CarriedWords) => { words: string[]; numbered: NumberedWords } {
  let known: string[] = []
  return ({ fresh, freshNumbers, numbers, anew }) => {
    if (anew) known = []
    if (freshNumbers.length > 0)
      for (const [i, word] of fresh.split('\n').entries()) known[freshNumbers[i]!] = word
    const words = new Array<string>(numbers.length)
    for (let i = 0; i < numbers.length; i++) words[i] = known[numbers[i]!]!
    return { words, numbered: { numbers, vocabulary: known } }
  }
}
