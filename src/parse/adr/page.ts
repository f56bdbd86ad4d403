// Splits a record into parts: every paragraph, list item and table row with the part that contains it.

import type { Parsed, Section } from '../../model/document.js'
import { linesOf } from '../../text/lines.js'
import { percentDecoded } from '../../text/percent-decoded.js'
import { readFrontmatter } from '../frontmatter.js'
import { parseMarkdown } from '../markdown.js'
import { plain } from './plain.js'
import { namesPart, type Role, roleOf } from './roles.js'

export interface Piece {
  kind: 'paragraph' | 'item' | 'row'
  /** Its lines as written, without list marks. */
  lines: { text: string; line: number }[]
  line: number
  /** The nesting depth of a list item, from 0. */
  depth: number
  /** An ordered item's number. */
  ordinal: number | null
  /** The table of a row, if it has a header. */
  table?: Table
  part: Part
}

export interface Table {
  header: string[]
  /** The line of the header, which is a row too. */
  line: number
  /** The number of rows below the header. */
  rows: number
}

/** A heading and the text up to the next heading. */
export interface Part {
  role: Role | null
  /** The role of the heading itself, without what it inherits. */
  own: Role | null
  heading: string
  /** The heading after the role's name: "accepted" of "Status: accepted". */
  rest: string
  level: number
  line: number
  parent: Part | null
  pieces: Piece[]
}

export interface Page {
  path: string
  fields: Record<string, unknown>
  title: { text: string; line: number } | null
  /** The first part is the text before any heading and under the title. */
  parts: Part[]
  cut: boolean
}

// A record is a page or two. Text beyond this limit is not read.
const longest = 200_000

/**
 * Cuts rows of blanks, dashes and other signs to a hundred. The regular expressions for titles, statuses and fields may
 * take quadratic time or more on such a row, and a longer one has no meaning in a record.
 */
function shortRuns(text: string): string {
  return text
    .replace(/[^\S\r\n]{100,}/g, ' '.repeat(100))
    .replace(/([^\p{L}\p{N}\r\n]{1,3})\1{99,}/gu, (_, signs: string) => signs.repeat(100))
}

