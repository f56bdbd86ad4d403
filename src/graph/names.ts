// How the names in links and the names of notes are compared.
import { markdownEndings } from '../parse/formats.js'
import { sameName } from '../text/same-name.js'

/** One tier further down, spaces, dashes and underscores make no difference either. */
export function looseName(name: string): string {
  return sameName(name)
    .replace(/[\s_-]+/g, '-')
    .replace(/(?<=^|\/)-|-(?=\/|$)/g, '')
}

/** The ending that makes a file a note. */
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
 * What two names must share for any rule to let one stand for the other. Links and notes meet under this word, so that a
 * note that comes or goes concerns only the links that could mean it.
 */
export function meetingWord(name: string): string {
  return looseName(lastSegment(withoutEnding(name)))
}

/** A path with `.` and `..` worked out; null when it leads out of the vault. */
export function plainPath(path: string): string | null {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** Plain order of strings, whatever the locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
