// Which paths a caller may read. The rules apply to path segments, in the form that any file system might see: case is
// folded, invisible characters are dropped, and trailing dots and blanks too, as on Windows.
import { foldedName, isOddPath, plainPath } from './plain-path.js'
import { isSecretStill, secretIn } from './secret-files.js'

/** Why a path relative to a root is refused, before the disk is accessed; null if it may be tried. */
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

/** The rule for the first segment that is never read: `.git`, `node_modules`, `.env`, `.env.*`. */
export function deniedSegment(path: string): string | null {
  for (const reading of readingsOf(path))
    for (const segment of reading.split(/[\\/]/)) {
      const denied = ruleFor(segment)
      if (denied !== null) return denied
    }
  return null
}

/** The rule that forbids a path for every caller: paths that are never read, and names of secret files. */
export function neverRead(path: string): string | null {
  return deniedSegment(path) ?? secretIn(path)
}

/**
 * The rule that forbids a project to name a folder as a source. Other rules apply to paths below a source, so a source
 * inside `.git` or `.aws` would evade them. The documents of an installed package may be a source.
 */
export function neverSource(folder: string): string | null {
  const names = folder.split(/[\\/]/).filter((name) => name !== 'node_modules')
  return neverRead(`${names.join('/')}/`)
}

/**
 * Whether a file must be left out although ripgrep listed it. ripgrep compares names as written, so a name with unusual
 * characters is compared once more in its plain form.
 */
export function isNeverListed(path: string): boolean {
  return isOddPath(path) ? neverRead(path) !== null : isSecretStill(path)
}

const longestPath = 4096

/** The path as written, and as a system sees it that folds look-alikes: `．．／` is `../` there. */
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

/** Names with a special meaning on Windows: devices, streams, short names, and names with trailing dots or blanks. */
function isWindowsTrick(segment: string): boolean {
  return reserved.test(segment) || /[:<>"|?*]|~\d|[^.][. ]+$/.test(segment)
}
