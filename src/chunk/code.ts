import type { Chunk, Declaration, Parsed } from '../model/document.js'
import { lineAt, lineStarts } from '../text/lines.js'
import { codeContext } from './context.js'
import { cutLines, type Span } from './cut-lines.js'

// A declaration up to this length is one chunk.
const whole = 1_600
// Small neighbours are joined up to this length; a tiny one joins even a large neighbour. A function of ten lines stands
// alone: joined with four others, its vector would represent none of them.
const targetSize = 1_200
const small = 250
const tiny = 150

/**
 * Cuts code along its declarations, so that a chunk is something with a name. The code between them, and code without
 * any, is cut at its lines. The chunks are in order, do not overlap, and cover all text that is not blank.
 */
export function chunkCode(parsed: Parsed, about: { path: string; title: string }): Chunk[] {
  const { text, language } = parsed
  const lines = lineStarts(text)
  const file = branchesOf(text.length, parsed.declarations)
  return group(cut({ text, language }, file)).map((piece) => {
    const { start, end } = withoutBlankLines(text, piece)
    const main = mainOf(piece)
    const declared = declaredIn(piece, main)
    return {
      kind: 'code',
      language,
      start,
      end,
      line: lineAt(lines, start),
      endLine: lineAt(lines, end - 1),
      headings: main?.scope ?? [],
      symbols: [...new Set(declared.map(qualifiedName))],
      context: codeContext(about.path, declared),
    }
  })
}

interface Code {
  text: string
  language: string | null
}

/** A range of text that will become a chunk or a part of one. */
interface Piece extends Span {
  /** The enclosing declaration. */
  owner: Branch
  /** The declarations directly in it. */
  holds: Branch[]
  /** How much of it is the owner's own text: its head, its body, and the text between its members. */
  own: number
  /** Declarations that it contains only a part of. */
  partOf: Declaration[]
}

function cut(code: Code, branch: Branch): Piece[] {
  const pieces: Piece[] = []
  let at = branch.start
  for (const [i, child] of branch.children.entries()) {
    const start = Math.max(at, indentStart(code.text, child.start))
    addText(code, pieces, branch, { start: at, end: start })
    if (child.end - start > whole) pieces.push(...cut(code, { ...child, start }))
    else pieces.push({ start, end: child.end, owner: branch, holds: [child], own: 0, partOf: [] })
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
    // Closing brackets stay with the code they close.
    last.end = span.end
    return
  }
  const keep =
    owner.declaration && span.start === owner.start ? headEnd(text, owner.declaration, language) : span.start
  const partOf = owner.declaration ? [owner.declaration] : []
  for (const part of cutLines(text, span, { target: targetSize, most: whole }, keep))
    pieces.push({ ...part, owner, holds: [], own: sizeOf(part), partOf })
}

function indentStart(text: string, at: number): number {
  let start = at
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--
  return start === 0 || text[start - 1] === '\n' || text[start - 1] === '\r' ? start : at
}

// A comment after a declaration, or the bracket that closes a call around it.
function restOfLine(text: string, from: number, next: number): number {
  const limit = Math.min(next, from + tiny)
  for (let at = from; at < limit; at++) if (text[at] === '\n') return at
  return limit === next && !/\S/.test(text.slice(from, limit)) ? limit : from
}

// Joins small neighbours first. Then a range that is too small to stand alone joins the next one, or else the previous
// one, but never leaves the enclosing declaration.
function group(pieces: readonly Piece[]): Piece[] {
  const single = pieces.map((piece) => ({ ...piece, largest: sizeOf(piece) }))
  const neighbours = joinWhere(single, (last, next) => {
    const large = Math.max(last.largest, next.largest)
    return last.owner === next.owner && large <= small && next.end - last.start <= targetSize
  })
  const ahead = joinWhere(neighbours, (last, next) => isScrap(last, next) && encloses(last.owner, next))
  return joinWhere(ahead, (last, next) => isScrap(next, last) && encloses(next.owner, last))
}

function isScrap(piece: Piece, neighbour: Piece): boolean {
  const total = Math.max(piece.end, neighbour.end) - Math.min(piece.start, neighbour.start)
  return sizeOf(piece) <= tiny && total <= whole + tiny
}

