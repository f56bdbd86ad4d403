// The files of a package: those its manifest lists, here or on the web, each read once for its hash.

import { createHash } from 'node:crypto'
import { createReadStream, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { Problem, reasonOf } from '../../model/problem.js'
import { mapLimit } from '../../runtime/for-each-limit.js'
import { type Item, type Listing, listFolder, outOfSight } from '../folder.js'
import { look } from '../safe-file.js'
import type { DownloadCache } from './download-cache.js'
import type { Manifest } from './manifest.js'

export interface Checking {
  /** Required hashes besides the manifest's. A file without a hash is left out. */
  locked?: ReadonlyMap<string, string> | undefined
  signal?: AbortSignal | undefined
}

export interface Wanted {
  listing: Listing
  /** The hashes in the manifest. */
  hashes: Map<string, string>
  /** Some of them lie on the web. */
  onWeb: boolean
  /** Files with a url that are not in the folder. */
  elsewhere: string[]
}

/** Everything in a folder. */
export async function filesOf(folder: string, ignoreFiles: boolean, signal?: AbortSignal): Promise<Wanted> {
  const listing = await listFolder({ path: folder, include: [], exclude: [], ignoreFiles }, signal)
  return { listing, hashes: new Map(), onWeb: false, elsewhere: [] }
}

/** The files that a manifest lists. */
export async function listedFiles(
  root: string | null,
  { glob, files }: Manifest,
  cache: DownloadCache | null,
  { locked, signal }: Checking,
): Promise<Wanted> {
  if (glob) {
    const listing = await listFolder({ path: root!, ...glob, ignoreFiles: false }, signal).catch(
      blameManifest,
    )
    return { listing, hashes: new Map(), onWeb: false, elsewhere: [] }
  }
  const entries = new Map((files ?? []).map((file) => [file.path ?? file.url ?? '', file]))
  const inOrder = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  const hashes = new Map(inOrder.flatMap(([path, { hash }]) => (hash ? [[path, hash] as const] : [])))
  const found = await mapLimit(inOrder, async ([path, file]) => {
    if (locked && !locked.has(path)) return { path, stamp: file.refused ?? notLocked }
    const stamp = file.refused ?? (root !== null && file.path !== null ? look(join(root, file.path)) : null)
    if (stamp !== null) return { path, stamp }
    const hash = locked?.get(path) ?? hashes.get(path)
    return file.url === null
      ? { path, stamp: notThere }
      : downloaded(cache, { path, url: file.url, name: file.path, hash })
  })
  const listing: Listing = { items: [], unreadable: [] }
  for (const { path, stamp, at } of found)
    if (typeof stamp === 'string') listing.unreadable.push({ path, reason: stamp })
    else listing.items.push({ path, stamp, ...(at ? { at } : {}) })
  const here = new Set(listing.items.flatMap(({ path, at }) => (at ? [] : [path])))
  return {
    listing,
    hashes,
    onWeb:
      root === null || inOrder.some(([, { path }]) => path === null) || listing.items.some(({ at }) => at),
    elsewhere: inOrder.flatMap(([path, { url }]) => (url === null || here.has(path) ? [] : [path])),
  }
}

function blameManifest(error: unknown): never {
  if (error instanceof Problem && error.code === 'bad_configuration')
    throw new Problem('bad_manifest', error.message, 'Mend that glob of the manifest.', { cause: error })
  throw error
}

const notThere = 'The manifest lists it, but it is not there.'
const notLocked = 'It is not in the lock file.'

interface Found {
  path: string
  /** Its stamp, or why it cannot be read. */
  stamp: Item['stamp'] | string
  at?: NonNullable<Item['at']>
}

async function downloaded(
  cache: DownloadCache | null,
  { path, url, name, hash }: { path: string; url: string; name: string | null; hash: string | undefined },
): Promise<Found> {
  const got = await cache?.get(url, { name: name ?? undefined, hash })
  if (!got || 'reason' in got)
    return { path, stamp: got?.reason ?? 'It lies on the web, and nothing is fetched here.' }
  const at = { root: got.root, path: got.path }
  return { path, stamp: look(join(at.root, at.path)) ?? notThere, at }
}

/** Reads every file once for its hash. A file whose hash differs from the manifest or the lock is unreadable. */
export async function verified(
  root: string,
  { listing, hashes }: Pick<Wanted, 'listing' | 'hashes'>,
  { locked, signal }: Checking,
) {
  const sound: Listing = { items: [], unreadable: [...listing.unreadable] }
  const found = new Map<string, string>()
  for (const item of listing.items) {
    signal?.throwIfAborted()
    const hash = await hashFile(item.at ?? { root, path: item.path })
    const reason = hash.length === 64 ? mismatch(item.path, hash, hashes, locked) : hash
    if (reason !== null) sound.unreadable.push({ path: item.path, reason })
    else {
      found.set(item.path, hash)
      sound.items.push(item)
    }
  }
  sound.unreadable.push(...missing(listing, locked))
  return { listing: sound, hashes: found }
}

function mismatch(
  path: string,
  hash: string,
  hashes: ReadonlyMap<string, string>,
  locked: ReadonlyMap<string, string> | undefined,
): string | null {
  const otherwise = (expected: string | undefined) => expected !== undefined && expected !== hash
  if (otherwise(hashes.get(path))) return 'Its hash is not the one in the manifest.'
  if (otherwise(locked?.get(path))) return 'Its hash is not the one in the lock file.'
  return locked && !locked.has(path) ? notLocked : null
}

function missing(listing: Listing, locked: ReadonlyMap<string, string> = new Map()) {
  const seen = new Set(listing.items.map(({ path }) => path))
  const isHidden = outOfSight(listing)
  const paths = [...locked.keys()].filter((path) => !seen.has(path) && !isHidden(path))
  return paths.map((path) => ({ path, reason: 'The lock file lists it, but the package no longer does.' }))
}

/** The hash, or the reason for its absence. */
async function hashFile({ root, path }: { root: string; path: string }): Promise<string> {
  try {
    if (!realpathSync.native(join(root, path)).startsWith(root + sep))
      return 'It leads out of the package through a link.'
    return await hashOfFile(join(root, path))
  } catch (error) {
    return `It could not be read: ${reasonOf(error)}`
  }
}

/** SHA-256 of a file's bytes, in hexadecimal. */
export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(file)) hash.update(part as Buffer)
  return hash.digest('hex')
}
