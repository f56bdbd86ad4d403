// How comments and strings look in each language.
import {
  type Hole,
  heredocs,
  type Look,
  look,
  marks,
  nested,
  never,
  type QuoteLook,
  quote,
} from './code-look.js'

const block = String.raw`\/\*[\s\S]*?(?:\*\/|$)`
const lineSlashes = String.raw`\/\/[^\n\r]*`
const slashes = `${lineSlashes}|${block}`
const hashes = String.raw`#[^\n\r]*`
// What no space or bracket stands before is part of a word: `$#`, `${#a}`, `a#b`.
const apartHashes = String.raw`(?<![^\s;&|()\x60])#[^\n\r]*`
const semicolons = String.raw`;[^\n\r]*`
const percents = String.raw`%[^\n\r]*`
const lineDashes = String.raw`--[^\n\r]*`
const markup = '<!--[\\s\\S]*?(?:-->|$)'
const character = String.raw`'(?:[^'\\\n\r]|\\[^\n\r]{1,8})'`
const escaped = String.raw`\\[\s\S]`
const nestedBlock = nested(String.raw`\/\*`, String.raw`\*\/`)

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
const hashBrace: Hole = { opens: '#\\{', closes: '}' }
const command: Hole = { opens: '\\$\\(', closes: ')' }

// `%Q(…)` and its like, with code in them.
const percentQuotes = ['()', '[]', '{}', '<>', '||', '!!'].map(([opens, closes]) =>
  quote({ opens: `%[QWIrx]\\${opens}`, closes: `\\${closes}`, lines: true, hole: hashBrace }),
)
const percentLiteral = String.raw`%[qwis](?:\([^()]{0,4000}(?:\([^()]{0,4000}\)[^()]{0,4000})*\)|\[[^\]]{0,4000}\]|\{[^}]{0,4000}\}|<[^>]{0,4000}>|\|[^|]{0,4000}\||![^!]{0,4000}!)`
// A manual in the code: from `=begin` or `=pod` to `=end` or `=cut`, each at the beginning of its line.
const manual = String.raw`(?<![^\n\r])=(?:begin|pod|head\d|over|item|encoding|for)\b[\s\S]*?(?:[\n\r]=(?:end|cut)\b[^\n\r]*|$)`
const rawInC = String.raw`(?<!\w)(?:u8|[uUL])?R"(?<d>[^()\\\s"]{0,16})\([\s\S]*?(?:\)\k<d>"|$)`
const rawInRust = String.raw`(?<!\w)[bc]?r(?<d>#*)"[\s\S]*?(?:"\k<d>|$)`
const longInLua = String.raw`\[(?<d>=*)\[[\s\S]*?(?:\]\k<d>\]|$)`
// Outside of `<?php … ?>` stands a page.
const pageInPhp = String.raw`(?<![\s\S])[\s\S]*?<\?(?:php|=)?|\?>[\s\S]*?(?:<\?(?:php|=)?|$)`
const commentInPhp = String.raw`(?:\/\/|#(?!\[))[^\n\r]*?(?=\?>|[\n\r]|$)|${block}`

