// Reads a package's location from the url that people write. The id is made from the canonical form, so that two projects
// never share an id by accident, and one project never has two.
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from '../../model/problem.js'
import { hashOf } from '../../text/hash.js'
import { isThisMachine } from '../web/web-url.js'

export type Location = FolderLocation | FileLocation | GitLocation | WebLocation

export interface FolderLocation {
  kind: 'folder'
  /** A real path. */
  path: string
  canonical: string
}

export interface FileLocation {
  kind: 'manifest' | 'bundle'
  path: string
  canonical: string
}

export interface GitLocation {
  kind: 'git'
  /** The url for git, without our prefix, ref and manifest. */
  url: string
  ref: string | null
  manifest: string | null
  /** On this machine: a file url. */
  local: boolean
  canonical: string
}

export interface WebLocation {
  kind: 'web'
  form: 'manifest' | 'bundle'
  url: string
  /** On this machine, by its address alone. */
  local: boolean
  canonical: string
}

/** Reads a url or path; a relative path is relative to `base`. */
export function readLocation(url: string, base: string): Location {
  if (url.startsWith('-') || /[\0-\x1f]/.test(url) || url.trim() === '') throw odd(url)
  if (url.startsWith('git+')) return gitLocation(url)
  if (/^https?:/i.test(url)) return webLocation(url)
  if (/^[a-z][a-z0-9+.-]+:/i.test(url) && !/^(file:|[a-z]:[\\/])/i.test(url)) throw odd(url)
  return fileLocation(url, base)
}

/** Rewrites a url relative to the folder `from` for a file in `base`: relative to `base`, or absolute on request. */
export function seenFrom(
  url: string,
  { from, base, absolute }: { from: string; base: string; absolute: boolean },
): string {
  if (!isRelative(url)) return url
  const path = url.startsWith('file:') ? fileFrom(url, from) : resolve(from, url)
  if (absolute) return path
  if (from === base) return url
  const steps = relative(base, path).split(sep).join('/')
  return steps.startsWith('../') || steps === '..' || isAbsolute(steps) ? steps : `./${steps}`
}

function isRelative(url: string): boolean {
  if (url.startsWith('file:')) return !url.startsWith('file://')
  return !/^([a-z][a-z0-9+.-]+:|~[/\\])/i.test(url) && !isAbsolute(url)
}

/** The collection's id. */
export function packageId({ canonical }: Location): string {
  return `package-${hashOf(canonical).slice(0, 12)}`
}

const forms =
  'A package is a folder, a manifest.json, a .tar.gz or .tgz bundle (each also at an http or https url), or git+https://…, git+ssh://…, git+file://….'

/** A url as it may be shown: without the user name and password that somebody wrote into it. */
export function shownUrl(url: string): string {
  return url.replace(/:\/\/[^/]*@/, '://')
}

function odd(url: string): Problem {
  return new Problem('bad_url', `"${shownUrl(url).slice(0, 200)}" is not the address of a package.`, forms)
}

function webLocation(written: string): WebLocation {
  if (!URL.canParse(written)) throw odd(written)
  const url = new URL(written)
  url.hash = ''
  if (url.username !== '' || url.password !== '')
    throw new Problem(
      'bad_url',
      'The url of the package holds a user name or password.',
      'Those are not sent.',
    )
  const [, ending] = /\.(json|tar\.gz|tgz)$/i.exec(url.pathname) ?? []
  if (ending === undefined)
    throw new Problem(
      'bad_url',
      `${url.href} is neither a manifest nor a bundle.`,
      'On the web, a manifest ends in .json and a bundle in .tar.gz or .tgz.',
    )
  const form = ending.toLowerCase() === 'json' ? 'manifest' : 'bundle'
  return { kind: 'web', form, url: url.href, local: isThisMachine(url), canonical: url.href }
}

