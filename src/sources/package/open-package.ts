// A package as a folder on this machine with a list of its files: in place where it lies here, else in a folder of ours.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { Problem, reasonOf } from '../../model/problem.js'
import { type Listing, listFolder, look } from '../folder.js'
import { checkOut } from './git.js'
import type { Location } from './location.js'
import { insidePath, type Manifest, type ManifestFile, readManifest } from './manifest.js'
import { unpack } from './tar.js'

export interface OpenedPackage {
  /** The real path that the files' paths are relative to. */
  root: string
  name: string
  version: string | null
  description: string | null
  listing: Listing
  /** SHA-256 of every file that can be read, by path. */
  hashes: Map<string, string>
  /** The manifest says what hash some file must have. */
  pinned: boolean
  /** Of a git package. */
  commit: string | null
}

export interface OpenOptions {
  /** An empty folder for what has to be fetched. */
  folder: string
  commit?: string | undefined
  /** Hashes that files must have besides those of the manifest. */
  locked?: ReadonlyMap<string, string> | undefined
  signal?: AbortSignal | undefined
}

export async function openPackage(location: Location, options: OpenOptions): Promise<OpenedPackage> {
  const { manifest, root, commit } = await bring(location, options)
  // What was fetched lies in a folder of ours, whose own ignore file would hide it; a commit is what it is.
  const ignoreFiles = location.kind === 'folder'
  const wanted = manifest ? await listed(root, manifest, options) : await whole(root, ignoreFiles, options)
  const { listing, hashes } = await verified(root, wanted, options)
  return {
    root,
    name: manifest?.name ?? basename(root),
    version: manifest?.version ?? null,
    description: manifest?.description ?? null,
    listing,
    hashes,
    pinned: wanted.hashes.size > 0,
    commit,
  }
}

interface Brought {
  root: string
  /** Null: a folder without one; everything in it belongs to it. */
  manifest: Manifest | null
  commit: string | null
}

async function bring(location: Location, { folder, commit, signal }: OpenOptions): Promise<Brought> {
  switch (location.kind) {
    case 'folder':
      return { ...inFolder(location.path, null), commit: null }
    case 'manifest':
      return { ...inFolder(dirname(location.path), basename(location.path)), commit: null }
    case 'bundle':
      await unpack(location.path, folder, { signal })
      return { ...inFolder(topOf(folder), 'manifest.json'), commit: null }
    case 'git': {
      const resolved = await checkOut(location, folder, { commit, signal })
      return { ...inFolder(folder, location.manifest), commit: resolved }
    }
  }
}

/** Some archives hold everything in one folder. */
function topOf(folder: string): string {
  const entries = readdirSync(folder)
  const only = join(folder, entries[0] ?? '')
  const one = entries.length === 1 && statSync(only).isDirectory()
  return one && existsSync(join(only, 'manifest.json')) ? only : folder
}

function inFolder(folder: string, named: string | null): Omit<Brought, 'commit'> {
  const path = insidePath(named ?? 'manifest.json')
  if (path === null) throw new Problem('bad_url', `The manifest "${named}" lies outside the package.`)
  const file = join(realpathSync(folder), path)
  const isThere = typeof look(file) === 'object' && look(file) !== null
  if (!isThere && named !== null)
    throw new Problem(
      'no_manifest',
      `There is no ${named} in the package.`,
      'A package needs a manifest.json.',
    )
  if (!isThere) return { root: realpathSync(folder), manifest: null }
  const manifest = ownManifest(readFileSync(file, 'utf8'), path, named !== null)
  return { root: manifest ? dirname(file) : realpathSync(folder), manifest }
}

// A folder may hold a manifest.json of something else (a web app, an extension): then it is a plain folder.
function ownManifest(text: string, path: string, required: boolean): Manifest | null {
  if (required || /"sources"\s*:/.test(text)) return readManifest(text, path)
  return null
}

interface Wanted {
  listing: Listing
  hashes: Map<string, string>
}

async function whole(root: string, ignoreFiles: boolean, { signal }: OpenOptions): Promise<Wanted> {
  const listing = await listFolder({ path: root, include: [], exclude: [], ignoreFiles }, signal)
  return { listing, hashes: new Map() }
}

async function listed(root: string, { glob, files }: Manifest, { signal }: OpenOptions): Promise<Wanted> {
  if (glob) {
    const listing = await listFolder({ path: root, ...glob, ignoreFiles: false }, signal)
    return { listing, hashes: new Map() }
  }
  const listing: Listing = { items: [], unreadable: [] }
  const hashes = new Map<string, string>()
  const entries = new Map((files ?? []).map((file) => [file.path ?? file.url ?? '', file]))
  for (const [path, file] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const stamp = file.refused ?? lookInside(root, file)
    if (typeof stamp === 'string') listing.unreadable.push({ path, reason: stamp })
    else listing.items.push({ path, stamp })
    if (file.hash) hashes.set(path, file.hash)
  }
  return { listing, hashes }
}

function lookInside(root: string, { path }: ManifestFile) {
  return look(join(root, path!)) ?? 'The manifest lists it, but it is not there.'
}

/** Reads every file once for its hash. One that is not what the manifest or the lock says is unreadable. */
async function verified(root: string, { listing, hashes }: Wanted, { locked, signal }: OpenOptions) {
  const sound: Listing = { items: [], unreadable: [...listing.unreadable] }
  const found = new Map<string, string>()
  for (const item of listing.items) {
    signal?.throwIfAborted()
    const hash = await hashFile(root, item.path)
    const expected = hashes.get(item.path) ?? locked?.get(item.path)
    if (hash.length !== 64) sound.unreadable.push({ path: item.path, reason: hash })
    else if (expected !== undefined && expected !== hash) {
      const says = hashes.has(item.path) ? 'manifest' : 'lock file'
      sound.unreadable.push({ path: item.path, reason: `Its hash is not the one in the ${says}.` })
    } else {
      found.set(item.path, hash)
      sound.items.push(item)
    }
  }
  return { listing: sound, hashes: found }
}

/** The hash, or why there is none. */
async function hashFile(root: string, path: string): Promise<string> {
  try {
    if (!realpathSync(join(root, path)).startsWith(root + sep))
      return 'It leads out of the package through a link.'
    const hash = createHash('sha256')
    for await (const part of createReadStream(join(root, path))) hash.update(part as Buffer)
    return hash.digest('hex')
  } catch (error) {
    return `It could not be read: ${reasonOf(error)}`
  }
}
