// How comments and strings look in each language.

export interface Look {
  /** What is next in code. Its groups are a comment, a character, and the beginning of each kind of string. */
  token: RegExp
  quotes: Quote[]
  /** Whether the language has regular expressions between slashes. */
  regexes: boolean
}

export interface Quote {
  opens: string
  /** What is next in such a string. Its groups are what only looks like an end, the beginning of code, and the end. */
  next: RegExp
  /** Code in the string. */
  hole: Hole | null
  /** What follows a colon at the end of such code: text again, up to the end of the code. */
  format: Quote | null
}

interface Hole {
  opens: string
  closes: string
}

interface QuoteLook {
  opens: string
  closes: string
  /** What does not end the string though it looks like it. */
  unended?: string
  hole?: Hole | null
  /** A string that only ends with its mark; others end with the line at the latest. */
  lines?: boolean
  format?: Quote | null
}

const backslash = String.raw`\\(?:\r\n|[\s\S])`
const never = '(?!)'

function quote({ opens, closes, unended, hole = null, lines = false, format = null }: QuoteLook): Quote {
  const ends = lines ? '' : String.raw`|[\r\n]`
  const next = new RegExp(`(${unended ?? backslash})|(${hole?.opens ?? never})|(${closes})${ends}`, 'g')
  return { opens, next, hole, format }
}

function marks(written: readonly string[], more: Omit<QuoteLook, 'opens' | 'closes'> = {}): Quote[] {
  return written.map((mark) => quote({ opens: mark, closes: mark, ...more }))
}

const slashes = String.raw`\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)`
const hashes = String.raw`#[^\n\r]*`
const dashes = String.raw`--[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)`
const markup = '<!--[\\s\\S]*?(?:-->|$)'
const character = String.raw`'(?:[^'\\\n\r]|\\[^\n\r]{1,8})'`

const dollar: Hole = { opens: String.raw`\$\{`, closes: '}' }
const triples = ['"""', "'''"]
const plainMarks = ['"', "'"]

// In Python a name may stand in braces after a backslash; any other brace there begins code all the same.
const formatted: Omit<QuoteLook, 'opens' | 'closes'> = {
  unended: String.raw`\\(?:N\{[A-Z0-9 -]+\}|\r\n|[^{}])|\{\{|\}\}`,
  hole: { opens: String.raw`\{`, closes: '}' },
  format: quote({
    opens: ':',
    closes: String.raw`\}`,
    unended: never,
    hole: { opens: String.raw`\{`, closes: '}' },
  }),
}
formatted.format!.format = formatted.format!
const pythonic = [...triples, ...plainMarks].map((mark) =>
  quote({
    opens: String.raw`\b(?:[rR]?[fFtT]|[fFtT][rR])${mark}`,
    closes: mark,
    lines: mark.length === 3,
    ...formatted,
  }),
)

const sharp = [
  quote({ opens: String.raw`\$"`, closes: '"', ...formatted }),
  quote({
    opens: String.raw`(?:\$@|@\$)"`,
    closes: '"',
    ...formatted,
    lines: true,
    unended: '""|\\{\\{|\\}\\}',
  }),
  quote({ opens: '@"', closes: '"', lines: true, unended: '""' }),
]
const swift = { unended: String.raw`\\[^(]`, hole: { opens: String.raw`\\\(`, closes: ')' } }

const looks: [Look, readonly string[]][] = [
  [
    look(slashes, [...marks(plainMarks), ...marks(['`'], { lines: true, hole: dollar })], { regexes: true }),
    ['typescript', 'javascript', 'tsx', 'jsx'],
  ],
  [
    look(slashes, [...marks(triples, { lines: true, hole: dollar }), ...marks(plainMarks, { hole: dollar })]),
    ['dart', 'groovy'],
  ],
  [
    look(
      slashes,
      [...marks(['"""'], { lines: true, unended: never, hole: dollar }), ...marks(['"'], { hole: dollar })],
      { character },
    ),
    ['kotlin', 'scala'],
  ],
  [look(slashes, [...marks(['"""'], { lines: true, ...swift }), ...marks(['"'], swift)]), ['swift']],
  [look(slashes, [...sharp, ...marks(['"'])], { character }), ['csharp']],
  [look(slashes, [...marks(['"']), ...marks(['`'], { lines: true, unended: never })], { character }), ['go']],
  [look(hashes, [...pythonic, ...marks(triples, { lines: true }), ...marks(plainMarks)]), ['python']],
  [
    look(hashes, [...marks(['"'], { hole: { opens: '#\\{', closes: '}' } }), ...marks(["'"])]),
    ['ruby', 'elixir'],
  ],
  [look(hashes, [...marks(['"'], { hole: { opens: '\\$\\(', closes: ')' } }), ...marks(["'"])]), ['shell']],
  [look(hashes, marks(plainMarks)), ['perl', 'r', 'yaml', 'toml', 'makefile', 'dockerfile']],
  [look(dashes, marks(["'"], { lines: true, unended: "''" })), ['sql']],
  [look(dashes, marks(['"'])), ['haskell', 'lua', 'elm', 'ada']],
  [look(markup, []), ['html', 'xml', 'markdown', 'vue', 'svelte']],
  [
    look(slashes, [...marks(['"'], { hole: { opens: '\\{(?=\\$)', closes: '}' } }), ...marks(["'"])]),
    ['php'],
  ],
  [look(slashes, marks(plainMarks)), ['css', 'scss', 'less']],
]
const plain = look(slashes, marks(['"']), { character })
const byLanguage = new Map(looks.flatMap(([one, names]) => names.map((name) => [name, one] as const)))

export function lookOf(language: string | null): Look {
  return byLanguage.get(language ?? '') ?? plain
}

function look(
  comment: string,
  quotes: Quote[],
  { character = never, regexes = false }: { character?: string; regexes?: boolean } = {},
): Look {
  const strings = quotes.map(({ opens }) => `|(${opens})`).join('')
  // What a slash means is told by all that stands before it; where code in a string ends, by brackets alone.
  const rest = regexes ? String.raw`\d[\w.]*|[\w$\u0080-\uffff]+|\+\+|--|[^\s\w]` : '[()[\\]{}:]'
  return { token: new RegExp(`(${comment})|(${character})${strings}|${rest}`, 'g'), quotes, regexes }
}

/** Between slashes on one line, where a slash in brackets is none. */
export const regexLiteral = /\/(?:[^/\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/[a-z]*/y
