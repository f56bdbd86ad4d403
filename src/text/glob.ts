// Which paths a glob covers, read in one of two ways. As ripgrep reads it: `*.ts` anywhere, `src/**/*.ts` from the root,
// `{a,b}`, `[a-z]`, `?` and `!` in front for all the others. Or as a path from the root with wildcards, where `[id]` is a
// name. However accents are written makes no difference. Linear in practice and never worse than the product of the lengths, since a glob may come from anywhere.
import { Problem } from '../model/problem.js'

export interface Glob {
  covers(path: string): boolean
  /** Globs on the file's name alone that let through at least what this one covers; null when there are none. */
  names: string[] | null
  /** Whether those names say all there is to say. */
  byName: boolean
}

/** As ripgrep reads it. A name without wildcards is a file or a folder. One that ripgrep would not take is refused. */
export function compileGlob(text: string): Glob {
  const negated = text.startsWith('!')
  const plain = (negated ? text.slice(1) : text).normalize('NFC')
  refuseBroken(plain)
  const alternatives = expanded(plain).map(looseSegments)
  const covers = (path: string) => coversAny(alternatives, path) !== negated
  const names = negated ? null : namesOf(alternatives)
  const anywhere = alternatives.every(({ length, 0: first }) => length === 2 && first === anyFolders)
  return { covers, names, byName: names !== null && anywhere }
}

/** Whether a path is in one of some folders, files and globs, if there are any, and in none of those with `!` in front. */
export function compilePlaces(places: readonly string[]): (path: string) => boolean {
  const only = places.filter((place) => !place.startsWith('!')).map(compileGlob)
  const without = places.filter((place) => place.startsWith('!')).map(compileGlob)
  return (path) =>
    (only.length === 0 || only.some((glob) => glob.covers(path))) &&
    without.every((glob) => glob.covers(path))
}

function refuseBroken(glob: string) {
  const chars = [...glob]
  let depth = 0
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]
    if (char === '\\') i++
    else if (char === '[') i = setAt(chars, i)?.end ?? broken('[', ']')
    else if (char === '{') depth++
    else if (char === '}' && --depth < 0) broken('}', '{')
  }
  if (depth > 0) broken('{', '}')
}

function broken(sign: string, other: string): never {
  throw new Problem(
    'invalid_glob',
    `The file pattern has a "${sign}" without its "${other}".`,
    `Add the "${other}", or write \\${sign} for the sign itself.`,
  )
}

function expanded(glob: string): string[] {
  return expand(glob) ?? tooMany(glob)
}

function tooMany(glob: string): never {
  throw new Problem(
    'invalid_glob',
    `The file pattern "${glob.slice(0, 60)}" has too many alternatives.`,
    `Use fewer { } groups: ${mostAlternatives} alternatives are the most.`,
  )
}

/** Whether nothing can be held against a pattern, since its groups stand for too many paths. */
export function hasTooMany(pattern: string): boolean {
  return expand(pattern) === null
}

/** Whether a path from the root is one of these: a file, anything below a folder, or what a glob describes. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const paths = patterns.map((pattern) => cleanPath(pattern).normalize('NFC')).flatMap(expanded)
  const alternatives = paths.map(rootedSegments)
  return (path) => coversAny(alternatives, path)
}

/** Whether something below a folder may be one of these. */
export function mayLieBelow(folder: string, patterns: readonly string[]): boolean {
  const parts = cleanPath(folder).split('/')
  const paths = patterns.map(cleanPath).flatMap(expanded)
  return paths.map(rootedSegments).some((segments) => {
    const free = segments.indexOf(anyFolders)
    const fixed = free < 0 ? segments : segments.slice(0, free)
    const alike = fixed.slice(0, parts.length).every((segment, i) => coversName(segment, parts[i]!))
    return alike && (free >= 0 || segments.length > parts.length)
  })
}

/** A path as it is written in results: `/`-separated, without `./` in front or `/` behind. */
export function cleanPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/(?<!\/)\/+$/, '')
}

