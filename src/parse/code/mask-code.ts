// Blanks comments and the insides of strings, characters and regular expressions, so that a text search finds only code.
// Every character keeps its place. Code inside a string, as in `${eval(x)}`, stays.
import { type SyntaxTree, withTree } from './grammars.js'
import { languageFor } from './languages.js'

/** Null for a language without a grammar, and for a text that its parser cannot take. */
export async function maskCode(
  text: string,
  language: string | null,
  path: string | null,
): Promise<string | null> {
  if (pages.has(language ?? '')) return maskPage(text)
  const known = languageFor(language ?? '', path ?? '')
  if (!known) return null
  // The grammar of PHP takes everything before the first tag for a page.
  if (known.grammar === 'php' && !text.includes('<?')) {
    const tag = '<?php '
    return (await maskCode(tag + text, language, path))?.slice(tag.length) ?? null
  }
  const seen = known.mask?.(text) ?? text
  const first = await withTree(known.grammar, seen, (tree) => read(text, tree))
  // A snippet without a path does not say whether it is TypeScript or TSX.
  const mayBeTsx = known.grammar === 'typescript' && path === null && first.value?.hasError
  const second = mayBeTsx ? await withTree('tsx', seen, (tree) => read(text, tree)) : null
  const better = second?.value && !second.value.hasError ? second : first
  return better.value?.masked ?? null
}

const pages = new Set(['html', 'vue', 'svelte'])
const partOfPage = /<!--[\s\S]*?(?:-->|$)|(<(script|style)\b[^>]{0,2000}>)([\s\S]*?)(?=<\/\2|$)/gi

/** Blanks the comments of a page and masks its scripts and styles. */
async function maskPage(text: string): Promise<string | null> {
  let masked = ''
  let end = 0
  for (const { 0: all, 1: tag, 2: name, 3: code = '', index } of text.matchAll(partOfPage)) {
    masked += text.slice(end, index)
    end = index + all.length
    if (tag === undefined) masked += blank(all)
    else {
      const inner = await maskCode(code, name!.toLowerCase() === 'script' ? 'typescript' : 'css', null)
      if (inner === null) return null
      masked += tag + inner
    }
  }
  return masked + text.slice(end)
}

function read(text: string, { root }: SyntaxTree): { masked: string; hasError: boolean } {
  const types = [...blankTypes, ...quotedTypes, ...mixedTypes]
  const ranges = root.descendantsOfType(types).flatMap((node): [number, number][] => {
    if (!node || !types.includes(node.type)) return []
    const { type, startIndex: start, endIndex: end } = node
    if (quotedTypes.includes(type)) return [[start + node.text.search(/['"]/) + 1, end - 1]]
    if (!mixedTypes.includes(type)) return [[start, end]]
    const children = node.namedChildren.filter((child) => child !== null)
    const starts = [start, ...children.map(({ endIndex }) => endIndex)]
    return starts.map((from, i) => [from, children[i]?.startIndex ?? end])
  })
  return { masked: blankRanges(text, ranges), hasError: root.hasError }
}

const blankTypes = [
  ...['comment', 'line_comment', 'block_comment', 'html_comment'],
  ...['string_fragment', 'multiline_string_fragment', 'string_content', 'string_literal_content'],
  ...['raw_string_content', 'raw_string_literal_content', 'interpreted_string_literal_content'],
  ...['escape_sequence', 'regex_pattern', 'character', 'character_literal_content', 'nowdoc_string'],
  ...['heredoc_content', 'interpolation_format_clause'],
]
/** Literals that are one node: the text between their quotes is blanked. */
const quotedTypes = [
  ...['rune_literal', 'char_literal', 'character_literal', 'verbatim_string_literal'],
  ...['raw_string', 'ansi_c_string'],
]
/** Text with code in it, which the grammar gives as children. */
const mixedTypes = ['heredoc_body', 'format_specifier']

function blankRanges(text: string, ranges: readonly [number, number][]): string {
  let masked = ''
  let at = 0
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    if (end <= at) continue
    masked += text.slice(at, Math.max(at, start)) + blank(text.slice(Math.max(at, start), end))
    at = end
  }
  return masked + text.slice(at)
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ')
}
