// Notebooks as Markdown: text cells as they are, code cells fenced. Outputs are results, not what anyone wrote.
import type { Parsed } from '../model/document.js'
import { languageNamed } from './formats.js'
import { parseLines } from './lines.js'
import { parseMarkdown } from './markdown.js'

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
    if (!Array.isArray(notebook?.cells)) return null
    const about = notebook.metadata ?? {}
    const name = about.language_info?.name ?? about.kernelspec?.language
    const language = typeof name === 'string' && name !== '' ? languageNamed(name) : null
    return { cells: notebook.cells.map(cellOf), language }
  } catch {
    return null
  }
}

function cellOf(cell: { cell_type?: unknown; source?: unknown } | null): Cell {
  const source = Array.isArray(cell?.source) ? cell.source.join('') : cell?.source
  return { type: String(cell?.cell_type ?? ''), source: typeof source === 'string' ? source : '' }
}

function cellText({ type, source }: Cell, language: string | null): string {
  const text = source.trimEnd()
  if (type !== 'code' || text === '') return text
  const runs = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(1 + runs.reduce((longest, run) => Math.max(longest, run.length), 2))
  return `${fence}${language ?? ''}\n${text}\n${fence}`
}
