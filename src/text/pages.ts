// Documents with pages say in their metadata on which line (from 1) each page starts: `pageStarts`.

/** The pages (from 1) that a stretch of lines stands on; null for a document without pages. */
export function pagesOf(
  metadata: Record<string, unknown>,
  lines: { line: number; endLine: number },
): { first: number; last: number } | null {
  const { pageStarts } = metadata
  if (!Array.isArray(pageStarts) || pageStarts.length === 0) return null
  return { first: pageAt(pageStarts, lines.line), last: pageAt(pageStarts, lines.endLine) }
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
