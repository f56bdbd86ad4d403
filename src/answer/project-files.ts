// A file of the project by whatever name an agent has for it: its path below the project's root, `alias:path` as other
// tools say it, or its path in a collection.
import { readdirSync, realpathSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { Problem } from '../model/problem.js'
import { isSearched } from '../sources/grep.js'
import { neverRead, refusalOfPath } from '../sources/path-rules.js'
import { requireFolder } from '../sources/require-folder.js'
import { type ReadRules, readInside, realInside, type SafeFile, type Unread } from '../sources/safe-file.js'
import { thousands } from '../text/counted.js'
import { normalForms } from '../text/normal-forms.js'
import { closestOf } from './collections.js'
import type { Library } from './library.js'

export interface ProjectFile extends SafeFile {
  /** The folder that `path` is relative to: a real path. */
  root: string
  /** As every tool names it. */
  address: string
}

/** The largest file that is read, and the tool that finds lines in a larger one. */
export interface ReadLimit {
  bytes: number
  searchTool: string
  /** The hint if no file has a similar name. */
  otherwise: string
}

const readFileLimit: ReadLimit = {
  bytes: 1_048_576,
  searchTool: 'grep_codebase',
  otherwise: 'grep_codebase finds files by what they say. context_search finds code.',
}

/**
 * Reads a file by a user's name for it: below the root, else in the only source that has it. Throws a Problem if the name is
 * wrong.
 */
export async function readNamed(
  library: Library,
  written: string,
  limit: ReadLimit = readFileLimit,
): Promise<ProjectFile> {
  const places = placesFor(library, written)
  const look = (place: Place) => lookAt(library, place, written, limit)
  const first = look(places[0]!)
  const looked = isFile(first) ? [first] : [first, ...places.slice(1).map(look)]
  const files = new Map(looked.filter(isFile).map((one) => [one.address, one]))
  if (files.size > 1) throw ambiguous(written, [...files.keys()])
  const [one] = [...files.values(), ...looked.filter(({ read }) => !isGone(read))]
  if (!one) throw await notFound(library, written, places, limit)
  if ('why' in one.read) throw await unreadable(library, written, one, one.read, limit)
  return { ...one.read, root: one.root, path: one.path, address: one.address }
}

interface Looked extends Pick<ProjectFile, 'root' | 'path' | 'address'> {
  read: SafeFile | Unread
}

function lookAt(library: Library, { root, path }: Place, written: string, limit: ReadLimit): Looked {
  const refusal = refusalOfPath(path) ?? refusalOfSecret(path)
  if (refusal !== null) throw fileProblem('denied', 'Permission denied', written, refusal)
  const read = readSpelled(root, cleaned(path), { ...rules, maxBytes: limit.bytes })
  return { ...addressOf(library, root, 'bytes' in read ? read.path : cleaned(path)), read }
}

function isFile({ read }: Looked): boolean {
  return 'bytes' in read || (read.why !== 'gone' && read.why !== 'folder')
}

function isGone(read: SafeFile | Unread): boolean {
  return 'why' in read && read.why === 'gone'
}

const mostNamed = 20

function ambiguous(written: string, addresses: readonly string[]): Problem {
  const more = addresses.length > mostNamed ? `, and ${addresses.length - mostNamed} more` : ''
  const hint = `Name one: ${addresses.slice(0, mostNamed).join(', ')}${more}.`
  return fileProblem('ambiguous', `${addresses.length} files go by this path`, written, hint)
}

function readSpelled(root: string, written: string, rules: ReadRules): SafeFile | Unread {
  const [read, ...others] = normalForms(written)
  const first = readInside(root, read!, rules)
  if (!('why' in first) || first.why !== 'gone') return first
  for (const path of others) {
    const other = readInside(root, path, rules)
    if (!('why' in other) || other.why !== 'gone') return other
  }
  return first
}

/** A file found by its imports; null when it cannot be read. */
export function readKnown(root: string, path: string): SafeFile | null {
  const read = readInside(root, path, rules)
  return 'bytes' in read ? read : null
}

/** A Problem in the form of the specification: a short sentence, with the path separate. */
export function fileProblem(code: string, sentence: string, path: string, hint: string): Problem {
  return new Problem(code, sentence, hint, { details: { path: shortened(path) } })
}

const rules: ReadRules = { maxBytes: readFileLimit.bytes, followLinks: true, forbids: neverRead }

function refusalOfSecret(path: string): string | null {
  const rule = neverRead(path)
  return rule === null ? null : notRead(rule)
}

function notRead(rule: string): string {
  return `Nothing in "${rule}" is read.`
}

interface Place {
  root: string
  path: string
}

/** Where a name may lead, the likeliest first. A name with an alias leads there and nowhere else. */
function placesFor({ settings, sources }: Library, written: string): Place[] {
  for (const { name, id, location, kind } of sources)
    for (const alias of kind === 'folder' ? [name, id] : [])
      if (written.startsWith(`${alias}:`)) return [{ root: location, path: written.slice(alias.length + 1) }]
  const folders = sources.filter(({ kind }) => kind === 'folder').map(({ location }) => location)
  return [...new Set([realpathSync.native(settings.root), ...folders])].map((root) => ({
    root,
    path: written,
  }))
}

function cleaned(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '')
}

