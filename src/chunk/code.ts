import type { Chunk, Declaration, Parsed } from '../model/document.js'
import { lineAt, lineStarts } from '../text/lines.js'
import { type Branch, branchesOf, declarationsIn, qualifiedName } from './branches.js'
import { cutLines, type Span } from './cut-lines.js'
import { headEnd } from './head-end.js'

// A declaration up to this length is one chunk.
const whole = 1_600
// Neighbours are put together up to this length if they are small; what is tiny joins even a large one.
const together = 1_200
const small = 500
const tiny = 150

/**
 * Cuts code along its declarations, so that a passage is a thing with a name. What lies between them is cut at its
 * lines, and so is code without any. The chunks cover all that is not blank, in order, without overlap.
 */
export function chunkCode(parsed: Parsed, about: { path: string; title: string }): Chunk[] {
  const { text, language } = parsed
  const lines = lineStarts(text)
  const file = branchesOf(text.length, parsed.declarations)
  return group(cut({ text, language }, file)).map((piece) => {
    const { start, end } = withoutBlankLines(text, piece)
    const main = mainOf(piece)
    return {
      kind: 'code',
      language,
      start,
      end,
      line: lineAt(lines, start),
      endLine: lineAt(lines, end - 1),
      headings: main?.scope ?? [],
      symbols: symbolsOf(piece, main),
      context: main ? [about.path, ...main.scope, main.signature].join(' › ') : about.path,
    }
  })
}

interface Code {
  text: string
  language: string | null
}

/** A stretch of text on its way to a chunk. */
interface Piece extends Span {
  /** What encloses it. */
  owner: Branch
  /** What is declared in it, directly. */
  holds: Branch[]
  /** How much of it is text of the owner's own: its head, its body, what stands between its members. */
  own: number
}

function cut(code: Code, branch: Branch): Piece[] {
  const pieces: Piece[] = []
  let at = branch.start
  for (const [i, child] of branch.children.entries()) {
    const start = Math.max(at, indentStart(code.text, child.start))
    addText(code, pieces, branch, { start: at, end: start })
    if (child.end - start > whole) pieces.push(...cut(code, { ...child, start }))
    else pieces.push({ start, end: child.end, owner: branch, holds: [child], own: 0 })
    const next = branch.children[i + 1]?.start ?? branch.end
    at = restOfLine(code.text, child.end, next)
    const last = pieces[pieces.length - 1]
    if (last) last.end = at
  }
  addText(code, pieces, branch, { start: at, end: branch.end })
  return pieces
}

function addText({ text, language }: Code, pieces: Piece[], owner: Branch, span: Span): void {
  const found = text.slice(span.start, span.end)
  if (!/\S/.test(found)) return
  const last = pieces[pieces.length - 1]
  if (last && found.length <= tiny && !/[\p{L}\p{N}]/u.test(found)) {
    // Brackets that only close stay with what they close.
    last.end = span.end
    return
  }
  const keep =
    owner.declaration && span.start === owner.start ? headEnd(text, owner.declaration, language) : span.start
  for (const part of cutLines(text, span, { target: together, most: whole }, keep))
    pieces.push({ ...part, owner, holds: [], own: part.end - part.start })
}

function indentStart(text: string, at: number): number {
  let start = at
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--
  return start === 0 || text[start - 1] === '\n' || text[start - 1] === '\r' ? start : at
}

// A comment behind a declaration, or the bracket that closes a call around it.
function restOfLine(text: string, from: number, next: number): number {
  const limit = Math.min(next, from + tiny)
  for (let at = from; at < limit; at++) if (text[at] === '\n') return at
  return limit === next && !/\S/.test(text.slice(from, limit)) ? limit : from
}

// Small neighbours first; then what is left alone and too little to stand alone goes to what follows it, or else to what
// precedes it.
function group(pieces: readonly Piece[]): Piece[] {
  const groups = joinWhere(pieces, (last, piece) => {
    const large = Math.max(last.largest, sizeOf(piece))
    return large <= small && piece.end - last.start <= together
  })
  const roomy = (last: Group, piece: Group) => piece.end - last.start <= whole + tiny
  const ahead = joinWhere(groups, (last, piece) => sizeOf(last) <= tiny && roomy(last, piece))
  return joinWhere(ahead, (last, piece) => sizeOf(piece) <= tiny && roomy(last, piece))
}

interface Group extends Piece {
  largest: number
}

function joinWhere(pieces: readonly Piece[], fits: (last: Group, piece: Group) => boolean): Group[] {
  const groups: Group[] = []
  for (const piece of pieces) {
    const next: Group = { largest: sizeOf(piece), ...piece }
    const last = groups[groups.length - 1]
    if (last && last.owner === next.owner && fits(last, next)) groups[groups.length - 1] = join(last, next)
    else groups.push(next)
  }
  return groups
}

function join(a: Group, b: Group): Group {
  return {
    owner: a.owner,
    start: a.start,
    end: b.end,
    holds: [...a.holds, ...b.holds],
    own: a.own + b.own,
    largest: Math.max(a.largest, b.largest),
  }
}

function sizeOf({ start, end }: Span): number {
  return end - start
}

/** What a chunk is about: the largest thing in it. */
function mainOf({ owner, holds, own }: Piece): Declaration | null {
  let main = owner
  let size = own
  for (const branch of holds) {
    if (sizeOf(branch) <= size) continue
    main = branch
    size = sizeOf(branch)
  }
  return main.declaration
}

function symbolsOf({ owner, holds, own }: Piece, main: Declaration | null): string[] {
  const names = new Set<string>()
  if (main) names.add(qualifiedName(main))
  if (owner.declaration && own > 0) names.add(qualifiedName(owner.declaration))
  for (const branch of holds)
    for (const declaration of declarationsIn(branch)) names.add(qualifiedName(declaration))
  return [...names]
}

function withoutBlankLines(text: string, { start, end }: Span): Span {
  const found = text.slice(start, end)
  const first = start + found.search(/\S/)
  return { start: Math.max(start, indentStart(text, first)), end: start + found.trimEnd().length }
}
