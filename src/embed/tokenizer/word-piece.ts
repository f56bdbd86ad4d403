// The second half of a BERT tokenizer: words into the ids of the longest known pieces.
import { longestWord, type WordRules, wordSplitter } from './words.js'

export interface Tokenizer {
  /** Ids of one text between the model's start and end marks, at most `limit` of them. */
  encode(text: string, limit: number): number[]
  /** Ids of two texts with their marks, at most `limit`; `split` is where the second one begins. */
  encodePair(first: string, second: string, limit: number): { ids: number[]; split: number }
}

export interface Vocabulary {
  /** Every piece with its id; a piece that continues a word begins with ##. */
  pieces: ReadonlyMap<string, number>
  unknown: number
  start: number
  /** What stands between two texts: one end mark for BERT, two for its RoBERTa-like relatives. */
  between: readonly number[]
  end: number
}

// A special token written out in a text ("[SEP]") is read as the characters it is: a document must not be able to
// end itself early. The reference tokenizer differs here.
export function createWordPiece(vocabulary: Vocabulary, rules: WordRules): Tokenizer {
  const { start, between, end } = vocabulary
  const words = wordSplitter(rules)
  const idsOf = pieceFinder(vocabulary)

  function piecesOf(text: string, limit: number): number[] {
    const ids: number[] = []
    if (limit <= 0) return ids
    for (const word of words(text)) {
      for (const id of idsOf(word)) {
        ids.push(id)
        if (ids.length >= limit) return ids
      }
    }
    return ids
  }

  return {
    encode: (text, limit) => [start, ...piecesOf(text, limit - 2), end],
    encodePair(first, second, limit) {
      const room = limit - 2 - between.length
      const [a, b] = fitBoth(piecesOf(first, room), piecesOf(second, room), room)
      return { ids: [start, ...a, ...between, ...b, end], split: 1 + a.length + between.length }
    },
  }
}

function pieceFinder({ pieces, unknown }: Vocabulary): (word: string) => number[] {
  const { firsts, rests, longest } = byPlace(pieces)
  return (word) => {
    const ids: number[] = []
    if (word.length > longestWord && [...word].length > longestWord) return [unknown]
    for (let from = 0; from < word.length; ) {
      const known = from === 0 ? firsts : rests
      let to = Math.min(word.length, from + longest)
      while (to > from && !known.has(word.slice(from, to))) to--
      if (to === from) return [unknown]
      ids.push(known.get(word.slice(from, to))!)
      from = to
    }
    return ids
  }
}

function byPlace(pieces: ReadonlyMap<string, number>) {
  const firsts = new Map<string, number>()
  const rests = new Map<string, number>()
  let longest = 1
  for (const [piece, id] of pieces) {
    if (piece.length > 2 && piece.startsWith('##')) rests.set(piece.slice(2), id)
    else firsts.set(piece, id)
    longest = Math.max(longest, piece.length)
  }
  return { firsts, rests, longest }
}

// The longer of the two gives way first, down to half of the room.
function fitBoth(first: number[], second: number[], room: number): [number[], number[]] {
  const forFirst = Math.min(first.length, Math.max(Math.floor(room / 2), room - second.length))
  return [first.slice(0, forFirst), second.slice(0, room - forFirst)]
}
