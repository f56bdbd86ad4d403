// A folder as a source: which files it has, as git would see them.
import { isUtf8 } from 'node:buffer'
import { spawn } from 'node:child_process'
import { lstatSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Stamp } from '../model/document.js'
import { Problem } from '../model/problem.js'
import { hashOf } from '../text/hash.js'
import { areInside, closedFolders, type Unreadable } from './closed-folders.js'
import { ignoreFilesOf } from './ignore-files.js'
import { listenTo } from './quiet-listing.js'
import { requireFolder } from './require-folder.js'
import { ripgrep } from './ripgrep.js'
import { isSecretStill, withoutSecrets } from './secret-files.js'
import { stampOf } from './stamp.js'

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
  return `folder-${hashOf(realpathSync(path)).slice(0, 12)}`
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
  const globs = [...folder.include, ...[...neverIndexed, ...folder.exclude].map((glob) => `!${glob}`)]
  const args = ['--files', '--hidden', '--null', '--no-config', '--no-ignore-messages']
  const { listed, said } = await run(
    await ripgrep(),
    [
      ...args,
      ...more,
      ...(folder.ignoreFiles === false ? ['--no-ignore'] : ignoreFilesOf(folder.path)),
      ...globs.flatMap((glob) => ['--glob', glob]),
      ...withoutSecrets(),
    ],
    folder.path,
    signal,
  )
  const closed = closedFolders(said, folder.include)
  if (isUtf8(listed)) return { paths: pathsIn(listed), unnamed: [], closed }
  // Each by itself, byte for byte: two names that are not UTF-8 may look the same, or like a third that is.
  const each = listed.toString('latin1').split('\0')
  const names = each.map((name) => Buffer.from(`${name}\0`, 'latin1'))
  return {
    paths: pathsIn(Buffer.concat(names.filter((name) => isUtf8(name)))),
    unnamed: pathsIn(Buffer.concat(names.filter((name) => !isUtf8(name)))),
    closed,
  }
}

function pathsIn(listed: Buffer): string[] {
  const paths = listed.toString('utf8').split('\0').filter(Boolean)
  const plain = paths.map((path) => (sep === '/' ? path : path.replaceAll(sep, '/')))
  return plain.filter((path) => !isSecretStill(path)).sort()
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

/** Never indexed, whatever the configuration says: other tools' stores, build output, and locks nobody reads. */
export const neverIndexed: readonly string[] = [
  ...['.git', '.hg', '.svn', '.carrel', '.context', '.obsidian', '.trash', '.idea', '.vs'],
  ...[
    'node_modules',
    'bower_components',
    '.venv',
    'venv',
    '__pycache__',
    '.tox',
    '.mypy_cache',
    '.pytest_cache',
    '.ruff_cache',
  ],
  ...[
    'dist',
    'build',
    'target',
    '.next',
    '.nuxt',
    '.svelte-kit',
    '.turbo',
    '.cache',
    '.parcel-cache',
    '.gradle',
    'coverage',
  ],
  ...[
    'package-lock.json',
    'npm-shrinkwrap.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'bun.lockb',
    'Cargo.lock',
    'poetry.lock',
  ],
  ...[
    'uv.lock',
    'Pipfile.lock',
    'composer.lock',
    'Gemfile.lock',
    'go.sum',
    '*.min.js',
    '*.min.css',
    '*.map',
    '*.tsbuildinfo',
  ],
  ...['.gitignore', '.gitattributes', '.gitmodules', '.DS_Store'],
]
