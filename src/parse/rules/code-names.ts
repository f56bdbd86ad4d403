// A name in code font as a regular expression for where it stands in code, by what is done with it.

/** A name as it may stand in code; a call as a call. Null for a word of the language alone and for what is no name. */
export function mentioned(written: string): string | null {
  const name = nameIn(written)
  if (!name) return phrase(written)
  const { isNew, isMember, words, call } = name
  if (isNew) return `${edge}new\\s+${escaped(words)}\\s*${call === '()' ? '\\(\\s*\\)' : '\\('}`
  const before = isMember ? '\\.\\s*' : ownWords.has(words) ? '(?<![\\w$.])' : edge
  return call === undefined ? `${before}${escaped(words)}${end}` : `${before}${escaped(words)}\\s*\\(`
}

/** Words of the language in a row: `async void`, `export default`. */
function phrase(written: string): string | null {
  const words = written.split(' ')
  const isCode = words.length > 1 && words.length < 4 && words.every((word) => /^[a-z]\w*$/.test(word))
  return isCode && keywords.has(words[0]!) ? edge + words.join('\\s+') + end : null
}

export function thrown(written: string): string | null {
  const name = nameIn(written)
  return name && `\\b(?:throw|raise)\\s+(?:new\\s+)?${escaped(name.words)}${end}`
}

export function caught(written: string): string | null {
  const name = nameIn(written)
  return name && `\\b(?:catch|except|rescue)\\b[^{}:;\\n]{0,200}?${edge}${escaped(name.words)}${end}`
}

/** As the class or interface that others are made after, in the languages that write it down. */
export function derived(written: string): string | null {
  const name = nameIn(written)
  if (!name) return null
  const word = `${edge}${escaped(name.words)}${end}`
  return heads.map((head) => head + word).join('|')
}

// `class A(X)`, `class A : X`, `class A(val b: B) : C(), X`.
const heads = [
  String.raw`\b(?:implements|extends|impl|satisfies|conforms)\b[^;{}\n]{0,200}?`,
  String.raw`\bclass\s+\w+(?:<[^<>{}\n]{0,80}>)?\s*\([^(){}:\n]{0,200}?`,
  String.raw`\bclass\s+\w+(?:<[^<>{}\n]{0,80}>)?\s*(?:\([^(){}\n]{0,200}\)\s*)?:(?:[^(){}\n]|\([^(){}\n]{0,80}\)){0,200}?`,
]

/** The same, and what is said to be of that type: `const a: X = …`, `function f(): X {`. */
export function implemented(written: string): string | null {
  const heads = derived(written)
  const name = nameIn(written)
  return (
    name &&
    `${heads}|:\\s*${escaped(name.words)}${end}[^;{}\\n]{0,100}?=|\\)\\s*:\\s*${escaped(name.words)}${end}`
  )
}

export function created(written: string): string | null {
  const name = nameIn(written)
  return name && `\\bnew\\s+(?:[\\w$.]{1,100}\\.)?${escaped(name.words)}${end}`
}

/** A remark to a tool, which stands in a comment: `@ts-expect-error`, `# noqa`. */
export function remark(written: string): string | null {
  if (!/^(?:@ts-[a-z-]+|[a-z]+-disable[a-z-]*|(?:#|\/\/) ?[a-z]+(?:[: ]{1,2}[a-z-]+)?)$/.test(written))
    return null
  return `${escaped(written).replaceAll(' ', '\\s*')}(?![\\w-])`
}

/** What a module is called where it is imported. */
export function moduleIn(written: string): string | null {
  const name = written.replace(/^["']|["']$/g, '')
  return /^[@\w./:-]+$/.test(name) ? name : null
}

interface Name {
  isNew: boolean
  /** Written with a dot in front: a member of whatever stands there. */
  isMember: boolean
  words: string
  /** With its brackets. */
  call: string | undefined
}

function nameIn(written: string): Name | null {
  const [, fresh, dot, words, call] = form.exec(written) ?? []
  if (!words || words.length < 2 || (!fresh && !dot && keywords.has(words))) return null
  if (call === undefined && fileEnding.test(words)) return null
  return { isNew: fresh !== undefined, isMember: dot !== undefined, words, call }
}

const form =
  /^(new\s+)?(\.)?([A-Za-z_$@][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*!?)*!?)(?:<[^<>]*>)?\s*(\(.*\))?;?$/

const edge = '(?<![\\w$])'
const end = '(?![\\w$])'

// Of files, and of what is named after one: `index.ts`, `Vue.js`.
const fileEnding =
  /\.(?:md|json|ya?ml|toml|lock|txt|html|css|sql|xml|sh|[cm]?[jt]sx?|vue|py|rb|go|rs|java|kt|cs|php)$/

// A language has them of its own, and methods of these names are something else: `Promise.any`, `/x/.exec(y)`.
const ownWords = new Set('any eval exec fetch alert'.split(' '))

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const keywords = new Set(
  'if else for while do switch case default break continue return try catch finally throw throws class interface enum type const let function def fn func new delete in of is not and or null nil none true false this self super import export from as async await yield static public private protected package module use pub mut match where with lambda pass raise except go defer select struct impl trait void int string bool'.split(
    ' ',
  ),
)
