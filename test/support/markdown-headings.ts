// Headings of a Markdown file by the full syntax tree of the library as it comes: what outlines are compared with.
import type { Token } from 'markdown-it'
import newMarkdownIt from 'markdown-it'

export interface OracleHeading {
  level: number
  text: string
  line: number
}

const library = newMarkdownIt({ html: true })

/** Headings that stand by themselves, not in a list or a quotation, in order. */
export function headingsOf(text: string): OracleHeading[] {
  const front = frontmatterLines(text)
  const body = text.split('\n').slice(front).join('\n')
  const tokens = library.parse(body, {})
  return tokens.flatMap((token, i) =>
    token.type === 'heading_open' && token.level === 0
      ? [
          {
            level: Number(token.tag.slice(1)),
            text: tidy(words(tokens[i + 1]?.children ?? [])),
            line: (token.map?.[0] ?? 0) + front + 1,
          },
        ]
      : [],
  )
}

/** The last line a heading covers: before the next of its level or above, or before the next of any. */
export function endOf(
  text: string,
  headings: readonly OracleHeading[],
  place: number,
  withSubsections: boolean,
): number {
  const { level } = headings[place]!
  const next = headings.slice(place + 1).find((one) => !withSubsections || one.level <= level)
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return next ? next.line - 1 : lines
}

function frontmatterLines(text: string): number {
  const lines = text.split('\n').map((line) => line.trimEnd())
  if (lines[0] !== '---') return 0
  const end = lines.indexOf('---', 1)
  return end > 0 && lines.slice(1, end).some((line) => /^[\w"']+:/.test(line)) ? end + 1 : 0
}

function words(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'image') return words(token.children ?? [])
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' '
      return token.type === 'html_inline' ? '' : token.content
    })
    .join('')
}

// Anchors in braces name a heading and are no part of it.
function tidy(text: string): string {
  return text
    .replace(/\s*\{#[^{}]*\}$/, '')
    .replace(/\[\[(\w+)\]\]/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
