// Lists the files of a folder source with ripgrep, honouring ignore files as git does.

import { isUtf8 } from 'node:buffer'
import { spawn } from 'node:child_process'
import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Stamp } from '../model/document.js'
import { Problem } from '../model/problem.js'
import type { SharedStore } from '../model/settings.js'
import { hashOf } from '../text/hash.js'
import { excludedByName, excludedPaths, installedFolders, ownStores, unreadFiles } from './excluded-paths.js'
import { listenTo } from './listing-timeout.js'
import { isNeverListed } from './path-rules.js'
import { requireFolder } from './require-folder.js'
import { ignoreFilesOf, ripgrep } from './ripgrep.js'
import { look } from './safe-file.js'
import { withoutSecrets } from './secret-files.js'
import { trackedFiles } from './tracked-files.js'

export interface Folder {
  path: string
  /** Globs relative to the folder. */
  include: readonly string[]
  exclude: readonly string[]
  /** Whether ignore files are honoured; true unless set. A manifest sets it to false, because it lists its files itself. */
  ignoreFiles?: boolean
}

/** A listed file that has not been read yet. */
export interface Item {
  /** Relative to the folder, `/`-separated. */
  path: string
  stamp: Stamp
  /** Where the bytes are, if not at `path` in the folder. The path of a web page is its url. */
  at?: { root: string; path: string }
}

export interface Listing {
  items: Item[]
  /** Files and folders that cannot be read, with the reason. A folder's path ends with `/`. */
  unreadable: Unreadable[]
}

/** The source's id. It is made from the real path, so that every path to the folder gives the same id. */
export function folderId(path: string): string {
  return `folder-${hashOf(realpathSync.native(path)).slice(0, 12)}`
}

/** The same in every worktree that shares a store. */
export function sharedFolderId(path: string, { folder, top }: SharedStore): string {
  const at = relative(top, realpathSync.native(path))
  if (at === '..' || at.startsWith(`..${sep}`) || isAbsolute(at)) return folderId(path)
  return `folder-${hashOf(`${folder}\n${at.split(sep).join('/')}`).slice(0, 12)}`
}

/** Lists every file that is not ignored, ordered by path. Never follows links, so it cannot leave the folder or loop. */
export async function listFolder(folder: Folder, signal?: AbortSignal): Promise<Listing> {
  requireFolder(folder.path)
  // Looked at while ripgrep still lists.
  const looked = new Map<string, ReturnType<typeof look>>()
  const lookAt = (path: string) => {
    const found = look(join(folder.path, path))
    looked.set(path, found)
    return found
  }
  const { paths, unnamed, closed } = await listPaths(folder, signal, { onPath: lookAt })
  const listing: Listing = {
    items: [],
    unreadable: [...closed, ...unnamed.map((path) => ({ path, reason: notUtf8 }))],
  }
  for (const [i, path] of paths.entries()) {
    const found = looked.has(path) ? looked.get(path)! : lookAt(path)
    if (typeof found === 'string') listing.unreadable.push({ path, reason: found })
    else if (found) listing.items.push({ path, stamp: found })
    if (i % 1000 === 999) await nextTurn(undefined, { signal })
  }
  return listing
}

const notUtf8 = 'Its name is not UTF-8, so it has no path here. Rename it.'

/** Returns a test for paths that the listing could not see: unreadable files, and files in unreadable folders. */
export function outOfSight({ unreadable }: Pick<Listing, 'unreadable'>): (path: string) => boolean {
  const paths = new Set(unreadable.map(({ path }) => path))
  return (path) => {
    if (paths.has(path)) return true
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
      if (paths.has(path.slice(0, end + 1))) return true
    return false
  }
}

/** Whether the folder's listing includes an existing file. A rule or an ignore file may exclude it. */
export async function lists(folder: Folder, path: string, signal?: AbortSignal): Promise<boolean> {
  const more = ['--max-depth', String(path.split('/').length)]
  return (await listPaths(folder, signal, { more })).paths.includes(path)
}

