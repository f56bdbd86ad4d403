// Is a document older than the code that it names? Then what it says of that code may no longer hold.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../../answer/library.js'
import { type ProjectListing, rootOf } from '../../answer/project-texts.js'
import { plural } from './lines.js'
import type { Unit } from './units.js'

/** Paths in backticks or as the targets of links. */
const namedPath = /`([\w./@-]+\.\w{1,8})(?:[:#][^`]*)?`|\]\((?:\.{0,2}\/)?([\w./@-]+\.\w{1,8})(?:#[^)]*)?\)/g
const mostPaths = 8
const month = 30.44 * 86_400_000
const leastMonths = 3

/** "older than src/x.ts by 14 months", of the file that is newest; null when none is much newer. */
export function olderThan(library: Library, { paths }: ProjectListing, unit: Unit): string | null {
  const written = [...unit.lines.join('\n').matchAll(namedPath)].map(([, code, link]) => code ?? link!)
  if (written.length === 0) return null
  const named = [...new Set(written)].slice(0, mostPaths).map((path) => path.replace(/^\.?\//, ''))
  const known = new Set(paths)
  const root = rootOf(library)
  const own = modifiedAt(root, unit.path)
  const newer = named
    .filter((path) => path !== unit.path && known.has(path))
    .map((path) => ({ path, months: Math.floor((modifiedAt(root, path) - own) / month) }))
    .filter(({ months }) => months >= leastMonths)
    .sort((a, b) => b.months - a.months)[0]
  return newer ? `older than ${newer.path} by ${plural(newer.months, 'month')}` : null
}

/** By the modification time: asking git would take longer than the search. NaN: the file is gone. */
function modifiedAt(root: string, path: string): number {
  return lstatSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN
}
