export interface Span {
  start: number
  end: number
}

/** The desired and the maximum size of a piece. */
export interface Sizes {
  target: number
  most: number
}

/**
 * Cuts a range of text at line breaks into pieces of about the target size, preferably at blank lines and at low
 * indentation. Cuts inside a line only if the line is longer than the maximum. `keep` is the earliest position of the
 * first cut.
 */
export function cutLines(text: string, span: Span, sizes: Sizes, keep = span.start): Span[] {
  const pieces: Span[] = []
  let start = span.start
  while (span.end - start > sizes.most) {
    const earliest = keep - start <= sizes.most ? Math.max(start, keep) : start
    const end = bestLine(text, start, earliest, sizes) ?? insideLine(text, start, sizes)
    pieces.push({ start, end })
    start = end
  }
  if (start < span.end) pieces.push({ start, end: span.end })
  return pieces.filter((piece) => /\S/.test(text.slice(piece.start, piece.end)))
}

function bestLine(text: string, start: number, earliest: number, { target, most }: Sizes): number | null {
  let best: number | null = null
  let bestScore = -Infinity
  const first = Math.max(start + target / 3, earliest)
  for (let at = lineAfter(text, start, start + most); at !== null; at = lineAfter(text, at, start + most)) {
    if (at < first) continue
    const score = scoreOf(text, at) - Math.abs(at - start - target)
    if (score >= bestScore) [best, bestScore] = [at, score]
  }
  return best
}

// In characters: how far from the target a better place to cut may be.
const atBlankLine = 500
const perIndent = 25
const atContinuation = -600

function scoreOf(text: string, at: number): number {
  let indent = at
  while (text[indent] === ' ' || text[indent] === '\t') indent++
  const width = Math.min(text[at] === '\t' ? (indent - at) * 4 : indent - at, 40)
  const blank = /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, at - 80), at)) ? atBlankLine : 0
  const continues = continuation.test(text.slice(indent, indent + 12)) ? atContinuation : 0
  return blank + continues - width * perIndent
}

// Lines that belong to the line before: closing brackets, an else branch, the middle of a comment.
const continuation = /^(?:[)}\]*]|(?:end|else|elif|elsif|except|catch|finally|fi|done|esac)\b|\r?\n)/

function lineAfter(text: string, from: number, limit: number): number | null {
  for (let at = from; at < limit; at++)
    if (text.charCodeAt(at) === 10) return at + 1 < text.length ? at + 1 : null
  return null
}

function insideLine(text: string, start: number, { target, most }: Sizes): number {
  for (let at = start + most; at > start + target / 2; at--) {
    if (/[\s;,})\]>]/.test(text[at - 1]!)) return at
  }
  const at = start + most
  const inPair =
    /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1)) && /[\uD800-\uDBFF]$/.test(text.slice(at - 1, at))
  return inPair ? at - 1 : at
}
