// Plain text, and the plain-text markups whose headings can be told by their lines alone.
import type { Block, Parsed } from '../model/document.js'
import { lineStarts } from '../text/lines.js'
import { outline } from '../text/outline.js'
import { trimmedLines } from '../text/spans.js'
import { parseLines } from './lines.js'

export function parseText(text: string, path: string): Parsed {
  const parsed = parseLines(text, { format: 'text', language: null })
  const markup = markups[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
  if (!markup) return parsed
  const starts = lineStarts(text)
  const lines = Array.from(starts, (start, i) => text.slice(start, starts[i + 1]).trimEnd())
  const headings = markup(lines)
  if (headings.length === 0) return parsed
  const sections = outline(
    text,
    starts,
    headings.map((heading) => ({ ...heading, line: heading.first + 1 })),
  )
  const title = headings.find((heading) => heading.level === 1)?.text ?? null
  return { ...parsed, title, sections, blocks: blocksOf(text, starts, lines, headings) }
}

/** Lines count from 0; `first` is the overline where there is one. */
interface Heading {
  level: number
  text: string
  first: number
  last: number
}

const markups: Readonly<Record<string, (lines: string[]) => Heading[]>> = {
  rst: underlined,
  rest: underlined,
  adoc: (lines) => signed(lines, /^(={1,6})\s+(\S.*)$/, /^(?:-{4,}|\.{4,}|={4,}|\/{4,}|```)/),
  asciidoc: (lines) => signed(lines, /^(={1,6})\s+(\S.*)$/, /^(?:-{4,}|\.{4,}|={4,}|\/{4,}|```)/),
  org: (lines) => signed(lines, /^(\*{1,6})\s+(\S.*)$/, /^\s*#\+(?:begin|end)_/i),
}

/** Headings by a sign in front, outside of blocks that a fence opens and closes. */
function signed(lines: string[], pattern: RegExp, fence: RegExp): Heading[] {
  const headings: Heading[] = []
  let open: string | null = null
  for (const [i, line] of lines.entries()) {
    const mark = fence.exec(line)?.[0].slice(0, 4).toLowerCase().replace('#+en', '#+be')
    if (mark && (open === null || open === mark)) open = open === null ? mark : null
    const found = open === null && !mark ? pattern.exec(line) : null
    if (found) headings.push({ level: found[1]!.length, text: found[2]!.trim(), first: i, last: i })
  }
  return headings
}

/** reStructuredText: a line of signs under the title, and perhaps above it. Levels are in the order of appearance. */
function underlined(lines: string[]): Heading[] {
  const headings: Heading[] = []
  const styles: string[] = []
  for (let i = 1; i < lines.length; i++) {
    const [under, title] = [lines[i]!, lines[i - 1]!]
    if (!isRule(under) || title.trim() === '' || isRule(title) || under.length < title.trimEnd().length)
      continue
    const above = lines[i - 2] ?? ''
    const isOver = above === under
    if (!isOver && (/^\s/.test(title) || above.trim() !== '')) continue
    const style = under[0]! + (isOver ? '^' : '')
    if (!styles.includes(style)) styles.push(style)
    headings.push({
      level: styles.indexOf(style) + 1,
      text: title.trim(),
      first: isOver ? i - 2 : i - 1,
      last: i,
    })
  }
  return headings.map((heading) => ({ ...heading, level: Math.min(heading.level, 6) }))
}

function isRule(line: string): boolean {
  return /^([!-/:-@[-`{-~])\1{2,}$/.test(line)
}

function blocksOf(text: string, starts: Uint32Array, lines: string[], headings: Heading[]): Block[] {
  const blocks: Block[] = []
  const add = (kind: Block['kind'], first: number, last: number) => {
    const span = first <= last ? trimmedLines(text, starts, first + 1, last + 1) : null
    if (span) blocks.push({ kind, ...span })
  }
  let from = 0
  for (const heading of [...headings, { first: lines.length, last: lines.length }]) {
    for (let i = from; i < heading.first; i++) {
      if (lines[i] !== '') continue
      add('paragraph', from, i)
      from = i + 1
    }
    add('paragraph', from, heading.first - 1)
    if (heading.first < lines.length) add('heading', heading.first, heading.last)
    from = heading.last + 1
  }
  return blocks
}
