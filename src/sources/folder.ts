// A folder as a source: which files it has, as git would see them.

import { isUtf8 } from 'node:buffer'
import { spawn } from 'node:child_process'
import { lstatSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Stamp } from '../model/document.js'
import { Problem } from '../model/problem.js'
import { hashOf } from '../text/hash.js'
import { excludedByName, excludedPaths, installedFolders, ownStores, unreadFiles } from './excluded-paths.js'
import { ignoreFilesOf } from './ignore-files.js'
import { listenTo } from './listing-timeout.js'
import { isNeverListed } from './path-rules.js'
import { requireFolder } from './require-folder.js'
import { ripgrep } from './ripgrep.js'
import { withoutSecrets } from './secret-files.js'
import { stampOf } from './stamp.js'
import { trackedFiles } from './tracked-files.js'

export interface Folder {
  path: string
  /** Globs relative to the folder. */
  include: readonly string[]
  exclude: readonly string[]
  /** Ignore files are obeyed unless this is false: a manifest says itself what belongs to it. */
  ignoreFiles?: boolean
}

/** A file that is there, before anybody has read it. */
export interface Item {
  /** Relative to the folder, `/`-separated. */
  path: string
  stamp: Stamp
  /** Where its bytes lie, when not at its path in the folder: a page goes by its url. */
  at?: { root: string; path: string }
}

export interface Listing {
  items: Item[]
  /** What is there but cannot be looked at, with the reason. A folder's path ends with `/`. */
  unreadable: Unreadable[]
}

/** The source's id: made from the real path, so that it is the same whatever name leads there. */
export function folderId(path: string): string {
  return `folder-${hashOf(realpathSync.native(path)).slice(0, 12)}`
}

/** Every file in the folder that is not ignored, by path. Never follows links, so it cannot leave or loop. */
export async function listFolder(folder: Folder, signal?: AbortSignal): Promise<Listing> {
  requireFolder(folder.path)
  const { paths, unnamed, closed } = await listPaths(folder, signal)
  const listing: Listing = {
    items: [],
    unreadable: [...closed, ...unnamed.map((path) => ({ path, reason: notUtf8 }))],
  }
  for (const [i, path] of paths.entries()) {
    const looked = look(join(folder.path, path))
    if (typeof looked === 'string') listing.unreadable.push({ path, reason: looked })
    else if (looked) listing.items.push({ path, stamp: looked })
    if (i % 1000 === 999) await nextTurn(undefined, { signal })
  }
  return listing
}

const notUtf8 = 'Its name is not UTF-8, so it has no path here. Rename it.'

/** Tells of a path whether nobody could look at it: it is unreadable itself, or lies in a folder that is. */
export function outOfSight({ unreadable }: Pick<Listing, 'unreadable'>): (path: string) => boolean {
  const told = new Set(unreadable.map(({ path }) => path))
  return (path) => {
    if (told.has(path)) return true
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
      if (told.has(path.slice(0, end + 1))) return true
    return false
  }
}

/** Whether a file that is there is one of the folder's, or is passed over because of some rule. */
export async function lists(folder: Folder, path: string, signal?: AbortSignal): Promise<boolean> {
  const depth = ['--max-depth', String(path.split('/').length)]
  return (await listPaths(folder, signal, depth)).paths.includes(path)
}

/** How a file looks now: its stamp, null when it is no regular file (any more), or why it cannot be looked at. */
export function look(file: string): Stamp | null | string {
  try {
    const stat = lstatSync(file)
    return stat.isFile() ? stampOf(stat) : null
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    return `It cannot be looked at (${code}).`
  }
}

interface Paths {
  paths: string[]
  /** Those whose bytes are no text, as near as text comes to them. */
  unnamed: string[]
  /** Folders in it that nobody may look into, or that the disk does not give. */
  closed: Unreadable[]
}

async function listPaths(folder: Folder, signal?: AbortSignal, more: readonly string[] = []): Promise<Paths> {
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
  )
  const isOurs = (path: string) => !isNeverListed(path) && keeps(path)
  const { paths, unnamed, said } = listed
  const closed = unreadableFolders(said, folder.include).filter(({ path }) => keeps(path))
  return { paths: paths.filter(isOurs), unnamed: unnamed.filter(isOurs), closed }
}

/** What is there by its name, before anybody asks what it is: secrets, locks and what builds made, too. */
export interface Names {
  paths: string[]
  /** Folders that nobody may look into, each with a slash at the end. */
  closed: Unreadable[]
}

/**
 * The names of all files but those that git ignores and does not track. Installed packages count where git tracks them or
 * one of the patterns, for whose sake this is asked, names their folder.
 */
