// Stores the bytes of uploaded documents and crawled pages, which no other place has. Each version is one file, named after
// its document and its content, so that no file has two owners. Folders by the first characters of the name are never
// removed.

import { createHash, randomBytes } from 'node:crypto'
import { constants, copyFileSync, createReadStream, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { copyFile, type FileHandle, link, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Library } from '../../answer/library.js'
import { isGone, thisHost, thisProcess } from '../../runtime/process-identity.js'
import { renameFile } from '../../sources/rename-file.js'
import {
  isAbsent,
  listDataFolder,
  makeDataFolder,
  openDataFile,
  removeFromData,
  statDataFile,
} from '../../store/data-files.js'
import { type DocumentRecord, documentKind, lockDocument } from './document-records.js'

/** Stored bytes that belong to no document yet. */
export interface StagedBlob {
  /** SHA-256 of the bytes, in hexadecimal. */
  hash: string
  bytes: number
  /** Where the bytes wait to be claimed. */
  file: string
}

type Place = Pick<Library, 'settings'>

const uploads = 'uploads'

/** The folder of all blobs, by its real path. */
export function blobFolder(library: Library): string {
  return realpathSync.native(makeDataFolder(library.settings.data, uploads))
}

/** A folder for incoming bytes. Its name has the process id, so that it is not swept while this process lives. */
export function openNewFolder(library: Library): { folder: string; close(): Promise<void> } {
  const folder = join(blobFolder(library), inFlightName())
  mkdirSync(folder, { mode: 0o700 })
  return { folder, close: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) }
}

/** A document's file, relative to the folder of all blobs. */
export function blobPath({ id, hash }: { id: string; hash: string }): string {
  return `${shardOf(id)}/${id}.${hash.slice(0, 32)}`
}

function shardOf(id: string): string {
  return id.slice('doc_'.length, 'doc_'.length + 2)
}

/** Writes bytes to a new file and flushes it. They belong to no document until `claim`. */
export async function stageBlob(
  library: Library,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StagedBlob> {
  const file = join(blobFolder(library), inFlightName())
  const handle = await open(file, 'wx', 0o600)
  try {
    const { hash, bytes } = await writeAll(handle, parts)
    await handle.sync()
    return { hash, bytes, file }
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: FileHandle, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const whole = createHash('sha256')
  let bytes = 0
  for await (const part of parts) {
    whole.update(part)
    await handle.write(part)
    bytes += part.length
  }
  return { hash: whole.digest('hex'), bytes }
}

const partSize = 1_000_000

/** Bytes in pieces, so that hashing them does not block other requests. */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += partSize) {
    yield bytes.subarray(i, i + partSize)
    await nextTurn()
  }
}

/** Assigns a staged blob to a document atomically. The caller removes the file of `stageBlob` afterwards. */
export async function claim(library: Library, blob: StagedBlob, { id }: { id: string }): Promise<void> {
  const file = join(blobFolder(library), blobPath({ id, hash: blob.hash }))
  makeDataFolder(library.settings.data, uploads, shardOf(id))
  try {
    await link(blob.file, file)
  } catch (error) {
    // An existing file of that name has the same bytes, unless it was damaged. Some file systems have no links at all.
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    if (isThere && (await stateOfBytes(library, { id, hash: blob.hash })) === 'whole') return
    await copyFile(blob.file, `${blob.file}-copy`)
    await renameFile(`${blob.file}-copy`, file)
  }
}

/** After the record was written: claims again if the bytes were swept while this process was suspended. */
export async function confirmClaim(
  library: Library,
  blob: StagedBlob,
  { id }: { id: string },
): Promise<void> {
  const path = `${uploads}/${blobPath({ id, hash: blob.hash })}`
  if (!statDataFile(library.settings.data, path)) await claim(library, blob, { id })
}

/** Copies the bytes of all documents into another data folder. */
export function copyBlobs(from: string, to: string) {
  for (const shard of listDataFolder(from, uploads).filter((name) => shardForm.test(name)))
    for (const name of listDataFolder(from, `${uploads}/${shard}`)) {
      const path = `${uploads}/${shard}/${name}`
      if (!blobForm.test(name) || !statDataFile(from, path) || statDataFile(to, path)) continue
      makeDataFolder(to, uploads, shard)
      copyFileSync(join(from, path), join(to, path), constants.COPYFILE_EXCL)
    }
}

export type BytesState = 'whole' | 'gone' | 'changed' | 'unreadable'

