// What a sentence says plainly about the code that it names: "never call `x`", "use `A` instead of `B`". Whatever depends on
// where or when is left to a reader: a wrong verdict costs more than none.
import type { Rule, Severity } from '../../model/rule.js'
import { caught, created, derived, implemented, mentioned, moduleIn, remark, thrown } from './code-names.js'

/** With a suggestion where the advice does not say itself what to do: a pitfall names what goes wrong. */
export type Found = Pick<Rule, 'severity' | 'check' | 'suggestion'> & Partial<Pick<Rule, 'languages'>>

export interface Said {
  found: Found
  /** What it is about, as it is written. */
  names: string[]
}

export const depends = 'It depends on where or when.'
const partial = 'It is about some code only, and a reader has to tell which.'
const unusable = 'What it names cannot be looked for by its name.'
const several = 'It asks for several things at once.'
const somewhere = 'It says what to use, and a reader has to tell where.'

/** What it forbids or requires, why that cannot be told, or null where it says nothing of the kind. */
export function readSentence(written: string, isPitfall: boolean): Said | string | null {
  const sentence = withoutEmphasis(written)
  for (const { form, read, ofPitfalls } of forms) {
    const match = ofPitfalls && !isPitfall ? null : form.exec(sentence)
    if (!match) continue
    const before = sentence.slice(0, match.index)
    const after = sentence.slice(match.index + match[0].length)
    if (!isAboutAllCode(before)) return /\b(?:if|when|unless|in)\b/i.test(before) ? depends : partial
    if (!isUnconditional(after)) return depends
    const said = read(match)
    return typeof said !== 'string' && isAboutRemarks(said, after) ? unusable : said
  }
  return null
}

const one = '`[^`\\n]{2,80}`'
/** Names in a row are one list. */
const row = `(${one}(?:(?: ?, ?(?:(?:n?or|and) )?| (?:n?or|and) | ?/ ?)${one}){0,20})`
const no = `(?:never(?:,? ever)?|do not|don['’]?t|must not|mustn['’]t|may not|should not|shouldn['’]t|avoid)`
const thing =
  '(?: (?:the|a|an|any|from))?(?: (?:function|method|class|type|module|package|interface|library|trait|hook|operator|annotation))? '
const doing =
  '(call|use|write|invoke|depend on|rely on|return|expose|leak|throw|raise|catch|extend|instantiate|import|require|calling|using|writing|invoking|relying on|returning|exposing|leaking|throwing|raising|catching|extending|instantiating|importing|requiring)'
const banned =
  '(?:forbidden|banned|prohibited|disallowed|not allowed|not permitted|never used|never allowed|off limits)'

interface Form {
  form: RegExp
  ofPitfalls?: boolean
  read(match: RegExpExecArray): Said | string
}

const forms: readonly Form[] = [
  {
    form: matching(
      `^(?:always )?(use|call|prefer|choose|write|import|throw|return)(?: (?:a|an|the|our|your))? (${one})(?: [a-z]+){0,2} ?,? (?:instead of|rather than|over|not|and not|never)(?: (?:a|an|the))?(?: (?:using|calling|importing|throwing))? (${one})`,
    ),
    read: ([whole, verb, good, bad]) =>
      forbidding(verb!, bad!, strength(whole), `Use ${good} instead of ${bad}.`),
  },
  {
    form: matching(`^instead of(?: using| calling)? (${one}) ?,? (use|call|prefer|import) (${one})`),
    read: ([whole, bad, verb, good]) =>
      forbidding(verb!, bad!, strength(whole), `Use ${good} instead of ${bad}.`),
  },
  {
    form: matching(`\\b${no} (?:ever |directly )?${doing}${thing}${row}`),
    read: ([whole, verb, names]) => forbidding(verb!, names!, strength(whole)),
  },
  {
    // Not "to avoid `x`", which says what for.
    form: matching(`(?:^(?:we )?|\\b(?:should|must|always|please,?) )avoid${thing}${row}`),
    read: ([, names]) => forbidding('use', names!, 'warning'),
  },
  {
    form: matching(`^no ${row}`),
    read: ([, names]) => forbidding('use', names!, 'error'),
  },
  {
    form: matching(`^(?:(?:the )?use of |using )?${row} (?:is|are) ${banned}`),
    read: ([, names]) => forbidding('use', names!, 'error'),
  },
  {
    form: matching(
      `^${row} (?:must|should|may|can) (?:not|never)(?: ever)? be (used|called|imported|thrown|caught|extended|instantiated)`,
    ),
    read: ([whole, names, verb]) => forbidding(verb!, names!, strength(whole)),
  },
  {
    form: matching(
      `\\b(?:must|always|has to|have to|should) (?:implement|implements|extend)${thing}(${one})`,
    ),
    read: ([whole, name]) => implementing(name!, strength(whole)),
  },
  {
    form: matching(
      `(?:\\b(?:must|has to|have to|should)|^always) (call|use|import|declare|export|define|provide|have)${thing}${row}`,
    ),
    read: ([whole, verb, names]) => requiring(verb!, names!, strength(whole)),
  },
  {
    form: matching(
      `^(calling|using|throwing|raising|catching|extending|instantiating|importing)${thing}${row}`,
    ),
    ofPitfalls: true,
    read: ([, verb, names]) => {
      const [, stem] = /^(import|throw|rais|catch|extend|instantiat)/i.exec(verb!) ?? []
      const instead = stem
        ? `Do not ${stem.toLowerCase()}${/rais|tiat/i.test(stem) ? 'e' : ''}`
        : 'Do without'
      return forbidding(verb!, names!, 'warning', `${instead} ${names}.`)
    },
  },
]