export function isGlob(pattern: string): boolean {
  return /[*?{[]/.test(pattern)
}

/** The folders of a pattern before its first wildcard. */
export function staticPart(pattern: string): string {
  const parts = pattern.split('/')
  const wild = parts.findIndex(isGlob)
  return (wild < 0 ? parts : parts.slice(0, wild)).join('/')
}

type Piece =
  | { kind: 'one'; char: string }
  | { kind: 'any' }
  | { kind: 'set'; test: (char: string) => boolean }
type Wild = Piece | { kind: 'many' }
interface Segment {
  source: string
  /** What stands before the first wildcard and behind the last: most names are told apart by that. */
  start: string
  end: string
  /** From the first wildcard to the last; null when there is none, and all stands in `start`. */
  wild: Wild[] | null
}

const anyFolders: Segment = { source: '**', start: '', end: '', wild: [] }

function coversAny(alternatives: readonly Segment[][], path: string): boolean {
  const parts = path.normalize('NFC').split('/')
  return alternatives.some((segments) => matches(segments, parts, isAnyFolders, coversName))
}

function isAnyFolders(segment: Segment): boolean {
  return segment === anyFolders
}

function coversName({ start, end, wild }: Segment, name: string): boolean {
  if (wild === null) return name === start
  const to = name.length - end.length
  if (to < start.length || !name.startsWith(start) || !name.endsWith(end)) return false
  if (wild.length === 1 && isMany(wild[0]!)) return true
  return matches(wild, [...name.slice(start.length, to)], isMany, coversChar)
}

function isMany({ kind }: Wild): boolean {
  return kind === 'many'
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

function looseSegments(glob: string): Segment[] {
  const rooted = glob.replace(/^(?:\.?\/)+/, '')
  const folder = rooted.endsWith('/')
  const names = rooted.split('/').filter((name) => name !== '')
  const loose = names.length === 1 && !folder && rooted === glob
  const all = names.map((name) => (/^\*\*+$/.test(name) ? anyFolders : segmentOf(name, true)))
  const inside = folder || all.every(({ wild }) => wild === null) ? [anyFolders] : []
  return [...(loose ? [anyFolders] : []), ...all, ...inside]
}

/** A path whose end has no wildcards covers what lies below it too, as a folder does. */
function rootedSegments(path: string): Segment[] {
  if (path === '' || path === '.') return [anyFolders]
  const parts = path.split('/').flatMap(apart)
  const all = parts.map((name) => (name === '**' ? anyFolders : segmentOf(name, false)))
  return all.at(-1)!.wild === null ? [...all, anyFolders] : all
}

/** `**.ts` means any depth, as `**` does everywhere else: it is `**` and `*.ts`; and `core**` is `core*` and `**`. */
function apart(name: string): string[] {
  if (/^\*{2,}$/.test(name)) return ['**']
  const front = /^\*\*+(?=.)/.test(name) ? ['**'] : []
  const behind = /.\*\*+$/.test(name) ? ['**'] : []
  return [...front, name, ...behind]
}

function segmentOf(source: string, withSets: boolean): Segment {
  const pieces = piecesOf(source, withSets)
  const isWild = ({ kind }: Wild) => kind !== 'one'
  const first = pieces.findIndex(isWild)
  if (first < 0) return { source, start: textOf(pieces), end: '', wild: null }
  const behind = pieces.findLastIndex(isWild) + 1
  const [start, end] = [textOf(pieces.slice(0, first)), textOf(pieces.slice(behind))]
  return { source, start, end, wild: pieces.slice(first, behind) }
}

function textOf(pieces: readonly Wild[]): string {
  return pieces.flatMap((piece) => (piece.kind === 'one' ? piece.char : [])).join('')
}

function piecesOf(name: string, withSets: boolean): Wild[] {
  const pieces: Wild[] = []
  const chars = [...name]
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    if (char === '*') {
      if (pieces.at(-1)?.kind !== 'many') pieces.push({ kind: 'many' })
    } else if (char === '?') pieces.push({ kind: 'any' })
    else if (char === '\\' && i + 1 < chars.length) pieces.push({ kind: 'one', char: chars[++i]! })
    else if (char === '[' && withSets) {
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
  if (end < 0 || chars.slice(first, end).includes('/')) return null
  const ranges: [string, string][] = []
  for (let i = first; i < end; i++) {
    if (chars[i + 1] === '-' && i + 2 < end) {
      ranges.push([chars[i]!, chars[i + 2]!])
      i += 2
    } else ranges.push([chars[i]!, chars[i]!])
  }
  return { test: (char) => ranges.some(([low, high]) => low <= char && char <= high) !== negated, end }
}

/** Of one pattern, all its groups together. */
export const mostAlternatives = 200

/** `{a,b}/c` is `a/c` and `b/c`. Null when there are too many. */
function expand(glob: string): string[] | null {
  if (glob.split('{').length > mostAlternatives) return null
  let done: string[] = ['']
  for (let i = 0; i < glob.length; i++) {
    const group = glob[i] === '{' ? groupAt(glob, i) : null
    if (group && group.parts.length > mostAlternatives) return null
    const parts = group ? group.parts.map(expand) : [[glob[i] === '\\' ? glob.slice(i, i + 2) : glob[i]!]]
    const choices = parts.flatMap((part) => part ?? [])
    if (parts.includes(null) || done.length * choices.length > mostAlternatives) return null
    done = done.flatMap((start) => choices.map((choice) => start + choice))
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
