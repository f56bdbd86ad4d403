// A short statement as the words that carry what it says, in their order. What changes nothing (articles, letter case,
// punctuation, inflection) is gone or does not count; names and signs stay as they are written, since `MySQL` is not
// `PostgreSQL` and `<` is not `>`.

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
}

/** The words that carry what a statement says. None where it is too long to be one. */
export function wordingOf(text: string): Wording {
  const words: Word[] = []
  let link = ''
  let inClause = false
  for (const token of tokensOf(text)) {
    const last = words.at(-1)
    if (clauses.has(token)) inClause = true
    if (links.has(token)) link = links.get(token)!
    else if (last?.kind === 'number' && last.unit === undefined && units.test(token)) last.unit = token
    else if (!idle.has(token) && !(token === 'longer' && last?.text === 'not')) {
      words.push(wordOf(token, link, inClause))
      link = ''
    }
  }
  const spare = words.some(({ text }) => negations.has(text)) ? stressOnNegation : stress
  return { words: words.filter(({ text }) => !spare.has(text)), link }
}

/** Whether two words are one but for inflection. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true
  if (a.slice(0, 2) !== b.slice(0, 2) || !isInflected(a) || !isInflected(b)) return false
  const forms = baseForms(b)
  return baseForms(a).some((form) => forms.includes(form))
}

/** Whether one says the contrary of the other: "enable" and "disable". */
export function areOpposite(a: string, b: string): boolean {
  const among = (word: string, words: readonly string[]) => words.some((one) => isSameWord(one, word))
  return opposites.some(
    ([one, other]) => (among(a, one) && among(b, other)) || (among(a, other) && among(b, one)),
  )
}

const mostText = 4_000

function tokensOf(text: string): string[] {
  if (text.length > mostText) return []
  const named = /\p{Ll}/u.test(text) ? text.replace(names, '$&_') : text
  const plain = named.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  const spelled = phrases.reduce((said, [phrase, words]) => said.replace(phrase, words), plain)
  return (spelled.match(tokens) ?? []).flatMap(piecesOf).map((piece) => synonyms.get(piece) ?? piece)
}

/** `30s` is a number of something, `on-call` two words, and the team's is the team. */
function piecesOf(token: string): string[] {
  const [, number, unit] = /^(\d+(?:[.,]\d+)*)-?(\D+)$/.exec(token) ?? []
  if (number !== undefined && units.test(unit!)) return [number, unit!]
  return hyphenated.test(token) ? token.split('-') : [token.replace(/'(?:s|ve|re|m)$/, '')]
}

// Within a clause ("users who are not …") a negation is about that clause and not about the whole.
function wordOf(text: string, link: string, inClause: boolean): Word {
  if (negations.has(text) && !inClause) return { text, link, kind: 'negation' }
  return { text, link, kind: /^[-+]?\d+(?:[.,]\d+)*$/.test(text) ? 'number' : 'word' }
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

// A name may begin with a sign (`.env`, `--force`, `@scope`), is held together by others, and may end in one (`c++`).
// Signs that compare or point are words of their own; so are a question mark, a currency and a pictogram.
const tokens =
  /(?<![\p{L}\p{N}_])(?:[./~@#$%&+!\\-]{1,3}(?=[\p{L}\p{N}_]))?[\p{L}\p{N}\p{M}_]+(?:(?:[.\-/@:'\\]{1,2}|(?<=\d),(?=\d))[\p{L}\p{N}\p{M}_]+)*(?:\+\+|[#%])?|[+!|*/-]{0,3}[<>=≤≥≠≈→←↔⇒&^~][<>=|&-]{0,3}|(?<=\s)\+(?=\s)|[\p{Extended_Pictographic}\p{Sc}?%]/gu

const hyphenated = /^\p{L}+(?:-\p{L}+)+$/u

// "Plan A" and "ask IT", where not everything is in capitals.
const names = /(?<=[\p{L}\d)] )(?:A|IT)(?![\p{L}\p{N}_'’-])/gu

const phrases: [RegExp, string][] = [
  [/\bcan(?:'t|not)\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/(?<=[a-z])n't\b/g, ' not'],
  [/\blet's\b/g, ' '],
  [/\bstop(?:s|ped)?(?= [a-z]+ing\b)/g, 'not'],
  [/\b(?:is|are|was|were|been) (deprecated|removed|dropped)\b/g, 'not_$1'],
]

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

const units =
  /^(?:%|ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|times|retries|attempts|tries|bytes|kb|mb|gb|tb|kib|mib|gib|characters|chars|lines|spaces|columns|items|rows|workers|threads|connections|requests|calls|tokens|pixels|px)$/

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