interface Paths {
  paths: string[]
  /** Names that are not valid UTF-8, with U+FFFD for the invalid bytes. */
  unnamed: string[]
  /** Subfolders that cannot be read (no permission, disk errors). */
  closed: Unreadable[]
}

interface How {
  more?: readonly string[]
  /** Called with paths as ripgrep finds them, in no order. Not all of them are listed in the end. */
  onPath?: (path: string) => void
}

async function listPaths(
  folder: Folder,
  signal: AbortSignal | undefined,
  { more = [], onPath }: How,
): Promise<Paths> {
  const obeys = folder.ignoreFiles !== false
  const { globs, keeps } = obeys ? await excludedPaths(folder.path, signal) : excludedByName
  const listed = await listNames(
    folder.path,
    [
      ...more,
      ...(obeys ? ignoreFilesOf(folder.path) : ['--no-ignore']),
      ...[
        ...folder.include,
        ...globs,
        ...[...unreadFiles, ...folder.exclude].map((glob) => `!${glob}`),
      ].flatMap((glob) => ['--glob', glob]),
      ...withoutSecrets(ownStores),
    ],
    signal,
    onPath,
  )
  const isOurs = (path: string) => !isNeverListed(path) && keeps(path)
  const { paths, unnamed, stderr } = listed
  const closed = unreadableFolders(stderr, folder.include).filter(({ path }) => keeps(path))
  return { paths: paths.filter(isOurs), unnamed: unnamed.filter(isOurs), closed }
}

/** All file names of a folder, including secrets, lock files and build output. */
export interface Names {
  paths: string[]
  /** Folders that cannot be read. Their paths end with `/`. */
  closed: Unreadable[]
}

/**
 * The names of all files except those that git ignores and does not track. Includes installed packages only if git tracks
 * them or one of `patterns` names their folder.
 */
export async function namesIn(
  folder: string,
  patterns: readonly string[],
  signal?: AbortSignal,
): Promise<Names> {
  const named = new Set(patterns.flatMap((pattern) => pattern.split(/[/\\{},]/)))
  const aside = [...ownStores, ...installedFolders.filter((name) => !named.has(name))]
  const globs = aside.flatMap((name) => ['--glob', `!${name}`])
  const { paths, stderr } = await listNames(folder, [...ignoreFilesOf(folder), ...globs], signal)
  const known = new Set(paths)
  for (const path of await trackedFiles(folder, signal))
    if (!known.has(path) && isThere(join(folder, path))) known.add(path)
  return { paths: [...known].sort(), closed: unreadableFolders(stderr, []) }
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

async function listNames(
  folder: string,
  how: readonly string[],
  signal?: AbortSignal,
  onPath?: (path: string) => void,
) {
  const args = ['--files', '--hidden', '--null', '--no-config', '--no-ignore-messages', ...how]
  const { listed, stderr } = await run(await ripgrep(), args, folder, { signal, onPath })
  if (isUtf8(listed)) return { paths: pathsIn(listed), unnamed: [], stderr }
  // Decode each name separately: two names that are not UTF-8 may look the same, or like a valid third one.
  const each = listed.toString('latin1').split('\0')
  const names = each.map((name) => Buffer.from(`${name}\0`, 'latin1'))
  return {
    paths: pathsIn(Buffer.concat(names.filter((name) => isUtf8(name)))),
    unnamed: pathsIn(Buffer.concat(names.filter((name) => !isUtf8(name)))),
    stderr,
  }
}

function pathsIn(listed: Buffer): string[] {
  return listed.toString('utf8').split('\0').filter(Boolean).map(slashed).sort()
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** Calls back with each path as soon as all of it has come. */
function pathReader(onPath: (path: string) => void): (part: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (part) => {
    const bytes = Buffer.concat([rest, part])
    const end = bytes.lastIndexOf(0) + 1
    rest = bytes.subarray(end)
    for (const path of bytes.toString('utf8', 0, end).split('\0')) if (path !== '') onPath(slashed(path))
  }
}

interface Listed {
  listed: Buffer
  /** ripgrep's complaints about what it could not list. */
  stderr: string
}

interface Running {
  signal: AbortSignal | undefined
  onPath: ((path: string) => void) | undefined
}

async function run(
  command: string,
  args: string[],
  cwd: string,
  { signal, onPath }: Running,
): Promise<Listed> {
  const read = onPath && pathReader(onPath)
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], signal, windowsHide: true })
  const out: Buffer[] = []
  const errors: Buffer[] = []
  const code = await new Promise<number | null>((resolve, reject) => {
    const { restart, over } = listenTo(cwd, !args.includes('--no-ignore'), (why) => {
      child.kill('SIGKILL')
      reject(why)
    })
    child.stdout.on('data', (part: Buffer) => {
      out.push(part)
      read?.(part)
      restart()
    })
    child.stderr.on('data', (part: Buffer) => {
      errors.push(part)
      restart()
    })
    child.on('error', reject).on('close', resolve)
    child.on('error', over).on('close', over)
  })
  const stderr = Buffer.concat(errors).toString('utf8')
  // Code 1: no files. Code 2 with output: some folders could not be read, and the output lists the rest.
  if (code === 0 || code === 1 || out.length > 0 || areInside(stderr))
    return { listed: Buffer.concat(out), stderr }
  throw unlisted(cwd, stderr.trim().slice(0, 300) || `code ${code}`)
}