/** The state of a document's bytes. Reads them all. */
export async function stateOfBytes(place: Place, record: { id: string; hash: string }): Promise<BytesState> {
  const whole = createHash('sha256')
  try {
    for await (const part of readBlob(place, record)) whole.update(part as Buffer)
  } catch (error) {
    return isAbsent(error) ? 'gone' : 'unreadable'
  }
  return whole.digest('hex') === record.hash ? 'whole' : 'changed'
}

/** A document's bytes. Throws at once if there are none. */
export function readBlob({ settings }: Place, record: { id: string; hash: string }) {
  const path = `${uploads}/${blobPath(record)}`
  const fd = openDataFile(settings.data, path, 'read')
  return createReadStream(join(settings.data, path), { fd })
}

export async function drop(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** Removes all versions of a document's bytes except the given one. */
export async function dropBytes(library: Library, { id }: { id: string }, except?: string): Promise<void> {
  const { data } = library.settings
  const folder = `${uploads}/${shardOf(id)}`
  const current = except && basename(blobPath({ id, hash: except }))
  for (const name of listDataFolder(data, folder))
    if (name.startsWith(`${id}.`) && name !== current) removeFromData(data, `${folder}/${name}`)
}

/** Held while new pages get their bytes and then their records, and while unclaimed bytes are removed. */
export function lockNewBytes<T>(library: Library, work: () => Promise<T>): Promise<T> {
  return library.mutex.withLock('new bytes', work)
}

const shardForm = /^[0-9a-f]{2}$/
const blobForm = /^(doc_[0-9a-f]+)\.[0-9a-f]{32}$/

/**
 * Removes the leftovers of killed processes: bytes that no record owns, and incoming files whose process has ended. Only
 * names that this module gives are removed. A file's age is not considered, since clocks and file times may be wrong.
 */
export async function sweepBytes(library: Library, owned: ReadonlySet<string>): Promise<number> {
  const { data } = library.settings
  let swept = 0
  for (const name of listDataFolder(data, uploads)) {
    const owner = ownerOfInFlight(name)
    if (owner) swept += sweepInFlight(library, name, owner) ? 1 : 0
    else if (shardForm.test(name) && isFolder(data, name)) swept += await sweepShard(library, name, owned)
  }
  return swept
}

function isFolder(data: string, name: string): boolean {
  return lstatSync(join(data, uploads, name), { throwIfNoEntry: false })?.isDirectory() ?? false
}

async function sweepShard(library: Library, shard: string, owned: ReadonlySet<string>): Promise<number> {
  const { data } = library.settings
  let swept = 0
  for (const name of listDataFolder(data, `${uploads}/${shard}`)) {
    const path = `${shard}/${name}`
    const id = blobForm.exec(name)?.[1]
    if (id === undefined || shardOf(id) !== shard || owned.has(path)) continue
    // The records were read before: a record written since is seen under the locks that its writer held.
    await lockNewBytes(library, () =>
      lockDocument(library, id, async () => {
        const record = await library.store.records.get<DocumentRecord>(documentKind, id)
        if (record && blobPath(record) === path) return
        removeFromData(data, `${uploads}/${path}`)
        swept++
      }),
    )
  }
  return swept
}

function sweepInFlight({ settings }: Library, name: string, owner: InFlightOwner): boolean {
  if (!owner.isGone()) return false
  removeFromData(settings.data, `${uploads}/${name}`)
  return true
}

// Names of files and folders that are on their way into the data folder. A name says which process it belongs to.
const own = thisProcess()
const ownPrefix = `new-${own.pid}-${short(own.host)}-${own.start === undefined ? '0' : short(own.start)}`

export function inFlightName(): string {
  return `${ownPrefix}-${randomBytes(6).toString('hex')}`
}

export interface InFlightOwner {
  /** Whether the process has ended for sure. Of another machine's process that is not known. */
  isGone(): boolean
}

const form = /^new-(\d+)-([0-9a-f]{8})-(0|[0-9a-f]{8})-[0-9a-f]{12}(?:-copy)?$/
/** Names that earlier versions gave, by process id and time. */
const earlier = /^new-(\d+)-\d+-\d+(?:-copy)?$/

/** Null for a name that is not of this form. */
function ownerOfInFlight(name: string): InFlightOwner | null {
  const before = earlier.exec(name)
  if (before) return { isGone: () => isGone({ pid: Number(before[1]), host: thisHost() }) }
  const [, pid, host, start] = form.exec(name) ?? []
  if (pid === undefined) return null
  return {
    isGone: () =>
      host === short(thisHost()) &&
      isGone({ pid: Number(pid), host: thisHost(), ...(start === '0' ? {} : { start: start! }) }, short),
  }
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