function fileLocation(url: string, base: string): FolderLocation | FileLocation {
  const path = realFile(url, base)
  const canonical = `file:${path}`
  const found = statSync(path)
  if (found.isDirectory()) return { kind: 'folder', path, canonical }
  // Opening a pipe waits for a writer, for ever.
  if (!found.isFile()) throw odd(url)
  if (/\.(tar\.gz|tgz)$/i.test(path)) return { kind: 'bundle', path, canonical }
  if (/\.json$/i.test(path)) return { kind: 'manifest', path, canonical }
  throw odd(url)
}

function realFile(url: string, base: string): string {
  const written = url.replace(/^~(?=[/\\])/, homedir())
  try {
    return realpathSync.native(url.startsWith('file:') ? fileFrom(url, base) : resolve(base, written))
  } catch (error) {
    throw new Problem('no_package', `There is nothing at ${url.slice(0, 200)}.`, forms, { cause: error })
  }
}

// `file:docs` is relative, as people write it; `file:///docs` is not.
function fileFrom(url: string, base: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : join(base, url.slice('file:'.length))
}

const refs = /^[\w][\w./+@-]{0,200}$/

function gitLocation(written: string): GitLocation {
  // A manifest may be named without a ref.
  const [, url, fragment = ''] = /^git\+([^#]+?)(?:#|(?=\?manifest=[^#]*$)|$)(.*)$/.exec(written) ?? []
  if (!url || !/^(https|ssh|file):\/\/[^-\s][^\s]*$/.test(url) || /\/\/[^/]*@-|:\/\/-/.test(url))
    throw odd(written)
  refuseSecrets(url)
  const [ref = '', query = ''] = fragment.split('?', 2)
  if (ref !== '' && (!refs.test(ref) || ref.includes('..') || ref.includes('@{')))
    throw new Problem('bad_url', `"${ref.slice(0, 80)}" cannot be a branch, tag or commit.`, forms)
  const manifest = new URLSearchParams(query).get('manifest')
  return {
    kind: 'git',
    url,
    ref: ref || null,
    manifest,
    local: url.startsWith('file:'),
    canonical: `git+${url.replace(/\/+$/, '').replace(/\.git$/, '')}#${ref}?manifest=${manifest ?? ''}`,
  }
}

// The address is in context.lock and shown to everybody who asks where a collection comes from. Over ssh a user name is no
// secret (`git@`); over https it may be a token.
function refuseSecrets(url: string) {
  const [, protocol, user] = /^(\w+):\/\/([^/]*)@/.exec(url) ?? []
  if (user === undefined || (protocol === 'ssh' && !user.includes(':'))) return
  throw new Problem(
    'bad_url',
    'The url of the package holds a user name or password.',
    'It would be shown wherever the package is named. For a repository that is not public use git+ssh:// and a key.',
  )
}

// A git repository on this machine that a package names. Git follows links, `gitdir` files and alternates, so a folder in
// the project may hand out what another repository keeps.

/** The real path of a `git+file://` repository; null if it does not exist. */
export function repositoryPath({ url }: GitLocation): string | null {
  try {
    return realpathSync.native(fileURLToPath(url))
  } catch {
    return null
  }
}

const mostEntries = 100_000

/** Whether everything that git would read lies in this folder: no link, no alternates, no git folder elsewhere. */
export function isSelfContained(repository: string): boolean {
  try {
    const folder = gitFolder(repository)
    return folder !== null && holdsPlainFilesOnly(folder)
  } catch {
    return false
  }
}

/** The folder with the objects; null where `.git` is a file or a link, which names a folder elsewhere. */
function gitFolder(repository: string): string | null {
  const inside = join(repository, '.git')
  const found = lstatSync(inside, { throwIfNoEntry: false })
  if (!found) return repository
  return found.isDirectory() ? inside : null
}

const pointers = new Set(['alternates', 'http-alternates', 'commondir'])

function holdsPlainFilesOnly(folder: string): boolean {
  const folders = [folder]
  let entries = 0
  for (let next = folders.pop(); next !== undefined; next = folders.pop())
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (++entries > mostEntries || pointers.has(entry.name.toLowerCase())) return false
      if (entry.isDirectory()) folders.push(join(next, entry.name))
      else if (!entry.isFile()) return false
    }
  return true
}
