// Which paths a glob covers, as ripgrep reads globs: `*.ts` anywhere, `src/**/*.ts` from the root, `{a,b}`, `[a-z]`, `?`
// and `!` in front for all the others. A name without wildcards is a file or a folder. Linear in practice and never worse
// than the product of the lengths, since a glob may come from anywhere.
import { Problem } from '../model/problem.js'

export interface Glob {
  covers(path: string): boolean
  /** Globs on the file's name alone that let through at least what this one covers; null when there are none. */
  names: string[] | null
  /** Whether those names say all there is to say. */
  byName: boolean
}

export function compileGlob(text: string): Glob {
  const negated = text.startsWith('!')
  const alternatives = expand(negated ? text.slice(1) : text).map(segmentsOf)
  const covers = (path: string) => {
    const parts = path.split('/')
    return alternatives.some((segments) => coversPath(segments, parts)) !== negated
  }
  const names = negated ? null : namesOf(alternatives)
  const anywhere = alternatives.every(({ length, 0: first }) => length === 2 && first === anyFolders)
  return { covers, names, byName: names !== null && anywhere }
}

type Piece =
  | { kind: 'one'; char: string }
  | { kind: 'any' }
  | { kind: 'set'; test: (char: string) => boolean }
type Wild = Piece | { kind: 'many' }
interface Segment {
  source: string
  pieces: Wild[]
}

const anyFolders: Segment = { source: '**', pieces: [] }
const mostAlternatives = 200

function coversPath(segments: Segment[], parts: string[]): boolean {
  return matches(segments, parts, (segment) => segment === anyFolders, coversName)
}

function coversName({ pieces }: Segment, name: string): boolean {
  return matches(pieces, [...name], (piece) => piece.kind === 'many', coversChar)
}

function coversChar(piece: Wild, char: string): boolean {
  if (piece.kind === 'one') return piece.char === char
  return piece.kind === 'any' || (piece.kind === 'set' && piece.test(char))
}

/** Goes on greedily and comes back to the last wildcard only: that finds a match if there is one. */
function matches<P, T>(
  pattern: readonly P[],
  text: readonly T[],
  isWild: (one: P) => boolean,
  covers: (one: P, item: T) => boolean,
): boolean {
  let [p, t] = [0, 0]
  let wild = -1
  let resume = 0
  while (t < text.length) {
    if (p < pattern.length && isWild(pattern[p]!)) {
      wild = p++
      resume = t
    } else if (p < pattern.length && covers(pattern[p]!, text[t]!)) {
      p++
      t++
    } else if (wild >= 0) {
      p = wild + 1
      t = ++resume
    } else return false
  }
  while (p < pattern.length && isWild(pattern[p]!)) p++
  return p === pattern.length
}

function segmentsOf(glob: string): Segment[] {
  const rooted = glob.replace(/^(?:\.?\/)+/, '')
  const folder = rooted.endsWith('/')
  const names = rooted.split('/').filter((name) => name !== '')
  const loose = names.length === 1 && !folder && rooted === glob
  const all = names.map((name) =>
    /^\*\*+$/.test(name) ? anyFolders : { source: name, pieces: piecesOf(name) },
  )
  const plain = all.every((one) => one.pieces.length > 0 && one.pieces.every(({ kind }) => kind === 'one'))
  const inside = folder || plain ? [anyFolders] : []
  return [...(loose ? [anyFolders] : []), ...all, ...inside]
}

function piecesOf(name: string): Wild[] {
  const pieces: Wild[] = []
  const chars = [...name]
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    if (char === '*') {
      if (pieces.at(-1)?.kind !== 'many') pieces.push({ kind: 'many' })
    } else if (char === '?') pieces.push({ kind: 'any' })
    else if (char === '\\' && i + 1 < chars.length) pieces.push({ kind: 'one', char: chars[++i]! })
    else if (char === '[') {
      const set = setAt(chars, i)
      pieces.push(set ? { kind: 'set', test: set.test } : { kind: 'one', char })
      if (set) i = set.end
    } else pieces.push({ kind: 'one', char })
  }
  return pieces
}

function setAt(chars: string[], start: number): { test: (char: string) => boolean; end: number } | null {
  const negated = chars[start + 1] === '!' || chars[start + 1] === '^'
  const first = start + (negated ? 2 : 1)
  const end = chars.indexOf(']', first + 1)
  if (end < 0) return null
  const ranges: [string, string][] = []
  for (let i = first; i < end; i++) {
    if (chars[i + 1] === '-' && i + 2 < end) {
      ranges.push([chars[i]!, chars[i + 2]!])
      i += 2
    } else ranges.push([chars[i]!, chars[i]!])
  }
  return { test: (char) => ranges.some(([low, high]) => low <= char && char <= high) !== negated, end }
}

function expand(glob: string): string[] {
  let done: string[] = ['']
  for (let i = 0; i < glob.length; i++) {
    const group = glob[i] === '{' ? groupAt(glob, i) : null
    const choices = group ? group.parts.flatMap(expand) : [glob[i] === '\\' ? glob.slice(i, i + 2) : glob[i]!]
    done = done.flatMap((start) => choices.map((choice) => start + choice))
    if (done.length > mostAlternatives)
      throw new Problem(
        'invalid_glob',
        'The file pattern has too many alternatives.',
        'Use fewer { } groups.',
      )
    if (group) i = group.end
    else if (glob[i] === '\\') i++
  }
  return done
}

function groupAt(glob: string, start: number): { parts: string[]; end: number } | null {
  const parts: string[] = []
  let depth = 0
  let from = start + 1
  for (let i = start; i < glob.length; i++) {
    const char = glob[i]
    if (char === '\\') i++
    else if (char === '{') depth++
    else if (char === ',' && depth === 1) {
      parts.push(glob.slice(from, i))
      from = i + 1
    } else if (char === '}' && --depth === 0) return { parts: [...parts, glob.slice(from, i)], end: i }
  }
  return null
}

const simpleName = /^[\w.*?+-]*[\w.][\w.*?+-]*$/

function namesOf(alternatives: Segment[][]): string[] | null {
  const last = alternatives.map((segments) => segments.at(-1)?.source ?? '')
  const simple = last.every((name) => simpleName.test(name) && /[*?]|\./.test(name))
  return simple ? [...new Set(last)].slice(0, mostAlternatives) : null
}
