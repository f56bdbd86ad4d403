// How the names in links and the names of notes are compared.
import { markdownEndings } from '../parse/formats.js'
import { sameName, small } from '../text/normal-forms.js'
import { percentDecoded } from '../text/percent-decoded.js'
import { wholeCharacters } from '../text/truncate.js'

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

/**
 * What a link's target names, ready to be looked up: percent-encoding, escapes and entities of Markdown destinations
 * undone. Targets are kept as written so that a rename can find them; wiki links know no encoding.
 */
export function readableTarget(link: { kind: string; target: string }): string {
  if (link.kind === 'wiki' || link.kind === 'embed') return link.target
  return percentDecoded(link.target.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&'))
}

const mostBytes = 180
// Invisible characters for line breaks and text direction. The joiners of Persian and of emoji, and the letters of
// flags, are kept.
const unseen = /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/**
 * The file name (without extension) for a title: lower case, hyphens for spaces, letters of every script. Characters
 * that file systems or links cannot hold become hyphens too. Null if nothing is left.
 */
export function fileNameFor(title: string): string | null {
  const name = small(title)
    .replace(unseen, '')
    .replace(/[\p{Cc}\p{Cs}\s<>:"/\\|?*#^[\]%]+/gu, '-')
    .replace(/-{2,}/g, '-')
  const short = withinBytes(name, mostBytes).replace(/^[-.\s]+|[-.\s]+$/g, '')
  if (short === '') return null
  return reserved.test(short) ? `${short}-note` : short
}

function withinBytes(text: string, most: number): string {
  let length = text.length
  while (Buffer.byteLength(text.slice(0, length)) > most) length--
  return wholeCharacters(text, length)
}
