// Whether two short statements say the same, or the later one takes back the earlier. By their words in their order, not
// by how near their meanings are: to a model "enable" is next to "disable", and "from A to B" is "from B to A". Careful
// rather than clever: what is doubtful is two statements.
import { isShouted } from './statement-tokens.js'
import { areOpposite, isSameWord, isWrittenAlike, type Word, type Wording, wordingOf } from './wording.js'

export interface Understood {
  /** As written, but for space and the signs at its end. */
  plain: string
  wording: Wording
  /** What it says it replaces: the words behind "instead of" and the like. */
  replaced: string[]
}

export type Relation = 'same' | 'replaces'

export function understand(text: string): Understood {
  const plain = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=[^\s.!;,])(?:[.!;,]+|\s!+)$/, '')
  const replaced = [...plain.toLowerCase().matchAll(replacement)].flatMap(([, what = '']) =>
    namesIn(wordingOf(what.split(preposition)[0]!)),
  )
  return { plain, wording: wordingOf(text), replaced }
}

/** How a later statement stands to an earlier one. */
export function relationOf(earlier: Understood, later: Understood): Relation | null {
  if (earlier.plain === later.plain || isShoutedAgain(earlier, later)) return 'same'
  if (saySame(earlier.wording, later.wording)) return 'same'
  return takesBack(earlier, later) ? 'replaces' : null
}

function isShoutedAgain({ plain: a }: Understood, { plain: b }: Understood): boolean {
  return a.length === b.length && (isShouted(a) || isShouted(b)) && a.toLowerCase() === b.toLowerCase()
}

function saySame(a: Wording, b: Wording): boolean {
  return a.words.length > 0 && differences(a, b)?.length === 0
}

function takesBack(earlier: Understood, later: Understood): boolean {
  if (later.replaced.length > 0) return namesAsReplaced(earlier, later)
  if (namesIn(earlier.wording).length === 0) return false
  if (isNegated(earlier.wording) !== isNegated(later.wording))
    return differences(affirmed(earlier.wording), affirmed(later.wording))?.length === 0
  const differ = differences(earlier.wording, later.wording)
  if (!differ || differ.length === 0) return false
  return (
    differ.every(isAmount) || (differ.length === 1 && areOpposite(differ[0]![0].text, differ[0]![1].text))
  )
}

/** "X instead of Y for Z" takes back "Y for Z", not "X for Z". */
function namesAsReplaced(earlier: Understood, later: Understood): boolean {
  if (isNegated(earlier.wording) || earlier.replaced.length > 0) return false
  const own = namesIn(earlier.wording).filter((word) => !generic.has(word))
  const known = namesIn(later.wording)
  const among = (word: string, words: readonly string[]) => words.some((one) => isSameWord(one, word))
  return (
    own.length >= 2 &&
    own.every((word) => among(word, known)) &&
    own.some((word) => among(word, later.replaced))
  )
}

/** The pairs of words that differ; null where the statements are not built alike. */
function differences(a: Wording, b: Wording): [Word, Word][] | null {
  if (a.words.length !== b.words.length || !mayLink(a.link, b.link)) return null
  const differ: [Word, Word][] = []
  for (const [i, word] of a.words.entries()) {
    const other = b.words[i]!
    if (!mayLink(word.link, other.link)) return null
    if (!isSame(word, other)) differ.push([word, other])
  }
  return differ
}

function mayLink(a: string, b: string): boolean {
  return a === b || a === '' || b === ''
}

function isSame(a: Word, b: Word): boolean {
  return isSameWord(a.text, b.text) && isSameWord(a.unit ?? '', b.unit ?? '') && isWrittenAlike(a, b)
}

/** As many of the same, but for how many: "2 spaces" and "4 spaces". */
function isAmount([a, b]: [Word, Word]): boolean {
  return a.unit !== undefined && b.unit !== undefined && isSameWord(a.unit, b.unit)
}

/** Twice denied is not denied. */
function isNegated({ words }: Wording): boolean {
  return words.filter(({ kind }) => kind === 'negation').length % 2 === 1
}

function affirmed({ words, link }: Wording): Wording {
  return { words: words.filter(({ kind }) => kind !== 'negation'), link }
}

function namesIn({ words }: Wording): string[] {
  return words.filter(({ kind }) => kind === 'word').map(({ text }) => text)
}

/** Words that any statement may have. */
const generic = new Set('used prefer always must need want keep make all to'.split(' '))

const preposition = /\b(?:for|in|on|to|with|by|at|as|when|because|since)\b/

// Up to a few words behind the sign: what they name is what goes.
const replacement =
  /\b(?:instead of|rather than|in place of|replac(?:es|ed|ing)|supersed(?:es|ed|ing)|switch(?:ed|ing)? (?:away )?from|mov(?:ed|ing) (?:away )?from|migrat(?:ed|ing) (?:away )?from)\s+((?:[^\s.,;]+\s*){1,4})/g