function encloses(owner: Branch, { start }: Piece): boolean {
  return owner.start <= start && start < owner.end
}

interface Group extends Piece {
  largest: number
}

function joinWhere(groups: readonly Group[], fits: (last: Group, next: Group) => boolean): Group[] {
  const joined: Group[] = []
  for (const next of groups) {
    const last = joined[joined.length - 1]
    if (last && fits(last, next)) joined[joined.length - 1] = join(last, next)
    else joined.push(next)
  }
  return joined
}

function join(a: Group, b: Group): Group {
  const larger = sizeOf(a) > sizeOf(b) ? a : b
  return {
    owner: larger.owner,
    own: a.owner === b.owner ? a.own + b.own : larger.own,
    start: a.start,
    end: b.end,
    holds: [...a.holds, ...b.holds],
    partOf: [...a.partOf, ...b.partOf],
    largest: Math.max(a.largest, b.largest),
  }
}

function sizeOf({ start, end }: Span): number {
  return end - start
}

/** The subject of a chunk: the largest declaration in it. */
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

/** The declarations that a chunk has or is a part of, the main one first. */
function declaredIn({ holds, partOf }: Piece, main: Declaration | null): Declaration[] {
  const whole = holds.flatMap((branch) => [...declarationsIn(branch)])
  return [...new Set([...(main ? [main] : []), ...partOf, ...whole])]
}

function withoutBlankLines(text: string, { start, end }: Span): Span {
  const found = text.slice(start, end)
  const first = start + found.search(/\S/)
  return { start: Math.max(start, indentStart(text, first)), end: start + found.trimEnd().length }
}

/**
 * About where the head of a declaration ends: its comments, attributes and signature, and in Python its docstring.
 * Reads the text, because a declaration has its signature only on one line.
 */
function headEnd(text: string, declaration: Declaration, language: string | null): number {
  const start = afterMatches(text, declaration.start, comment)
  const end = endOfLine(text, start + Math.max(0, declaration.signature.length - 1))
  return Math.min(language === 'python' ? afterDocstring(text, start, end) : end, declaration.end)
}

const comment = /\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*|#[^\n]*|@[^\n]*/y

function afterMatches(text: string, from: number, pattern: RegExp): number {
  let at = from
  for (;;) {
    pattern.lastIndex = at
    if (!pattern.test(text)) return at
    at = pattern.lastIndex
  }
}

function afterDocstring(text: string, start: number, end: number): number {
  const opening = /:\s*(?:#[^\n]*\s*)?[rRuU]?("""|''')/.exec(text.slice(start, end + 200))
  if (!opening) return end
  const from = start + opening.index + opening[0].length
  const closing = text.indexOf(opening[1]!, from)
  return closing < 0 ? end : endOfLine(text, closing)
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

/** The tree of declarations. The root stands for the file and declares nothing. */
interface Branch {
  declaration: Declaration | null
  start: number
  end: number
  children: Branch[]
}

function branchesOf(length: number, declarations: readonly Declaration[]): Branch {
  const root: Branch = { declaration: null, start: 0, end: length, children: [] }
  const open = [root]
  for (const declaration of [...declarations].sort((a, b) => a.start - b.start || b.end - a.end)) {
    while (open.length > 1 && open[open.length - 1]!.end <= declaration.start) open.pop()
    const parent = open[open.length - 1]!
    const before = parent.children[parent.children.length - 1]?.end ?? parent.start
    const start = Math.max(declaration.start, before)
    const end = Math.min(declaration.end, parent.end)
    if (start >= end) continue
    const branch: Branch = { declaration, start, end, children: [] }
    parent.children.push(branch)
    open.push(branch)
  }
  return root
}

/** A declaration and everything declared in it. */
function* declarationsIn(branch: Branch): Generator<Declaration> {
  if (branch.declaration) yield branch.declaration
  for (const child of branch.children) yield* declarationsIn(child)
}

/** `Class.method`. */
function qualifiedName({ scope, name }: Declaration): string {
  return [...scope, name].join('.')
}
