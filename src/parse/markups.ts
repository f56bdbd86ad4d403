// The plain-text markups whose headings can be told by their lines alone: reStructuredText, AsciiDoc and Org.
import type { Markup } from './formats.js'

/** Lines count from 0; `first` is the overline where there is one. */
export interface Heading {
  level: number
  text: string
  first: number
  last: number
}

interface MarkupReader {
  headings: (lines: readonly string[]) => Heading[]
  /** Where it is written otherwise than as a heading. */
  title?: (lines: readonly string[]) => string | null
}

export const markupReaders: Readonly<Record<Markup, MarkupReader>> = {
  rst: { headings: underlined },
  asciidoc: { headings: (lines) => outsideBlocks(lines, closingInAsciidoc, asciidocHeading) },
  org: {
    headings: (lines) =>
      outsideBlocks(
        lines.map((line) => line.trim().toLowerCase()),
        (line) => (line.startsWith('#+begin_') ? `#+end_${line.slice(8).split(/\s/)[0]}` : null),
        (_, i) => orgHeading(lines[i]!, i),
      ),
    title: (lines) => {
      const named = lines.find((line) => /^#\+title:/i.test(line))
      return named?.slice(named.indexOf(':') + 1).trim() || null
    },
  },
}

/** Headings outside of blocks that one line opens and another closes; a block that nothing closes is none. */
function outsideBlocks(
  lines: readonly string[],
  closing: (line: string) => string | null,
  headingAt: (lines: readonly string[], i: number) => Heading | null,
): Heading[] {
  const headings: Heading[] = []
  // Looking for the end of each block that has none would cost the square of a hostile file.
  const lastAt = new Map(lines.map((line, i) => [line, i]))
  for (let i = 0; i < lines.length; i++) {
    const heading = headingAt(lines, i)
    const close = heading ? null : closing(lines[i]!)
    if (heading) {
      headings.push(heading)
      i = heading.last
    } else if (close !== null && lastAt.get(close)! > i) i = lines.indexOf(close, i + 1)
  }
  return headings
}

// --- AsciiDoc.

function closingInAsciidoc(line: string): string | null {
  if (line.startsWith('```')) return '```'
  return /^(?:([-.+/=*_])\1{3,}|--|[|,:!]={3,})$/.test(line) ? line : null
}

function asciidocHeading(lines: readonly string[], i: number): Heading | null {
  const line = lines[i]!
  const [, signs, written] = /^(={1,6}|#{1,6})\s+(\S.*)$/.exec(line) ?? []
  if (signs) {
    const end = ` ${signs}`
    const text = written!.endsWith(end) ? written!.slice(0, -end.length) : written!
    return { level: signs.length, text: withoutAnchor(text), first: i, last: i }
  }
  const under = lines[i + 1] ?? ''
  const level = isRule(under) ? asciidocRules.indexOf(under[0]!) + 1 : 0
  const isTitle = /^[^\s.[]/.test(line) && /[\p{L}\p{N}]/u.test(line) && beginsBlock(lines[i - 1])
  const isAsLong = Math.abs(under.length - [...line].length) < 2
  return level > 0 && isTitle && isAsLong ? { level, text: withoutAnchor(line), first: i, last: i + 1 } : null
}

/** What titles are underlined with, in the order of their levels. */
const asciidocRules = ['=', '-', '~', '^', '+']

/** Whether a block may begin after this line: a blank one, attributes, a remark, or a directive. */
function beginsBlock(before = ''): boolean {
  return /^(?:|\[.*\]|\/\/.*|:[^:]+:.*|\w+::\S*\[.*\])$/.test(before) || isRule(before)
}

function withoutAnchor(text: string): string {
  return text.replace(/(?<!\s)\s*\[\[[^[\]]*\]\]$/, '').trim()
}

// --- Org.

function orgHeading(line: string, i: number): Heading | null {
  const [, stars, text] = /^(\*{1,6})\s+(\S.*)$/.exec(line) ?? []
  return stars ? { level: stars.length, text: withoutTags(text!), first: i, last: i } : null
}

/** Tags stand at the end of the line, far to the right. */
function withoutTags(text: string): string {
  return text.replace(/\s:[\p{L}\p{N}_@#%:]+:$/u, '').trim()
}

// --- reStructuredText: a line of signs under the title, and perhaps above it. Levels are in the order of appearance.

function underlined(lines: readonly string[]): Heading[] {
  const headings: Heading[] = []
  const styles: string[] = []
  for (let i = 1; i < lines.length; i++) {
    const [under, title, above] = [lines[i]!, lines[i - 1]!, lines[i - 2] ?? '']
    if (!isRule(under) || isRule(title) || !/^\s*(?!\.\.(?:\s|$))\S/.test(title)) continue
    // A line that is too short is one nevertheless, if it cannot be a mark of something else.
    if (under.length < title.length && under.length < 4) continue
    const followsHeading = headings.at(-1)?.last === i - 2
    const isOver = above === under && !followsHeading
    const isApart = above.trim() === '' || followsHeading || /^\.\.\s/.test(above)
    if (!isOver && (/^\s/.test(title) || !isApart)) continue
    const style = under[0]! + (isOver ? '^' : '')
    if (!styles.includes(style)) styles.push(style)
    const level = Math.min(styles.indexOf(style) + 1, 6)
    headings.push({ level, text: title.trim(), first: isOver ? i - 2 : i - 1, last: i })
  }
  return headings
}

function isRule(line: string): boolean {
  return /^([!-/:-@[-`{-~])\1*$/.test(line)
}
