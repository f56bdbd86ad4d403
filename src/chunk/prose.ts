// Cuts a document along its headings: a chunk is a section or a part of one, with the headings above it.

import type { Block, Chunk, Parsed } from '../model/document.js'
import { lineStarts, linesOf, trimmedSpan } from '../text/lines.js'
import { headingPaths } from '../text/outline.js'
import { contextLine } from './context.js'
import { cut, type Range, sizes } from './cut.js'
import { joinSmall, type Piece, piecesOf, type Unit } from './pieces.js'

/**
 * Prose chunks are in order, do not overlap, and cover all text except the frontmatter. Fenced code becomes a second,
 * separate chunk: questions about code find it there, and readers find it in its place.
 */
export function chunkProse(parsed: Parsed, about: { path: string; title: string }): Chunk[] {
  const page = openPage(parsed, about.title)
  const units = unitsOf(parsed)
  const pieces = joinSmall(
    units.flatMap((unit) => piecesOf(parsed.text, unit)),
    parsed.sections,
  )
  const prose = pieces.flatMap((piece) => chunkOf(page, piece, pathOf(page, piece), kindOf(piece), null))
  const code = units.flatMap((unit) => codeChunks(page, unit))
  const proseLength = prose.reduce((sum, { start, end }) => sum + end - start, 0)
  const front = proseLength < hardlyAnything ? frontmatterChunks(page, parsed.blocks) : []
  return [...front, ...prose, ...code].sort((a, b) => a.start - b.start || b.end - a.end)
}

interface Page {
  text: string
  title: string
  starts: Uint32Array
  paths: string[][]
}

function openPage({ text, sections }: Parsed, title: string): Page {
  return { text, title, starts: lineStarts(text), paths: headingPaths(sections) }
}

function unitsOf({ blocks, sections }: Parsed): Unit[] {
  let unit: Unit = { section: -1, blocks: [] }
  const units = [unit]
  for (const block of blocks) {
    if (block.kind === 'frontmatter') continue
    if (block.kind === 'heading' && sections[unit.section + 1]?.start === block.start) {
      unit = { section: unit.section + 1, blocks: [] }
      units.push(unit)
    }
    unit.blocks.push(block)
  }
  return units.filter(({ blocks }) => blocks.length > 0)
}

function chunkOf(
  page: Page,
  range: Range,
  path: string[],
  kind: Chunk['kind'],
  language: string | null,
): Chunk[] {
  const span = trimmedSpan(page.text, page.starts, range.start, range.end)
  if (!span) return []
  return [{ kind, language, ...span, headings: path, symbols: [], context: contextLine(page.title, path) }]
}

/**
 * The headings of the section that most of the piece belongs to; for several small sections, the headings they share.
 */
function pathOf({ paths }: Page, { shares }: Piece): string[] {
  const whole = shares.reduce((sum, share) => sum + share.size, 0)
  const main = shares.find((share) => share.size * 2 > whole)
  const path = paths[(main ?? shares[0]!).section] ?? []
  let shared = path.length
  if (!main) for (const { section } of shares) shared = alike(path, paths[section] ?? [], shared)
  return path.slice(0, shared).filter((heading) => heading !== '')
}

/** How many of the first headings are equal. */
function alike(one: readonly string[], other: readonly string[], most: number): number {
  let count = 0
  while (count < most && one[count] === other[count]) count++
  return count
}

function kindOf({ kinds }: Piece): Chunk['kind'] {
  const rest = kinds.size - (kinds.has('heading') ? 1 : 0)
  return kinds.has('table') && rest === 1 ? 'table' : 'prose'
}

function codeChunks(page: Page, { section, blocks }: Unit): Chunk[] {
  const path = (page.paths[section] ?? []).filter((heading) => heading !== '')
  return blocks
    .filter((block) => block.kind === 'code')
    .flatMap((block) => {
      const content = fencedCode(page.text, block)
      const ranges = content
        ? cut(page.text, content, ['blank', 'line', 'word'], { target: sizes.most / 1.33, most: sizes.most })
        : []
      return ranges.flatMap((range) => chunkOf(page, range, path, 'code', block.language ?? null))
    })
}

// Keys and values are not prose, and their words would outweigh the note's. In a note with hardly any other text, they
// are the text.
const hardlyAnything = 200

function frontmatterChunks(page: Page, blocks: readonly Block[]): Chunk[] {
  const block = blocks.find(({ kind }) => kind === 'frontmatter')
  const first = block ? page.starts[block.line] : undefined
  const last = block ? page.starts[block.endLine - 1] : undefined
  if (first === undefined || last === undefined || last <= first) return []
  return cut(page.text, { start: first, end: last }, ['line', 'word'], sizes).flatMap((range) =>
    chunkOf(page, range, [], 'prose', null),
  )
}

const leastLines = 3
const leastLength = 80

/** The content of a fence, if it is long enough to be found and shown on its own. */
function fencedCode(text: string, block: Block): Range | null {
  const [opening] = /^[^\r\n]*(?:\r\n?|\n|$)/.exec(text.slice(block.start, block.end))!
  if (!/`{3}|~{3}/.test(opening)) return null
  const start = block.start + opening.length
  const closing = /(?:\r\n|\n|\r(?!\n))[ \t]*(?:`{3,}|~{3,})[ \t]*$/.exec(text.slice(start - 1, block.end))
  const end = closing ? Math.max(start, start - 1 + closing.index) : block.end
  const code = text.slice(start, end).trim()
  const isEnough = code.length >= leastLength || linesOf(code).length >= leastLines
  return code !== '' && isEnough ? { start, end } : null
}
