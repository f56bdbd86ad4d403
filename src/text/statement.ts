// Whether two short statements say the same, or the later one takes back the earlier. By their words, and by how near
// their meanings are where that is known. Careful rather than clever: what is doubtful is two statements.
import { isStopWord, terms } from './terms.js'

export interface Understood {
  /** As written, but for case, space and the signs at its end. */
  plain: string
  /** What it is about: no stop words, no negations, no numbers. */
  words: Set<string>
  /** Every number in it. */
  numbers: Set<string>
  /** Numbers with their unit: what a later statement may set anew. */
  amounts: Set<string>
  negated: boolean
  /** What it says it replaces: the words behind "instead of" and the like. */
  replaced: Set<string>
}

export type Relation = 'same' | 'replaces'

export function understand(text: string): Understood {
  const plain = text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!;,]+$/, '')
    .trim()
  return {
    plain,
    words: wordsIn(text),
    numbers: new Set(plain.match(number) ?? []),
    amounts: new Set(plain.match(amount) ?? []),
    negated: negation.test(plain),
    replaced: new Set(
      [...plain.matchAll(replacement)].flatMap(([, what = '']) => [...wordsIn(what.split(preposition)[0]!)]),
    ),
  }
}

/** How a later statement stands to an earlier one. `cosine` is null where meanings were not compared. */
export function relationOf(earlier: Understood, later: Understood, cosine: number | null): Relation | null {
  if (earlier.plain === later.plain) return 'same'
  const share = jaccard(earlier.words, later.words)
  const near = cosine ?? 0
  if (earlier.negated === later.negated && later.replaced.size === 0 && equal(earlier.numbers, later.numbers))
    return (share >= 0.8 && oneSided(earlier.words, later.words)) || (near >= 0.9 && share >= 0.4)
      ? 'same'
      : null
  return takesBack(earlier, later, { share, near }) ? 'replaces' : null
}

// Where each has a word that the other lacks, that may be the very thing they are about. The bundled model gives 0.87 and
// more to rewordings, and at most 0.86 to statements about different things; by words alone nothing is risked.
function oneSided(a: Set<string>, b: Set<string>): boolean {
  return [...a].every((word) => b.has(word)) || [...b].every((word) => a.has(word))
}

/** The overlap of what two statements are about, 0..1. */
export function overlap(a: Understood, b: Understood): number {
  return jaccard(a.words, b.words)
}

function takesBack(
  earlier: Understood,
  later: Understood,
  { share, near }: { share: number; near: number },
): boolean {
  if (later.replaced.size > 0) return namesAsReplaced(earlier, later)
  const subject = share >= 0.7 || (near >= 0.85 && share >= 0.5)
  if (!subject || earlier.words.size < 2) return false
  if (earlier.negated !== later.negated) return equal(earlier.numbers, later.numbers)
  return resetsAmount(earlier, later)
}

/** "X instead of Y for Z" takes back "Y for Z", not "X for Z". */
function namesAsReplaced(earlier: Understood, later: Understood): boolean {
  if (earlier.negated || earlier.replaced.size > 0) return false
  const own = [...earlier.words].filter((word) => !generic.has(word))
  const known = own.filter((word) => later.words.has(word))
  const named = own.some((word) => later.replaced.has(word))
  return named && own.length >= 2 && known.length / own.length >= 0.7
}

/** The same amounts of the same things, but for how many: "2 spaces" and "4 spaces". */
function resetsAmount(earlier: Understood, later: Understood): boolean {
  if (earlier.amounts.size === 0 || earlier.amounts.size !== later.amounts.size) return false
  if (earlier.numbers.size !== earlier.amounts.size || later.numbers.size !== later.amounts.size) return false
  return equal(units(earlier.amounts), units(later.amounts)) && !equal(earlier.amounts, later.amounts)
}

function units(amounts: Set<string>): Set<string> {
  return new Set([...amounts].map((one) => one.replace(/^[\d.,\s-]+/, '')))
}

function wordsIn(text: string): Set<string> {
  const found = terms(text.slice(0, 4_000)).filter(({ whole }) => !whole)
  return new Set(
    found
      .map(({ term }) => term)
      .filter((term) => !isStopWord(term) && !denying.has(term) && !/^\d/.test(term)),
  )
}

function jaccard(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return both / (a.size + b.size - both)
}

function equal(a: Set<string>, b: Set<string>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one))
}

const number = /(?<![\p{L}\d_])\d+(?:[.,]\d+)*/gu

const amount =
  /(?<![\p{L}\d_])\d+(?:[.,]\d+)*[\s-]{0,2}(?:%|(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|times|retries|attempts|tries|bytes|kb|mb|gb|tb|kib|mib|gib|characters|chars|lines|spaces|columns|items|rows|workers|threads|connections|requests|calls|tokens|pixels|px)\b)/gu

const negation =
  /\b(?:not|never|no|don['’]?t|avoid|without|cannot|can['’]t|shouldn['’]t|mustn['’]t|won['’]t|doesn['’]t|isn['’]t|aren['’]t|stop|stopped|forbid|forbidden|disallowed|deprecated|removed|dropped)\b/

/** Negations in the form of our terms. */
const denying = new Set(
  'never dont avoid without cannot cant shouldnt mustnt wont doesnt isnt arent stop forbid forbidden longer instead rather'
    .split(' ')
    .flatMap((word) => terms(word).map(({ term }) => term)),
)

/** Words that any statement may have. */
const generic = new Set(
  'use using used prefer always should must let need want keep make do all every'
    .split(' ')
    .flatMap((word) => terms(word).map(({ term }) => term)),
)

const preposition = /\b(?:for|in|on|to|with|by|at|as|when|because|since)\b/

// Up to a few words behind the sign: what they name is what goes.
const replacement =
  /\b(?:instead of|rather than|in place of|replac(?:es|ed|ing)|supersed(?:es|ed|ing)|switch(?:ed|ing)? (?:away )?from|mov(?:ed|ing) (?:away )?from|migrat(?:ed|ing) (?:away )?from)\s+((?:[^\s.,;]+\s*){1,4})/g
