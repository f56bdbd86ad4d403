// Parses plain text, with the sections of the markup languages that are written in it.
import type { Block, Parsed } from '../model/document.js'
import { lineStarts } from '../text/lines.js'
import { outline } from '../text/outline.js'
import { trimmedLines } from '../text/spans.js'
import { markupOf } from './formats.js'
import { parseLines } from './lines.js'
import { type Heading, markupReaders } from './markups.js'

export function parseText(text: string, path: string): Parsed {
  const parsed = parseLines(text, { format: 'text', language: null })
  const name = markupOf(path)
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
