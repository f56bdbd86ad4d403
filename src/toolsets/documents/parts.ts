// A long text in parts that fit a budget. The parts follow each other without a gap: joined, they are the text.

import { missing } from '../../answer/collections.js'
import type { Miss } from '../../answer/find-passages.js'
import { lineAt, lineStarts } from '../../text/lines.js'
import { charactersWithin } from '../../text/tokens.js'
import { wholeCharacters } from '../../text/truncate.js'

/** What one answer holds when no budget is given: clients cut off answers that are much longer. */
const defaultTokens = 16_000

export interface TextRange {
  start: number
  end: number
  /** Its last line, where that may be a blank one after the last character. */
  endLine?: number
}

export interface Part {
  text: string
  /** Where it stands in the whole text. */
  start: number
  startLine: number
  endLine: number
  /** Where the next part starts; null when this is the last. */
  next: string | null
}

export interface Continuation {
  maxTokens?: number | undefined
  cursor?: string | undefined
}

/** The part of a stretch that starts at the cursor. A cursor of another version of the text is refused. */
export function partOf(
  { text, hash }: { text: string; hash: string },
  stretch: TextRange,
  { maxTokens = defaultTokens, cursor }: Continuation,
): Part | Miss {
  const start = cursor === undefined ? stretch.start : readCursor(cursor, hash)
  if (typeof start !== 'number') return start
  if (start < stretch.start || start > stretch.end || (start === stretch.end && start > stretch.start))
    return missing('The cursor points past the end.', again)
  const starts = lineStarts(text)
  const end = endOf(text, starts, { start, end: stretch.end }, maxTokens)
  return {
    text: text.slice(start, end),
    start,
    startLine: lineAt(starts, start),
    endLine: (end === stretch.end && stretch.endLine) || lineAt(starts, Math.max(start, end - 1)),
    next: end < stretch.end ? `${end}.${hash.slice(0, 8)}` : null,
  }
}

const again = 'Call again without a cursor to start from the beginning.'

function readCursor(cursor: string, hash: string): number | Miss {
  const [, offset, version] = /^(\d{1,12})\.([0-9a-f]{8})$/.exec(cursor) ?? []
  if (offset === undefined) return missing('The cursor is not one that was returned here.', again)
  if (version !== hash.slice(0, 8))
    return missing('The document changed since the cursor was returned.', again)
  return Number(offset)
}

// At the end of a line where one fits, else at the end of a character. Always at least a few characters further. A line
// that no part could hold is begun in this one.
function endOf(text: string, starts: Uint32Array, { start, end }: TextRange, maxTokens: number): number {
  const stretch = text.slice(start, Math.min(end, start + maxTokens * 5))
  const room = charactersWithin(stretch, maxTokens)
  if (room >= end - start) return end
  const at = lineAt(starts, start + room)
  const [line, next] = [starts[at - 1]!, starts[at] ?? text.length]
  if (line > start && next - line <= room) return line
  return start + Math.max(1, wholeCharacters(stretch, room).length || room)
}
