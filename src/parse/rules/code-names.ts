// Turns a name in code font into a regular expression that finds its uses in code, by the kind of use.

/** Matches a name in code, and `x()` as a call. Null for a keyword and for text that is no name. */
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

/** The name as a base class or interface, in languages that declare it. */
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

/** The same, and declarations of that type: `const a: X = …`, `function f(): X {`. */
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

/** A directive in a comment: `@ts-expect-error`, `# noqa`. */
export function remark(written: string): string | null {
  if (!/^(?:@ts-[a-z-]+|[a-z]+-disable[a-z-]*|(?:#|\/\/) ?[a-z]+(?:[: ]{1,2}[a-z-]+)?)$/.test(written))
    return null
  return `${escaped(written).replaceAll(' ', '\\s*')}(?![\\w-])`
}

/** The name of a module in an import. */
export function moduleIn(written: string): string | null {
  const name = written.replace(/^["']|["']$/g, '')
  return /^[@\w./:-]+$/.test(name) ? name : null
}

interface Name {
  isNew: boolean
  /** Written with a dot in front: a member of anything. */
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

// Endings of file names and of products named like files: `index.ts`, `Vue.js`.
const fileEnding =
  /\.(?:md|json|ya?ml|toml|lock|txt|html|css|sql|xml|sh|[cm]?[jt]sx?|vue|py|rb|go|rs|java|kt|cs|php)$/

// Names that are a language's own as well as methods of other objects: `Promise.any`, `/x/.exec(y)`.
const ownWords = new Set('any eval exec fetch alert'.split(' '))

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const keywords = new Set(
  'if else for while do switch case default break continue return try catch finally throw throws class interface enum type const let function def fn func new delete in of is not and or null nil none true false this self super import export from as async await yield static public private protected package module use pub mut match where with lambda pass raise except go defer select struct impl trait void int string bool'.split(
    ' ',
  ),
)
