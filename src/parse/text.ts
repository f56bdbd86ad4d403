// Parses plain text, with the sections of the markup languages that are written in it.
import type { Block, Parsed } from '../model/document.js'
import type { Format } from '../model/source.js'
import { lineStarts, trimmedLines } from '../text/lines.js'
import { outline } from '../text/outline.js'
import { type Markup, markupOf } from './formats.js'

export function parseText(text: string, path: string): Parsed {
  const parsed = parseLines(text, { format: 'text', language: null })
  const name = markupOf(path) ?? (isRstInTxt(text, path) ? 'rst' : null)
  if (!name) return parsed
  const markup = markupReaders[name]
  const starts = lineStarts(text)
  const lines = Array.from(starts, (start, i) => text.slice(start, starts[i + 1]).trimEnd())
  const headings = markup.headings(lines)
  const named = markup.title?.(lines) ?? null
  if (headings.length === 0) return { ...parsed, title: named }
  const sections = outline(
    text,
    starts,
    headings.map((heading) => ({ ...heading, line: heading.first + 1 })),
  )
  const title = named ?? headings.find((heading) => heading.level === 1)?.text ?? null
  return { ...parsed, title, sections, blocks: blocksOf(text, starts, lines, headings) }
}

/** Django and others keep reStructuredText in `.txt`. A directive, target or role tells it from text with underlined titles. */
function isRstInTxt(text: string, path: string): boolean {
  return /\.txt$/i.test(path) && (rstDirective.test(text) || rstRole.test(text))
}

const rstDirective = /^\.\. (?:[a-z][\w:-]*::(?:\s|$)|_[^\s:][^\n:]*:\s*$)/m
const rstRole = /(?<![\w:]):[a-z][\w:+-]{0,40}:`[^`\n]/

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

/** Parses a text without structure: unknown languages, logs and plain files. */
export function parseLines(text: string, as: { format: Format; language: string | null }): Parsed {
  return {
    format: as.format,
    language: as.language,
    title: null,
    text,
    sections: [],
    blocks: [],
    declarations: [],
    links: [],
    tags: [],
    aliases: [],
    metadata: {},
    notes: [],
  }
}

// The headings of reStructuredText, AsciiDoc and Org, found line by line.

/** Lines count from 0; `first` is the overline where there is one. */
interface Heading {
  level: number
  text: string
  first: number
  last: number
}

interface MarkupReader {
  headings: (lines: readonly string[]) => Heading[]
  /** The title, in a markup that does not write it as a heading. */
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

/** The headings outside delimited blocks. A delimiter without a closing line opens no block. */
function outsideBlocks(
  lines: readonly string[],
  closing: (line: string) => string | null,
  headingAt: (lines: readonly string[], i: number) => Heading | null,
): Heading[] {
  const headings: Heading[] = []
  // Searching the rest of the file for every missing delimiter would take quadratic time on a hostile file.
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

/** The underline characters, in the order of their levels. */
const asciidocRules = ['=', '-', '~', '^', '+']

/** Whether a block may begin after this line: a blank line, attributes, a comment or a directive. */
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

/** Org writes tags at the end of the line: `:home:errand:`. */
function withoutTags(text: string): string {
  return text.replace(/\s:[\p{L}\p{N}_@#%:]+:$/u, '').trim()
}

// --- reStructuredText underlines titles, and may overline them. Levels follow the order of appearance.

function underlined(lines: readonly string[]): Heading[] {
  const headings: Heading[] = []
  const styles: string[] = []
  for (let i = 1; i < lines.length; i++) {
    const [under, title, above] = [lines[i]!, lines[i - 1]!, lines[i - 2] ?? '']
    if (!isRule(under) || isRule(title) || !/^\s*(?!\.\.(?:\s|$))\S/.test(title)) continue
    // Four characters underline a longer title too; docutils only warns.
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