export function pageOf(path: string, text: string): Page {
  const body = withBadges(withLinks(withoutComments(shortRuns(text.slice(0, longest)))))
  const front = readFrontmatter(body)
  const parsed = withBoldHeadings(parseMarkdown(body))
  const title = titleSection(parsed.sections)
  const below = title && subtitleOf(parsed, title)
  const parts = partsOf(parsed, [title, below])
  const isNumber = below && /^\W*(?:adr|decision|record|rfc)?[\s#_-]*\d{1,5}\W*$/i.test(title.text)
  return {
    path,
    fields: front?.fields ?? {},
    title: title && { text: isNumber ? `${title.text}: ${below.text}` : title.text, line: title.line },
    parts,
    cut: text.length > longest,
  }
}

/** All text of a piece on one line. */
export function textOf(piece: Piece): string {
  return plain(piece.lines.map(({ text }) => text).join(' '))
}

/** The first heading of the first level, or the very first heading, unless it names a part of the record. */
function titleSection(sections: readonly Section[]): Section | null {
  const first = sections.find(({ level, text }) => level === 1 && text) ?? sections[0]
  if (!first || namesPart(first.text) || first.text === '') return null
  return first.level === 1 || first === sections[0] ? first : null
}

/** A heading that says the title once more, in another language, or says it in words where the first is but a number. */
function subtitleOf({ sections, blocks }: Parsed, title: Section): Section | null {
  const next = sections[sections.indexOf(title) + 1]
  const isClose = next && !blocks.some(({ line }) => line > title.line && line < next.line)
  if (!isClose || roleOf(next.text).role || next.text === '') return null
  return next.level === title.level || /^\W*(?:\p{L}+\W*)?\d{1,5}\W*$/u.test(title.text) ? next : null
}

function partsOf({ text, sections, blocks }: Parsed, titles: readonly (Section | null)[]): Part[] {
  const top: Part = {
    role: null,
    own: null,
    heading: '',
    rest: '',
    level: 0,
    line: 1,
    parent: null,
    pieces: [],
  }
  const parts = [top]
  const open: Part[] = []
  let next = 0
  let current = top
  const advance = (line: number) => {
    for (; next < sections.length && sections[next]!.line <= line; next++) {
      current = titles.includes(sections[next]!) ? top : partUnder(open, sections[next]!)
      if (current !== top) parts.push(current)
    }
  }
  for (const block of blocks) {
    advance(block.line)
    const piecesOf = readers[block.kind]
    if (piecesOf) current.pieces.push(...piecesOf(text.slice(block.start, block.end), block.line, current))
  }
  advance(Number.POSITIVE_INFINITY)
  standIn(parts)
  return parts
}

/** Without a heading for the decision, one such as "Design" or "How" takes its role. */
function standIn(parts: readonly Part[]) {
  if (parts.some(({ role }) => role === 'decision')) return
  for (const part of parts) {
    const isInside = part.own === null && part.parent?.role === 'decision'
    if (isInside || (part.role === null && !part.parent && methodHeading.test(part.heading)))
      part.role = 'decision'
  }
}

const methodHeading =
  /^\W*(?:(?:proposed|detailed|technical|basic|high[- ]level) )?(?:design|approach|implementation|how|what)\W*$|^\W*proposed change\W*$/i

/** Lines in bold that name parts are headings where no heading does. */
function withBoldHeadings(parsed: Parsed): Parsed {
  if (parsed.sections.some(({ text }) => roleOf(text).role)) return parsed
  const bold = parsed.blocks.flatMap((block) => {
    if (block.kind !== 'paragraph') return []
    const [, text] = boldLine.exec(parsed.text.slice(block.start, block.end).trim()) ?? []
    return text && roleOf(text).role ? [{ block, section: { ...block, level: 6, text } }] : []
  })
  return {
    ...parsed,
    sections: [...parsed.sections, ...bold.map(({ section }) => section)].sort((a, b) => a.line - b.line),
    blocks: parsed.blocks.filter((block) => !bold.some((one) => one.block === block)),
  }
}

/** A line that is bold as a whole. */
export const boldLine = /^(?:\*\*|__)([^*_\n]{2,60}?):?(?:\*\*|__):?$/

function partUnder(open: Part[], section: Section): Part {
  while (open.length > 0 && open[open.length - 1]!.level >= section.level) open.pop()
  const parent = open[open.length - 1] ?? null
  const { role: named, rest } = roleOf(section.text)
  // Below the decision, "Good" and "Bad" are consequences.
  const role = parent?.role === 'decision' && judgement.test(section.text) ? 'consequences' : named
  const part: Part = {
    role: role ?? parent?.role ?? null,
    own: role,
    heading: section.text,
    rest,
    level: section.level,
    line: section.line,
    parent,
    pieces: [],
  }
  open.push(part)
  return part
}

const judgement = /^\W*(?:the )?(?:good|bad|pros|cons|advantages|disadvantages)\W*$/i

type Reader = (text: string, line: number, part: Part) => Piece[]

const readers: Partial<Record<string, Reader>> = {
  paragraph: (text, line, part) => [piece('paragraph', numbered(text, line), part)],
  quote: (text, line, part) => {
    const lines = numbered(text, line).map((one) => ({ ...one, text: one.text.replace(/^\s*(?:>\s?)+/, '') }))
    return [piece('paragraph', lines, part)]
  },
  list: itemsOf,
  table: rowsOf,
  // A folded block shows its summary.
  html: (text, line, part) => {
    const [, label] = /<summary>([^<>]{1,100})<\/summary>/i.exec(text) ?? []
    return label ? [piece('paragraph', [{ text: label, line }], part)] : []
  },
}

// A table of a record's fields is a small one.
const mostColumns = 20

function rowsOf(text: string, line: number, part: Part): Piece[] {
  const lines = numbered(text, line)
  const isRule = (one: Piece['lines'][number] | undefined) => /^(?=.*-)[\s|:-]+$/.test(one?.text ?? '')
  const rows = lines.filter((one) => !/^[\s|:-]+$/.test(one.text))
  const isHeaded = isRule(lines[1]) && rows[0] === lines[0]
  const table = isHeaded
    ? { header: cellsOf(lines[0]!.text).slice(0, mostColumns), line, rows: rows.length - 1 }
    : null
  return rows.map((one) => ({ ...piece('row', [one], part), ...(table ? { table } : {}) }))
}

function piece(kind: Piece['kind'], lines: Piece['lines'], part: Part): Piece {
  return { kind, lines, line: lines[0]?.line ?? part.line, depth: 0, ordinal: null, part }
}

function numbered(text: string, line: number): Piece['lines'] {
  return linesOf(text).map((one, i) => ({ text: one, line: line + i }))
}

const marker = /^(\s*)(?:[-*+]|(\d{1,9})[.)])(?:\s+|$)(.*)$/

