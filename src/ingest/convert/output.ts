import type { Parsed } from '../../model/document.js'

/** The document with its text cut to the limit at the end of a line, and its structure without the part after that. */
export function fitted(parsed: Parsed, most: number): Parsed {
  const size = Buffer.byteLength(parsed.text)
  if (size <= most) return parsed
  const text = parsed.text.slice(0, cutAt(parsed.text, most))
  const lines = text.split('\n').length - 1
  const inside = <T extends { start: number }>(parts: readonly T[]) =>
    parts.filter(({ start }) => start < text.length)
  const clipped = <T extends { start: number; end: number; endLine: number }>(parts: readonly T[]) =>
    inside(parts).map((part) => ({
      ...part,
      end: Math.min(part.end, text.length),
      endLine: Math.min(part.endLine, lines),
    }))
  const cut = {
    code: 'cut',
    message: `Only the first ${Buffer.byteLength(text)} of ${size} bytes of its text are kept.`,
  }
  return {
    ...parsed,
    text,
    sections: clipped(parsed.sections),
    blocks: clipped(parsed.blocks),
    links: inside(parsed.links),
    notes: [...parsed.notes, cut],
  }
}

/** Behind the last line break that fits. A text of one endless line is cut between two characters. */
function cutAt(text: string, most: number): number {
  let length = Math.min(text.length, most)
  while (Buffer.byteLength(text.slice(0, length)) > most) length = Math.floor(length * 0.9)
  const lineEnd = text.lastIndexOf('\n', length - 1) + 1
  if (lineEnd > 0) return lineEnd
  const isHalf = /[\ud800-\udbff]/.test(text[length - 1] ?? '')
  return isHalf ? length - 1 : length
}
