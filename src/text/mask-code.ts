// Code without what is only said in it: comments and the insides of strings become blanks, line by line the same length.
// By the look of the language and not by its grammar: one pass, whatever the text.

export function maskCode(text: string, language: string | null): string {
  const look = lookOf(language)
  let masked = ''
  let kept = 0
  for (const match of text.matchAll(look)) {
    const isComment = match[1] !== undefined
    masked += text.slice(kept, match.index) + blank(match[0], isComment)
    kept = match.index + match[0].length
  }
  return masked + text.slice(kept)
}

/** Quotes stay, so that `f("x")` still looks like a call with one argument. */
function blank(text: string, whole: boolean): string {
  if (whole || text.length < 2) return text.replace(/[^\n\r]/g, ' ')
  return text[0] + text.slice(1, -1).replace(/[^\n\r]/g, ' ') + text.at(-1)
}

// The first group is a comment; what matches without it is a string. Every alternative runs to its own end or, without
// one, to the end of the line or the text: nothing is looked at twice.
const slashes = String.raw`(\/\/[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)`
const hashes = String.raw`(#[^\n\r]*)`
const dashes = String.raw`(--[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)`
const markup = `(<!--(?:[^-]|-(?!->))*(?:-->)?)`
const quoted = String.raw`"(?:[^"\\\n\r]|\\[\s\S])*"?`
const apostrophes = String.raw`'(?:[^'\\\n\r]|\\[\s\S])*'?`
const ticks = '`(?:[^`\\\\]|\\\\[\\s\\S])*`?'
const character = String.raw`'(?:[^'\\\n\r]|\\[^\n\r]{1,8})'`
const triple = String.raw`"""(?:[^"\\]|\\[\s\S]|"(?!""))*(?:""")?|'''(?:[^'\\]|\\[\s\S]|'(?!''))*(?:''')?`
const doubled = `'(?:[^']|'')*'?`

const looks: [RegExp, readonly string[]][] = [
  [
    new RegExp(`${slashes}|${quoted}|${apostrophes}|${ticks}`, 'g'),
    ['typescript', 'javascript', 'tsx', 'jsx', 'dart'],
  ],
  [new RegExp(`${slashes}|${quoted}|${ticks}|${character}`, 'g'), ['go']],
  [new RegExp(`${hashes}|${triple}|${quoted}|${apostrophes}`, 'g'), ['python']],
  [
    new RegExp(`${hashes}|${quoted}|${apostrophes}`, 'g'),
    ['ruby', 'shell', 'perl', 'r', 'yaml', 'toml', 'elixir', 'makefile', 'dockerfile'],
  ],
  [new RegExp(`${dashes}|${doubled}`, 'g'), ['sql']],
  [new RegExp(`${dashes}|${quoted}`, 'g'), ['haskell', 'lua', 'elm', 'ada']],
  [new RegExp(`${markup}`, 'g'), ['html', 'xml', 'markdown', 'vue', 'svelte']],
  [new RegExp(`${slashes}|${quoted}|${apostrophes}`, 'g'), ['php', 'css', 'scss', 'less']],
]
const plain = new RegExp(`${slashes}|${quoted}|${character}`, 'g')
const byLanguage = new Map(looks.flatMap(([look, names]) => names.map((name) => [name, look] as const)))

function lookOf(language: string | null): RegExp {
  return byLanguage.get(language ?? '') ?? plain
}
