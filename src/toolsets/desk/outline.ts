// `outline`: the symbols or headings of a file with their lines, or the entries of a folder with their counts.

import { closestOf } from '../../answer/collections.js'
import type { Library } from '../../answer/library.js'
import { namedFile, projectListing, roleIn, symbolsOf } from '../../answer/project-texts.js'
import { Problem } from '../../model/problem.js'
import type { FileSymbol, FileSymbols } from '../../parse/file-symbols.js'
import type { FileRole } from '../../text/file-role.js'
import { cleanPath } from '../../text/glob.js'
import { asideKinds, isAside } from './grep.js'
import { cutLine, linesOfText, memberKinds, plural, printable, range } from './lines.js'

export interface OutlineRequest {
  path: string
  match?: string | undefined
  budget: number
}

export async function outline(
  library: Library,
  { path: written, match, budget }: OutlineRequest,
): Promise<string> {
  const path = written.trim() === '.' ? '' : cleanPath(written.trim())
  const listing = await projectListing(library)
  const below = listing.paths.filter((one) => path === '' || one.startsWith(`${path}/`))
  if (path === '' || below.length > 0)
    return folderText(path, below, { match, budget, roleOf: (one) => roleIn(listing, one) })
  const file = await namedFile(library, path).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    const near = closestOf(listing.paths, path)
    throw new Problem(
      'not_found',
      `There is no "${printable(path)}".`,
      near ?? 'outline . lists what is there.',
    )
  })
  const symbols = await symbolsOf(library, file)
  return outlineText(file.path, symbols, { lines: linesOfText(file.text).length, match, budget })
}

interface OutlineOptions {
  lines: number
  match?: string | undefined
  budget: number
}

export function outlineText(
  path: string,
  { symbols }: FileSymbols,
  { lines, match, budget }: OutlineOptions,
): string {
  const wanted = match ? matcher(match) : () => true
  const kept = symbols.filter(({ qualified, signature }) => wanted(qualified) || wanted(signature))
  const head = `${path} (${plural(lines, 'line')}, ${plural(symbols.length, 'name')}${match ? `, ${kept.length} with "${match}"` : ''})`
  if (symbols.length === 0) return `${head}\nNo names or headings were found: read a range of lines.`
  // Where not all fit, fields and keys go first, then what signatures say, then the inner names.
  const deepest = Math.max(1, ...kept.map(({ level }) => level))
  const stages = [
    { from: kept, short: false },
    { from: kept.filter(({ kind, level }) => level === 1 || !memberKinds.has(kind)), short: false },
    { from: kept.filter(({ kind, level }) => level === 1 || !memberKinds.has(kind)), short: true },
    ...Array.from({ length: deepest - 1 }, (_, i) => ({
      from: kept.filter(({ level }) => level < deepest - i),
      short: false,
    })),
  ]
  for (const [i, { from, short }] of stages.entries()) {
    const rows = from.map((symbol) => row(symbol, { flat: match !== undefined, short }))
    const size = rows.reduce((sum, one) => sum + one.length + 1, head.length)
    if (size > budget && i < stages.length - 1) continue
    return cutRows(head, rows, kept.length - from.length, budget)
  }
  return head
}

function row(
  { line, endLine, level, signature, kind, name }: FileSymbol,
  { flat, short }: { flat: boolean; short: boolean },
): string {
  const text =
    kind === 'heading'
      ? `${'#'.repeat(level)} ${signature}`
      : short && level > 1
        ? name
        : cutLine(signature, 140)
  return `${range(line, endLine)} ${'  '.repeat(flat ? 0 : level - 1)}${text}`
}

function cutRows(head: string, rows: readonly string[], hidden: number, budget: number): string {
  let size = head.length
  const fitting = rows.findIndex((row) => {
    size += row.length + 1
    return size > budget
  })
  const shown = fitting < 0 ? rows : rows.slice(0, fitting)
  const missing = rows.length - shown.length + hidden
  return [
    head,
    ...shown,
    ...(missing > 0 ? [`…+${plural(missing, 'name')}: match= finds one, read shows it`] : []),
  ].join('\n')
}

interface FolderOptions {
  match?: string | undefined
  budget: number
  roleOf(path: string): FileRole
}

/** Folders with the number of their files, then the files; with `match`, the paths that have it. */
function folderText(
  path: string,
  below: readonly string[],
  { match, budget, roleOf }: FolderOptions,
): string {
  const head = `${path || '.'}/ (${plural(below.length, 'file')})`
  if (match) {
    const wanted = matcher(match)
    const found = below.filter(wanted)
    return cutRows(`${head}, ${found.length} with "${match}"`, found, 0, budget)
  }
  const start = path === '' ? 0 : path.length + 1
  const folders = new Map<string, string[]>()
  const files: string[] = []
  for (const one of below) {
    const rest = one.slice(start)
    const slash = rest.indexOf('/')
    if (slash < 0) {
      files.push(rest)
      continue
    }
    const name = rest.slice(0, slash)
    const inside = folders.get(name)
    if (inside) inside.push(one)
    else folders.set(name, [one])
  }
  const kindsOf = (paths: readonly string[]) =>
    asideKinds(paths.map((one) => ({ role: roleOf(one) }))).toLowerCase()
  const rows = [...folders].map(([name, inside]) => {
    const side = inside.filter((one) => isAside(roleOf(one)))
    const tests =
      side.length === 0
        ? ''
        : `, ${side.length === inside.length ? '' : `${side.length.toLocaleString('en-US')} of them `}${kindsOf(side)}`
    return `${name}/ ${plural(inside.length, 'file')}${tests}`
  })
  return cutRows(head, [...rows, ...files], 0, budget)
}

function matcher(match: string): (text: string) => boolean {
  const lower = match.toLowerCase()
  return (text) => text.toLowerCase().includes(lower)
}