function unlisted(folder: string, stderr: string): Problem {
  const message = `The files of ${folder} could not be listed: ${stderr}.`
  return /parsing glob/.test(stderr)
    ? new Problem(
        'bad_configuration',
        message,
        'Correct that pattern of "include" or "exclude" in carrel.json.',
      )
    : new Problem('list_failed', message, 'Check that the folder can be read; "carrel doctor" looks at it.')
}

// A subfolder or file that ripgrep could not read.
interface Unreadable {
  path: string
  reason: string
}

/** The unreadable folders that `include` could match, ordered by path. Their paths end with `/`. */
function unreadableFolders(stderr: string, include: readonly string[]): Unreadable[] {
  return complaints(stderr)
    .filter(({ path, code }) => !goneCodes.includes(code) && reaches(include, path))
    .map(({ path, why }) => ({ path: `${path}/`, reason: `The folder cannot be read: ${why}.` }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether all complaints are about subfolders, and none about the listed folder itself. */
function areInside(stderr: string): boolean {
  const unreadable = complaints(stderr)
  return unreadable.length > 0 && unreadable.every(({ path }) => path !== '')
}

// `rg: ./path: Permission denied (os error 13)`. A path may contain any character, including line breaks.
const complaint = /^rg: \.[\\/]((?:(?!\nrg: )[\s\S])*?): ([^:\n]*) \(os error (\d+)\)$/gm

function complaints(stderr: string) {
  return [...stderr.matchAll(complaint)].map(([, path, why, code]) => ({
    path: sep === '/' ? path! : path!.replaceAll(sep, '/'),
    why: why!,
    code: code!,
  }))
}

// "Not found" on all systems: the file was removed during the listing, so it is not unreadable.
const goneCodes = ['2', '3', '20']

// ripgrep visits every folder, even if no pattern can match there. A pattern with a slash inside is relative to the root.
function reaches(include: readonly string[], folder: string): boolean {
  const parts = folder.split('/')
  return include.length === 0 || include.map(fixedParts).some((fixed) => startAlike(parts, fixed))
}

function fixedParts(glob: string): string[] {
  const plain = glob.replace(/\/$/, '')
  if (!plain.includes('/')) return []
  const parts = plain.replace(/^\//, '').split('/')
  const wild = parts.findIndex((part) => /[*?[{\\]/.test(part))
  return wild < 0 ? parts : parts.slice(0, wild)
}

function startAlike(one: readonly string[], other: readonly string[]): boolean {
  return one.every((part, i) => i >= other.length || part === other[i])
}
