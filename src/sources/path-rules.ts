// Which paths may be read for a caller who names them. Rules are on segments, and a segment counts as what any file
// system might take it for: letters fold, signs that are not seen fall away, and Windows drops dots and blanks at the end.
import { foldedName, isOddPath, plainPath } from './plain-path.js'
import { isSecretStill, secretIn } from './secret-files.js'

/** Why a path relative to a root is refused, before anything is looked at; null when it may be tried. */
export function refusalOfPath(path: string, platform: NodeJS.Platform = process.platform): string | null {
  if (path.includes('\0')) return 'A path has no NUL in it.'
  if (path.length > longestPath) return 'The path is too long.'
  for (const reading of readingsOf(path)) {
    if (/^[\\/]/.test(reading)) return 'Paths are relative to the project root.'
    if (/^[a-z]:/i.test(reading)) return 'Paths are relative to the project root, without a drive.'
    if (reading.split(/[\\/]/).some(climbs)) return 'A path must not lead upwards.'
  }
  if (platform === 'win32' && path.split(/[\\/]/).some(isWindowsTrick))
    return 'Windows reads that name as something else than a file.'
  const denied = deniedSegment(path)
  return denied === null ? null : `Nothing in "${denied}" is read.`
}

/** The first segment that is never read, named as the rule names it: `.git`, `node_modules`, `.env`, `.env.*`. */
export function deniedSegment(path: string): string | null {
  for (const reading of readingsOf(path))
    for (const segment of reading.split(/[\\/]/)) {
      const denied = ruleFor(segment)
      if (denied !== null) return denied
    }
  return null
}

/** The rule that forbids a path whoever names it: what is never read, and what holds secrets by its name. */
export function neverRead(path: string): string | null {
  return deniedSegment(path) ?? secretIn(path)
}

/**
 * The rule that keeps a project from naming a folder as a source. Rules are on paths below a source, so that a source in
 * `.git` or `.aws` would hide from them what it is. Documents of an installed package may be a source.
 */
export function neverSource(folder: string): string | null {
  const names = folder.split(/[\\/]/).filter((name) => name !== 'node_modules')
  return neverRead(`${names.join('/')}/`)
}

/**
 * Whether a file that ripgrep listed without secrets must be left out all the same. ripgrep compares names as they are
 * written, so a name with odd signs is compared once more in its plain form.
 */
export function isNeverListed(path: string): boolean {
  return isOddPath(path) ? neverRead(path) !== null : isSecretStill(path)
}

const longestPath = 4096

/** As written, and as a system sees it that folds look-alikes: `．．／` is `../` there. */
function readingsOf(path: string): string[] {
  const folded = foldedName(path)
  return folded === path ? [path] : [path, folded]
}

function climbs(segment: string): boolean {
  return segment.includes('..') && /^[.\s]+$/.test(segment)
}

function ruleFor(segment: string): string | null {
  const name = plainPath(segment)
  if (name === '.git' || /^git~\d+$/.test(name)) return '.git'
  if (name === 'node_modules' || /^node_m~\d+$/.test(name)) return 'node_modules'
  if (name === '.env' || /^env~\d+$/.test(name)) return '.env'
  return name.startsWith('.env.') ? '.env.*' : null
}

const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[\d¹²³]|lpt[\d¹²³])(?:\s*[.:]|\s*$)/i

/** Devices, streams, short names, and names that lose their end. */
function isWindowsTrick(segment: string): boolean {
  return reserved.test(segment) || /[:<>"|?*]|~\d|[^.][. ]+$/.test(segment)
}