function itemsOf(text: string, line: number, part: Part): Piece[] {
  const items: Piece[] = []
  const indents: number[] = []
  for (const one of numbered(text, line)) {
    const found = marker.exec(one.text)
    if (!found) {
      if (one.text.trim() !== '') items[items.length - 1]?.lines.push({ ...one, text: one.text.trim() })
      continue
    }
    const indent = found[1]!.replaceAll('\t', '    ').length
    while (indents.length > 0 && indents[indents.length - 1]! >= indent) indents.pop()
    items.push({
      ...piece('item', [{ text: found[3]!, line: one.line }], part),
      depth: Math.min(indents.length, 20),
      ordinal: found[2] ? Number(found[2]) : null,
    })
    indents.push(indent)
  }
  return items
}

/** Comments out of sight, with every line where it was. */
function withoutComments(text: string): string {
  let out = ''
  let from = 0
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', at + 4)
    if (end < 0) break
    out += text.slice(from, at) + text.slice(at, end + 3).replace(/[^\r\n]+/g, '')
    from = end + 3
  }
  return out + text.slice(from)
}

/** Links by the targets that are defined elsewhere in the text; the definitions are nothing to read. */
function withLinks(text: string): string {
  const targets = new Map<string, string>()
  const rest = text.replace(definition, (_, label: string, target: string) => {
    targets.set(label.toLowerCase(), target)
    return ''
  })
  if (targets.size === 0) return text
  return rest.replace(
    /\[([^[\]\n]{1,300})\](?:\[([^[\]\n]{0,200})\]|(?![[(\]]))/g,
    (written, label: string, name = '') => {
      const target = targets.get((name || label).toLowerCase())
      return target === undefined ? written : `[${label}](${target})`
    },
  )
}

const definition = /^ {0,3}\[(?!\^)([^[\]\n]{1,200})\]:[ \t]+<?([^\s<>]{1,500})>?[^\n]*$/gm

/** The cells of a row of a table, in order. */
export function cellsOf(row: string): string[] {
  return row
    .replace(/^\s*\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/** A badge of a status or a date as the words that it shows: `![x](https://img.shields.io/badge/status-accepted-green)`. */
function withBadges(text: string): string {
  if (!text.includes('/badge/')) return text
  return text.replace(badge, (whole, label: string, message: string) => {
    const [, name] = /^(?:(?:adr|decision) )?(status|state|date)$/i.exec(shown(label)) ?? []
    return name ? ` · ${name}: ${shown(message)}` : whole
  })
}

// The address has the label, the message and the colour; a hyphen in one of them is written twice.
const part = '((?:[^\\s()/?#-]|--){1,100})'
const badge = new RegExp(
  `\\[?!\\[[^\\]\\n]{0,200}\\]\\(https?://[^\\s()]{1,60}/badge/${part}-${part}-[^\\s()/?#-]{1,40}(?:[?#][^\\s()]{0,300})?\\)(?:\\]\\([^\\s()]{0,300}\\))?`,
  'g',
)

function shown(written: string): string {
  return percentDecoded(written)
    .replace(/--|__|_/g, (marks) => (marks === '_' ? ' ' : marks[0]!))
    .trim()
}
