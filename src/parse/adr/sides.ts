// Whether something speaks for or against: by what opens it, or by the label that it stands under.
import { type Piece, textOf } from './page.js'

export type Side = 'good' | 'bad' | 'neutral'

const words: readonly [Side, string][] = [
  ['good', 'pros?|advantages?|benefits?|positives?|upsides?|good'],
  ['bad', 'cons?|disadvantages?|drawbacks?|negatives?|downsides?|bad'],
  ['neutral', 'neutral'],
]
const opening = words.map(
  ([side, any]) => [side, new RegExp(`^[^\\p{L}\\p{N}]*(?:${any})\\b`, 'iu')] as const,
)
const whole = words.map(
  ([side, any]) =>
    [
      side,
      new RegExp(
        `^[^\\p{L}\\p{N}]*(?:${side === 'bad' ? `risks?|${any}` : any})(?: (?:consequences?|impacts?|effects?|outcomes?))?[^\\p{L}\\p{N}]*$`,
        'iu',
      ),
    ] as const,
)

/** "Pros of Kafka", "Disadvantages". */
export function sideOf(text: string): Side | null {
  return opening.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

/** "**Negative:**", "➕ Pros", "Risks": a label and nothing more. */
export function sideOfLabel(text: string): Side | null {
  return text.length < 40 ? (whole.find(([, pattern]) => pattern.test(text))?.[0] ?? null) : null
}

/** Every piece that is no label, with the side of the label above it. */
export function sided(pieces: readonly Piece[]): { piece: Piece; side: Side | null }[] {
  const all: { piece: Piece; side: Side | null }[] = []
  let label: { piece: Piece; side: Side } | null = null
  for (const piece of pieces) {
    const side = sideOfLabel(textOf(piece))
    if (side) label = { piece, side }
    else {
      if (label && endsLabel(label.piece, piece)) label = null
      all.push({ piece, side: label?.side ?? null })
    }
  }
  return all
}

/** The next item beside a label in a list, or another line that leads one. */
function endsLabel(label: Piece, piece: Piece): boolean {
  if (label.kind === 'item') return piece.kind !== 'item' || piece.depth <= label.depth
  return piece.kind === 'paragraph' && /:\s*$/.test(textOf(piece))
}
