// Pages known only as lines: running titles dropped, words cut at a line's end joined, paragraphs put together.
import { plainLine } from './converted.js'

export function plainPages(pages: readonly (readonly string[])[]): string[] {
  const trimmed = pages.map((lines) => trimBlank(lines.map((line) => line.replace(/[\s\0]+/g, ' ').trim())))
  const running = runningLines(trimmed)
  return trimmed.map((lines) => paragraphs(withoutRunning(lines, running)))
}

function trimBlank(lines: string[]): string[] {
  const first = lines.findIndex((line) => line !== '')
  const last = lines.findLastIndex((line) => line !== '')
  return first < 0 ? [] : lines.slice(first, last + 1)
}

const edge = 2
const fewestPages = 4
const share = 0.6

/** Header and footer lines that most pages share, apart from numbers. A few pages are too few to decide. */
function runningLines(pages: readonly string[][]): Set<string> {
  const counts = new Map<string, number>()
  for (const lines of pages)
    for (const key of new Set(edges(lines).map(shape))) counts.set(key, (counts.get(key) ?? 0) + 1)
  const printed = pages.filter((lines) => lines.length > 0).length
  if (printed < fewestPages) return new Set()
  return new Set([...counts].filter(([, count]) => count >= printed * share).map(([key]) => key))
}

function edges(lines: string[]): string[] {
  return lines.length <= edge * 2 ? lines : [...lines.slice(0, edge), ...lines.slice(-edge)]
}

/** Numbers count pages in a running title; in a sentence they say something. */
function shape(line: string): string {
  return /[.,;!?]$/.test(line) ? line : line.replace(/\d+/g, '0')
}

function withoutRunning(lines: string[], running: Set<string>): string[] {
  const isEdge = (i: number) => i < edge || i >= lines.length - edge
  return lines.filter((line, i) => !(isEdge(i) && running.has(shape(line))))
}

/** A blank line separates paragraphs; so does a line that ends a sentence well before the margin. */
function paragraphs(lines: string[]): string {
  const widest = lines.reduce((most, line) => Math.max(most, line.length), 0)
  const found: string[] = []
  let open = false
  for (const line of lines) {
    if (line === '') open = false
    else {
      if (open) found.push(joinLines(found.pop()!, line))
      else found.push(line)
      open = !(line.length < widest * 0.7 && /[.!?:]["'”’)]?$/.test(line))
    }
  }
  return found.map(plainLine).join('\n\n')
}

/** `deliv-` and `ery` are one word; `self-` and `Regulation`, or a dash between numbers, are not. */
export function joinLines(before: string, after: string): string {
  if (/\p{L}[-\u00ad\u2010]$/u.test(before) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after
  return `${before} ${after}`
}

// Shared by the two PDF engines.

/** The result of a PDF engine. */
export interface PdfPages {
  /** The text of each page as Markdown; empty for a page without text. */
  pages: string[]
  /** More than `pages` when the limit was reached. */
  total: number
  /** Pages (from 1) that could not be read. */
  unread: number[]
  /** Whether pages without text have pictures; null if unknown. */
  pictured: boolean | null
  /** Right-to-left pages (from 1) whose words are in visual order. */
  unordered?: number[]
  /** The XMP packet of a file that keeps it encrypted. */
  packet?: string
}

export type PdfFailure = 'locked' | 'broken' | 'missing'

export const pdfLimits = { pages: 3_000 }

export function failureOf(error: unknown): PdfFailure {
  const { name, message } = error as Error
  return /password/i.test(`${name} ${message}`) ? 'locked' : 'broken'
}