const looks: [Look, readonly string[]][] = [
  [
    look(
      // An address in the text of an element is no comment.
      String.raw`(?<!\b(?:https?|wss?|ftp|file):)\/\/[^\n\r]*|${block}`,
      [...marks(plainMarks), ...marks(['`'], { lines: true, hole: dollar })],
      { regexes: true },
    ),
    ['typescript', 'javascript', 'tsx', 'jsx'],
  ],
  [
    look(slashes, [...marks(triples, { lines: true, hole: dollar }), ...marks(plainMarks, { hole: dollar })]),
    ['dart', 'groovy'],
  ],
  [
    look(
      lineSlashes,
      [
        nestedBlock,
        ...marks(['"""'], { lines: true, unended: never, hole: dollar }),
        ...marks(['"'], { hole: dollar }),
      ],
      { literal: character },
    ),
    ['kotlin', 'scala'],
  ],
  [
    look(lineSlashes, [nestedBlock, ...marks(['"""'], { lines: true, ...swift }), ...marks(['"'], swift)], {
      literal: String.raw`(?<!#)(?<d>#{1,8})"[^\n\r]{0,2000}?"\k<d>`,
    }),
    ['swift'],
  ],
  [
    look(slashes, [...marks(['"""'], { lines: true, unended: never }), ...sharp, ...marks(['"'])], {
      literal: character,
    }),
    ['csharp'],
  ],
  [look(slashes, [...marks(['"""'], { lines: true }), ...marks(['"'])], { literal: character }), ['java']],
  [
    look(slashes, [...marks(['"']), ...marks(['`'], { lines: true, unended: never })], {
      literal: character,
    }),
    ['go'],
  ],
  [
    look(String.raw`\/\/(?:[^\n\r\\]|\\(?:\r\n|[\s\S]))*|${block}`, marks(['"']), {
      literal: `${rawInC}|${character}`,
    }),
    ['c', 'cpp', 'cuda', 'objectivec'],
  ],
  [
    look(lineSlashes, [nestedBlock, ...marks(['"'], { lines: true })], {
      literal: `${rawInRust}|${character}`,
    }),
    ['rust'],
  ],
  [look(hashes, [...pythonic, ...marks(triples, { lines: true }), ...marks(plainMarks)]), ['python']],
  [
    look(hashes, [...marks(triples, { lines: true }), ...marks(plainMarks)]),
    ['toml', 'starlark', 'gdscript'],
  ],
  [
    look(
      String.raw`${manual}|(?<![^\n\r])__END__\r?\n[\s\S]*$|#(?!\{)[^\n\r]*`,
      [...marks(['"'], { hole: hashBrace }), ...marks(["'"]), ...percentQuotes],
      {
        literal: percentLiteral,
        // A character, or what Ruby keeps of the last match.
        plain: String.raw`(?<!\w)\?["'#](?!\w)|\$["'\x60]`,
        heredoc: heredocs(String.raw`<<[~-]?(?:"[A-Z_]\w*"|'[A-Z_]\w*'|[A-Z_]\w*)`, { hole: hashBrace }),
      },
    ),
    ['ruby', 'crystal'],
  ],
  [
    look(
      String.raw`#(?!\{)[^\n\r]*`,
      [...marks(triples, { lines: true, hole: hashBrace }), ...marks(plainMarks, { hole: hashBrace })],
      { plain: String.raw`(?<!\w)\?["'#]` },
    ),
    ['elixir'],
  ],
  [
    look(
      apartHashes,
      [
        quote({ opens: "\\$'", closes: "'", lines: true }),
        ...marks(['"'], { lines: true, hole: command }),
        ...marks(["'"], { lines: true, unended: never }),
      ],
      {
        plain: escaped,
        heredoc: heredocs(String.raw`(?<!<)<<-?[ \t]*(?:"[A-Za-z_]\w*"|'[A-Za-z_]\w*'|\\?[A-Za-z_]\w*)`, {
          hole: command,
        }),
      },
    ),
    ['shell'],
  ],
  [
    look(`${manual}|${apartHashes}`, marks(plainMarks), {
      plain: String.raw`\$["'#]`,
      heredoc: heredocs(String.raw`<<~?(?:"[A-Z_]\w*"|'[A-Z_]\w*'|[A-Z_]\w*)`, { hole: null }),
    }),
    ['perl'],
  ],
  [
    look(
      String.raw`(?<!\S)#[^\n\r]*`,
      plainMarks.map((mark) => quote({ opens: `(?<![^\\s[{,(:])${mark}`, closes: mark })),
    ),
    ['yaml'],
  ],
  [look(String.raw`(?<!\\)#[^\n\r]*`, []), ['makefile']],
  [look(hashes, marks(plainMarks)), ['r', 'dockerfile', 'nim', 'tcl', 'awk', 'cmake', 'graphql', 'meson']],
  [
    look(`#=[\\s\\S]*?(?:=#|$)|${hashes}`, [...marks(['"""'], { lines: true }), ...marks(['"'])], {
      literal: `(?<![\\w)\\]}'])${character}`,
    }),
    ['julia'],
  ],
  [
    look(`<#[\\s\\S]*?(?:#>|$)|${apartHashes}`, [
      ...marks(['"'], { lines: true, unended: '`[\\s\\S]|""', hole: command }),
      ...marks(["'"], { lines: true, unended: "''" }),
    ]),
    ['powershell'],
  ],
  [
    look(`${slashes}|${hashes}`, marks(['"'], { hole: dollar }), {
      heredoc: heredocs(String.raw`<<-?[A-Za-z_]\w*`, { hole: dollar }),
    }),
    ['terraform'],
  ],
  [look(`${lineDashes}|${block}`, marks(["'"], { lines: true, unended: "''" })), ['sql']],
  [
    look(String.raw`--+(?![!#$%&*+./<=>?@\\^|~:])[^\n\r]*`, [nested('\\{-', '-\\}'), ...marks(['"'])], {
      literal: `(?<!\\w)${character}`,
    }),
    ['haskell', 'elm'],
  ],
  [
    look(String.raw`--\[(?<c>=*)\[[\s\S]*?(?:\]\k<c>\]|$)|${lineDashes}`, marks(plainMarks), {
      literal: longInLua,
    }),
    ['lua'],
  ],
  [look(lineDashes, marks(['"'], { unended: '""' }), { literal: character }), ['ada', 'vhdl']],
  [
    look('', [nested('\\(\\*(?!\\))', '\\*\\)'), ...marks(['"""', '"'], { lines: true })], {
      literal: `(?<!\\w)${character}`,
    }),
    ['ocaml'],
  ],
  [
    look(lineSlashes, [nested('\\(\\*(?!\\))', '\\*\\)'), ...marks(['"""', '"'], { lines: true })], {
      literal: `(?<!\\w)${character}`,
    }),
    ['fsharp'],
  ],
  [
    look(semicolons, [nested('#\\|', '\\|#'), ...marks(['"'], { lines: true })], {
      plain: String.raw`[#?]?\\[\s\S]`,
    }),
    ['clojure', 'lisp', 'scheme'],
  ],
  [look(percents, marks(['"'], { lines: true }), { plain: String.raw`\$(?:\\[\s\S]|["%])` }), ['erlang']],
  [look(`${percents}|${block}`, marks(plainMarks)), ['prolog']],
  [look(String.raw`'[^\n\r]*|(?<![\w.])[Rr][Ee][Mm]\b[^\n\r]*`, marks(['"'], { unended: '""' })), ['vb']],
  [look(String.raw`${lineSlashes}|\\\\[^\n\r]*`, marks(['"']), { literal: character }), ['zig']],
  [look(markup, []), ['html', 'xml', 'markdown', 'vue', 'svelte']],
  [
    look(
      commentInPhp,
      [
        ...marks(['"'], { lines: true, hole: { opens: '\\{(?=\\$)', closes: '}' } }),
        ...marks(["'"], { lines: true }),
      ],
      {
        plain: pageInPhp,
        heredoc: heredocs(String.raw`<<<[ \t]*(?:"[A-Za-z_]\w*"|'[A-Za-z_]\w*'|[A-Za-z_]\w*)`, {
          hole: { opens: '\\{(?=\\$)', closes: '}' },
        }),
      },
    ),
    ['php'],
  ],
  [look(block, marks(plainMarks)), ['css']],
  [look(`(?<!:)${slashes}`, marks(plainMarks)), ['scss', 'less']],
]
const plain = look(slashes, marks(['"']), { literal: character })
const byLanguage = new Map(looks.flatMap(([one, names]) => names.map((name) => [name, one] as const)))

export function lookOf(language: string | null): Look {
  return byLanguage.get(language ?? '') ?? plain
}
