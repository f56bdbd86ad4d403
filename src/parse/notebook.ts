// Converts notebooks to Markdown: text cells as they are, code cells fenced. Generated outputs are left out.
import type { Token } from 'markdown-it'
import type { Parsed } from '../model/document.js'
import { languageNamed } from './formats.js'
import { parseMarkdown } from './markdown.js'
import { blockTokens } from './markdown-blocks.js'
import { parseLines } from './text.js'

export function parseNotebook(text: string): Parsed {
  const notebook = readNotebook(text)
  if (!notebook) {
    const note = {
      code: 'notebook_broken',
      message: 'The notebook is not valid JSON with cells; it was read line by line.',
    }
    return { ...parseLines(text, { format: 'notebook', language: null }), notes: [note] }
  }
  const { cells, language } = notebook
  const parsed = parseMarkdown(
    cells
      .map((cell) => cellText(cell, language))
      .filter(Boolean)
      .join('\n\n'),
  )
  return { ...parsed, format: 'notebook', language, metadata: { ...parsed.metadata, cells: cells.length } }
}

interface Cell {
  type: string
  source: string
}

function readNotebook(text: string): { cells: Cell[]; language: string | null } | null {
  try {
    const notebook = JSON.parse(text)
    const cells = notebook?.cells ?? olderCells(notebook?.worksheets)
    if (!Array.isArray(cells)) return null
    const about = notebook.metadata ?? {}
    const name = about.language_info?.name ?? about.kernelspec?.language ?? ownLanguage(cells)
    const language = typeof name === 'string' && name !== '' ? languageNamed(name) : null
    return { cells: cells.map(cellOf), language }
  } catch {
    return null
  }
}

/** Before version 4, sheets held the cells, headings were a kind of cell, and each code cell had its own language. */
function olderCells(sheets: unknown): unknown {
  return Array.isArray(sheets) ? sheets.flatMap((sheet) => sheet?.cells ?? []) : null
}

function ownLanguage(cells: readonly (Written | null)[]): unknown {
  return cells.find((cell) => cell?.language !== undefined)?.language
}

interface Written {
  cell_type?: unknown
  source?: unknown
  input?: unknown
  language?: unknown
  level?: unknown
}

function cellOf(cell: Written | null): Cell {
  const written = cell?.source ?? cell?.input
  const source = Array.isArray(written) ? written.join('') : written
  const type = String(cell?.cell_type ?? '')
  const marks = type === 'heading' ? `${'#'.repeat(Math.min(Number(cell?.level) || 1, 6))} ` : ''
  return { type, source: typeof source === 'string' ? marks + source : '' }
}

function cellText({ type, source }: Cell, language: string | null): string {
  const text = source.trimEnd()
  if (type !== 'code' || text === '') return text + closingOf(text)
  const runs = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(1 + runs.reduce((longest, run) => Math.max(longest, run.length), 2))
  return `${fence}${language ?? ''}\n${text}\n${fence}`
}

/** Closes a fence, comment or tag that a cell leaves open. */
function closingOf(text: string): string {
  if (!mayStayOpen.test(text)) return ''
  const last = blockTokens(`${text}\n`, 'markdown').tokens.at(-1)
  if (last?.type === 'fence') return isWhole(last) ? '' : `\n${last.markup}`
  if (last?.type !== 'html_block') return ''
  const content = last.content.trimStart().toLowerCase()
  const found = pairs.find(([start]) => start.test(content))
  return found && !content.includes(found[1]) ? `\n${found[1]}` : ''
}

/** Tags and marks between which Markdown is not parsed, even across blank lines. */
const pairs = [
  [/^<!--/, '-->'],
  [/^<!\[cdata\[/, ']]>'],
  [/^<\?/, '?>'],
  [/^<!/, '>'],
  ...['script', 'pre', 'style', 'textarea'].map(
    (name) => [new RegExp(`^<${name}(?![^\\s>])`), `</${name}>`] as const,
  ),
] as const
const mayStayOpen = /```|~~~|<(?:[!?]|script|pre|style|textarea)/i

/** Its lines are those of its content and the two around them. */
function isWhole({ map, content }: Token): boolean {
  return map![1] - map![0] === content.split('\n').length + 1
}
