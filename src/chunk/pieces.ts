// Makes pieces of a good size from sections: splits large ones at their blocks, joins small ones.
import type { Block, Section } from '../model/document.js'
import type { Joint, Range } from './cut.js'
import { cut, sizes } from './cut.js'

/** A heading and the blocks directly under it; `section` is -1 above the first heading. */
export interface Unit {
  section: number
  blocks: Block[]
}

/** A chunk under construction. */
export interface Piece extends Range {
  /** How many characters belong to which section, in order. */
  shares: { section: number; size: number }[]
  kinds: Set<Block['kind']>
}

/** A section up to this length stays whole. */
const whole = 1600
/** Code and tables up to this length stay whole, regardless of their surroundings. */
const indivisible = 6000

/** Splits a section's own text into pieces near the target. The heading stays with the text after it. */
export function piecesOf(text: string, { section, blocks }: Unit): Piece[] {
  const size = blocks[blocks.length - 1]!.end - blocks[0]!.start
  const parts =
    size <= whole
      ? blocks
      : glued(
          text,
          blocks.flatMap((block) => divided(text, block)),
        )
  const aim = size <= whole ? whole : (size / Math.round(size / sizes.target)) * 1.15
  const pieces: Piece[] = []
  for (const part of parts) {
    const last = pieces[pieces.length - 1]
    if (last && fits(last, part, aim)) extend(last, part)
    else
      pieces.push({ start: part.start, end: part.end, shares: [{ section, size: 0 }], kinds: kindsOf(part) })
  }
  for (const piece of pieces) piece.shares[0]!.size = piece.end - piece.start
  return pieces
}

interface Part extends Range {
  kind: Block['kind']
  /** The text that was put before it. */
  before?: Block['kind'][]
}

function kindsOf(part: Part): Set<Block['kind']> {
  return new Set([...(part.before ?? []), part.kind])
}

function fits(piece: Piece, part: Part, aim: number): boolean {
  const together = part.end - piece.start
  return together <= aim || (together <= sizes.most && piece.end - piece.start < tiny)
}

function extend(piece: Piece, part: Part) {
  piece.end = part.end
  for (const kind of kindsOf(part)) piece.kinds.add(kind)
}

function divided(text: string, block: Block): Part[] {
  const { kind } = block
  const isWhole = kind === 'code' || kind === 'table' ? indivisible : kind === 'html' ? sizes.most : whole
  if (block.end - block.start <= isWhole) return [block]
  return cut(text, block, joints[kind] ?? ['sentence', 'line', 'word'], sizes).map((range) => ({
    ...range,
    kind,
  }))
}

const joints: Partial<Record<Block['kind'], Joint[]>> = {
  code: ['blank', 'line', 'word'],
  table: ['line', 'word'],
  html: ['blank', 'line', 'word'],
  list: ['item', 'line', 'sentence', 'word'],
  quote: ['sentence', 'line', 'word'],
}

/** A heading stays with the block after it, and so does a short line that introduces it. */
function glued(text: string, parts: Part[]): Part[] {
  const groups: Part[] = []
  let open: Part | null = null
  for (const part of parts) {
    const group: Part = open ? { ...part, start: open.start, before: [...kindsOf(open)] } : part
    const isHeading = part.kind === 'heading'
    const announces = part.kind === 'paragraph' && part.end - part.start < small && text[part.end - 1] === ':'
    open = isHeading || (announces && group.end - group.start < small) ? group : null
    if (!open) groups.push(group)
  }
  return open ? [...groups, open] : groups
}

// --- Joining.

const small = 160
const tiny = 80

/** Joins a section that is too small with the next one under the same parent; a tiny rest joins the previous one. */
export function joinSmall(pieces: Piece[], sections: readonly Section[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined[joined.length - 1]
    if (last && joinsNext(last, piece, sections)) join(last, piece)
    else joined.push(piece)
  }
  return joined.reduce<Piece[]>((merged, piece) => {
    const last = merged[merged.length - 1]
    if (last && piece.end - piece.start < tiny && piece.end - last.start <= whole) join(last, piece)
    else merged.push(piece)
    return merged
  }, [])
}

function joinsNext(piece: Piece, next: Piece, sections: readonly Section[]): boolean {
  const top = levelOf(piece.shares[0]!.section, sections)
  const level = levelOf(next.shares[0]!.section, sections)
  const isOwn = next.shares[0]!.section === piece.shares[piece.shares.length - 1]!.section
  if (isOwn || level < top) return false
  const size = piece.end - piece.start
  const together = next.end - piece.start
  if (isBare(piece)) return together <= (level > top ? sizes.most : sizes.target)
  if (together > sizes.target * 1.25) return false
  if (level <= 2) return size < tiny
  return together <= sizes.target && (size < small || next.end - next.start < tiny)
}

function isBare({ kinds }: Piece): boolean {
  return kinds.size === 1 && kinds.has('heading')
}

function levelOf(section: number, sections: readonly Section[]): number {
  return sections[section]?.level ?? 0
}

function join(piece: Piece, next: Piece) {
  piece.end = next.end
  piece.shares.push(...next.shares)
  for (const kind of next.kinds) piece.kinds.add(kind)
}
