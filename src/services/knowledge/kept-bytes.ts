// The bytes of documents that somebody handed us: no other place has them. One file a version, named after its document
// and its content, so that no file has two owners. Folders by the first signs of the name are made and never removed.
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, realpathSync } from 'node:fs'
import { copyFile, type FileHandle, link, open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { renameFile } from '../../sources/rename-file.js'
import { makeDataFolder } from '../../store/data-files.js'
import type { Library } from '../library.js'

/** What was kept, before it belongs to a document. */
export interface Kept {
  /** SHA-256 of the bytes, in hexadecimal. */
  hash: string
  bytes: number
  /** Where the bytes wait to be claimed. */
  file: string
}

type Place = Pick<Library, 'settings'>

const uploads = 'uploads'

function folderIn({ settings }: Place): string {
  return join(settings.data, uploads)
}

/** The folder of all kept bytes, by its real path. */
export function keptFolder(library: Library): string {
  return realpathSync.native(makeDataFolder(library.settings.data, uploads))
}

/** A folder for what is on its way in. It stays young until it is closed, so that nobody sweeps it away meanwhile. */
export function openNewFolder(library: Library): { folder: string; close(): Promise<void> } {
  const folder = mkdtempSync(join(keptFolder(library), beginning))
  const touch = () => void utimes(folder, new Date(), new Date()).catch(() => {})
  const timer = setInterval(touch, inFlightMs / 10).unref()
  return {
    folder,
    async close() {
      clearInterval(timer)
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

const beginning = 'new-'

/** A document's file inside the folder of all. */
export function keptPath({ id, hash }: { id: string; hash: string }): string {
  return `${shelfOf(id)}/${id}.${hash.slice(0, 32)}`
}

function shelfOf(id: string): string {
  return id.slice('doc_'.length, 'doc_'.length + 2)
}

/** Puts bytes into a file of their own, safe on disk. They are nobody's until `claim`. */
export async function keepBytes(
  library: Library,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Kept> {
  const file = join(keptFolder(library), `${beginning}${process.pid}-${Date.now()}-${counter++}`)
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

let counter = 0

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

/** Bytes at hand, in pieces small enough that nobody waits for their hashing. */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += partSize) {
    yield bytes.subarray(i, i + partSize)
    await nextTurn()
  }
}

/** Gives kept bytes to a document, in one step. Whoever kept them drops what he has. */
export async function claim(library: Library, kept: Kept, { id }: { id: string }): Promise<void> {
  const file = join(keptFolder(library), keptPath({ id, hash: kept.hash }))
  makeDataFolder(library.settings.data, uploads, shelfOf(id))
  try {
    await link(kept.file, file)
  } catch (error) {
    // A file of that name has the same bytes, unless somebody changed them. Some file systems have no links at all.
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    if (isThere && (await stateOfBytes(library, { id, hash: kept.hash })) === 'whole') return
    await copyFile(kept.file, `${kept.file}-copy`)
    await renameFile(`${kept.file}-copy`, file)
  }
}

export type BytesState = 'whole' | 'gone' | 'changed' | 'unreadable'

/** What became of a document's bytes. Reads them all. */
export async function stateOfBytes(place: Place, record: { id: string; hash: string }): Promise<BytesState> {
  const whole = createHash('sha256')
  try {
    for await (const part of createReadStream(join(folderIn(place), keptPath(record))))
      whole.update(part as Buffer)
  } catch (error) {
    return isAbsent(error) ? 'gone' : 'unreadable'
  }
  return whole.digest('hex') === record.hash ? 'whole' : 'changed'
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

export async function drop(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** Removes a document's bytes, all versions but the one that is said. */
export async function dropBytes(library: Library, { id }: { id: string }, except?: string): Promise<void> {
  const folder = join(folderIn(library), shelfOf(id))
  const kept = except && basename(keptPath({ id, hash: except }))
  for (const name of await names(folder))
    if (name.startsWith(`${id}.`) && name !== kept) await rm(join(folder, name), { force: true })
}

const inFlightMs = 10 * 60_000

/** Removes what a process that was killed left behind. What is younger may be on its way into a record. */
export async function sweepBytes(library: Library, owned: ReadonlySet<string>): Promise<number> {
  const folder = folderIn(library)
  let swept = 0
  for (const name of await names(folder)) {
    const inner = name.startsWith(beginning)
      ? [name]
      : (await names(join(folder, name))).map((one) => `${name}/${one}`)
    for (const path of inner) {
      if (owned.has(path) || !(await isOld(join(folder, path)))) continue
      await rm(join(folder, path), { recursive: true, force: true, maxRetries: 3 })
      swept++
    }
  }
  return swept
}

async function isOld(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > inFlightMs
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (isAbsent(error)) return []
    throw error
  })
}
