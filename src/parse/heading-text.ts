import type { Token } from 'markdown-it'
import type { References } from './markdown-blocks.js'
import { inlineTokens } from './markdown-blocks.js'

// A paragraph above a row of dashes is a heading too. Names longer than this help nobody.
const longest = 500

/** A heading as plain text: marks of emphasis, code, links and notes taken away, and what stands in braces behind it. */
export function headingText(written: string, references: References): string {
  const content = written.slice(0, longest).replace(attributes, '')
  const plain = withoutTicks(content) ?? plainText(inlineTokens(content, references))
  return plain
    .replace(wiki, (_, target: string, label?: string) => label?.trim() || target)
    .replace(/\s+/g, ' ')
    .trim()
}

/** `{#id}`, `{ .class }`, `{: title="x" }`, and a remark of MDX. */
const attributes = /(?<!\s)\s*\{(?:\s*[#.]|:[^:]|\/\*)[^{}]*\}\s*$/

const marked = /[*_~[\]<&\\!]/

/** Most headings have no marks but pairs of single backticks; null for the others. */
function withoutTicks(content: string): string | null {
  const pieces = content.split('`')
  const last = pieces.length - 1
  const isPlain = pieces.every(
    (piece, i) => (piece !== '' || i === 0 || i === last) && !(i % 2 === 0 && marked.test(piece)),
  )
  if (last % 2 === 1 || !isPlain) return null
  return pieces.map((piece, i) => (i % 2 === 0 ? piece : codeText(piece))).join('')
}

// One space on either side is there for the ticks' sake, unless there is nothing else.
function codeText(code: string): string {
  return /^[ \n].*[ \n]$/s.test(code) && /[^ \n]/.test(code) ? code.slice(1, -1) : code
}

const wiki = /!?\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]/g

function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => readers[token.type]?.(token) ?? '').join('')
}

const readers: Readonly<Record<string, (token: Token) => string>> = {
  text: (token) => token.content.replace(/\[\^[^\]\s]+\]/g, ''),
  text_special: (token) => token.content,
  code_inline: (token) => token.content,
  softbreak: () => ' ',
  hardbreak: () => ' ',
  image: (token) => plainText(token.children ?? []),
}
