// Documents with pages say in their metadata on which line (from 1) each page starts: `pageStarts`.
import { terms } from './terms.js'

/** The pages (from 1) that a stretch of lines stands on; null for a document without pages. */
export function pagesOf(
  metadata: Record<string, unknown>,
  lines: { line: number; endLine: number },
): { first: number; last: number } | null {
  const { pageStarts } = metadata
  if (!Array.isArray(pageStarts) || pageStarts.length === 0) return null
  return { first: pageAt(pageStarts, lines.line), last: pageAt(pageStarts, lines.endLine) }
}

/** The page (from 1) of a passage that has most of these words; the first of equals. Null without pages. */
export function pageWith(
  metadata: Record<string, unknown>,
  passage: { line: number; text: string },
  words: ReadonlySet<string>,
): number | null {
  const lines = passage.text.split('\n')
  const pages = pagesOf(metadata, { line: passage.line, endLine: passage.line + lines.length - 1 })
  if (!pages || pages.first === pages.last) return pages?.first ?? null
  const starts = metadata.pageStarts as number[]
  const found = new Map<number, Set<string>>()
  for (const [i, text] of lines.entries()) {
    const page = pageAt(starts, passage.line + i)
    const here = found.get(page) ?? new Set()
    for (const { term } of terms(text)) if (words.has(term)) here.add(term)
    found.set(page, here)
  }
  const [best] = [...found].sort((a, b) => b[1].size - a[1].size || a[0] - b[0])
  return best![0]
}

function pageAt(starts: readonly number[], line: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= line) low = middle
    else high = middle - 1
  }
  return low + 1
}
