// Derives rules from plain sentences about named code: "never call `x`", "use `A` instead of `B`". A sentence that depends on
// a place or a time is left to a human: a wrong verdict costs more than none.
import type { Rule, Severity } from '../../model/rule.js'
import { caught, created, derived, implemented, mentioned, moduleIn, remark, thrown } from './code-names.js'

/** With a suggestion where the advice does not say itself what to do: a pitfall names what goes wrong. */
export type Found = Pick<Rule, 'severity' | 'check' | 'suggestion'> & Partial<Pick<Rule, 'languages'>>

export interface DerivedRule {
  found: Found
  /** The name that it is about, as written. */
  names: string[]
}

export const depends = 'It depends on where or when.'
const partial = 'It is about some code only, and a reader has to tell which.'
const unusable = 'What it names cannot be looked for by its name.'
const several = 'It asks for several things at once.'
const somewhere = 'It says what to use, and a reader has to tell where.'

/** The rule in a sentence, why no rule can be derived, or null if it forbids and requires nothing. */
export function readSentence(written: string, isPitfall: boolean): DerivedRule | string | null {
  const sentence = written.replace(/(`[^`]*`)|\*+|(?<!\w)_+|_+(?!\w)/g, '$1')
  const match = [...forms, ...(isPitfall ? [pitfall] : [])].map((form) => form.exec(sentence)).find(Boolean)
  if (!match) return null
  const before = sentence.slice(0, match.index)
  const after = sentence.slice(match.index + match[0].length)
  if (!isAboutAllCode(before)) return /\b(?:if|when|unless|in)\b/i.test(before) ? depends : partial
  if (!isUnconditional(after)) return depends
  const rule = ruleFrom(match, isPitfall)
  return typeof rule !== 'string' && isAboutRemarks(rule, after) ? unusable : rule
}

const one = '`[^`\\n]{2,80}`'
/** Names in a row are one list. */
const row = `${one}(?:(?: ?, ?(?:(?:n?or|and) )?| (?:n?or|and) | ?/ ?)${one}){0,20}`
const no = `(?:never(?:,? ever)?|do not|don['’]?t|must not|mustn['’]t|may not|should not|shouldn['’]t|avoid)`
const thing =
  '(?: (?:the|a|an|any|from))?(?: (?:function|method|class|type|module|package|interface|library|trait|hook|operator|annotation))? '
const doing =
  '(?:call|use|writ|invok|depend on|rely on|return|expos|leak|throw|rais|catch|extend|instantiat|import|requir)(?:e|ing)?|us(?:e|ing)|relying on'
const banned =
  '(?:forbidden|banned|prohibited|disallowed|not allowed|not permitted|never used|never allowed|off limits)'

/** `bad` is forbidden, for `good` in its place; `base` is to be implemented, and `wanted` to be there. */
const forms = [
  `^(?:always )?(?<verb>use|call|prefer|choose|write|import|throw|return)(?: (?:a|an|the|our|your))? (?<good>${one})(?: [a-z]+){0,2} ?,? (?:instead of|rather than|over|not|and not|never)(?: (?:a|an|the))?(?: (?:using|calling|importing|throwing))? (?<bad>${one})`,
  `^instead of(?: using| calling)? (?<bad>${one}) ?,? (?<verb>use|call|prefer|import) (?<good>${one})`,
  `\\b${no} (?:ever |directly )?(?<verb>${doing})${thing}(?<bad>${row})`,
  // Not "to avoid `x`", which says what for.
  `(?:^(?:we )?|\\b(?:should|must|always|please,?) )avoid${thing}(?<bad>${row})`,
  `^no (?<bad>${row})`,
  `^(?:(?:the )?use of |using )?(?<bad>${row}) (?:(?:is|are) ${banned}|(?:must|should|may|can) (?:not|never)(?: ever)? be (?<verb>used|called|imported|thrown|caught|extended|instantiated))`,
  `\\b(?:must|always|has to|have to|should) (?:implements?|extend)${thing}(?<base>${one})`,
  `(?:\\b(?:must|has to|have to|should)|^always) (?<verb>call|use|import|declare|export|define|provide|have)${thing}(?<wanted>${row})`,
].map((form) => new RegExp(form, 'i'))
const pitfall = new RegExp(
  `^(?<verb>calling|using|throwing|raising|catching|extending|instantiating|importing)${thing}(?<bad>${row})`,
  'i',
)

function ruleFrom(match: RegExpExecArray, isPitfall: boolean): DerivedRule | string {
  const { verb = 'use', good, bad, base, wanted } = match.groups!
  const severity = strength(match[0])
  if (base) return implementing(base, severity)
  if (!bad) return requiring(verb, wanted!, severity)
  if (good) return forbidding(verb, bad, severity, `Use ${good} instead of ${bad}.`)
  if (!isPitfall || !pitfall.test(match[0])) return forbidding(verb, bad, severity)
  const [, stem] = /^(import|throw|rais|catch|extend|instantiat)/i.exec(verb) ?? []
  const remedy = stem ? `Do not ${stem.toLowerCase()}${/rais|tiat/i.test(stem) ? 'e' : ''}` : 'Do without'
  return forbidding(verb, bad, 'warning', `${remedy} ${bad}.`)
}

export function strength(words: string): Severity {
  return /\b(?:should|shouldn|avoid|prefer|over)\b/i.test(words) ? 'warning' : 'error'
}

function forbidding(
  verb: string,
  row: string,
  severity: Severity,
  suggestion?: string,
): DerivedRule | string {
  const names = namesIn(row)
  if (/^(?:import|requir)/i.test(verb)) {
    const modules = every(names, moduleIn)
    return modules ? { names, found: { severity, suggestion, check: imports(modules, false) } } : unusable
  }
  const patterns = every(names, ways.find(([form]) => form.test(verb))?.[1] ?? mentioned)
  const remarks = patterns ? null : every(names, remark)
  if (!patterns && !remarks) return unusable
  const check = text((patterns ?? remarks)!.join('|'), false, !remarks)
  const languages = /^instantiat/i.test(verb) ? { languages: withNew } : {}
  return { names, found: { severity, suggestion, check, ...languages } }
}

const ways: readonly [RegExp, (name: string) => string | null][] = [
  [/^(?:thr|rais)/i, thrown],
  [/^(?:catch|caught)/i, caught],
  [/^extend/i, derived],
  [/^instantiat/i, created],
]

function requiring(verb: string, row: string, severity: Severity): DerivedRule | string {
  const names = namesIn(row)
  if (names.length > 1 && !/` or `[^`]*`$/.test(row)) return several
  if (/^use$/i.test(verb)) return somewhere
  const isImport = /^import$/i.test(verb)
  const wanted = every(names, isImport ? moduleIn : mentioned)
  if (!wanted) return unusable
  const check = isImport ? imports(wanted, true) : text(wanted.join('|'), true)
  return { names, found: { severity, check } }
}

function implementing(row: string, severity: Severity): DerivedRule | string {
  const names = namesIn(row)
  const pattern = implemented(names[0]!)
  return pattern ? { names, found: { severity, check: text(pattern, true), languages: withTypes } } : unusable
}

// Only these languages declare implemented interfaces and create objects with `new`.
const withTypes = 'typescript python java csharp rust kotlin swift scala php cpp dart groovy'.split(' ')
const withNew = 'typescript javascript java csharp php cpp scala groovy dart'.split(' ')

function namesIn(row: string): string[] {
  return [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
}

function every<T>(names: readonly string[], read: (name: string) => T | null): T[] | null {
  const all = names.map(read)
  return all.includes(null) ? null : (all as T[])
}

function imports(modules: string[], require: boolean): Found['check'] {
  return { kind: 'import', require, imports: modules, every: false }
}

function text(pattern: string, require: boolean, codeOnly = true): Found['check'] {
  return { kind: 'text', require, pattern, ignoreCase: false, when: null, every: false, codeOnly }
}

/** `TODO` occurs in comments, where names are not searched. */
function isAboutRemarks({ found: { check } }: DerivedRule, after: string): boolean {
  return check.kind === 'text' && check.codeOnly && /^ (?:comment|directive|remark)s?\b/i.test(after)
}

/** Whether the sentence is about all code: "Controllers must not …" says nothing about other code. */
function isAboutAllCode(before: string): boolean {
  return anybody.test(before.replace(quotes, '').replace(marks, '').trim())
}

const quotes = /["“”'’]/g
/** Leading signs such as a cross. */
const marks = /^[^\p{L}`]+/u
const anybody = new RegExp(
  [
    String.raw`^(?:(?:please|also|and|but|so|therefore),?\s*)*`,
    String.raw`(?:\b(?:you|we|one|everyone|everybody|(?:(?:all|any|the|your|our)\s+)?code)\b)?`,
    String.raw`(?:\s*\b(?:must|should|shall|may|can|will|always)\b)*$`,
  ].join(''),
  'i',
)

// The words between the name and the reason must not narrow the rule; an exception narrows it anywhere. Text in code font
// is ignored here.
function isUnconditional(after: string): boolean {
  const rest = after.replace(/`[^`]*`/g, '`x`').replace(quotes, '')
  if (exception.test(rest)) return false
  const names = rest.split(/[:;.!?(—–]|\s-\s|\b(?:because|since|as it|as they|so that)\b/)[0]!
  const [name, ...more] = names.split(/,\s/)
  return plainEnd.test(name!) && !narrowing.test(name!) && !more.some((part) => condition.test(part))
}

const exception =
  /\b(?:unless|except|apart from|other than|save for)\b|[(,]\s*(?:but )?(?:only|outside|not)\b/i
const condition = /\b(?:only|outside|if|when|whenever|while|until|inside|within)\b/i
const narrowing =
  /\b(?:only|outside|when|whenever|if|while|inside|within|without|before|after|until|during|once|twice|in|from|at(?! all)|on|between|for|by|with|where|as|directly|to|of)\b/i

/** The rest of a sentence without conditions: the kind of thing ("types"), and words such as "at all". */
const plainEnd = new RegExp(
  [
    String.raw`^(?:\s+(?:types?|class(?:es)?|functions?|methods?|calls?|operators?|hooks?|modules?|packages?|keywords?|statements?|comments?|directives?|remarks?|annotations?|itself)`,
    String.raw`|\s+(?:at all|anywhere|everywhere|ever|any ?more|again))*`,
    String.raw`(?:\s+n?or\s[^\`]*)?\s*$`,
  ].join(''),
  'i',
)
