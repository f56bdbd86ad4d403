// The first half of a BERT tokenizer: text into folded words, lazily, so that the tail of a long text costs nothing.

export interface WordRules {
  lowercase: boolean
  stripAccents: boolean
  /** Ideographs stand alone, since those scripts put no spaces between words. */
  splitIdeographs: boolean
}

export const uncased: WordRules = { lowercase: true, stripAccents: true, splitIdeographs: true }

/** A longer word is unknown to the model whatever it says. It is yielded cut off, one character too long. */
export const longestWord = 100

/** A function that yields the words, punctuation marks and ideographs of a text in order. */
export function wordSplitter(rules: WordRules): (text: string) => Generator<string> {
  const fold = remembered((character) => foldCharacter(character, rules))
  return function* words(text) {
    let word = ''
    let length = 0
    for (const character of text) {
      const { letters, size, apart } = fold(character)
      if (!apart) {
        if (length <= longestWord) word += letters
        length += size
        continue
      }
      if (word !== '') yield word
      if (letters !== '') yield letters
      word = ''
      length = 0
    }
    if (word !== '') yield word
  }
}

interface Folded {
  /** What is left of the character; nothing for a space or a control character. */
  letters: string
  /** The same, counted in code points. */
  size: number
  /** Ends the word before it: a space, a punctuation mark, an ideograph. */
  apart: boolean
}

const nothing: Folded = { letters: '', size: 0, apart: false }
const space: Folded = { letters: '', size: 0, apart: true }

// Unassigned code points stay, as in the reference. Swept over all of Unicode, the two differ on 658 characters; those
// looked at were added or given another category since the reference's tables were made.
const unreadable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/u
const ideograph =
  /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u
const punctuation = /^(?:\p{P}|[$+<=>^`|~])/u

function foldCharacter(character: string, rules: WordRules): Folded {
  if (character === '\t' || character === '\n' || character === '\r') return space
  if (unreadable.test(character)) return nothing
  if (/\p{White_Space}/u.test(character)) return space
  const letters = lowered(unaccented(character, rules), rules)
  if (letters === '') return nothing
  const apart = (rules.splitIdeographs && ideograph.test(character)) || punctuation.test(letters)
  return { letters, size: [...letters].length, apart }
}

function unaccented(character: string, rules: WordRules): string {
  return rules.stripAccents ? character.normalize('NFD').replace(/\p{Mn}/gu, '') : character
}

// One character at a time: lowering a whole word would turn a last Σ into ς, which the reference does not.
function lowered(letters: string, rules: WordRules): string {
  return rules.lowercase ? Array.from(letters, (letter) => letter.toLowerCase()).join('') : letters
}

// Texts use few different characters, but a hostile one may hold all of Unicode: the memory is bounded.
function remembered(fold: (character: string) => Folded): (character: string) => Folded {
  const known = new Map<string, Folded>()
  return (character) => {
    let folded = known.get(character)
    if (folded === undefined) {
      if (known.size >= 20_000) known.clear()
      folded = fold(character)
      known.set(character, folded)
    }
    return folded
  }
}
