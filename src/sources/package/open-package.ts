// Opens a package as a local folder with a list of its files: in place if it is local, else in our own folder.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Problem } from '../../model/problem.js'
import type { Listing } from '../folder.js'
import { look } from '../safe-file.js'
import { type CachedFile, type DownloadCache, openDownloadCache, type Web } from './download-cache.js'
import { checkOut } from './git.js'
import type { Location, WebLocation } from './location.js'
import { insidePath, type Manifest, readManifest } from './manifest.js'
import { type Checking, filesOf, hashOfFile, listedFiles, verified } from './package-files.js'
import { archiveLimits, unpack } from './tar.js'

export interface OpenedPackage {
  /** The real path that the files' paths are relative to. */
  root: string
  name: string
  version: string | null
  description: string | null
  listing: Listing
  /** SHA-256 of every readable file, by its path or url. */
  hashes: Map<string, string>
  /** The files that the manifest says a hash of. */
  pinned: string[]
  /** Git packages only. */
  commit: string | null
  /** Manifests on the web, and bundles. */
  fetched: Fetched | null
  /** Some of its files lie on the web. */
  onWeb: boolean
  /** Files with a url that are not in the folder. */
  elsewhere: string[]
}

export interface Fetched {
  etag: string | null
  /** SHA-256 of its bytes. */
  hash: string
}

export interface OpenOptions extends Checking {
  /** An empty folder for downloads. */
  folder: string
  /** The folder of the previous run: files that did not change on the web are copied from it. */
  before?: string | undefined
  /** Null: nothing is fetched from the web. */
  web: Web | null
  commit?: string | undefined
  /** It had a manifest the last time. If that is unusable now, opening fails; else the whole folder would be indexed. */
  hadManifest?: boolean
  /** The hash that a manifest on the web or a bundle must have. */
  lockedHash?: string | undefined
}

export async function openPackage(location: Location, options: OpenOptions): Promise<OpenedPackage> {
  const cache = options.web && openCacheIn(options, options.web)
  const { manifest, root, commit, fetched } = await bring(location, cache, options)
  // Downloads are in our own folder, whose ignore file would hide them; in a commit, ignore rules do not apply.
  const ignoreFiles = location.kind === 'folder'
  const wanted = manifest
    ? await listedFiles(root, manifest, cache, options)
    : await filesOf(root!, ignoreFiles, options.signal)
  const { listing, hashes } = await verified(root ?? options.folder, wanted, options)
  cache?.close()
  return {
    root: root ?? options.folder,
    name: manifest?.name ?? basename(root ?? ''),
    version: manifest?.version ?? null,
    description: manifest?.description ?? null,
    listing,
    hashes,
    pinned: [...wanted.hashes.keys()],
    commit,
    fetched,
    onWeb: wanted.onWeb,
    elsewhere: wanted.elsewhere,
  }
}

/** Unpacked and checked-out files go next to the downloads, so that neither can be mistaken for the other. */
function openCacheIn({ folder, before, signal }: OpenOptions, web: Web): DownloadCache {
  mkdirSync(join(folder, 'web'), { recursive: true })
  return openDownloadCache(web, {
    folder: join(folder, 'web'),
    before: before && join(before, 'web'),
    signal: signal ?? new AbortController().signal,
    mostBytes: archiveLimits.totalBytes,
  })
}

interface Brought {
  /** Null: a manifest on the web, which has no folder. */
  root: string | null
  /** Null: a folder without one; everything in it belongs to it. */
  manifest: Manifest | null
  commit: string | null
  fetched: Fetched | null
}

