import type { Chunk, Declaration, Parsed } from '../model/document.js'
import type { ChunkKind } from '../model/source.js'
import { lineStarts, trimmedSpan } from '../text/lines.js'
import { chunkCode } from './code.js'
import { contextLine } from './context.js'
import { cut, type Joint, type Range, sizes } from './cut.js'
import { chunkProse } from './prose.js'

/** Cuts a document into chunks: prose by headings, code by declarations, anything else by paragraphs and lines. */
export function chunk(parsed: Parsed, about: { path: string; title: string }): Chunk[] {
  if (parsed.format === 'code') return chunkCode(parsed, about)
  return parsed.blocks.length > 0 ? chunkProse(parsed, about) : chunkLines(parsed, about)
}

/** The chunks are in order, do not overlap, and cover all text that is not blank. */
export function chunkLines(parsed: Parsed, about: { path: string; title: string }): Chunk[] {
  const { text, declarations, format, language } = parsed
  const starts = lineStarts(text)
  const joints: readonly Joint[] = format === 'text' ? prose : rows
  const chunks: Chunk[] = []
  let next = 0
  for (const range of stretches(parsed).flatMap((stretch) => cut(text, stretch, joints, sizes))) {
    const span = trimmedSpan(text, starts, range.start, range.end)
    if (!span) continue
    while (next + 1 < declarations.length && declarations[next + 1]!.start <= span.start) next++
    const symbols = symbolsIn(declarations, next, span)
    const context =
      format === 'text' ? contextLine(about.title, []) : [about.path, ...symbols.slice(0, 1)].join(' › ')
    chunks.push({ kind: kinds[format] ?? 'prose', language, ...span, headings: [], symbols, context })
  }
  return chunks
}

const prose: readonly Joint[] = ['blank', 'sentence', 'line', 'word']
const rows: readonly Joint[] = ['blank', 'line', 'word']
const kinds: Partial<Record<Parsed['format'], ChunkKind>> = {
  code: 'code',
  data: 'code',
  csv: 'table',
  xlsx: 'table',
}

/** Cuts data before its top-level keys, and joins small neighbours. */
function stretches({ text, declarations }: Parsed): Range[] {
  const ranges: Range[] = []
  let start = 0
  for (const declaration of declarations) {
    const end = declaration.start
    const isFull = end - start > sizes.target / 3 && declaration.end - start > sizes.target
    if (!isFull) continue
    ranges.push({ start, end })
    start = end
  }
  return [...ranges, { start, end: text.length }]
}

/** The keys that start in a chunk; for a part of a long value, the key it belongs to. */
function symbolsIn(declarations: readonly Declaration[], from: number, { start, end }: Range): string[] {
  const found: string[] = []
  for (let i = from; i < declarations.length && declarations[i]!.start < end; i++) {
    if (declarations[i]!.end > start) found.push(declarations[i]!.name)
  }
  return found
}
