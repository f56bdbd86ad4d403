// Compares two short statements: do they say the same, or does the later one contradict the earlier one? Both are compared
// word by word after normalising. Embeddings are not used: to a model "enable" is next to "disable", and "from A to B" is
// "from B to A". In doubt the statements differ, since a duplicate costs a line and a wrong merge loses a statement.

export interface NormalisedStatement {
  /** As written, without extra spaces and without the punctuation at its end. */
  plain: string
  words: string[]
  negated: boolean
  /** The words behind "instead of" and the like. */
  replaced: string[]
}

export type Relation = 'same' | 'replaces'

export function normaliseStatement(text: string): NormalisedStatement {
  const plain = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=[^\s.!;,])(?:[.!;,]+|\s!+)$/, '')
  if (plain.length > longestStatement) return { plain, words: [], negated: false, replaced: [] }
  const all = wordsOf(plain)
  // Inside a clause ("users who are not admins") a negation is about that clause only.
  const clause = all.findIndex((word) => clauseWords.has(word))
  const isNegation = (word: string, i: number) => word === 'not' && (clause < 0 || i < clause)
  const negated = all.filter(isNegation).length % 2 === 1
  // "Always" adds nothing to "run the tests", but a lot to "do not run the tests".
  const words = all.filter((word, i) => !isNegation(word, i) && (negated || word !== 'always'))
  const replaced = [...plain.toLowerCase().matchAll(replacement)].flatMap(([, what = '']) =>
    wordsOf(what.split(preposition)[0]!),
  )
  return { plain, words, negated, replaced }
}

/** How a later statement relates to an earlier one. */
export function relationOf(earlier: NormalisedStatement, later: NormalisedStatement): Relation | null {
  if (earlier.plain === later.plain) return 'same'
  if (earlier.words.length === 0 || later.words.length === 0) return null
  if (later.replaced.length > 0 && earlier.replaced.length === 0)
    return namesAsReplaced(earlier, later) ? 'replaces' : null
  if (earlier.words.length !== later.words.length) return null
  const differing = [...earlier.words.keys()].filter((i) => earlier.words[i] !== later.words[i])
  if (differing.length === 0) return earlier.negated === later.negated ? 'same' : 'replaces'
  if (earlier.negated !== later.negated) return null
  const isContrary =
    (differing.length === 1 && areOpposite(earlier.words[differing[0]!]!, later.words[differing[0]!]!)) ||
    differing.every((i) => isAmount(earlier.words, i) && isAmount(later.words, i))
  return isContrary ? 'replaces' : null
}

const longestStatement = 4_000

/** Code in backticks and names with signs or inner capitals stay as written; other words lose case and plural. */
function wordsOf(text: string): string[] {
  const spelled = text
    .normalize('NFKC')
    .replaceAll('’', "'")
    .replace(/\*\*([^*]{1,300})\*\*/g, '$1')
    .replace(/\b(?:can't|cannot)\b/gi, 'can not')
    .replace(/\bwon't\b/gi, 'will not')
    .replace(/(?<=[a-z])n't\b/gi, ' not')
    .replace(/\bno longer\b/gi, 'not')
    .replace(/(?<![\w.])(\d[\d.,]*)-?(?=[a-z]+\b)/gi, '$1 ')
  return [...spelled.matchAll(/`[^`]{1,1000}`|[^\s`]+|`/g)].flatMap(([token], i) => {
    if (token.startsWith('`')) return [token]
    const word = wordOf(token)
    const isArticle = fillers.has(word) && (i === 0 || token !== token.toUpperCase())
    return word === '' || isArticle ? [] : [word]
  })
}

function wordOf(token: string): string {
  // Punctuation on its own is what is spoken of ("the separator is ;"), except for a dash or an exclamation mark.
  if (!/[\p{L}\p{N}]/u.test(token)) return /^[-–—!]+$/.test(token) ? '' : token
  const bare = token.replace(/(?<![.,;:!?])[.,;:!?]+$/, '')
  if (!/^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}'-]+|\p{Lu}+)$/u.test(bare)) return bare
  const word = bare.toLowerCase()
  if (negations.has(word)) return 'not'
  return word === 'always' || fillers.has(word) ? word : word.replace(/(?<=[aeiouy].*[^s])s$/, '')
}

/** "X instead of Y for Z" replaces "Y for Z", not "X for Z". */
function namesAsReplaced(earlier: NormalisedStatement, later: NormalisedStatement): boolean {
  const own = earlier.words.filter((word) => !generalWords.has(word)).map((word) => word.toLowerCase())
  const known = new Set(later.words.map((word) => word.toLowerCase()))
  return (
    !earlier.negated &&
    own.length >= 2 &&
    own.every((word) => known.has(word)) &&
    own.some((word) => later.replaced.includes(word))
  )
}

/** A number with a unit, as in "2 spaces". In "Test 12" the number is a name. */
function isAmount(words: readonly string[], i: number): boolean {
  return /^\d+(?:[.,]\d+)*$/.test(words[i]!) && units.test(words[i + 1] ?? '')
}

function areOpposite(a: string, b: string): boolean {
  return opposites.some(([one, other]) => (one === a && other === b) || (one === b && other === a))
}

const negations = new Set('not never dont no'.split(' '))
/** "The channel" and "its channel" say the same in a remark. */
const fillers = new Set('a an the its our their your do does'.split(' '))
const clauseWords = new Set('who which that whose if when where unless while because since'.split(' '))
const generalWords = new Set('we use used prefer always must'.split(' '))
const units =
  /^(?:%|m?s|sec(?:ond)?|min(?:ute)?|h|hour|day|week|month|year|time|retrie|attempt|trie|byte|[kmgt]i?b|char(?:acter)?|line|space|column|item|row|worker|thread|connection|request|call|token|px|pixel)$/

const opposites = [
  ...[
    ['enable', 'disable'],
    ['enabled', 'disabled'],
    ['allow', 'forbid'],
    ['allowed', 'forbidden'],
  ],
  ...[
    ['include', 'exclude'],
    ['accept', 'reject'],
    ['with', 'without'],
    ['required', 'optional'],
  ],
]

const preposition = /\b(?:for|in|on|to|with|by|at|as|when|because|since)\b/

// Up to four words behind the phrase name what is replaced.
const replacement =
  /\b(?:instead of|rather than|in place of|replac(?:es|ed|ing)|(?:switch|migrat|mov)(?:ed|ing)? (?:away )?from)\s+((?:[^\s.,;]+\s*){1,4})/g
