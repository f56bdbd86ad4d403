// A statement in its smallest parts: words, names, numbers and the signs that say something.

export interface Token {
  /** In lower case. */
  text: string
  /** As it is written, where that has capitals that a sentence does not call for. */
  name?: string
  /** Of code: as it is written, with the signs before it; the last of a piece has those behind it too. */
  code?: string
  /** All there is of a piece of code: whatever it is called, it is a name there. */
  alone?: boolean
}

const mostText = 4_000

/** None of a text that is too long to be a statement. */
export function tokensOf(text: string): Token[] {
  if (text.length > mostText) return []
  const plain = text.normalize('NFKC').replaceAll('’', "'").replaceAll(hole, '')
  const codes: string[] = []
  const prose = plain.replace(pieces, (whole: string, quoted: string | undefined) => {
    const code = quoted ?? whole.replace(/[.,;:!?]+$/, '')
    codes.push(code)
    return quoted === undefined ? hole + whole.slice(code.length) : hole
  })
  const all = tokensOfProse(prose, codes)
  // Whoever shouts says nothing by capitals.
  return isShouted(plain) ? all.map(({ text }) => ({ text })) : all
}

/** In capitals throughout. Code in capitals says nothing about the rest. */
export function isShouted(text: string): boolean {
  return !/\p{Ll}/u.test(text) && /\p{Lu}/u.test(text.replace(pieces, ''))
}

function tokensOfProse(text: string, codes: readonly string[]): Token[] {
  const named = /\p{Ll}/u.test(text) ? text.replace(names, '$&_') : text
  const bare = named.replace(emphasis, '$2')
  const spelled = phrases.reduce((said, [phrase, words]) => said.replace(phrase, words), bare)
  let next = 0
  return [...spelled.matchAll(tokens)].flatMap(({ 0: found, index }) => {
    if (found === hole) return tokensOfCode(codes[next++]!)
    const first = opening.test(spelled.slice(Math.max(0, index - 4), index))
    return piecesOf(withoutQuotes(found)).map((piece) => tokenOf(piece, first))
  })
}

/** Every character of it is in one of the tokens. */
function tokensOfCode(text: string): Token[] {
  const code = text.replace(/\s+/g, ' ').trim()
  const all: Token[] = []
  let from = 0
  for (const { 0: found, index } of code.matchAll(tokens)) {
    const written = code.slice(from, index + found.length)
    from = index + found.length
    for (const [i, piece] of piecesOf(withoutQuotes(found)).entries())
      all.push({ ...tokenOf(piece), code: i === 0 ? written : '' })
  }
  if (all.length === 0 && code !== '') all.push({ ...tokenOf(code), code: '' })
  const last = all.at(-1)
  if (last) last.code += code.slice(from)
  if (last && all.length === 1) last.alone = true
  return all
}

// A sentence begins with a capital, and any word may.
function tokenOf(written: string, first = false): Token {
  const text = written.toLowerCase()
  const capitals = first && !/^\P{L}*\p{L}.*\p{Lu}/u.test(written) ? '' : written
  return /\p{Lu}/u.test(capitals) ? { text, name: written } : { text }
}

/** `30s` is a number of something, `on-call` two words, and the team's is the team. */
function piecesOf(token: string): string[] {
  const [, number, unit] = /^(\d+(?:[.,]\d+)*)-?(\D+)$/.exec(token) ?? []
  if (number !== undefined && units.test(unit!.toLowerCase())) return [number, unit!]
  return hyphenated.test(token) ? token.split('-') : [token.replace(/'(?:s|ve|re|m)$/i, '')]
}

/** The sign and not how it is quoted; a quotation mark by itself is the sign. */
function withoutQuotes(token: string): string {
  return /^["'“”‘«»](.+)["'“”’«»]$/u.exec(token)?.[1] ?? token
}

/** Stands for code in the prose around it: a private character, which no text has a meaning for. */
const hole = '\ue000'

// Code, and what has brackets that no sentence has: `string[]`, `{a}`, `[a-z]+`.
const pieces = /(?<!`)`{1,3}(?!`)([^`]{1,1000})`{1,3}|(?<![^\s`])[^\s`[\]{}]*[[\]{}][^\s`]*/gu

// Signs by themselves are what is spoken of ("the separator is ;"), but for a dash between words and an exclamation mark
// at the end. A name may begin with a sign (`.env`, `--force`, `@scope`, `*.md`), is held together by others, and may end
// in one (`c++`, `docs/*`). Signs that compare or point are words of their own; so are brackets, a question mark, a
// currency and a pictogram.
const tokens =
  /(?<!\S)(?![-–—…•]+\s|!+\s*$)[^\s\p{L}\p{N}\p{M}_[\]{}\ue000]+(?!\S)|\ue000|(?<![\p{L}\p{N}_])(?:(?:[./~@#$%&+!\\-]{1,3}|\*{1,2}[./]{1,2}\*?\.?)(?=[\p{L}\p{N}_]))?[\p{L}\p{N}\p{M}_]+(?:(?:[.\-/@:'\\*]{1,4}|(?<=\d),(?=\d))[\p{L}\p{N}\p{M}_]+)*(?:\+\+|[#%]|\/\*{1,2})?|[+!|*/:-]{0,3}[<>=≤≥≠≈→←↔⇒&^~][<>=|&-]{0,3}|[[\]{}]|[\p{Extended_Pictographic}\p{Sc}?%]/gu

const opening = /(?:^|[.!?:]\s{1,2})["'“‘(*_]?$/

const emphasis = /(?<![\p{L}\p{N}*/.])(\*{1,3}|__)(?=[^\s*])([^*]{1,300})(?<=[^\s*/])\1(?![\p{L}\p{N}*])/gu

const hyphenated = /^\p{L}+(?:-\p{L}+)+$/u

// "Plan A" and "ask IT", where not everything is in capitals.
const names = /(?<=[\p{L}\d)] )(?:A|IT)(?![\p{L}\p{N}_'’-])/gu

const phrases: [RegExp, string][] = [
  [/\bcan(?:'t|not)\b/gi, 'can not'],
  [/\bwon't\b/gi, 'will not'],
  [/(?<=[a-z])n't\b/gi, ' not'],
  [/\blet's\b/gi, ' '],
  [/\bstop(?:s|ped)?(?= [a-z]+ing\b)/gi, 'not'],
  [/\b(?:is|are|was|were|been) (deprecated|removed|dropped)\b/gi, 'not_$1'],
]

export const units =
  /^(?:%|ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|times|retries|attempts|tries|bytes|kb|mb|gb|tb|kib|mib|gib|characters|chars|lines|spaces|columns|items|rows|workers|threads|connections|requests|calls|tokens|pixels|px)$/