async function bring(
  location: Location,
  cache: DownloadCache | null,
  options: OpenOptions,
): Promise<Brought> {
  const { commit, signal, hadManifest = false } = options
  const none = { commit: null, fetched: null }
  switch (location.kind) {
    case 'folder':
      return { ...inFolder(location.path, null, hadManifest), ...none }
    case 'manifest':
      return { ...inFolder(dirname(location.path), basename(location.path)), ...none }
    case 'bundle': {
      const hash = await hashOfFile(location.path)
      refuseUnlocked('bundle', location.path, hash, options)
      return { ...(await unpacked(location.path, options)), commit: null, fetched: { etag: null, hash } }
    }
    case 'git': {
      const folder = createFilesFolder(options)
      const resolved = await checkOut(location, folder, { commit, signal })
      return { ...inFolder(folder, location.manifest, hadManifest), commit: resolved, fetched: null }
    }
    case 'web': {
      const found = await fetchPackage(location, cache, options)
      const { etag, hash, root, path, url } = found
      const file = join(root, path)
      const manifest = () => readManifest(readFileSync(file, 'utf8'), location.url, url)
      const brought =
        location.form === 'bundle' ? await unpacked(file, options) : { root: null, manifest: manifest() }
      return { ...brought, commit: null, fetched: { etag, hash } }
    }
  }
}

async function unpacked(archive: string, options: OpenOptions) {
  const folder = createFilesFolder(options)
  await unpack(archive, folder, { signal: options.signal })
  return inFolder(topOf(folder), 'manifest.json')
}

function createFilesFolder({ folder }: OpenOptions): string {
  const files = join(folder, 'files')
  mkdirSync(files)
  return files
}

const manifestBytes = 5_000_000
const bundleBytes = 200_000_000
const bundleMs = 300_000

async function fetchPackage(
  { url, form }: WebLocation,
  cache: DownloadCache | null,
  options: OpenOptions,
): Promise<CachedFile> {
  const limits = form === 'bundle' ? { maxBytes: bundleBytes, timeMs: bundleMs } : { maxBytes: manifestBytes }
  const found = await cache?.get(url, { ...limits, hash: options.lockedHash })
  if (!found || 'reason' in found)
    throw new Problem(
      'not_fetched',
      `${url} could not be fetched. ${found?.reason ?? 'Nothing is fetched here.'}`,
    )
  refuseUnlocked(form, url, found.hash, options)
  return found
}

function refuseUnlocked(form: string, where: string, hash: string, { lockedHash }: OpenOptions) {
  if (lockedHash === undefined || lockedHash === hash) return
  throw new Problem(
    'not_locked',
    `The ${form} at ${where} is not the one in context.lock.`,
    'Run "carrel sync" without --locked to take the new one.',
  )
}

/** Some archives hold everything in one folder. */
function topOf(folder: string): string {
  const entries = readdirSync(folder)
  const only = join(folder, entries[0] ?? '')
  const one = entries.length === 1 && statSync(only).isDirectory()
  return one && existsSync(join(only, 'manifest.json')) ? only : folder
}

function inFolder(folder: string, named: string | null, hadManifest = false) {
  const path = insidePath(named ?? 'manifest.json')
  if (path === null) throw new Problem('bad_url', `The manifest "${named}" lies outside the package.`)
  const file = join(realpathSync.native(folder), path)
  const isThere = typeof look(file) === 'object' && look(file) !== null
  if (!isThere && named !== null)
    throw new Problem(
      'no_manifest',
      `There is no ${named} in the package.`,
      'A package needs a manifest.json.',
    )
  if (!isThere && hadManifest)
    throw new Problem(
      'no_manifest',
      'The package has lost its manifest.json.',
      'Put it back; if everything in the folder is to belong to the package, remove the package and add it again.',
    )
  if (!isThere) return { root: realpathSync.native(folder), manifest: null }
  const manifest = ownManifest(readFileSync(file, 'utf8'), path, named !== null || hadManifest)
  return { root: manifest ? dirname(file) : realpathSync.native(folder), manifest }
}

// A folder may hold a manifest.json of something else (a web app, an extension): then it is a plain folder.
function ownManifest(text: string, path: string, required: boolean): Manifest | null {
  if (required || /"sources"\s*:/.test(text)) return readManifest(text, path)
  return null
}