export async function namesIn(
  folder: string,
  patterns: readonly string[],
  signal?: AbortSignal,
): Promise<Names> {
  const named = new Set(patterns.flatMap((pattern) => pattern.split(/[/\\{},]/)))
  const aside = [...ownStores, ...installedFolders.filter((name) => !named.has(name))]
  const globs = aside.flatMap((name) => ['--glob', `!${name}`])
  const { paths, said } = await listNames(folder, [...ignoreFilesOf(folder), ...globs], signal)
  const known = new Set(paths)
  for (const path of await trackedFiles(folder, signal))
    if (!known.has(path) && isThere(join(folder, path))) known.add(path)
  return { paths: [...known].sort(), closed: unreadableFolders(said, []) }
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

async function listNames(folder: string, how: readonly string[], signal?: AbortSignal) {
  const args = ['--files', '--hidden', '--null', '--no-config', '--no-ignore-messages', ...how]
  const { listed, said } = await run(await ripgrep(), args, folder, signal)
  if (isUtf8(listed)) return { paths: pathsIn(listed), unnamed: [], said }
  // Each by itself, byte for byte: two names that are not UTF-8 may look the same, or like a third that is.
  const each = listed.toString('latin1').split('\0')
  const names = each.map((name) => Buffer.from(`${name}\0`, 'latin1'))
  return {
    paths: pathsIn(Buffer.concat(names.filter((name) => isUtf8(name)))),
    unnamed: pathsIn(Buffer.concat(names.filter((name) => !isUtf8(name)))),
    said,
  }
}

function pathsIn(listed: Buffer): string[] {
  const paths = listed.toString('utf8').split('\0').filter(Boolean)
  return paths.map((path) => (sep === '/' ? path : path.replaceAll(sep, '/'))).sort()
}

interface Listed {
  listed: Buffer
  /** What could not be listed. */
  said: string
}

async function run(command: string, args: string[], cwd: string, signal?: AbortSignal): Promise<Listed> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], signal, windowsHide: true })
  const out: Buffer[] = []
  const errors: Buffer[] = []
  const code = await new Promise<number | null>((resolve, reject) => {
    const { heard, over } = listenTo(cwd, !args.includes('--no-ignore'), (why) => {
      child.kill('SIGKILL')
      reject(why)
    })
    child.stdout.on('data', (part: Buffer) => {
      out.push(part)
      heard()
    })
    child.stderr.on('data', (part: Buffer) => {
      errors.push(part)
      heard()
    })
    child.on('error', reject).on('close', resolve)
    child.on('error', over).on('close', over)
  })
  const said = Buffer.concat(errors).toString('utf8')
  // 1: nothing found. 2 with a list: some folders could not be read; what could is what there is.
  if (code === 0 || code === 1 || out.length > 0 || areInside(said))
    return { listed: Buffer.concat(out), said }
  throw unlisted(cwd, said.trim().slice(0, 300) || `code ${code}`)
}

function unlisted(folder: string, said: string): Problem {
  const message = `The files of ${folder} could not be listed: ${said}.`
  return /parsing glob/.test(said)
    ? new Problem('bad_configuration', message, 'Mend that pattern of "include" or "exclude" in carrel.json.')
    : new Problem('list_failed', message, 'Check that the folder can be read; "carrel doctor" looks at it.')
}

// Folders within a folder that nobody may look into, or that the disk does not give: what ripgrep says of them.
interface Unreadable {
  path: string
  reason: string
}

/** Those of which a file may be wanted, by path, with a slash at the end. */
function unreadableFolders(said: string, include: readonly string[]): Unreadable[] {
  return complaints(said)
    .filter(({ path, code }) => !goneCodes.includes(code) && reaches(include, path))
    .map(({ path, why }) => ({ path: `${path}/`, reason: `The folder cannot be read: ${why}.` }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether all that was said is of folders within the one that was to be listed, and not of that itself. */
function areInside(said: string): boolean {
  const told = complaints(said)
  return told.length > 0 && told.every(({ path }) => path !== '')
}

// `rg: ./path: Permission denied (os error 13)`, where a path may have anything in it, the ends of lines too.
const complaint = /^rg: \.[\\/]((?:(?!\nrg: )[\s\S])*?): ([^:\n]*) \(os error (\d+)\)$/gm

function complaints(said: string) {
  return [...said.matchAll(complaint)].map(([, path, why, code]) => ({
    path: sep === '/' ? path! : path!.replaceAll(sep, '/'),
    why: why!,
    code: code!,
  }))
}

// Not found, on any system: what went away meanwhile is gone, not closed.
const goneCodes = ['2', '3', '20']

// ripgrep looks into every folder, also where no pattern leads. One with a slash inside it starts at the top.
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