/** By its path where it lies below the project's root, else by its source's alias. */
function addressOf({ settings, sources }: Library, root: string, path: string) {
  const project = realpathSync.native(settings.root)
  const below = relative(project, join(root, path))
  const slashed = sep === '/' ? below : below.replaceAll(sep, '/')
  if (slashed.split('/')[0] !== '..' && refusalOfPath(slashed) === null)
    return { root: project, path: slashed, address: slashed }
  const source = sources.find(({ location }) => location === root)
  return { root, path, address: source ? `${source.name}:${path}` : path }
}

async function notFound(
  library: Library,
  written: string,
  places: readonly Place[],
  { otherwise }: ReadLimit,
): Promise<Problem> {
  requireFolder(places[0]!.root)
  const known = new Set(places.flatMap(({ root, path }) => siblings(root, cleaned(path))))
  for (const { id } of library.sources)
    for (const path of (await library.store.fingerprints(id)).keys()) known.add(path)
  const bare = places[0]!.path
  const hint = closestOf([...known], cleaned(bare)) ?? otherwise
  return fileProblem('not_found', 'File not found', written, hint)
}

const mostSiblings = 2_000

/** The files in the folder of the missing file. Read from the disk, so that it helps before anything is indexed. */
function siblings(root: string, path: string): string[] {
  const folder = posix.dirname(path)
  try {
    const real = refusalOfPath(folder) === null ? realInside(root, folder) : null
    if (real === null || neverRead(`${real}/`) !== null) return []
    return readdirSync(join(root, real), { withFileTypes: true })
      .filter((entry) => entry.isFile() && neverRead(posix.join(real, entry.name)) === null)
      .slice(0, mostSiblings)
      .map(({ name }) => posix.join(folder, name))
  } catch {
    return []
  }
}

async function unreadable(
  { settings }: Library,
  written: string,
  { root, path }: Place,
  unread: Unread,
  limit: ReadLimit,
): Promise<Problem> {
  switch (unread.why) {
    case 'outside':
      return fileProblem(
        'denied',
        'Permission denied',
        written,
        'It leads out of the project through a link.',
      )
    case 'denied':
      return fileProblem('denied', 'Permission denied', written, notRead(unread.rule))
    case 'folder':
      return fileProblem('not_a_file', 'Not a file but a folder', written, contents(root, cleaned(path)))
    case 'irregular':
      return fileProblem('denied', 'Permission denied', written, 'It is a device, a pipe or a socket.')
    case 'large': {
      const isProject = root === realpathSync.native(settings.root)
      const searched = isProject && (await isSearched(root, onDisk(root, path)))
      return fileProblem('too_large', 'File too large', written, tooLarge(unread.size, searched, limit))
    }
    case 'unstable':
      return fileProblem('unstable', 'File changed while it was read', written, 'Try again.')
    case 'error':
      return unread.code === 'EACCES' || unread.code === 'EPERM'
        ? fileProblem('denied', 'Permission denied', written, 'The system does not let Carrel read it.')
        : fileProblem(
            'unreadable',
            `File cannot be read (${unread.code})`,
            written,
            'Check the file and the disk.',
          )
    default:
      return fileProblem('not_found', 'File not found', written, 'The link leads nowhere.')
  }
}

/** The path with the names that its folders and file have on the disk; links are not followed. */
function onDisk(root: string, path: string): string {
  try {
    return realInside(root, path) ?? path
  } catch {
    return path
  }
}

function tooLarge(size: number, searched: boolean, { bytes, searchTool }: ReadLimit): string {
  const [has, most] = [size, bytes].map((one) => (one / mebibyte).toFixed(1).replace(/\.0$/, ''))
  const [is, limit] =
    has === most
      ? [`${thousands(size)} bytes`, thousands(bytes)]
      : [`${has === '1' ? '1.0' : has} MB`, `${most} MB`]
  const other = searched ? 'finds lines in it.' : 'does not look into it, either.'
  return `It has ${is}, and the limit is ${limit}. ${searchTool} ${other}`
}

const mebibyte = 1_048_576

const shownNames = 20

function contents(root: string, path: string): string {
  const files = siblings(root, posix.join(path, 'x'))
  if (files.length === 0) return 'There are no files directly in it.'
  const more = files.length > shownNames ? ` and ${files.length - shownNames} more` : ''
  return `Files in it: ${files.slice(0, shownNames).join(', ')}${more}.`
}

function shortened(path: string): string {
  return path.length > 300 ? `${path.slice(0, 300)}…` : path
}