function matching(form: string): RegExp {
  return new RegExp(form, 'i')
}

export function strength(words: string): Severity {
  return /\b(?:should|shouldn|avoid|prefer|over)\b/i.test(words) ? 'warning' : 'error'
}

function forbidding(verb: string, row: string, severity: Severity, suggestion?: string): Said | string {
  const names = namesIn(row)
  const [, way, patternOf] = ways.find(([form]) => form.test(verb)) ?? [null, 'mention', mentioned]
  if (way === 'import') {
    const modules = every(names, moduleIn)
    return modules ? { names, found: { severity, suggestion, check: imports(modules, false) } } : unusable
  }
  const patterns = every(names, patternOf)
  const remarks = patterns ? null : every(names, remark)
  if (!patterns && !remarks) return unusable
  const check = text((patterns ?? remarks)!.join('|'), false, !remarks)
  const languages = way === 'create' ? { languages: withNew } : {}
  return { names, found: { severity, suggestion, check, ...languages } }
}

type Way = 'mention' | 'import' | 'throw' | 'catch' | 'derive' | 'create'

const ways: readonly [RegExp, Way, (name: string) => string | null][] = [
  [/^(?:import|requir)/i, 'import', moduleIn],
  [/^(?:thr|rais)/i, 'throw', thrown],
  [/^(?:catch|caught)/i, 'catch', caught],
  [/^extend/i, 'derive', derived],
  [/^instantiat/i, 'create', created],
]

function requiring(verb: string, row: string, severity: Severity): Said | string {
  const names = namesIn(row)
  if (names.length > 1 && !/` or `[^`]*`$/.test(row)) return several
  if (/^use$/i.test(verb)) return somewhere
  const isImport = /^import$/i.test(verb)
  const wanted = every(names, isImport ? moduleIn : mentioned)
  if (!wanted) return unusable
  return {
    names,
    found: { severity, check: isImport ? imports(wanted, true) : text(wanted.join('|'), true) },
  }
}

function implementing(row: string, severity: Severity): Said | string {
  const names = namesIn(row)
  const pattern = implemented(names[0]!)
  return pattern ? { names, found: { severity, check: text(pattern, true), languages: withTypes } } : unusable
}

// Elsewhere nobody writes down what a type implements, or creates things by `new`.
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

/** `TODO` stands in comments, where names are not looked for. */
function isAboutRemarks({ found: { check } }: Said, after: string): boolean {
  return check.kind === 'text' && check.codeOnly && /^ (?:comment|directive|remark)s?\b/i.test(after)
}

function withoutEmphasis(sentence: string): string {
  return sentence.replace(/(`[^`]*`)|\*+|(?<!\w)_+|_+(?!\w)/g, '$1')
}

/** Nobody in particular is spoken of: "Controllers must not …" says nothing about other code. */
function isAboutAllCode(before: string): boolean {
  return anybody.test(before.replace(quotes, '').replace(marks, '').trim())
}

const quotes = /["“”'’]/g
/** Signs in front, such as a cross. */
const marks = /^[^\p{L}`]+/u
const anybody = new RegExp(
  [
    String.raw`^(?:(?:please|also|and|but|so|therefore),?\s*)*`,
    String.raw`(?:\b(?:you|we|one|everyone|everybody|(?:(?:all|any|the|your|our)\s+)?code)\b)?`,
    String.raw`(?:\s*\b(?:must|should|shall|may|can|will|always)\b)*$`,
  ].join(''),
  'i',
)

// What comes after the name, up to the reason why, must not narrow it down; an exception does wherever it stands. What
// stands in code font is no part of the sentence.
function isUnconditional(after: string): boolean {
  const rest = after.replace(/`[^`]*`/g, '`x`').replace(quotes, '')
  if (exception.test(rest)) return false
  const said = rest.split(/[:;.!?(—–]|\s-\s|\b(?:because|since|as it|as they|so that)\b/)[0]!
  const [name, ...more] = said.split(/,\s/)
  return plainEnd.test(name!) && !narrowing.test(name!) && !more.some((part) => condition.test(part))
}

const exception =
  /\b(?:unless|except|apart from|other than|save for)\b|[(,]\s*(?:but )?(?:only|outside|not)\b/i
const condition = /\b(?:only|outside|if|when|whenever|while|until|inside|within)\b/i
const narrowing =
  /\b(?:only|outside|when|whenever|if|while|inside|within|without|before|after|until|during|once|twice|in|from|at(?! all)|on|between|for|by|with|where|as|directly|to|of)\b/i

/** What sort of thing it is, and that there are no two ways about it. */
const plainEnd = new RegExp(
  [
    String.raw`^(?:\s+(?:types?|class(?:es)?|functions?|methods?|calls?|operators?|hooks?|modules?|packages?|keywords?|statements?|comments?|directives?|remarks?|annotations?|itself)`,
    String.raw`|\s+(?:at all|anywhere|everywhere|ever|any ?more|again))*`,
    String.raw`(?:\s+n?or\s[^\`]*)?\s*$`,
  ].join(''),
  'i',
)
