// How the names in links and the names of notes are compared.
import { markdownEndings } from '../parse/formats.js'
import { sameName } from '../text/same-name.js'

/** Ignores spaces, dashes and underscores as well. */
export function looseName(name: string): string {
  return sameName(name)
    .replace(/[\s_-]+/g, '-')
    .replace(/(?<=^|\/)-|-(?=\/|$)/g, '')
}

/** The extension of a note's file; empty for other files. */
export function noteEnding(path: string): string {
  return noteEndings.exec(path)?.[0] ?? ''
}

const noteEndings = new RegExp(`(?<=[^/])\\.(?:${markdownEndings.join('|')})$`, 'i')

export function withoutEnding(path: string): string {
  return path.slice(0, path.length - noteEnding(path).length)
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/**
 * The lookup word of a name: two names can only match if they have the same word. Notes and links are indexed by it, so
 * that adding or removing a note affects only the links that could mean it.
 */
export function lookupWord(name: string): string {
  return looseName(lastSegment(withoutEnding(name)))
}

/** Resolves `.` and `..` in a path; null if it leads out of the vault. */
export function plainPath(path: string): string | null {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** Compares strings by code units, independent of the locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
