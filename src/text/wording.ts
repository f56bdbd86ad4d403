// A short statement as the words that carry what it says, in their order. What changes nothing (articles, letter case,
// punctuation, inflection) is gone or does not count; names and signs stay as they are written, since `MySQL` is not
// `PostgreSQL`, `userId` not `userID` and `<` not `>`. What stands in backticks stays as it is written, every sign of it.
import { type Token, tokensOf, units } from './statement-tokens.js'

export interface Wording {
  words: Word[]
  /** "in", "of" and the like behind the last word: "turn it on". */
  link: string
}

export interface Word {
  /** In lower case. */
  text: string
  /** "in", "of" and the like before it; where only one of two statements has it, they may still say the same. */
  link: string
  kind: 'word' | 'number' | 'negation'
  /** Of a number: what it counts. */
  unit?: string
  /** As it is written, where that has capitals that a sentence does not call for. */
  name?: string
  /** Of code: as it is written, with the signs around it. */
  code?: string
}

/** The words that carry what a statement says. None where it is too long to be one. */
export function wordingOf(text: string): Wording {
  const words: Word[] = []
  let link = ''
  let passed = ''
  let inClause = false
  for (const token of tokensOf(text)) {
    const last = words.at(-1)
    const said = token.alone ? token.text : (synonyms.get(token.text) ?? token.text)
    if (last?.kind === 'number' && last.unit === undefined && units.test(said)) {
      last.unit = said
      if (last.code !== undefined) last.code += token.code ?? ''
    } else if (!token.alone && (links.has(said) || isIdle(said, last))) {
      if (clauses.has(said)) inClause = true
      link = links.get(said) ?? link
      passed += token.code ?? ''
    } else {
      if (clauses.has(said)) inClause = true
      words.push(wordOf(token, said, { link, inClause, passed }))
      link = passed = ''
    }
  }
  const spare = words.some(({ text }) => negations.has(text)) ? stressOnNegation : stress
  return { words: words.filter(({ text, code }) => code !== undefined || !spare.has(text)), link }
}

/** Whether two words are one but for inflection. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true
  if (a.slice(0, 2) !== b.slice(0, 2) || !isInflected(a) || !isInflected(b)) return false
  const forms = baseForms(b)
  return baseForms(a).some((form) => forms.includes(form))
}

/** Whether the two are written alike, as far as that counts: in capitals or not, but for names and for code. */
export function isWrittenAlike(a: Word, b: Word): boolean {
  if (a.code !== undefined && b.code !== undefined) return a.code === b.code
  return a.name === undefined || b.name === undefined || a.text !== b.text || a.name === b.name
}

/** Whether one says the contrary of the other: "enable" and "disable". */
export function areOpposite(a: string, b: string): boolean {
  const among = (word: string, words: readonly string[]) => words.some((one) => isSameWord(one, word))
  return opposites.some(
    ([one, other]) => (among(a, one) && among(b, other)) || (among(a, other) && among(b, one)),
  )
}

function isIdle(text: string, last: Word | undefined): boolean {
  return idle.has(text) || (text === 'longer' && last?.text === 'not')
}

// Within a clause ("users who are not …") a negation is about that clause and not about the whole.
function wordOf(
  { name, code, alone }: Token,
  text: string,
  { link, inClause, passed }: { link: string; inClause: boolean; passed: string },
): Word {
  const written = {
    ...(name !== undefined && { name }),
    ...(code !== undefined && { code: passed + code }),
  }
  if (negations.has(text) && !inClause && !alone) return { text, link, kind: 'negation', ...written }
  return { text, link, kind: /^[-+]?\d+(?:[.,]\d+)*$/.test(text) ? 'number' : 'word', ...written }
}

// An s behind an acronym is a part of its name: HTTPS is not HTTP.
function isInflected(word: string): boolean {
  return /^\p{L}{3,}$/u.test(word) && !uninflected.has(word)
}

/** Every word that this may be a form of: `caching` is one of `cach` and of `cache`. */
function baseForms(word: string): string[] {
  const forms = [word]
  if (/[^aeiou]ie[sd]$/.test(word)) forms.push(`${word.slice(0, -3)}y`)
  if (/[aeiouy].*(?:[sxz]|[cs]h|o)es$/.test(word)) forms.push(word.slice(0, -2))
  if (/[aeiouy].*[^s]s$/.test(word) && word.length > 3) forms.push(word.slice(0, -1))
  const root = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1]
  if (root) forms.push(root, `${root}e`)
  if (root && /([^aeiou])\1$/.test(root)) forms.push(root.slice(0, -1))
  return forms
}

const synonyms = new Map([
  ...'dont never no avoid avoids avoiding'.split(' ').map((word) => [word, 'not'] as const),
  ...'each every'.split(' ').map((word) => [word, 'all'] as const),
  ['&', 'and'],
])

const negations = new Set('not not_deprecated not_removed not_dropped'.split(' '))

/** Without these a statement says the same. "May", "must", "only", "from" and "to" are not among them. */
const idle = new Set(
  'a an the is are be am been being has have do does we i you our it its them that there should use uses using please'.split(
    ' ',
  ),
)

const links = new Map([
  ...'of for'.split(' ').map((word) => [word, 'of'] as const),
  ...'in on at within'.split(' ').map((word) => [word, 'in'] as const),
])

// "Always" adds nothing to "run the tests", but a lot to "do not run the tests".
const stress = new Set(['always'])
const stressOnNegation = new Set(['ever', 'anymore'])

const clauses = new Set(
  'who which that whose if when where unless while because since but except although though'.split(' '),
)

const uninflected = new Set('news ldaps imaps ios aws windows'.split(' '))

const opposites: [string[], string[]][] = [
  [['enable'], ['disable']],
  [
    ['allow', 'permit'],
    ['forbid', 'forbidden', 'disallow', 'deny', 'prohibit', 'ban'],
  ],
  [['include'], ['exclude']],
  [['accept'], ['reject']],
  [['with'], ['without']],
  [['required', 'mandatory'], ['optional']],
]
