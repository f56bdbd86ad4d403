import type { Token } from 'markdown-it'
import type { References } from './markdown-blocks.js'
import { inlineTokens } from './markdown-blocks.js'

// A paragraph above a row of dashes is a heading too. Names longer than this help nobody.
const longest = 500

/** A heading as plain text: marks of emphasis, code and links taken away, and the id in braces behind it. */
export function headingText(written: string, references: References): string {
  const content = written.slice(0, longest).replace(/\s*\{(?:[#.]|\/\*\s*#)[^{}]*\}\s*$/, '')
  const plain = marked.test(content) ? plainText(inlineTokens(content, references)) : content
  return plain
    .replace(wiki, (_, target: string, label?: string) => label?.trim() || target)
    .replace(/\s+/g, ' ')
    .trim()
}

const marked = /[*_`~[\]<&\\!]/
const wiki = /!?\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]/g

function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => readers[token.type]?.(token) ?? '').join('')
}

const readers: Readonly<Record<string, (token: Token) => string>> = {
  text: (token) => token.content,
  text_special: (token) => token.content,
  code_inline: (token) => token.content,
  softbreak: () => ' ',
  hardbreak: () => ' ',
  image: (token) => plainText(token.children ?? []),
}
